import { date, id, integer, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';

const GIVEN_BACK = ['cancelled_in_time', 'event_cancelled', 'no_show', 'booking_dropped', 'replaced'] as const;

export const customerMembershipFeed = feedKinds(
  'customer_membership',
  { customer_membership: ref('customermembership'), customer: id() },
  {
    created: {
      description: 'A customer was given a membership: staff sold it, or recorded a sale made elsewhere.',
      payload: { membership: id() },
    },
    activated: {
      description: 'A membership that starts with its first registration has started.',
      payload: { start_date: date() },
    },
    completed: 'The last day of a membership has passed.',
    cancelled: {
      description:
        'A membership that was cancelled has ended. If another membership took its place, it is recorded as upgraded or downgraded instead.',
      payload: { reason: oneOf(['cancelled', 'mistake', 'no_auto_renew', 'upgraded', 'downgraded']) },
    },
    downgraded: {
      description: 'A membership has ended, and as planned, another one takes its place from the next day on.',
      payload: { replaced_by: ref('customermembership').nullable() },
    },
    used: {
      description:
        'A booking took a use of a membership. `uses_left` is what is left after it, for this offering and this time; null means no limit.',
      payload: { attendance: id(), event: id(), uses_left: integer({ min: 0 }).nullable() },
    },
    credited: {
      description: 'A use was given back, with the reason.',
      payload: { attendance: id(), event: id(), reason: oneOf(GIVEN_BACK) },
    },
    suspended: {
      description: 'A membership can’t be used until an invoice is paid. Bookings stay.',
      payload: { invoice: ref('invoice') },
    },
    restored: 'The invoice was paid, so a membership can be used again.',
  },
  { object: 'customermembership' },
);

export const FEED = [customerMembershipFeed];
