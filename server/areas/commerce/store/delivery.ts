/** The price of delivering products, for orders and checkouts. Picking up is free. */
import { deliveryFee } from './rules/delivery.ts';
import { lockOrdersOf, ordersOf } from './order-rows.ts';
import { price } from './product.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { updateRow } from '../../../kernel/work/unit/row.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** An item that is being bought. */
interface ToDeliver {
  /** the caller's key for it */
  readonly key: number;
  readonly variant: number;
  readonly quantity: number;
  /** id; null if it has no order yet, and uses the product's first delivery method */
  readonly orderItem: number | null;
  /** unit price in minor units, if it differs from the standard price */
  readonly unitPrice: number | null;
}

export interface DeliveryQuote {
  /** minor units, before fees and taxes; null if nothing is delivered, or there is no delivery fee at all */
  readonly fee: number | null;
  /** keys of the items to deliver, in their order */
  readonly delivered: readonly number[];
}

/** Quotes the delivery in one statement. */
export async function quoteDelivery({ tx, providerId }: Work, items: readonly ToDeliver[]): Promise<DeliveryQuote> {
  if (items.length === 0) return { fee: null, delivered: [] };
  const each = <T>(of: (item: ToDeliver) => T): T[] => items.map(of);
  const rows = await tx.rows<{ key: number; amount: number; fee: number | null; free_from: number | null }>(sql`
    SELECT n.key, coalesce(n.price, ${price('v')}) * n.quantity AS amount, s.delivery_fee_minor AS fee,
      s.free_delivery_from_minor AS free_from
    FROM unnest(${each(({ key }) => key)}::bigint[], ${each(({ variant }) => variant)}::bigint[],
      ${each(({ quantity }) => quantity)}::int[],
        ${each(({ orderItem }) => orderItem)}::bigint[], ${each(({ unitPrice }) => unitPrice)}::bigint[])
        AS n (key, variant, quantity, ordered, price)
      JOIN store_product_variant v ON v.provider_id = ${providerId} AND v.id = n.variant
      JOIN store_product p ON p.provider_id = v.provider_id AND p.id = v.store_product_id
      LEFT JOIN store_order_item i ON i.provider_id = v.provider_id AND i.id = n.ordered
      LEFT JOIN store_settings s ON s.provider_id = v.provider_id
    WHERE coalesce(i.delivery_method, p.delivery_methods[1]) = 'delivery' ORDER BY n.key`);
  const [{ fee, free_from: freeFrom } = { fee: null, free_from: null }] = rows;
  const amount = rows.length === 0 ? null : rows.reduce((sum, row) => sum + row.amount, 0);
  return { fee: deliveryFee({ fee, freeFrom }, amount), delivered: rows.map(({ key }) => key) };
}

/** Computes the fee of the unpaid order under this alias, by the same rule. */
export const feeOfCart = (t: string): Sql => sql`coalesce((
  SELECT CASE WHEN sum(${price('v')} * i.quantity) >= s.free_delivery_from_minor THEN 0 ELSE s.delivery_fee_minor END
  FROM store_order_item i
    JOIN store_product_variant v ON v.provider_id = i.provider_id AND v.id = i.store_product_variant_id
    JOIN store_settings s ON s.provider_id = i.provider_id
  WHERE i.provider_id = ${raw(t)}.provider_id AND i.store_order_id = ${raw(t)}.id AND i.delivery_method = 'delivery'
  GROUP BY s.delivery_fee_minor, s.free_delivery_from_minor), 0)`;

/** Records the delivery fee with an item to deliver that was just sold. Returns the id of its order. */
export async function noteDelivery(work: Work, orderItem: number, fee: number): Promise<number> {
  const [order] = await ordersOf(work, [orderItem]);
  await lockOrdersOf(work, [orderItem]);
  await updateRow(work, 'store_order', order, { delivery_fee_minor: fee });
  return order;
}
