/** Links a person's staff record to their account. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Claim } from '../../../kernel/work/unit/work.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/** Returns false if the record is claimed already. */
export const claimStaff = async (tx: Transaction, { providerId, id, userId, now }: Claim): Promise<boolean> =>
  (await tx.run(
    sql`UPDATE staff SET user_id = ${userId}, updated_at = ${instant(now)}
      WHERE provider_id = ${providerId} AND id = ${id} AND user_id IS NULL`,
  )) > 0;
