/** Orders and their items as they are stored, and the lock of them. Everything about an order happens under it. */
import { lockedNow, wrongStatus } from './problems.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { DeliveryMethod } from './product.ts';
import type { OrderStatus } from './order.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Instants are epoch ms. */
export interface OrderRow extends Record<string, any> {
  readonly id: number;
  readonly customer_id: number;
  readonly status: OrderStatus;
  readonly locked_at: number | null;
  /** the checkout whose payment runs */
  readonly locked_for_id: number | null;
  readonly cancelling: boolean;
  readonly delivery_address: string | null;
  readonly note: string | null;
  readonly invoice_id: number | null;
}

export interface OrderItemRow extends Record<string, any> {
  readonly id: number;
  readonly store_order_id: number;
  readonly store_product_variant_id: number;
  readonly quantity: number;
  readonly delivery_method: DeliveryMethod;
  readonly name: string | null;
  /** minor units; null: it is not sold yet */
  readonly unit_price_minor: number | null;
  readonly delivered_at: number | null;
  readonly returned_quantity: number;
}

/** Orders by their ids, after events and before stock. */
export async function lockOrders(work: Work, ids: readonly number[]): Promise<Map<number, OrderRow>> {
  const rows = await lockRows<OrderRow>(work, 'store_order', [...new Set(ids)]);
  for (const row of rows) work.touch('store_order', row.id, row);
  return new Map(rows.map((row) => [row.id, row]));
}

export const lockOrder = async (work: Work, id: number): Promise<OrderRow> =>
  (await lockOrders(work, [id])).get(id) ?? raise(notFound());

/** In the order in which they were added. */
export const orderItems = (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  order: number,
): Promise<OrderItemRow[]> =>
  tx.rows<OrderItemRow>(
    sql`SELECT * FROM store_order_item WHERE provider_id = ${providerId} AND store_order_id = ${order} ORDER BY id`,
  );

/** Items of locked orders, by their ids. */
export const orderItemsById = ({ tx, providerId }: Work, ids: readonly number[]): Promise<OrderItemRow[]> =>
  tx.rows<OrderItemRow>(
    sql`SELECT * FROM store_order_item WHERE provider_id = ${providerId} AND id = ANY(${[...ids]}::bigint[]) ORDER BY id`,
  );

/** The ids of orders that these items are in; what is not there any more is left out. */
export async function ordersOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  items: readonly number[],
): Promise<number[]> {
  if (items.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT store_order_id AS id FROM store_order_item WHERE provider_id = ${providerId} AND id = ANY(${items}::bigint[]) ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/** The orders that these items are in, locked. */
export const lockOrdersOf = async (work: Work, items: readonly number[]): Promise<Map<number, OrderRow>> =>
  lockOrders(work, await ordersOf(work, items));

/** Refuses what can't be changed. */
export function checkChangeable({ status, locked_at }: OrderRow): void {
  if (status !== 'open') throw wrongStatus(status);
  if (locked_at !== null) throw lockedNow();
}

export const aboutOrder = ({ id, customer_id }: OrderRow) => ({ store_order: id, customer: customer_id });

function raise(error: Error): never {
  throw error;
}
