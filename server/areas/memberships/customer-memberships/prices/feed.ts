import { date, id, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { PRICES } from '../../../money/account-entries/index.ts';

export const customerMembershipPriceChanged = feedItemKind('customer_membership.price_changed', {
  object: 'customermembership',
  description:
    'The agreed price was changed. `from` is the first day of the first billing period at the new price; null if there are no billing periods and the price applies immediately.',
  payload: {
    customer_membership: ref('customermembership'),
    customer: id(),
    before: text(),
    after: text(),
    from: date().nullable(),
  },
  shown: { before: PRICES, after: PRICES },
});
