import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, integer, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { REASONS } from './rules/adjustment.ts';

export const productFeed = feedKinds(
  'store_product',
  { store_product: id() },
  {
    created: 'A product of the store was created.',
    updated: 'A product of the store was changed; `changed` names the properties.',
    deleted: 'A product of the store was deleted.',
  },
);
export const attributeFeed = feedKinds(
  'store_product_attribute',
  { store_product_attribute: id() },
  {
    created: 'An attribute of a product was created.',
    updated: 'An attribute of a product was changed; `changed` names the properties.',
    deleted: 'An attribute of a product was deleted.',
  },
);
export const variantFeed = feedKinds(
  'store_product_variant',
  { store_product_variant: id() },
  {
    created: 'A variant of a product was created.',
    updated: 'A variant of a product was changed; `changed` names the properties.',
    deleted: 'A variant of a product was deleted.',
    low_stock: {
      description: 'The stock of a variant fell to its threshold, or below.',
      payload: { store_product: id(), stock: integer({ min: 0 }) },
    },
  },
);

export const storeInventoryAdjustmentFeed = feedKinds(
  'store_inventory_adjustment',
  { store_inventory_adjustment: id(), store_product_variant: id(), quantity: integer(), reason: oneOf(REASONS) },
  {
    created: 'The stock of a variant changed.',
  },
);

export const PRODUCT_FEED = [productFeed, attributeFeed, variantFeed, storeInventoryAdjustmentFeed];

const ofOrder = { store_order: id(), customer: ref('customer') };

export const storeOrderFeed = feedKinds('store_order', ofOrder, {
  created: 'An order of the store was created. Nothing is bought yet.',
  updated: 'An order was changed; `changed` names the properties.',
  locked: 'A payment for an order has begun, so the order can’t be changed.',
  unlocked: 'The payment for an order failed or was stopped. The order can be changed again.',
  paid: {
    description: 'An order was paid, or is paid at the desk later. It can be handed over.',
    payload: { invoice: id() },
  },
  fulfilled: 'Everything in an order was handed over.',
  cancelled: 'An order was cancelled. What was paid for it is given back.',
  returned: 'Everything in an order was returned.',
});
export const storeOrderItemFeed = feedKinds(
  'store_order_item',
  { ...ofOrder, store_order_item: id() },
  {
    created: 'Something was added to an order.',
    updated: 'The quantities or the delivery of an order were changed.',
    deleted: 'Something was removed from an order.',
    delivered: 'Something that was ordered was handed over.',
    returned: {
      description: 'Something that was ordered came back, or is not handed over. What was paid for it is given back.',
      payload: { quantity: integer({ min: 1 }), credit_note: id().nullable() },
    },
  },
);

export const ORDER_FEED = [storeOrderFeed, storeOrderItemFeed];
