import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { id, ref } from '../../../../kernel/base/fields/kinds.ts';

export const customerMergeFeed = feedKinds(
  'customer',
  { customer: id(), into: ref('customer') },
  {
    merged:
      'Two customers were the same person. What belonged to `customer` now belongs to `into`, and `customer` no longer exists.',
  },
);

export const mergeFeed = [customerMergeFeed];
