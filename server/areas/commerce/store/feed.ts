import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, integer, listOf, oneOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { REASONS } from './rules/adjustment.ts';

/** Declares the feed items for creating, changing and deleting objects of this kind. */
function told<const Kind extends string>(kind: Kind, what: string, article = 'A') {
  const object = { object: kind };
  const of = { [kind]: id() } as Record<Kind, ReturnType<typeof id>>;
  return {
    created: feedItemKind(`${kind}.created`, {
      ...object,
      description: `${article} ${what} was created.`,
      payload: of,
    }),
    updated: feedItemKind(`${kind}.updated`, {
      ...object,
      description: `${article} ${what} was changed; \`changed\` names the properties.`,
      payload: { ...of, changed: listOf(text()) },
    }),
    deleted: feedItemKind(`${kind}.deleted`, {
      ...object,
      description: `${article} ${what} was deleted.`,
      payload: of,
    }),
  };
}

export const productFeed = told('store_product', 'product of the store');
export const attributeFeed = told('store_product_attribute', 'attribute of a product', 'An');
export const variantFeed = told('store_product_variant', 'variant of a product');

export const lowStock = feedItemKind('store_product_variant.low_stock', {
  object: 'store_product_variant',
  description: 'The stock of a variant fell to its threshold, or below.',
  payload: { store_product_variant: id(), store_product: id(), stock: integer({ min: 0 }) },
});

export const adjustmentCreated = feedItemKind('store_inventory_adjustment.created', {
  object: 'store_inventory_adjustment',
  description: 'The stock of a variant changed.',
  payload: {
    store_inventory_adjustment: id(),
    store_product_variant: id(),
    quantity: integer(),
    reason: oneOf(REASONS),
  },
});

export const PRODUCT_FEED = [
  ...[productFeed, attributeFeed, variantFeed].flatMap(({ created, updated, deleted }) => [created, updated, deleted]),
  lowStock,
  adjustmentCreated,
];

const ofOrder = { store_order: id(), customer: ref('customer') };
const aboutOrder = { object: 'store_order', payload: ofOrder };
const aboutItem = { object: 'store_order_item', payload: { ...ofOrder, store_order_item: id() } };

export const orderCreated = feedItemKind('store_order.created', {
  ...aboutOrder,
  description: 'An order of the store was created. Nothing is bought yet.',
});
export const orderUpdated = feedItemKind('store_order.updated', {
  ...aboutOrder,
  description: 'An order was changed; `changed` names the properties.',
  payload: { ...ofOrder, changed: listOf(text()) },
});
export const orderLocked = feedItemKind('store_order.locked', {
  ...aboutOrder,
  description: 'A payment for an order has begun, so the order can’t be changed.',
});
export const orderUnlocked = feedItemKind('store_order.unlocked', {
  ...aboutOrder,
  description: 'The payment for an order failed or was stopped. The order can be changed again.',
});
export const orderPaid = feedItemKind('store_order.paid', {
  ...aboutOrder,
  description: 'An order was paid, or is paid at the desk later. It can be handed over.',
  payload: { ...ofOrder, invoice: id() },
});
export const orderFulfilled = feedItemKind('store_order.fulfilled', {
  ...aboutOrder,
  description: 'Everything in an order was handed over.',
});
export const orderCancelled = feedItemKind('store_order.cancelled', {
  ...aboutOrder,
  description: 'An order was cancelled. What was paid for it is given back.',
});
export const orderReturned = feedItemKind('store_order.returned', {
  ...aboutOrder,
  description: 'Everything in an order was returned.',
});
export const itemCreated = feedItemKind('store_order_item.created', {
  ...aboutItem,
  description: 'Something was added to an order.',
});
export const itemUpdated = feedItemKind('store_order_item.updated', {
  ...aboutItem,
  description: 'How many of something are in an order, or how it is handed over, was changed.',
  payload: { ...aboutItem.payload, changed: listOf(text()) },
});
export const itemDeleted = feedItemKind('store_order_item.deleted', {
  ...aboutItem,
  description: 'Something was removed from an order.',
});
export const itemDelivered = feedItemKind('store_order_item.delivered', {
  ...aboutItem,
  description: 'Something that was ordered was handed over.',
});
export const itemReturned = feedItemKind('store_order_item.returned', {
  ...aboutItem,
  description: 'Something that was ordered came back, or is not handed over. What was paid for it is given back.',
  payload: { ...aboutItem.payload, quantity: integer({ min: 1 }), credit_note: id().nullable() },
});

export const ORDER_FEED = [
  orderCreated,
  orderUpdated,
  orderLocked,
  orderUnlocked,
  orderPaid,
  orderFulfilled,
  orderCancelled,
  orderReturned,
  itemCreated,
  itemUpdated,
  itemDeleted,
  itemDelivered,
  itemReturned,
];
