/**
 * An object that is being paid in another checkout can't be paid here: one of the two payments would have to be
 * refunded.
 */
import { Problem } from '../../../../kernel/base/problem.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { say } from '../../../../kernel/base/values/words.ts';
import type { CheckoutRow, ItemRow } from '../rows.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Refuses items that another checkout is paying. The customers' accounts are locked before, so that the second of two
 * checkouts sees the first.
 */
export async function checkNotElsewhere(
  { tx, providerId }: Work,
  { id }: CheckoutRow,
  items: readonly ItemRow[],
): Promise<void> {
  const [entries, replaced] = [
    items.flatMap(({ account_entry_id: entry }) => entry ?? []),
    items.flatMap((item) => (item.item_type.startsWith('MEM_RECUR_') ? (item.customer_membership_id ?? []) : [])),
  ];
  if (entries.length + replaced.length === 0) return;
  const other = await tx.one<{ description: string }>(sql`
    SELECT i.description FROM checkout_item i JOIN checkout k ON k.provider_id = i.provider_id AND k.id = i.checkout_id
    WHERE i.provider_id = ${providerId} AND k.status = 'pending' AND k.id <> ${id}
      AND (i.account_entry_id = ANY(${entries}::bigint[])
        OR (i.customer_membership_id = ANY(${replaced}::bigint[]) AND i.item_type IN ('MEM_RECUR_UP', 'MEM_RECUR_DOWN')))
    LIMIT 1`);
  if (other)
    throw new Problem('conflict', {
      staff: `“${other.description}” is being paid in another checkout. Wait for that payment, or cancel that checkout.`,
      customer: say`“${other.description}” is being paid already. Please wait a moment.`,
    });
}
