import { feedItemKind } from '../../../kernel/feed/feed-item.ts';
import { id, ref } from '../../../kernel/api/kinds.ts';

export const customerMerged = feedItemKind('customer.merged', {
  object: 'customer',
  description: 'Two customers were one person: what `customer` had is of `into` now, and `customer` is gone.',
  payload: { customer: id(), into: ref('customer') },
});

export const mergeFeed = [customerMerged];
