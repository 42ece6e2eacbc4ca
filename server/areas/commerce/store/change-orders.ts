import { changes } from '../../../kernel/api/resource-changes.ts';
import { action, create, one, staffWith } from '../../../kernel/api/endpoint.ts';
import { addToOrder, changeOrder, changeOrderItem, createOrder, openOrderOf, removeOrderItem } from './orders.ts';
import { checkActsFor } from '../../people/customers/index.ts';
import { checkSale, quoteVariant } from './quote.ts';
import { customerOf, whoOrders } from './find-orders.ts';
import { DELIVERY_METHODS } from './product.ts';
import { integer, listOf, object, oneOf, ref, text, boolean } from '../../../kernel/base/fields/kinds.ts';
import { invalid, notFound } from '../../../kernel/base/problem.ts';
import { handOver } from './hand-over.ts';
import { checkChangeable, lockOrder, orderItems, type OrderItemRow, type OrderRow } from './order-rows.ts';
import { piecesOf, takeBack } from './take-back.ts';
import { STORE_PROBLEMS, wrongStatus } from './problems.ts';
import { storeOrder, storeOrderItem } from './order.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const CHANGING = [STORE_PROBLEMS.locked, STORE_PROBLEMS.order_not_open] as const;
const SELLING = [STORE_PROBLEMS.store_closed, STORE_PROBLEMS.not_for_sale, STORE_PROBLEMS.out_of_stock] as const;

const of = {
  store_product_variant: ref('store_product_variant'),
  quantity: integer({ min: 1, max: 100 }).default(1),
  delivery_method: oneOf(DELIVERY_METHODS).optional().describe('If left out, the first that the product has.'),
};

/** The order's own properties. */
export const ORDER_VALUES = {
  delivery_address: storeOrder.fields.delivery_address.optional(),
  note: storeOrder.fields.note.optional(),
};

const createAnOrder = create(storeOrder, {
  path: '/store/orders',
  summary: 'Create an order',
  description: 'It is a cart: nothing is bought or held until it is checked out with `POST /store/orders/checkout`.',
  who: whoOrders,
  body: {
    customer: ref('customer').optional().describe('Customers who order for themselves can leave it out.'),
    items: listOf(object(of), { max: 50 }).optional(),
    ...ORDER_VALUES,
  },
  problems: [...CHANGING, ...SELLING, 'not_found'],
  run: async ({ work, body: { customer, items = [], ...values } }) =>
    createOrder(work, {
      customer: await customerOf(work, customer),
      items: items.map(({ store_product_variant: variant, quantity, delivery_method: method }) => ({
        variant,
        quantity: quantity ?? 1,
        method,
      })),
      ...values,
    }),
});

const updateOrder = action({
  method: 'PATCH',
  path: '/store/orders/{id}',
  summary: 'Update an order',
  description:
    'Changes where it is delivered, and the note for the business: of an open order, or by staff also of one that was paid and not handed over yet. Change what is in it with its items.',
  who: whoOrders,
  target: storeOrder,
  unlocked: true,
  body: ORDER_VALUES,
  problems: CHANGING,
  returns: one(storeOrder),
  run: async ({ work, target, body }) => {
    const order = await myOrder(work, target.id);
    if (order.status !== 'paid' || work.viewer.mode !== 'provider') checkChangeable(order);
    await changeOrder(work, order, body);
    return order.id;
  },
});

