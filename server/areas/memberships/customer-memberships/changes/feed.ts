import { boolean, date, id, oneOf, ref, text } from '../../../../kernel/api/kinds.ts';
import { feedItemKind } from '../../../../kernel/feed/feed-item.ts';
import { PRICES } from '../../../people/account-entries/index.ts';

const object = { object: 'customermembership' };
const held = { customer_membership: ref('customermembership'), customer: id() };

export const membershipRenewed = feedItemKind('customer_membership.renewed', {
  ...object,
  description:
    'A billing period of a recurring plan has started, and its price is due. If `contract_renewed`, a new commitment starts with it.',
  payload: { ...held, period_start_date: date(), period_end_date: date(), price: text(), contract_renewed: boolean() },
  shown: { price: PRICES },
});

export const expirationChanged = feedItemKind('customer_membership.expiration_changed', {
  ...object,
  description: 'The last day of a membership was changed; null means that it had no end.',
  payload: { ...held, before: date().nullable(), after: date().nullable() },
});

export const cancellationScheduled = feedItemKind('customer_membership.cancellation_scheduled', {
  ...object,
  description: 'A membership was cancelled and ends with its last day.',
  payload: { ...held, last_day: date(), reason: oneOf(['cancelled', 'no_auto_renew']) },
});

export const membershipReactivated = feedItemKind('customer_membership.reactivated', {
  ...object,
  description:
    'An upcoming cancellation was taken back, or an ended membership continues. `expiration_date` is its new last day.',
  payload: { ...held, expiration_date: date().nullable() },
});

export const membershipUpgraded = feedItemKind('customer_membership.upgraded', {
  ...object,
  description: 'Another membership replaced this one immediately, with a credit for what was left of it.',
  payload: { ...held, replaced_by: ref('customermembership'), credit: text() },
  shown: { credit: PRICES },
});

export const downgradeScheduled = feedItemKind('customer_membership.downgrade_scheduled', {
  ...object,
  description: 'Another membership replaces this one from the day after its last day on.',
  payload: { ...held, replaced_by: ref('customermembership'), last_day: date() },
});

export const FEED = [
  membershipRenewed,
  expirationChanged,
  cancellationScheduled,
  membershipReactivated,
  membershipUpgraded,
  downgradeScheduled,
];
