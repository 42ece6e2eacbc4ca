/** Locks of rows that others hold still while they act. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Who works at the business with this address, and whether they may do everything and have a log-in. */
export const lockStaffByEmail = (
  tx: Transaction,
  providerId: number,
  email: string,
): Promise<{ id: number; user_id: number | null; admin: boolean } | undefined> =>
  tx.one(
    sql`SELECT id, user_id, 'super_admin' = ANY(permissions) AS admin FROM staff
        WHERE provider_id = ${providerId} AND lower(email) = lower(${email}) AND NOT archived FOR UPDATE`,
  );

/** Instructors whom something is about to use, by a statement that gives their ids; in the order of these. */
export async function lockInstructors(work: Work, ids: Sql): Promise<void> {
  await work.tx.run(
    sql`SELECT FROM instructor WHERE provider_id = ${work.providerId} AND id IN (${ids}) ORDER BY id FOR NO KEY UPDATE`,
  );
}