const storeOrderItemChanges = changes(storeOrderItem, {
  path: '/store/order_items',
  noun: 'item of an order',
  who: whoOrders,
  body: { quantity: integer({ min: 1, max: 100 }), delivery_method: oneOf(DELIVERY_METHODS).optional() },
  first: {
    store_order: ref('store_order')
      .optional()
      .describe('If left out, the current order of the customer, which is created if there is none.'),
    customer: ref('customer')
      .optional()
      .describe('Customer whose current order is used. Do not send it with `store_order`.'),
    ...of,
  },
  create: {
    summary: 'Add an item to an order',
    description: 'The quantity is added to that of the same item in the order.',
    problems: [...CHANGING, ...SELLING, 'not_found'],
    run: async ({ work, body }) => {
      const { store_order: order, customer, store_product_variant: variant, quantity, delivery_method: method } = body;
      if (order !== undefined && customer !== undefined)
        throw invalid('customer', 'Send either this or store_order, not both.');
      const row =
        order === undefined ? await openOrderOf(work, await customerOf(work, customer)) : await myOrder(work, order);
      const [id] = await addToOrder(work, row, [{ variant, quantity: quantity ?? 1, method }]);
      return id;
    },
  },
  update: {
    unlocked: true,
    problems: [...CHANGING, ...SELLING],
    run: async ({ work, target, body }) => {
      const { order, item } = await itemOf(work, target);
      const quote = (await quoteVariant(work, item.store_product_variant_id))!;
      if (body.delivery_method !== undefined && !quote.deliveryMethods.includes(body.delivery_method))
        throw invalid('delivery_method', `Must be one of those of the product: ${quote.deliveryMethods.join(', ')}.`);
      if (body.quantity !== undefined && body.quantity > item.quantity)
        checkSale(work, quote, { quantity: body.quantity });
      await changeOrderItem(work, order, item, body);
    },
  },
  remove: {
    summary: 'Remove an item from an order',
    unlocked: true,
    problems: CHANGING,
    run: async ({ work, target }) => {
      const { order, item } = await itemOf(work, target);
      await removeOrderItem(work, order, item);
    },
  },
});

/** Returns an order that the caller may change, locked. */
async function myOrder(work: Work, id: number): Promise<OrderRow> {
  const order = await lockOrder(work, id);
  await checkActsFor(work, order.customer_id);
  return order;
}

/** Returns the item that the path names, with its order, which is locked first. */
async function itemOf(work: Work, target: Record<string, any>): Promise<{ order: OrderRow; item: OrderItemRow }> {
  const order = await myOrder(work, target.store_order_id);
  const item = (await orderItems(work, order.id)).find(({ id }) => id === target.id);
  if (!item) throw notFound();
  return { order, item };
}

const confirmDelivery = action({
  path: '/store/order_items/{id}/confirm_delivery',
  summary: 'Confirm the delivery of an item',
  description:
    'Records that the customer has it. When everything in the order was handed over, the order is `fulfilled`. Confirming it again changes nothing.',
  who: staffWith('super_admin', 'store', 'pos'),
  target: storeOrderItem,
  unlocked: true,
  problems: CHANGING,
  returns: one(storeOrderItem),
  run: async ({ work, target }) => {
    const { order, item } = await itemOf(work, target);
    if (item.delivered_at !== null) return item.id;
    if (order.status !== 'paid') throw wrongStatus(order.status);
    await handOver(work, order, [item]);
    return item.id;
  },
});

const returnItem = action({
  path: '/store/order_items/{id}/return',
  summary: 'Take an item of an order back',
  description:
    'For what a customer brings back, or never got. What was paid for it, with its part of discounts, fees and taxes, is given back by a credit note. What is still due is reduced first.',
  who: staffWith('super_admin', 'store', 'pos'),
  target: storeOrderItem,
  body: {
    quantity: integer({ min: 1, max: 100 }).optional().describe('If left out, all that are left.'),
    restock: boolean()
      .default(true)
      .describe('Whether it can be sold again. If so, the stock of the variant grows by it.'),
    give_back: oneOf(['account_credit', 'refund'])
      .default('account_credit')
      .describe('`refund`: what was paid is refunded the way it was paid.'),
    give_back_delivery_fee: boolean()
      .default(false)
      .describe('Whether what delivery cost is given back too. Otherwise the business keeps it.'),
    reason: text({ max: 1000 }).describe('Why, in a sentence. Customers read it too.'),
  },
  unlocked: true,
  problems: [...CHANGING, 'conflict'],
  returns: one(storeOrderItem),
  run: async ({ work, target, body }) => {
    const { order, item } = await itemOf(work, target);
    if (order.status !== 'paid' && order.status !== 'fulfilled') throw wrongStatus(order.status);
    const quantity = piecesOf(item, body.quantity, 'quantity');
    await takeBack(work, order, [{ item, quantity }], {
      restock: body.restock ?? true,
      why: body.reason,
      giveBack: (body.give_back ?? 'account_credit') as 'account_credit' | 'refund',
      as: 'returned',
      delivery: body.give_back_delivery_fee,
    });
    return item.id;
  },
});

export const changeOrders = [createAnOrder, updateOrder, ...storeOrderItemChanges, confirmDelivery, returnItem];
