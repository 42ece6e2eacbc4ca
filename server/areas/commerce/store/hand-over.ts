/** The handover of paid items to customers. */
import { aboutOrder, lockOrdersOf, orderItemsById, type OrderItemRow, type OrderRow } from './order-rows.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { storeOrderItemFeed } from './feed.ts';
import { settleStatus } from './take-back.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Hands over items of a locked, paid order. Items handed over before stay so. */
export async function handOver(work: Work, order: OrderRow, items: readonly OrderItemRow[]): Promise<void> {
  const now = items.filter((item) => item.delivered_at === null);
  if (now.length === 0) return;
  for (const item of now) work.touch('store_order_item', item.id, item);
  await work.tx.run(sql`UPDATE store_order_item SET delivered_at = ${instant(work.now)},
      delivered_by_id = ${work.viewer.staffId}::bigint, updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId} AND id = ANY(${now.map(({ id }) => id)}::bigint[])`);
  for (const item of now)
    work.record(storeOrderItemFeed.delivered, item.id, { ...aboutOrder(order), store_order_item: item.id });
  await settleStatus(work, order);
}

/** Hands over items that were just sold to a customer who takes them along. */
export async function handOverSold(work: Work, sold: readonly number[]): Promise<void> {
  const orders = await lockOrdersOf(work, sold);
  const items = await orderItemsById(work, sold);
  for (const [order, mine] of Map.groupBy(items, (item) => item.store_order_id))
    await handOver(work, orders.get(order)!, mine);
}
