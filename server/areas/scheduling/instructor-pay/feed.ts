import { feedKinds } from '../../../kernel/work/feed/feed-item.ts';
import { id, ref, text } from '../../../kernel/base/fields/kinds.ts';

export const instructorPayRateFeed = feedKinds(
  'instructor_pay_rate',
  { instructor_pay_rate: id() },
  {
    created: 'A rate was created by which instructors are paid.',
    updated: 'A rate by which instructors are paid was changed; `changed` names the properties.',
  },
);

export const instructorPayItemFeed = feedKinds(
  'instructor_pay_item',
  { instructor_pay_item: id(), event: ref('event'), instructor: ref('instructor') },
  {
    calculated: 'The pay of an instructor for a session was calculated, or calculated again with another result.',
    removed: 'An instructor is no longer paid for a session: it was cancelled, moved, or taught by somebody else.',
  },
);

export const instructorPayPeriodFeed = feedKinds(
  'instructor_pay_period',
  { instructor_pay_period: id(), through: text() },
  {
    approved: 'The pay of instructors was approved until a day, and doesn’t change any more.',
    reopened: 'Pay of instructors that was approved was opened again.',
  },
);

export const FEED = [instructorPayRateFeed, instructorPayItemFeed, instructorPayPeriodFeed];
