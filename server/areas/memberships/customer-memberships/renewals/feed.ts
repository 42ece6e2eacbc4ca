import { boolean, date, id, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { PRICES } from '../../../money/account-entries/index.ts';

export const membershipRenewed = feedItemKind('customer_membership.renewed', {
  object: 'customermembership',
  description:
    'A billing period of a recurring plan has started, and its price is due. If `contract_renewed`, a new commitment starts with it.',
  payload: {
    customer_membership: ref('customermembership'),
    customer: id(),
    period_start_date: date(),
    period_end_date: date(),
    price: text(),
    contract_renewed: boolean(),
  },
  shown: { price: PRICES },
});
