import { date, id, ref } from '../../../../kernel/base/fields/kinds.ts';
import { feedKinds } from '../../../../kernel/work/feed/feed-item.ts';

export const customerMembershipHoldFeed = feedKinds(
  'customer_membership_hold',
  {
    customer_membership_hold: id(),
    customer_membership: ref('customermembership'),
    customer: id(),
    start_date: date(),
    end_date: date().nullable(),
  },
  {
    created:
      "A membership will be put on hold, or is on hold from today on. The membership's `expiration_date` may have moved.",
    ended: 'The last day of a hold has passed, or someone ended it.',
    deleted: 'A hold was removed before it started, as if it had never existed.',
    updated: 'The days of a hold were changed; `changed` names the properties.',
  },
);

export const membershipHoldsFeed = feedKinds(
  'customer_membership',
  { customer_membership: ref('customermembership'), customer: id(), customer_membership_hold: id() },
  {
    held: 'The first day of a hold has come, and the membership is now on hold.',
    resumed: 'A hold has ended, and the membership is active again.',
  },
  { object: 'customermembership' },
);

export const FEED = [customerMembershipHoldFeed, membershipHoldsFeed];
