/** Locks on rows that must not change while others use them. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns the staff member with this address, and whether they are a super admin and have a log-in. */
export const lockStaffByEmail = (
  tx: Transaction,
  providerId: number,
  email: string,
): Promise<{ id: number; user_id: number | null; admin: boolean } | undefined> =>
  tx.one(
    sql`SELECT id, user_id, 'super_admin' = ANY(permissions) AS admin FROM staff
        WHERE provider_id = ${providerId} AND lower(email) = lower(${email}) AND NOT archived FOR UPDATE`,
  );

/** Locks instructors that are about to be used, by a statement that selects their ids; in the order of ids. */
export async function lockInstructors(work: Work, ids: Sql): Promise<void> {
  await work.tx.run(
    sql`SELECT FROM instructor WHERE provider_id = ${work.providerId} AND id IN (${ids}) ORDER BY id FOR NO KEY UPDATE`,
  );
}
