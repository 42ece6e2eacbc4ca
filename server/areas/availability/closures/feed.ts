import { date, id, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

export const businessClosureFeed = feedKinds(
  'business_closure',
  { business_closure: id(), closure_date: date(), venue: ref('venue').nullable(), bulk_action: id() },
  {
    created: {
      description:
        'A day was closed, at one venue or, if `venue` is null, at all of them. `bulk_action` cancels its events, each with a feed item of its own.',
      payload: { reason: text().nullable() },
    },
    deleted:
      'A day is open again. `bulk_action` brings back the events that the closure had cancelled, each with a feed item of its own.',
  },
);
