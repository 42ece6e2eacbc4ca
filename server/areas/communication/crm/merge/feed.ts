import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../../kernel/base/fields/kinds.ts';

export const customerMerged = feedItemKind('customer.merged', {
  object: 'customer',
  description:
    'Two customers were the same person. What belonged to `customer` now belongs to `into`, and `customer` no longer exists.',
  payload: { customer: id(), into: ref('customer') },
});

export const mergeFeed = [customerMerged];
