/** Store orders and their items: one row for each order, and one for each of its items. */
import { anyOf, COUNT, countField, customerColumns, named, oneOfThese, within, yearAndMonth } from './common.ts';
import { column, report } from '../report.ts';
import { called, id, instant, integer, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { ZONE } from '../moment.ts';

const STATUS = called('store_order_status', oneOf(['open', 'paid', 'fulfilled', 'cancelled', 'returned']));
const status = column(STATUS, 'r.status', 'Status of the order.');
const ordered = sql`(r.created_at AT TIME ZONE ${ZONE})`;
const WHO = ['store', 'revenue'] as const;

export const storeOrdersReport = report('store_orders', {
  title: 'store orders',
  description: 'Orders of the store, and what they come to.',
  who: WHO,
  from: 'store_order r',
  joins: { c: raw('JOIN customer c ON c.provider_id = r.provider_id AND c.id = r.customer_id') },
  id: 'r.id',
  venue: null,
  columns: {
    id: column(id(), 'r.id', 'ID of the order.'),
    ...customerColumns('c'),
    status,
    created_at: column(instant(), 'r.created_at', 'When it was begun.'),
    paid_at: column(instant(), 'r.paid_at', 'When it was paid.'),
    fulfilled_at: column(instant(), 'r.fulfilled_at', 'When everything was handed over.'),
    cancelled_at: column(instant(), 'r.cancelled_at', 'When it was cancelled.'),
    item_count: column(
      countField(),
      '(SELECT coalesce(sum(x.quantity), 0) FROM store_order_item x WHERE x.provider_id = r.provider_id AND x.store_order_id = r.id)',
      'Number of items ordered.',
    ),
    total_amount: column(
      money(),
      '(SELECT coalesce(sum(x.quantity * x.unit_price_minor), 0) FROM store_order_item x WHERE x.provider_id = r.provider_id AND x.store_order_id = r.id)',
      'Total price before discounts, fees and taxes; 0 until it is paid.',
    ),
  },
  sort: '-id',
  customer: 'customer.id',
  filters: {
    customers: anyOf('r.customer_id'),
    status: oneOfThese(STATUS, 'r.status'),
    ...within('created_at', 'r.created_at'),
    ...within('paid_at', 'r.paid_at'),
  },
});

const product = named('product', 'p', 'the product');

export const storeOrderItemsReport = report('store_order_items', {
  title: 'items of store orders',
  description: 'Orders in the store, item by item.',
  who: WHO,
  from: 'store_order_item i',
  joins: {
    r: raw('JOIN store_order r ON r.provider_id = i.provider_id AND r.id = i.store_order_id'),
    c: raw('JOIN customer c ON c.provider_id = r.provider_id AND c.id = r.customer_id'),
    x: raw('JOIN store_product_variant x ON x.provider_id = i.provider_id AND x.id = i.store_product_variant_id'),
    p: raw('JOIN store_product p ON p.provider_id = x.provider_id AND p.id = x.store_product_id'),
  },
  id: 'i.id',
  venue: null,
  columns: {
    id: column(id(), 'i.id', 'ID of the item.'),
    store_order_id: column(id(), 'r.id', 'ID of the order.'),
    ...customerColumns('c'),
    ...product,
    variant_id: column(id(), 'x.id', 'ID of the variant.'),
    sku: column(text(), 'x.sku', 'Number by which the business keeps it in stock.'),
    status,
    quantity: column(integer({ min: 1 }), 'i.quantity', 'Quantity ordered.'),
    returned_quantity: column(countField(), 'i.returned_quantity', 'Quantity returned.'),
    unit_price: column(money(), 'i.unit_price_minor', 'Price of one; empty until it is paid.'),
    delivery_method: column(oneOf(['pickup', 'delivery']), 'i.delivery_method', 'Way in which the customer gets it.'),
    delivered_at: column(instant(), 'i.delivered_at', 'When it was handed over.'),
    created_at: column(instant(), 'i.created_at', 'When it was added to the order.'),
  },
  sort: '-id',
  customer: 'customer.id',
  filters: {
    customers: anyOf('r.customer_id'),
    products: anyOf('p.id'),
    status: oneOfThese(STATUS, 'r.status'),
    ...within('created_at', 'i.created_at'),
    ...within('paid_at', 'r.paid_at'),
  },
  grouped: {
    by: { ...product, ...customerColumns('c'), status, ...yearAndMonth(ordered, 'the order', ['year', 'month']) },
    measures: {
      count: COUNT,
      quantity: column(countField(), 'sum(i.quantity)', 'Quantity ordered.'),
      total_amount: column(
        money(),
        'coalesce(sum(i.quantity * i.unit_price_minor), 0)',
        'Total price before discounts, fees and taxes.',
      ),
    },
    pivot: ordered,
  },
});
