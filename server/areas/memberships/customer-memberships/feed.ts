import { date, id, integer, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';

const object = { object: 'customermembership' };
const owned = { customer_membership: ref('customermembership'), customer: id() };
const use = { ...owned, attendance: id(), event: id(), uses_left: integer({ min: 0 }).nullable() };

const GIVEN_BACK = ['cancelled_in_time', 'event_cancelled', 'no_show', 'booking_dropped', 'replaced'] as const;

export const customerMembershipCreated = feedItemKind('customer_membership.created', {
  ...object,
  description: 'A customer was given a membership: staff sold it, or recorded a sale made elsewhere.',
  payload: { ...owned, membership: id() },
});

export const customerMembershipActivated = feedItemKind('customer_membership.activated', {
  ...object,
  description: 'A membership that starts with its first registration has started.',
  payload: { ...owned, start_date: date() },
});

export const customerMembershipCompleted = feedItemKind('customer_membership.completed', {
  ...object,
  description: 'The last day of a membership has passed.',
  payload: owned,
});

export const customerMembershipCancelled = feedItemKind('customer_membership.cancelled', {
  ...object,
  description:
    'A membership that was cancelled has ended. If another membership took its place, it is recorded as upgraded or downgraded instead.',
  payload: { ...owned, reason: oneOf(['cancelled', 'mistake', 'no_auto_renew', 'upgraded', 'downgraded']) },
});

export const customerMembershipDowngraded = feedItemKind('customer_membership.downgraded', {
  ...object,
  description: 'A membership has ended, and as planned, another one takes its place from the next day on.',
  payload: { ...owned, replaced_by: ref('customermembership').nullable() },
});

export const customerMembershipUsed = feedItemKind('customer_membership.used', {
  ...object,
  description:
    'A booking took a use of a membership. `uses_left` is what is left after it, for this offering and this time; null means no limit.',
  payload: use,
});

export const customerMembershipCredited = feedItemKind('customer_membership.credited', {
  ...object,
  description: 'A use was given back, with the reason.',
  payload: { ...owned, attendance: id(), event: id(), reason: oneOf(GIVEN_BACK) },
});

export const membershipSuspended = feedItemKind('customer_membership.suspended', {
  ...object,
  description: 'A membership can’t be used until an invoice is paid. Bookings stay.',
  payload: { ...owned, invoice: ref('invoice') },
});

export const membershipRestored = feedItemKind('customer_membership.restored', {
  ...object,
  description: 'The invoice was paid, so a membership can be used again.',
  payload: owned,
});

export const FEED = [
  membershipSuspended,
  membershipRestored,
  customerMembershipCreated,
  customerMembershipActivated,
  customerMembershipCompleted,
  customerMembershipCancelled,
  customerMembershipDowngraded,
  customerMembershipUsed,
  customerMembershipCredited,
];
