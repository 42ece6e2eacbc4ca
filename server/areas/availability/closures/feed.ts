import { date, id, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const closure = { business_closure: id(), closure_date: date(), venue: ref('venue').nullable(), bulk_action: id() };

export const closureCreated = feedItemKind('business_closure.created', {
  object: 'business_closure',
  description:
    'A day was closed, at one venue or, if `venue` is null, at all of them. `bulk_action` cancels its events, each with a feed item of its own.',
  payload: { ...closure, reason: text().nullable() },
});

export const closureDeleted = feedItemKind('business_closure.deleted', {
  object: 'business_closure',
  description:
    'A day is open again. `bulk_action` brings back the events that the closure had cancelled, each with a feed item of its own.',
  payload: closure,
});
