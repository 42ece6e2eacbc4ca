import { id, listOf, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

export const customerCreated = feedItemKind('customer.created', {
  object: 'customer',
  description: 'A customer signed up or was added by staff.',
  payload: { customer: id() },
});

export const customerUpdated = feedItemKind('customer.updated', {
  object: 'customer',
  description: 'A customer was updated. `changed` lists the properties.',
  payload: { customer: id(), changed: listOf(text()) },
});

export const customerErased = feedItemKind('customer.erased', {
  object: 'customer',
  description: 'A customer was erased: nothing says who they were any more. What must be kept stays under their id.',
  payload: { customer: id() },
});

export const customerDeleted = feedItemKind('customer.deleted', {
  object: 'customer',
  description: 'A customer was deleted. They had neither bookings nor memberships.',
  payload: { customer: id() },
});
