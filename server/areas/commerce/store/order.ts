/** Orders of customers, and their items. */
import { ORDER_STATUSES } from './order-statuses.ts';
import { feeOfCart } from './delivery.ts';
import { DELIVERY_METHODS, price, variantName } from './product.ts';
import { embedded, id, instant, integer, money, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { may } from '../../../kernel/work/access/viewer.ts';
import { ofMyPurse } from '../../people/customers/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy } from '../../../kernel/api/resource.ts';

/** Shows rows to staff of the store and of the front desk, and to customers for their own orders and their family's. */
const seenBy = (customer: (t: string) => Sql): Policy => ({
  provider: (_t, viewer) => may(viewer, 'store', 'pos'),
  customer,
  unregistered: false,
});

const unitPrice = (t: string): Sql => sql`coalesce(${raw(t)}.unit_price_minor, (
  SELECT ${price('v')} FROM store_product_variant v
  WHERE v.provider_id = ${raw(t)}.provider_id AND v.id = ${raw(t)}.store_product_variant_id))`;

export const storeOrder = resource('store_order', {
  description:
    'An order of a customer in the store. While it is `open`, it is a cart, which holds nothing. Then it is `paid`, and `fulfilled` when everything was handed over; or it ends as `cancelled` or `returned`.',
  fields: {
    id: id(),
    customer: ref('customer'),
    status: oneOf(ORDER_STATUSES),
    locked_at: instant()
      .nullable()
      .describe(
        'Time since when a payment for it is in progress. The order can’t be changed meanwhile. Null otherwise.',
      ),
    items: embedded('store_order_item', { column: 'store_order_id' }),
    subtotal: money()
      .from(
        (t) => sql`(SELECT coalesce(sum(${unitPrice('i')} * i.quantity), 0)::bigint FROM store_order_item i
          WHERE i.provider_id = ${raw(t)}.provider_id AND i.store_order_id = ${raw(t)}.id)`,
      )
      .describe('Price of the items, before discounts, fees and taxes. The checkout has the amount to pay.'),
    delivery_fee: money()
      .from(
        (t) =>
          sql`CASE ${raw(t)}.status WHEN 'open' THEN ${feeOfCart(t)}
            ELSE coalesce(${raw(t)}.delivery_fee_minor, 0) END`,
      )
      .describe('Price of delivery, before fees and taxes: as it was sold; until then, the current price.'),
    delivery_address: text({ max: 1000 }).nullable().describe('Address of delivery, if anything is delivered.'),
    note: text({ max: 1000 }).nullable().describe('Note of the customer to the business.'),
    invoice: ref('invoice').nullable().describe('Null until it is paid.'),
    paid_at: instant().nullable(),
    fulfilled_at: instant().nullable().describe('When everything was handed over.'),
    cancelled_at: instant().nullable(),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: seenBy((t) => ofMyPurse(`${t}.customer_id`)),
});

export const storeOrderItem = resource('store_order_item', {
  description: 'One variant in an order, and how many of it.',
  fields: {
    id: id(),
    store_order: ref('store_order'),
    store_product_variant: ref('store_product_variant'),
    name: text()
      .from(
        (t) => sql`coalesce(${raw(t)}.name, (SELECT ${variantName('v')} FROM store_product_variant v
          WHERE v.provider_id = ${raw(t)}.provider_id AND v.id = ${raw(t)}.store_product_variant_id))`,
      )
      .describe('As it was called when it was sold; until then, as it is called now.'),
    quantity: integer({ min: 1, max: 100 }),
    delivery_method: oneOf(DELIVERY_METHODS),
    unit_price: money()
      .from(unitPrice)
      .describe('Before discounts, fees and taxes: as it was sold; until then, what one costs now.'),
    delivered_at: instant().nullable().describe('When it was handed over.'),
    delivered_by: ref('staff', 'delivered_by_id').nullable(),
    returned_quantity: integer({ min: 0 }).describe('Number of items that came back, or were never handed over.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: seenBy(
    (t) => sql`EXISTS (SELECT FROM store_order o
      WHERE o.provider_id = ${raw(t)}.provider_id AND o.id = ${raw(t)}.store_order_id
      AND ${ofMyPurse('o.customer_id')})`,
  ),
});
