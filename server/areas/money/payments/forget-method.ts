/** Requests to processors to delete saved methods that are no longer wanted. */
import { openPaymentContext, type Outside } from './context.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { LEASE_MS, waitAfter } from './rules/next.ts';
import { processorOf } from './processors.ts';
import type { ProcessorRow } from './rows.ts';

interface Removed {
  readonly token: string;
  readonly owner_token: string | null;
  readonly payment_processor_id: number;
  readonly attempts: number;
}

/** Asks the processor to delete a saved method. Returns the error, if any; the request is retried later. */
export async function forgetMethod(outside: Outside, id: number): Promise<{ error?: unknown } | undefined> {
  const { db, tenant, now } = outside;
  const { providerId } = tenant;
  const found = await db.transaction(providerId, async (tx) => {
    const row = await tx.one<Removed>(
      sql`UPDATE payment_method SET next_at = ${instant(now + LEASE_MS)}, attempts = attempts + 1
          WHERE provider_id = ${providerId} AND id = ${id} AND next_at <= ${instant(now)}
          RETURNING token, owner_token, payment_processor_id, attempts`,
    );
    if (!row) return null;
    const processor = await tx.one<ProcessorRow>(
      sql`SELECT * FROM payment_processor WHERE provider_id = ${providerId} AND id = ${row.payment_processor_id}`,
    );
    return { row, processor: processor! };
  });
  if (!found) return undefined;
  const { row, processor } = found;
  const kind = processorOf(processor.kind);
  const these = sql`provider_id = ${providerId} AND id = ${id} AND forgotten_at IS NULL`;
  try {
    if (!kind.immediate)
      await kind.forget(openPaymentContext(outside, processor), { token: row.token, ownerToken: row.owner_token });
  } catch (error) {
    const wait = waitAfter(row.attempts);
    const next = wait === null ? null : instant(now + wait);
    await db.transaction(providerId, (tx) => tx.run(sql`UPDATE payment_method SET next_at = ${next} WHERE ${these}`));
    return { error };
  }
  await db.transaction(providerId, (tx) =>
    tx.run(sql`UPDATE payment_method SET forgotten_at = ${instant(now)}, next_at = NULL WHERE ${these}`),
  );
  return {};
}
