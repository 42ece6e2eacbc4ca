import { id, listOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const of = { customer_note: id(), customer: id() };

export const noteCreated = feedItemKind('customer_note.created', {
  object: 'customer_note',
  description: 'A note about a customer was created. Its text is not included.',
  payload: of,
});
export const noteUpdated = feedItemKind('customer_note.updated', {
  object: 'customer_note',
  description: 'A note about a customer was changed; `changed` names the properties.',
  payload: { ...of, changed: listOf(text()) },
});
export const noteDeleted = feedItemKind('customer_note.deleted', {
  object: 'customer_note',
  description: 'A note about a customer was deleted.',
  payload: of,
});

export const noteFeed = [noteCreated, noteUpdated, noteDeleted];
