import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Longer than any processor repeats a message. */
const MESSAGES_KEPT_MS = 90 * 86_400_000;

/** Deletes old messages. Their content is recorded in the payments. */
export async function sweepPayments(tx: Transaction, now: number): Promise<void> {
  const before = instant(now - MESSAGES_KEPT_MS);
  await tx.run(
    sql`DELETE FROM payment_message
      WHERE id IN (SELECT id FROM payment_message WHERE received_at < ${before} LIMIT 5000)`,
  );
  await tx.run(
    sql`DELETE FROM sandbox_message
      WHERE id IN (SELECT id FROM sandbox_message WHERE next_at IS NULL AND created_at < ${before} LIMIT 5000)`,
  );
}
