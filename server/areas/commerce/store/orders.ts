/** Carts: unpaid orders. Their rows are locked, so that changes happen one after the other. */
import { aboutOrder, checkChangeable, lockOrder, orderItems, type OrderItemRow, type OrderRow } from './order-rows.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { checkSale, quoteVariants } from './quote.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { invalid, notFound } from '../../../kernel/base/problem.ts';
import { storeOrderItemFeed, storeOrderFeed } from './feed.ts';
import { lockCustomers } from '../../people/customers/index.ts';
import type { DeliveryMethod } from './product.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Equal to the limit of a checkout. */
const MAX_ITEMS = 50;
const MAX_QUANTITY = 100;

interface NewOrderItem {
  /** id */
  readonly variant: number;
  readonly quantity: number;
  /** absent: the product's first method */
  readonly method?: DeliveryMethod;
}

interface NewOrder {
  /** id */
  readonly customer: number;
  readonly items?: readonly NewOrderItem[];
  readonly note?: string | null;
  readonly delivery_address?: string | null;
}

/** Opens an order and returns its id. */
export async function createOrder(work: Work, { customer, items = [], ...values }: NewOrder): Promise<number> {
  const id = await insertRow(work, 'store_order', { customer_id: customer, ...values });
  work.record(storeOrderFeed.created, id, { store_order: id, customer });
  if (items.length > 0) await addToOrder(work, await lockOrder(work, id), items, (n) => `items.${n}`);
  return id;
}

type OrderValues = Pick<NewOrder, 'note' | 'delivery_address'>;

/** Changes the own properties of a locked order; absent values stay. */
export async function changeOrder(work: Work, order: OrderRow, values: OrderValues): Promise<void> {
  const changed = changedNames(values);
  if (changed.length === 0) return;
  await updateRow(work, 'store_order', order.id, { ...values });
  work.record(storeOrderFeed.updated, order.id, { ...aboutOrder(order), changed });
}

/** Returns the cart of a customer: their last order that is still open. */
export async function currentOrder(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  customer: number,
): Promise<number | null> {
  const row = await tx.one<{ id: number }>(
    sql`SELECT id FROM store_order WHERE provider_id = ${providerId} AND customer_id = ${customer} AND status = 'open'
      ORDER BY id DESC LIMIT 1`,
  );
  return row?.id ?? null;
}

/** Returns the cart of a customer, locked; creates one if there is none. Two concurrent additions go into one cart. */
export async function openOrderOf(work: Work, customer: number): Promise<OrderRow> {
  await lockCustomers(work, [customer]);
  return lockOrder(work, (await currentOrder(work, customer)) ?? (await createOrder(work, { customer })));
}

/**
 * Adds items to a locked order, and returns their ids. The quantity of an item that is already in it increases. `at`:
 * the caller's name for the nth item that it sent.
 */
export async function addToOrder(
  work: Work,
  order: OrderRow,
  added: readonly NewOrderItem[],
  at: (n: number) => string = () => '',
): Promise<number[]> {
  checkChangeable(order);
  const items = await orderItems(work, order.id);
  const quotes = await quoteVariants(
    work,
    added.map(({ variant }) => variant),
  );
  const ids: number[] = [];
  for (const [n, { variant, quantity, method }] of added.entries()) {
    const name = (property: string) => [at(n), property].filter(Boolean).join('.');
    const quote = quotes.get(variant);
    if (!quote) throw notFound();
    const chosen = method ?? quote.deliveryMethods[0];
    if (!quote.deliveryMethods.includes(chosen))
      throw invalid(
        name('delivery_method'),
        `Must be one of those of the product: ${quote.deliveryMethods.join(', ')}.`,
      );
    const known = items.find((one) => one.store_product_variant_id === variant && one.delivery_method === chosen);
    const total = (known?.quantity ?? 0) + quantity;
    if (total > MAX_QUANTITY) throw invalid(name('quantity'), `An order has at most ${MAX_QUANTITY} of each.`);
    checkSale(work, quote, { quantity: total });
    if (known) {
      await changeOrderItem(work, order, known, { quantity: total });
      items[items.indexOf(known)] = { ...known, quantity: total };
      ids.push(known.id);
      continue;
    }
    if (items.length >= MAX_ITEMS)
      throw invalid(name('store_product_variant'), `An order has at most ${MAX_ITEMS} items.`);
    const id = await insertRow(work, 'store_order_item', {
      store_order_id: order.id,
      store_product_variant_id: variant,
      quantity,
      delivery_method: chosen,
    });
    work.record(storeOrderItemFeed.created, id, { ...aboutOrder(order), store_order_item: id });
    items.push({ id, store_product_variant_id: variant, quantity, delivery_method: chosen } as OrderItemRow);
    ids.push(id);
  }
  return ids;
}

interface OrderItemValues {
  readonly quantity?: number;
  readonly delivery_method?: DeliveryMethod;
}

/** Changes an item of a locked order; absent values stay. */
export async function changeOrderItem(
  work: Work,
  order: OrderRow,
  item: OrderItemRow,
  values: OrderItemValues,
): Promise<void> {
  checkChangeable(order);
  const changed = changedNames(values);
  if (changed.length === 0) return;
  work.touch('store_order_item', item.id, item);
  await updateRow(work, 'store_order_item', item.id, { ...values });
  work.record(storeOrderItemFeed.updated, item.id, { ...aboutOrder(order), store_order_item: item.id, changed });
}

export async function removeOrderItem(work: Work, order: OrderRow, item: OrderItemRow): Promise<void> {
  checkChangeable(order);
  work.touch('store_order_item', item.id, item);
  await deleteRow(work, 'store_order_item', item.id);
  work.record(storeOrderItemFeed.deleted, item.id, { ...aboutOrder(order), store_order_item: item.id });
}

/** Cancels a locked, unpaid order. */
export async function cancelOpenOrder(work: Work, order: OrderRow): Promise<void> {
  await updateRow(work, 'store_order', order.id, {
    status: 'cancelled',
    locked_at: null,
    locked_for_id: null,
    cancelling: false,
    cancelled_at: instant(work.now),
  });
  work.record(storeOrderFeed.cancelled, order.id, aboutOrder(order));
  work.effect('store_order_cancelled', 'store_order', order.id, {});
}
