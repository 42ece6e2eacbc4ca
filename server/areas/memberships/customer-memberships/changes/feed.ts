import { date, id, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';
import { PRICES } from '../../../money/account-entries/index.ts';

export const membershipChangesFeed = feedKinds(
  'customer_membership',
  { customer_membership: ref('customermembership'), customer: id() },
  {
    expiration_changed: {
      description: 'The last day of a membership was changed; null means that it had no end.',
      payload: { before: date().nullable(), after: date().nullable() },
    },
    cancellation_scheduled: {
      description: 'A membership was cancelled and ends with its last day.',
      payload: { last_day: date(), reason: oneOf(['cancelled', 'no_auto_renew']) },
    },
    reactivated: {
      description:
        'An upcoming cancellation was taken back, or an ended membership continues. `expiration_date` is its new last day.',
      payload: { expiration_date: date().nullable() },
    },
    billing_approved: {
      description:
        'Somebody approved that an imported plan is billed. `first_charge_date` is when its price is first due; null if never.',
      payload: { first_charge_date: date().nullable(), price: text() },
      shown: { price: PRICES },
    },
    upgraded: {
      description: 'Another membership replaced this one immediately, with a credit for what was left of it.',
      payload: { replaced_by: ref('customermembership'), credit: text() },
      shown: { credit: PRICES },
    },
    downgrade_scheduled: {
      description: 'Another membership replaces this one from the day after its last day on.',
      payload: { replaced_by: ref('customermembership'), last_day: date() },
    },
  },
  { object: 'customermembership' },
);

export const FEED = [membershipChangesFeed];
