import { checkActsFor } from '../../people/customers/index.ts';
import { currentOrder } from './orders.ts';
import { filter, get, list, one, read, type Who } from '../../../kernel/api/endpoint.ts';
import { id, listOf, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { storeOrder, storeOrderItem } from './order.ts';
import { ORDER_STATUSES } from './order-statuses.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { since } from './find-products.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Staff of the store and of the front desk; customers for themselves and their family. */
export const whoOrders: Who = { provider: ['super_admin', 'store', 'pos'], customer: true, unregistered: false };

const ids = () => listOf(id(), { max: 200 }).describe('Comma-separated list of ids.');

/** Returns the customer of the order: the named one, or the customer who makes the request. */
export async function customerOf(work: Work, named: number | undefined): Promise<number> {
  const customer = named ?? work.viewer.customerId;
  if (customer === null) throw invalid('customer', 'This field is required.');
  await checkActsFor(work, customer);
  return customer;
}

export const noOrder = (): Problem =>
  new Problem('not_found', {
    staff: 'The customer has no open order. Create one with POST /store/orders.',
    customer: 'Your cart is empty.',
  });

const byId = { by: (t: string) => raw(`${t}.id`) };

export const findOrders = [
  list(storeOrder, {
    path: '/store/orders',
    summary: 'List orders',
    description: 'Customers see those of their family.',
    who: whoOrders,
    filters: {
      customer: filter(ids(), (t, wanted) => sql`${raw(t)}.customer_id = ANY(${wanted}::bigint[])`),
      status: filter(listOf(oneOf(ORDER_STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
      created_at_gte: since('created_at_gte', '>='),
      created_at_lte: since('created_at_lte', '<='),
    },
    sort: { id: byId, created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-id',
  }),
  read({
    path: '/store/orders/current_order',
    summary: 'Get the current order',
    description: 'The cart of a customer: the last of their orders that is still open.',
    who: whoOrders,
    query: { customer: ref('customer').optional().describe('Customers who ask for their own can leave it out.') },
    returns: one(storeOrder),
    problems: ['not_found'],
    run: async ({ work, query }) => {
      const current = await currentOrder(work, await customerOf(work, query.customer));
      if (current === null) throw noOrder();
      return current;
    },
  }),
  get(storeOrder, { path: '/store/orders/{id}', summary: 'Get an order', who: whoOrders }),
  list(storeOrderItem, {
    path: '/store/order_items',
    summary: 'List items of orders',
    description: 'Customers see those of their family.',
    who: whoOrders,
    filters: {
      store_order: filter(ids(), (t, wanted) => sql`${raw(t)}.store_order_id = ANY(${wanted}::bigint[])`),
      store_product_variant: filter(
        ids(),
        (t, wanted) => sql`${raw(t)}.store_product_variant_id = ANY(${wanted}::bigint[])`,
      ),
    },
    sort: { id: byId },
  }),
];
