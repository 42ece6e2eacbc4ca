import { date, id, integer, oneOf, ref } from '../../kernel/api/kinds.ts';
import { feedItemKind } from '../../kernel/feed/feed-item.ts';

const object = { object: 'customermembership' };
const held = { customer_membership: ref('customermembership'), customer: id() };
const use = { ...held, attendance: id(), event: id(), uses_left: integer({ min: 0 }).nullable() };

export const GIVEN_BACK = ['cancelled_in_time', 'event_cancelled', 'no_show', 'booking_dropped', 'replaced'] as const;

export const customerMembershipCreated = feedItemKind('customer_membership.created', {
  ...object,
  description: 'A customer has a membership: staff sold it, or entered what was sold elsewhere.',
  payload: { ...held, membership: id() },
});

export const customerMembershipActivated = feedItemKind('customer_membership.activated', {
  ...object,
  description: 'A membership that begins with its first registration has begun.',
  payload: { ...held, start_date: date() },
});

export const customerMembershipCompleted = feedItemKind('customer_membership.completed', {
  ...object,
  description: 'The last day of a membership is over.',
  payload: held,
});

export const customerMembershipCancelled = feedItemKind('customer_membership.cancelled', {
  ...object,
  description: 'A membership that was cancelled has ended. One that another took the place of is told as upgraded or downgraded.',
  payload: { ...held, reason: oneOf(['cancelled', 'mistake', 'no_auto_renew', 'upgraded', 'downgraded']) },
});

export const customerMembershipDowngraded = feedItemKind('customer_membership.downgraded', {
  ...object,
  description: 'A membership has ended, and from the next day on another one takes its place, as it was planned.',
  payload: { ...held, replaced_by: ref('customermembership').nullable() },
});

export const customerMembershipUsed = feedItemKind('customer_membership.used', {
  ...object,
  description: 'A booking took a use of a membership. `uses_left`: after it, for this offering and this time; null: without limit.',
  payload: use,
});

export const customerMembershipCredited = feedItemKind('customer_membership.credited', {
  ...object,
  description: 'A use was given back, and why.',
  payload: { ...held, attendance: id(), event: id(), reason: oneOf(GIVEN_BACK) },
});

export const FEED = [customerMembershipCreated, customerMembershipActivated, customerMembershipCompleted, customerMembershipCancelled, customerMembershipDowngraded, customerMembershipUsed, customerMembershipCredited];
