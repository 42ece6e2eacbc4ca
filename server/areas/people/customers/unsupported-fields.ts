/** Properties in the API of which only a part is stored so far. */
import { invalid } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';
import { one, say } from '../../../kernel/base/values/words.ts';

/** Refuses a code that belongs to no customer of the business. */
export async function checkReferral(
  tx: Transaction,
  providerId: number,
  code: string | null | undefined,
): Promise<void> {
  if (!code) return;
  const found = await tx.one(
    sql`SELECT FROM customer WHERE provider_id = ${providerId} AND referral_code = ${code.toUpperCase()}
      AND deleted_at IS NULL AND NOT is_walk_in`,
  );
  if (!found) throw invalid('referral_code', say`No ${one.customer} has this code. Check it, or leave it out.`);
}
