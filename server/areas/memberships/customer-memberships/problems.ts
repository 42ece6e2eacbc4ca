/** Reasons why no membership pays for a booking. */
import { defineProblems } from '../../../kernel/base/problem.ts';

const type = 'event_check_failure';

export const MEMBERSHIP_PROBLEMS = defineProblems({
  membership_required: {
    status: 400,
    type,
    means: 'A membership is needed. Sell one that covers the event, or book it `comped`.',
  },
  membership_does_not_cover: {
    status: 400,
    type,
    means: 'The membership doesn’t cover the event. Choose one that does.',
  },
  membership_expired: {
    status: 400,
    type,
    means: 'The membership ends before the event. Renew it, or choose another one.',
  },
  membership_not_started: { status: 400, type, means: 'The membership starts after the event. The message says when.' },
  membership_on_hold: {
    status: 400,
    type,
    means: 'The membership is on hold on that day. End the hold, or choose another day.',
  },
  membership_unpaid: {
    status: 400,
    type,
    means: 'An invoice must be paid first. The message says which.',
  },
  allotment_used_up: {
    status: 400,
    type,
    means: 'No uses are left for that time. The message says when there will be more.',
  },
});
