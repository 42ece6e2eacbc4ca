import { date, id, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { PRICES } from '../../../money/account-entries/index.ts';

export const membershipPricesFeed = feedKinds(
  'customer_membership',
  {
    customer_membership: ref('customermembership'),
    customer: id(),
    before: text(),
    after: text(),
    from: date().nullable(),
  },
  {
    price_changed: {
      description:
        'The agreed price was changed. `from` is the first day of the first billing period at the new price; null if there are no billing periods and the price applies immediately.',
      shown: { before: PRICES, after: PRICES },
    },
  },
  { object: 'customermembership' },
);
