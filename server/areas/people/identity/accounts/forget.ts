/** Deletes the account of somebody whom the last business has deleted. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { Job } from '../../../../kernel/work/unit/job.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const TASK = 'delete_unused_account';

/** Enqueues the deletion of the account, if no business has a record of its person, as staff or as a customer. */
export const deleteIfUnused = (work: Work, user: number): void =>
  work.enqueue({ task: TASK, payload: { user }, key: `account:${user}` });

/** Deletes those of these accounts that no business has a record of. Needs a transaction across tenants. */
export const deleteAccountsOf = (tx: Transaction, users: readonly number[]): Promise<number> =>
  tx.run(
    sql`DELETE FROM user_account u WHERE u.id = ANY(${users}::bigint[]) AND NOT EXISTS (SELECT FROM profile p WHERE p.user_id = u.id)`,
  );

export const deleteUnusedAccount: Job = {
  task: TASK,
  acrossTenants: 'whether anybody still has a record of a person is known of all businesses together',
  run: async ({ tx }, { user }: { user: number }) => {
    await deleteAccountsOf(tx, [user]);
  },
};
