import { boolean, date, id, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { PRICES } from '../../../money/account-entries/index.ts';

export const membershipRenewalsFeed = feedKinds(
  'customer_membership',
  {
    customer_membership: ref('customermembership'),
    customer: id(),
    period_start_date: date(),
    period_end_date: date(),
    price: text(),
    contract_renewed: boolean(),
  },
  {
    renewed: {
      description:
        'A billing period of a recurring plan has started, and its price is due. If `contract_renewed`, a new commitment starts with it.',
      shown: { price: PRICES },
    },
  },
  { object: 'customermembership' },
);
