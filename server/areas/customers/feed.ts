import { id, listOf, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

export const customerCreated = feedItemKind('customer.created', {
  object: 'customer',
  description: 'A customer was entered by staff or signed up.',
  payload: { customer: id() },
});

export const customerUpdated = feedItemKind('customer.updated', {
  object: 'customer',
  description: 'Something about a customer changed; `changed` names the properties.',
  payload: { customer: id(), changed: listOf(text()) },
});

export const customerDeleted = feedItemKind('customer.deleted', {
  object: 'customer',
  description: 'A customer was deleted: it had neither bookings nor memberships.',
  payload: { customer: id() },
});
