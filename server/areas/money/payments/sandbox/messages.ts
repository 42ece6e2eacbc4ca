/**
 * The messages that the sandbox sends. They take the same route as those of a remote service, but stay inside the
 * process.
 */
import { openPaymentContext, type Outside } from '../context.ts';
import { instant, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { readProcessor } from '../rows.ts';
import { signatureOf, SIGNATURE } from './sandbox.ts';
import { keepKnown, takeMessageOf } from '../take-message.ts';
import { waitAfter } from '../rules/next.ts';
import type { Message } from '../processor.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';

interface Sandbox {
  readonly provider_id: number;
  readonly processor_id: number;
}

const waiting = (now: number): Sql =>
  sql`SELECT DISTINCT provider_id, processor_id FROM sandbox_message WHERE next_at <= ${instant(now)} LIMIT 20`;

/** Returns the sandboxes that have messages to send. */
export const waitingSandboxes = (db: Database, now: number): Promise<Sandbox[]> =>
  db.acrossTenants('messages of every sandbox are sent by one engine', (tx) => tx.rows<Sandbox>(waiting(now)));

/** Returns those of one business. */
export const waitingSandboxesOf = (db: Database, provider: number, now: number): Promise<Sandbox[]> =>
  db.looking(provider, (tx) => tx.rows<Sandbox>(waiting(now)));

/** Sends the pending messages in order. Those that were not accepted are retried later, and returned as errors. */
export async function deliverMessages(outside: Outside, processor: number): Promise<unknown[]> {
  const { db, tenant, now } = outside;
  const { providerId } = tenant;
  const [messages, row] = await db.looking(providerId, (tx) =>
    Promise.all([
      tx.rows<{ id: number; body: string; attempts: number }>(
        sql`SELECT id, body, attempts FROM sandbox_message
          WHERE provider_id = ${providerId} AND processor_id = ${processor}
              AND next_at <= ${instant(now)} ORDER BY id LIMIT 100`,
      ),
      readProcessor({ tx, providerId }, processor),
    ]),
  );
  if (messages.length === 0) return [];
  const c = openPaymentContext(outside, row!);
  const errors: unknown[] = [];
  const next: (number | null)[] = [];
  const sent = messages.map(({ id, body }): Message => ({ id: `sandbox_message_${id}`, ...JSON.parse(body) }));
  const known = await keepKnown(outside, processor, sent);
  for (const [n, { attempts }] of messages.entries()) {
    const body = Buffer.from(JSON.stringify(sent[n]));
    try {
      if (!known.has(sent[n].id))
        await takeMessageOf(outside, row!, { body, headers: { [SIGNATURE]: signatureOf(c, body) } });
      next.push(null);
    } catch (error) {
      errors.push(error);
      const wait = waitAfter(attempts + 1);
      next.push(wait === null ? null : now + wait);
    }
  }
  // In one statement: if the process ends before it, the messages are sent once more and recognized as known.
  await db.transaction(providerId, (tx) =>
    tx.run(sql`UPDATE sandbox_message m SET next_at = n.next_at, attempts = m.attempts + 1
      FROM unnest(${messages.map(({ id }) => id)}::bigint[], ${next.map((at) => instant(at))}::timestamptz[]) AS n
        (id, next_at)
      WHERE m.provider_id = ${providerId} AND m.id = n.id`),
  );
  return errors;
}
