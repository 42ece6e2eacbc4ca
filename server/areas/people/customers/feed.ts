import { id, listOf, text } from '../../../kernel/api/kinds.ts';
import { feedItemKind } from '../../../kernel/feed/feed-item.ts';

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

export const customerDeleted = feedItemKind('customer.deleted', {
  object: 'customer',
  description: 'A customer was deleted. They had neither bookings nor memberships.',
  payload: { customer: id() },
});
