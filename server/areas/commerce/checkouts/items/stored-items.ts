/** Insertion and deletion of checkout items: the rows, and their feed items. */
import { instant, json, raw, sql } from '../../../../kernel/base/db/sql.ts';
import { checkoutItemFeed } from '../feed.ts';
import { NOTHING, type Wanted } from '../item-kinds/kind.ts';
import { plain, priceOfCharged } from '../../../pricing/fees/index.ts';
import type { CheckoutRow, ItemRow } from '../rows.ts';
import type { ItemType } from '../item-kinds/types.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

export type Asked = Wanted & { readonly item_type: ItemType };

/** Inserts items in one statement, in their order. */
export async function insertItems(
  work: Work,
  checkout: CheckoutRow,
  wanted: readonly Asked[],
  withItem: number | null,
): Promise<ItemRow[]> {
  const names = raw(Object.keys(NOTHING).join(', '));
  const now = instant(work.now);
  // An item costs nothing until it is priced, in the same transaction.
  const rows = await work.tx.rows<ItemRow>(sql`
    INSERT INTO checkout_item (provider_id, checkout_id, item_type, customer_id, quantity, with_item_id, description,
      standard_unit_price_minor, total_minor, price, created_at, updated_at, ${names})
    SELECT ${work.providerId}::bigint, ${checkout.id}::bigint, n.item_type, n.customer_id, coalesce(n.quantity, 1),
      ${withItem}::bigint, n.item_type,
      0, 0, ${json(priceOfCharged(plain(0)))}::jsonb, ${now}::timestamptz, ${now}::timestamptz, ${names}
    FROM jsonb_populate_recordset(NULL::checkout_item, ${json(wanted)}::jsonb) WITH ORDINALITY n
    ORDER BY n.ordinality RETURNING *`);
  for (const { id, item_type, customer_id: customer } of rows) {
    work.touch('checkout_item', id, null);
    work.record(checkoutItemFeed.created, id, itemPayload(checkout, id));
    work.effect('item_added', 'checkout_item', id, { checkout: checkout.id, item_type, customer });
  }
  return rows.toSorted((a, b) => a.id - b.id);
}

export const itemPayload = (checkout: CheckoutRow, item: number) => ({
  checkout: checkout.id,
  customer: checkout.customer_id,
  checkout_item: item,
});

/** Deletes items in the given order, in which associated items come before the item that brought them. */
export function deleteItems(work: Work, checkout: CheckoutRow, going: readonly ItemRow[]): void {
  for (const one of going) {
    work.touch('checkout_item', one.id, one);
    work.tx.later(sql`DELETE FROM checkout_item WHERE provider_id = ${work.providerId} AND id = ${one.id}`);
    work.record(checkoutItemFeed.deleted, one.id, itemPayload(checkout, one.id));
    work.effect('item_removed', 'checkout_item', one.id, { checkout: checkout.id, item_type: one.item_type });
  }
}
