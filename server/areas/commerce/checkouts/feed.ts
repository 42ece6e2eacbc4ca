import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../kernel/base/fields/kinds.ts';
const of = { checkout: id(), customer: ref('customer') };

export const checkoutFeed = feedKinds('checkout', of, {
  created: 'A checkout was created. Nothing is bought yet.',
  updated: 'A checkout was changed; `changed` names the properties.',
  pending: { description: 'A payment for a checkout has begun.', payload: { payment: id() } },
  reopened: {
    description: 'The payment for a checkout failed. It can be changed and paid again.',
    payload: { payment: id() },
  },
  completed: {
    description: 'A checkout was paid or needed no payment, and the customer got everything in it.',
    payload: { invoice: id().nullable(), payment: id().nullable() },
  },
  expired: 'A checkout was not paid in time. What was held for it was released.',
  cancelled: 'A checkout was cancelled. What was held for it was released.',
});
export const checkoutItemFeed = feedKinds(
  'checkout_item',
  { ...of, checkout: id(), customer: ref('customer'), checkout_item: id() },
  {
    created: 'Something was added to a checkout.',
    updated: 'The price or the quantity of an item was changed; `changed` names the properties.',
    deleted: 'Something was removed from a checkout.',
  },
);

export const FEED = [checkoutFeed, checkoutItemFeed];
