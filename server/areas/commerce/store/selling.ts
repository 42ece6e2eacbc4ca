/** The functions for checkouts with orders: locking them while a payment runs, and selling their items. */
import { aboutOrder, lockOrdersOf, ordersOf, type OrderItemRow, type OrderRow } from './order-rows.ts';
import { cancelOpenOrder, createOrder } from './orders.ts';
import { insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { lockedNow, wrongStatus } from './problems.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { storeOrderFeed } from './feed.ts';
import { takeStock, type HoldFor } from './stock.ts';
import type { DeliveryMethod } from './product.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Locks orders for a payment for some of their items: nothing about the orders changes until it has ended. `by`: the
 * checkout
 */
export async function lockForPaying(work: Work, items: readonly number[], by: number): Promise<void> {
  // Truncated to whole seconds, because callers send it back as they have read it.
  const at = instant(Math.floor(work.now / 1000) * 1000);
  for (const order of (await lockOrdersOf(work, items)).values()) {
    if (order.status !== 'open') throw wrongStatus(order.status);
    if (order.locked_at !== null && order.locked_for_id !== by) throw lockedNow();
    await updateRow(work, 'store_order', order.id, { locked_at: at, locked_for_id: by });
    work.record(storeOrderFeed.locked, order.id, aboutOrder(order));
  }
}

/**
 * Unlocks orders after a payment that bought nothing. An order whose cancellation was requested in the meantime ends.
 */
export async function unlock(work: Work, items: readonly number[], by: number): Promise<void> {
  for (const order of (await lockOrdersOf(work, items)).values()) {
    if (order.locked_for_id !== by) continue;
    if (order.cancelling) await cancelOpenOrder(work, order);
    else {
      await updateRow(work, 'store_order', order.id, { locked_at: null, locked_for_id: null });
      work.record(storeOrderFeed.unlocked, order.id, aboutOrder(order));
    }
  }
}

/** Marks a locked order whose running payment is to be stopped: the order ends if nothing was paid. */
export async function endWhenUnlocked(work: Work, order: OrderRow): Promise<void> {
  await updateRow(work, 'store_order', order.id, { cancelling: true });
}

interface Sale extends HoldFor {
  /** id of the recipient */
  readonly customer: number;
  readonly name: string;
  /** unit price in minor units, before discounts, fees and taxes */
  readonly unitPrice: number;
  /** the item of an open order; null: an order is created */
  readonly orderItem: number | null;
  /**
   * an item that the same checkout has sold to the customer before; an item without an order joins that item's order
   */
  readonly after: number | null;
  /** delivery method of an item without an order */
  readonly method: DeliveryMethod;
  /** id of the checkout */
  readonly checkout: number;
}

/** Sells one variant, and returns the id of its order item. Call `settleOrders` after everything is sold and billed. */
export async function sell(work: Work, sale: Sale): Promise<number> {
  const { variant, quantity, name, unitPrice, by } = sale;
  const sold = { quantity, name, unit_price_minor: unitPrice };
  const id = sale.orderItem === null ? await sellNew(work, sale, sold) : await sellOrdered(work, sale, sold);
  await takeStock(work, { variant, quantity, by, orderItem: id });
  return id;
}

interface Sold {
  readonly quantity: number;
  readonly name: string;
  readonly unit_price_minor: number;
}

async function sellNew(work: Work, { customer, after, variant, method }: Sale, sold: Sold): Promise<number> {
  const [order] = after === null ? [] : await ordersOf(work, [after]);
  return insertRow(work, 'store_order_item', {
    store_order_id: order ?? (await createOrder(work, { customer })),
    store_product_variant_id: variant,
    delivery_method: method,
    ...sold,
  });
}

async function sellOrdered(work: Work, { orderItem, checkout }: Sale, sold: Sold): Promise<number> {
  const [order] = (await lockOrdersOf(work, [orderItem!])).values();
  const item = await work.tx.one<OrderItemRow>(
    sql`SELECT * FROM store_order_item WHERE provider_id = ${work.providerId} AND id = ${orderItem}`,
  );
  if (!order || !item || item.unit_price_minor !== null) throw soldAlready();
  if (order.status !== 'open') throw wrongStatus(order.status);
  if (order.locked_at !== null && order.locked_for_id !== checkout) throw lockedNow();
  work.touch('store_order_item', item.id, item);
  await updateRow(work, 'store_order_item', item.id, { ...sold });
  return item.id;
}

const soldAlready = (): Problem =>
  new Problem('conflict', {
    staff: 'This item of the order was already paid.',
    customer: 'This was already paid.',
  });

/** Marks the orders as paid once everything that was sold is billed. Items that weren't bought stay in a cart. */
export async function settleOrders(work: Work, sold: readonly number[], invoice: number): Promise<void> {
  for (const order of (await lockOrdersOf(work, sold)).values()) {
    await leaveRest(work, order);
    await updateRow(work, 'store_order', order.id, {
      status: 'paid',
      locked_at: null,
      locked_for_id: null,
      cancelling: false,
      paid_at: instant(work.now),
      invoice_id: invoice,
    });
    work.record(storeOrderFeed.paid, order.id, { ...aboutOrder(order), invoice });
    work.effect('store_order_paid', 'store_order', order.id, { invoice });
  }
}

async function leaveRest(work: Work, order: OrderRow): Promise<void> {
  const rest = await work.tx.rows<OrderItemRow>(
    sql`SELECT * FROM store_order_item WHERE provider_id = ${work.providerId} AND store_order_id = ${order.id}
      AND unit_price_minor IS NULL ORDER BY id`,
  );
  if (rest.length === 0) return;
  const { customer_id: customer, delivery_address, note } = order;
  const cart = await createOrder(work, { customer, delivery_address, note });
  for (const item of rest) work.touch('store_order_item', item.id, item);
  await work.tx.run(
    sql`UPDATE store_order_item SET store_order_id = ${cart}, updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ANY(${rest.map(({ id }) => id)}::bigint[])`,
  );
}
