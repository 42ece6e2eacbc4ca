import { AMOUNTS } from '../shown.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { ref, text } from '../../../../kernel/base/fields/kinds.ts';

export const counterSaleFeed = feedKinds(
  'counter_sale',
  { counter_sale: ref('counter_sale'), customer: ref('customer').nullable(), invoice: ref('invoice'), amount: text() },
  {
    created: 'Something was sold and paid at the counter. `customer` is null for a walk-in customer.',
    refunded: {
      description: 'A sale at the counter was refunded, whole or in part.',
      payload: { credit_note: ref('invoice') },
    },
  },
  { shown: { amount: AMOUNTS } },
);

export const SALES_FEED = [counterSaleFeed];
