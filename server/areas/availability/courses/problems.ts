/** Problems of courses. */
import { defineProblems } from '../../../kernel/base/problem.ts';

const type = 'event_check_failure';

export const COURSE_PROBLEMS = defineProblems({
  course_enrollment_required: {
    status: 400,
    type,
    means: 'The event is a session of a course that is sold as a whole. Enrol the customer in its date series.',
  },
  course_session_payment_required: {
    status: 400,
    type,
    means: 'The session of a course costs something. The message says how much. Sell it with a checkout.',
  },
  course_payment_required: {
    status: 400,
    type,
    means:
      'The course costs something. The message says how much. Pay with a checkout, or name a membership. Staff are not refused: the price is charged to the account, or they enrol `comped`.',
  },
  course_full: { status: 400, type, means: 'No place is free at some sessions. The message names them.' },
  course_not_open: {
    status: 400,
    type,
    means: 'Nobody can join: the course is a draft, it is over or cancelled, or too many sessions have begun.',
  },
  already_enrolled: { status: 400, type, means: 'The customer is already enrolled in the date series.' },
  course_sessions_booked: {
    status: 400,
    type,
    means: 'The customer has booked single sessions of the date series. The message names them.',
  },
  make_up_not_available: {
    status: 400,
    type,
    means: 'The session can’t be made up for, or not with that one. The message says why.',
  },
  course_waitlist_not_needed: { status: 400, type, means: 'The date series has a free place. Enrol instead.' },
});
