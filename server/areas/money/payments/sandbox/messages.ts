/** The messages that the sandbox sends. They come by the same door as those of a service elsewhere, without leaving us. */
import { contextOf, type Outside } from '../context.ts';
import { instant, sql } from '../../../../kernel/db/sql.ts';
import { readProcessor } from '../rows.ts';
import { signatureOf, SIGNATURE } from './sandbox.ts';
import { takeMessage } from '../take-message.ts';
import type { Database } from '../../../../kernel/db/database.ts';

/** The sandboxes that have something to say. */
export const waitingSandboxes = (db: Database): Promise<{ provider_id: number; processor_id: number }[]> =>
  db.acrossTenants('messages of every sandbox are sent by one engine', (tx) =>
    tx.rows(sql`SELECT DISTINCT provider_id, processor_id FROM sandbox_message WHERE sent_at IS NULL LIMIT 20`),
  );

/** Sends what waits to be sent, in order, and returns how many there were. What fails is sent again. */
export async function deliverMessages(outside: Outside, processor: number): Promise<number> {
  const { db, tenant, now } = outside;
  const { providerId } = tenant;
  const waiting = await db.looking(providerId, (tx) =>
    tx.rows<{ id: number; body: string }>(
      sql`SELECT id, body FROM sandbox_message WHERE provider_id = ${providerId} AND processor_id = ${processor} AND sent_at IS NULL ORDER BY id LIMIT 100`,
    ),
  );
  if (waiting.length === 0) return 0;
  const row = await db.looking(providerId, (tx) => readProcessor({ tx, providerId }, processor));
  const c = contextOf(outside, row!);
  for (const { id, body } of waiting) {
    const sent = Buffer.from(JSON.stringify({ id: `sandbox_message_${id}`, ...JSON.parse(body) }));
    await takeMessage(outside, processor, { body: sent, headers: { [SIGNATURE]: signatureOf(c, sent) } });
    await db.transaction(providerId, (tx) =>
      tx.run(
        sql`UPDATE sandbox_message SET sent_at = ${instant(now)} WHERE provider_id = ${providerId} AND id = ${id}`,
      ),
    );
  }
  return waiting.length;
}
