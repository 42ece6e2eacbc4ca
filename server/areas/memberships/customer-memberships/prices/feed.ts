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

export const priceChangeFeed = feedKinds(
  'membership_price_change',
  { membership_price_change: id(), membership: ref('membership') },
  {
    created: 'A price change was scheduled, and the holders of the membership are notified.',
    applied: 'The day of a scheduled price change has come.',
    cancelled: 'A scheduled price change was cancelled.',
  },
);
