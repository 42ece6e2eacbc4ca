import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Longer than any processor repeats a message. */
const MESSAGES_KEPT_MS = 90 * 86_400_000;

/** Longer than a processor lets anybody finish a page. */
const SETUPS_KEPT_MS = 30 * 86_400_000;

/**
 * Deletes old messages, whose content is recorded in the payments, and setups in which no payment method was saved.
 */
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
  await tx.run(
    sql`DELETE FROM payment_method_setup s USING (SELECT provider_id, id FROM payment_method_setup
        WHERE status <> 'succeeded' AND next_at IS NULL AND created_at < ${instant(now - SETUPS_KEPT_MS)}
        LIMIT 5000) old
      WHERE s.provider_id = old.provider_id AND s.id = old.id`,
  );
}
