import { boolean, date, id, oneOf, ref, text } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';
import { PRICES } from '../entitlements/index.ts';

const object = { object: 'customermembership' };
const held = { customer_membership: ref('customermembership'), customer: id() };

export const membershipRenewed = feedItemKind('customer_membership.renewed', {
  ...object,
  description: 'A billing period of a recurring plan has begun, and its price is due. `contract_renewed`: a new commitment begins with it.',
  payload: { ...held, period_start_date: date(), period_end_date: date(), price: text(), contract_renewed: boolean() },
  shown: { price: PRICES },
});

export const expirationChanged = feedItemKind('customer_membership.expiration_changed', {
  ...object,
  description: 'A membership ends on another day; null: it had no end.',
  payload: { ...held, before: date().nullable(), after: date().nullable() },
});

export const cancellationScheduled = feedItemKind('customer_membership.cancellation_scheduled', {
  ...object,
  description: 'A membership was cancelled: it ends with its last day.',
  payload: { ...held, last_day: date(), reason: oneOf(['cancelled', 'no_auto_renew']) },
});

export const membershipReactivated = feedItemKind('customer_membership.reactivated', {
  ...object,
  description: 'A cancellation that had not come was taken back, or what had ended goes on. `expiration_date`: its last day from now on.',
  payload: { ...held, expiration_date: date().nullable() },
});

export const membershipUpgraded = feedItemKind('customer_membership.upgraded', {
  ...object,
  description: 'Another membership took the place of this one at once, with a credit for what was left of it.',
  payload: { ...held, replaced_by: ref('customermembership'), credit: text() },
  shown: { credit: PRICES },
});

export const downgradeScheduled = feedItemKind('customer_membership.downgrade_scheduled', {
  ...object,
  description: 'From the day after the last day of this membership on, another one takes its place.',
  payload: { ...held, replaced_by: ref('customermembership'), last_day: date() },
});

export const FEED = [membershipRenewed, expirationChanged, cancellationScheduled, membershipReactivated, membershipUpgraded, downgradeScheduled];
