import { date, id, listOf, ref, text } from '../../../../kernel/base/fields/kinds.ts';
import { feedItemKind } from '../../../../kernel/work/feed/feed-item.ts';

const hold = { customer_membership_hold: id(), customer_membership: ref('customermembership'), customer: id() };
const days = { start_date: date(), end_date: date().nullable() };

const kindOf = <K extends string>(what: K, description: string) =>
  feedItemKind(`customer_membership_hold.${what}`, {
    object: 'customer_membership_hold',
    description,
    payload: { ...hold, ...days },
  });

export const holdCreated = kindOf(
  'created',
  "A membership will be put on hold, or is on hold from today on. The membership's `expiration_date` may have moved.",
);
export const holdEnded = kindOf('ended', 'The last day of a hold has passed, or someone ended it.');
export const holdDeleted = kindOf('deleted', 'A hold was removed before it started, as if it had never existed.');

export const holdUpdated = feedItemKind('customer_membership_hold.updated', {
  object: 'customer_membership_hold',
  description: 'The days of a hold were changed; `changed` names the properties.',
  payload: { ...hold, ...days, changed: listOf(text()) },
});

const owned = { customer_membership: ref('customermembership'), customer: id(), customer_membership_hold: id() };

export const membershipHeld = feedItemKind('customer_membership.held', {
  object: 'customermembership',
  description: 'The first day of a hold has come, and the membership is now on hold.',
  payload: owned,
});
export const membershipResumed = feedItemKind('customer_membership.resumed', {
  object: 'customermembership',
  description: 'A hold has ended, and the membership is active again.',
  payload: owned,
});

export const FEED = [holdCreated, holdUpdated, holdEnded, holdDeleted, membershipHeld, membershipResumed];
