/** Orders and their items as they are stored, and their lock. Everything about an order happens under that lock. */
import { lockedNow, wrongStatus } from './problems.ts';
import { lockRows } from '../../../kernel/work/unit/row.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Row } from '../../../kernel/base/db/rows.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Times are epoch milliseconds. */
export type OrderRow = Row<'store_order'>;

export type OrderItemRow = Row<'store_order_item'>;

/** Locks orders by id, after events and before stock. */
export async function lockOrders(work: Work, ids: readonly number[]): Promise<Map<number, OrderRow>> {
  const rows = await lockRows<OrderRow>(work, 'store_order', [...new Set(ids)]);
  for (const row of rows) work.touch('store_order', row.id, row);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks all orders of a customer by id, before they get another one. */
export async function lockCustomerOrders({ tx, providerId }: Work, customer: number): Promise<void> {
  await tx.run(sql`SELECT FROM store_order WHERE provider_id = ${providerId} AND customer_id = ${customer}
    ORDER BY id FOR NO KEY UPDATE`);
}

export const lockOrder = async (work: Work, id: number): Promise<OrderRow> =>
  (await lockOrders(work, [id])).get(id) ?? raise(notFound());

/** Returns the items in the order in which they were added. */
export const orderItems = (
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  order: number,
): Promise<OrderItemRow[]> =>
  tx.rows<OrderItemRow>(
    sql`SELECT * FROM store_order_item WHERE provider_id = ${providerId} AND store_order_id = ${order} ORDER BY id`,
  );

/** Returns items of locked orders, by id. */
export const orderItemsById = ({ tx, providerId }: Work, ids: readonly number[]): Promise<OrderItemRow[]> =>
  tx.rows<OrderItemRow>(
    sql`SELECT * FROM store_order_item WHERE provider_id = ${providerId} AND id = ANY(${[...ids]}::bigint[])
      ORDER BY id`,
  );

/** Returns the ids of the orders that contain these items, without items that no longer exist. */
export async function ordersOf(
  { tx, providerId }: Pick<Work, 'tx' | 'providerId'>,
  items: readonly number[],
): Promise<number[]> {
  if (items.length === 0) return [];
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT DISTINCT store_order_id AS id FROM store_order_item
      WHERE provider_id = ${providerId} AND id = ANY(${items}::bigint[]) ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/** Locks and returns the orders that contain these items. */
export const lockOrdersOf = async (work: Work, items: readonly number[]): Promise<Map<number, OrderRow>> =>
  lockOrders(work, await ordersOf(work, items));

/** Refuses an order that can't be changed. */
export function checkChangeable({ status, locked_at }: OrderRow): void {
  if (status !== 'open') throw wrongStatus(status);
  if (locked_at !== null) throw lockedNow();
}

export const aboutOrder = ({ id, customer_id }: OrderRow) => ({ store_order: id, customer: customer_id });

function raise(error: Error): never {
  throw error;
}
