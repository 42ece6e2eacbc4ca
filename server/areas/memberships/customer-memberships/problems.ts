/** Why no membership pays for a booking. */
import { defineProblems } from '../../../kernel/api/problem.ts';

const type = 'event_check_failure';

export const MEMBERSHIP_PROBLEMS = defineProblems({
  membership_required: {
    status: 400,
    type,
    means:
      'The event needs a membership, and the customer has none. Sell one that covers the event, or book it `comped`.',
  },
  membership_does_not_cover: {
    status: 400,
    type,
    means: 'The membership doesn’t cover the event. Choose one that does.',
  },
  membership_expired: {
    status: 400,
    type,
    means: 'The membership has ended, or ends before the event. Renew it, or choose another one.',
  },
  membership_not_started: { status: 400, type, means: 'The membership starts after the event. The message says when.' },
  membership_on_hold: {
    status: 400,
    type,
    means: 'The membership is on hold on the day of the event. End the hold, or choose another day.',
  },
  membership_unpaid: {
    status: 400,
    type,
    means: 'The membership can’t be used until an invoice is paid. The message says which one.',
  },
  allotment_used_up: {
    status: 400,
    type,
    means: 'The membership has no uses left for that time. The message says when there will be more.',
  },
});
