/** Links a person's customer record to their account. */
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import type { Claim } from '../../../kernel/work/unit/work.ts';
import type { Transaction } from '../../../kernel/base/db/database.ts';

/**
 * Returns false if the record is claimed already. A customer with an account is no longer a guest, unless another
 * record has the address: only guests may share one.
 */
export const claimCustomer = async (tx: Transaction, { providerId, id, userId, now }: Claim): Promise<boolean> =>
  (await tx.run(
    sql`UPDATE customer SET user_id = ${userId}, is_guest = is_guest AND EXISTS (
          SELECT FROM customer o WHERE o.provider_id = customer.provider_id AND lower(o.email) = lower(customer.email)
            AND o.id <> customer.id AND o.deleted_at IS NULL AND NOT o.is_guest), updated_at = ${instant(now)}
            WHERE provider_id = ${providerId} AND id = ${id} AND user_id IS NULL`,
  )) > 0;
