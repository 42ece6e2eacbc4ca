import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

const object = 'checkout';
const of = { checkout: id(), customer: ref('customer') };
const item = { ...of, checkout_item: id() };
const aboutItem = { object: 'checkout_item', payload: item };

export const checkoutCreated = feedItemKind('checkout.created', {
  object,
  description: 'A checkout was created. Nothing is bought yet.',
  payload: of,
});
export const checkoutUpdated = feedItemKind('checkout.updated', {
  object,
  description: 'A checkout was changed; `changed` names the properties.',
  payload: { ...of, changed: listOf(text()) },
});
export const itemAdded = feedItemKind('checkout_item.created', {
  ...aboutItem,
  description: 'Something was added to a checkout.',
});
export const itemUpdated = feedItemKind('checkout_item.updated', {
  ...aboutItem,
  description: 'The price or the quantity of an item was changed; `changed` names the properties.',
  payload: { ...item, changed: listOf(text()) },
});
export const itemRemoved = feedItemKind('checkout_item.deleted', {
  ...aboutItem,
  description: 'Something was removed from a checkout.',
});
export const checkoutPending = feedItemKind('checkout.pending', {
  object,
  description: 'A payment for a checkout has begun.',
  payload: { ...of, payment: id() },
});
export const checkoutReopened = feedItemKind('checkout.reopened', {
  object,
  description: 'The payment for a checkout failed. It can be changed and paid again.',
  payload: { ...of, payment: id() },
});
export const checkoutCompleted = feedItemKind('checkout.completed', {
  object,
  description: 'A checkout was paid or needed no payment, and the customer got everything in it.',
  payload: { ...of, invoice: id().nullable(), payment: id().nullable() },
});
export const checkoutExpired = feedItemKind('checkout.expired', {
  object,
  description: 'A checkout was not paid in time. What was held for it was released.',
  payload: of,
});
export const checkoutCancelled = feedItemKind('checkout.cancelled', {
  object,
  description: 'A checkout was cancelled. What was held for it was released.',
  payload: of,
});

export const FEED = [
  checkoutCreated,
  checkoutUpdated,
  itemAdded,
  itemUpdated,
  itemRemoved,
  checkoutPending,
  checkoutReopened,
  checkoutCompleted,
  checkoutExpired,
  checkoutCancelled,
];
