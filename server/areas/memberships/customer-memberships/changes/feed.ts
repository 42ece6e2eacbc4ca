import { date, id, oneOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';
import { PRICES } from '../../../money/account-entries/index.ts';

const object = { object: 'customermembership' };
const owned = { customer_membership: ref('customermembership'), customer: id() };

export const expirationChanged = feedItemKind('customer_membership.expiration_changed', {
  ...object,
  description: 'The last day of a membership was changed; null means that it had no end.',
  payload: { ...owned, before: date().nullable(), after: date().nullable() },
});

export const cancellationScheduled = feedItemKind('customer_membership.cancellation_scheduled', {
  ...object,
  description: 'A membership was cancelled and ends with its last day.',
  payload: { ...owned, last_day: date(), reason: oneOf(['cancelled', 'no_auto_renew']) },
});

export const membershipReactivated = feedItemKind('customer_membership.reactivated', {
  ...object,
  description:
    'An upcoming cancellation was taken back, or an ended membership continues. `expiration_date` is its new last day.',
  payload: { ...owned, expiration_date: date().nullable() },
});

export const membershipUpgraded = feedItemKind('customer_membership.upgraded', {
  ...object,
  description: 'Another membership replaced this one immediately, with a credit for what was left of it.',
  payload: { ...owned, replaced_by: ref('customermembership'), credit: text() },
  shown: { credit: PRICES },
});

export const downgradeScheduled = feedItemKind('customer_membership.downgrade_scheduled', {
  ...object,
  description: 'Another membership replaces this one from the day after its last day on.',
  payload: { ...owned, replaced_by: ref('customermembership'), last_day: date() },
});

export const FEED = [
  expirationChanged,
  cancellationScheduled,
  membershipReactivated,
  membershipUpgraded,
  downgradeScheduled,
];
