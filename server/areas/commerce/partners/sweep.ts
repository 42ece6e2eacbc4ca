/** Deletes messages that are older than 90 days: who came in when is nobody's business for longer. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

const KEPT_MS = 90 * 86_400_000;
const BATCH_SIZE = 10_000;

export const sweepPartnerMessages = async (tx: Transaction, now: number): Promise<void> => {
  await tx.run(sql`DELETE FROM partner_message m USING (
      SELECT provider_id, id FROM partner_message WHERE received_at < ${instant(now - KEPT_MS)}::timestamptz
      ORDER BY received_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED) old
    WHERE m.provider_id = old.provider_id AND m.id = old.id`);
};
