import { feedItemKind } from '../../../kernel/work/feed/feed-item.ts';
import { id, listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';

const rate = { object: 'instructor_pay_rate' };
const ofRate = { instructor_pay_rate: id() };

export const rateCreated = feedItemKind('instructor_pay_rate.created', {
  ...rate,
  description: 'A rate was created by which instructors are paid.',
  payload: ofRate,
});
export const rateUpdated = feedItemKind('instructor_pay_rate.updated', {
  ...rate,
  description: 'A rate by which instructors are paid was changed; `changed` names the properties.',
  payload: { ...ofRate, changed: listOf(text()) },
});

const item = { object: 'instructor_pay_item' };
const ofItem = { instructor_pay_item: id(), event: ref('event'), instructor: ref('instructor') };

export const payCalculated = feedItemKind('instructor_pay_item.calculated', {
  ...item,
  description: 'What an instructor is paid for a session was calculated, or calculated again with another result.',
  payload: ofItem,
});
export const payRemoved = feedItemKind('instructor_pay_item.removed', {
  ...item,
  description: 'An instructor is no longer paid for a session: it was cancelled, moved, or taught by somebody else.',
  payload: ofItem,
});

const period = { object: 'instructor_pay_period' };
const ofPeriod = { instructor_pay_period: id(), through: text() };

export const periodApproved = feedItemKind('instructor_pay_period.approved', {
  ...period,
  description: 'The pay of instructors was approved until a day, and doesn’t change any more.',
  payload: ofPeriod,
});
export const periodReopened = feedItemKind('instructor_pay_period.reopened', {
  ...period,
  description: 'Pay of instructors that was approved was opened again.',
  payload: ofPeriod,
});

export const FEED = [rateCreated, rateUpdated, payCalculated, payRemoved, periodApproved, periodReopened];
