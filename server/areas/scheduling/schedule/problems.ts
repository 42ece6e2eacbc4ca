/** Refusals of the schedule. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { one, say } from '../../../kernel/base/values/words.ts';
import { payers } from './bookings/payer-port.ts';
import type { Wording } from '../../../kernel/base/values/wording.ts';

/** Type of refusals about one event and one customer. */
const type = 'event_check_failure';

export const SCHEDULE_PROBLEMS = defineProblems({
  instructor_taken: { status: 409, type: 'conflict', means: 'The instructor teaches another event at that time.' },
  venue_closed: { status: 409, type: 'conflict', means: 'The venue is closed on that day. The message says why.' },
  capacity_below_bookings: {
    status: 409,
    type: 'conflict',
    means: 'More people are booked, or hold a reserved spot, than the new capacity allows.',
  },
  event_full: {
    status: 400,
    type,
    means: 'The event is full. The message says which place on the waitlist is offered.',
  },
  event_cancelled: { status: 400, type, means: 'The event is cancelled.' },
  event_started: { status: 400, type, means: 'The event has started.' },
  registration_not_open: { status: 400, type, means: 'Booking opens later. The message says when.' },
  registration_closed: { status: 400, type, means: 'Booking has closed. The message says when it closed.' },
  registration_not_allowed: {
    status: 400,
    type,
    means: 'No registration timeline of the event is open to this customer.',
  },
  age_too_low: { status: 400, type, means: 'The customer is younger than the event allows on its day.' },
  age_too_high: { status: 400, type, means: 'The customer is older than the event allows on its day.' },
  age_unknown: { status: 400, type, means: 'The event has an age limit, and the date of birth is unknown.' },
  customer_not_participating: { status: 400, type, means: 'The customer manages a family and does not take part.' },
  not_registered: { status: 400, type, means: 'The customer has no booking for this event.' },
  already_registered: { status: 400, type, means: 'The customer already has a booking for this event.' },
  not_on_waitlist: { status: 400, type, means: 'The customer is not on the waitlist of this event.' },
  waitlist_full: { status: 400, type, means: 'The waitlist has reached its limit.' },
  waitlist_not_needed: { status: 400, type, means: 'The event has free spots. Register instead.' },
  attendance_already_marked: { status: 400, type, means: 'The attendance is already marked. Staff can correct it.' },
  checkin_disabled: { status: 400, type, means: 'The business has turned off check-ins.' },
});

/** Refusals of a booking before payers are asked. */
export const BOOKING_PROBLEMS = [
  SCHEDULE_PROBLEMS.event_full,
  SCHEDULE_PROBLEMS.event_cancelled,
  SCHEDULE_PROBLEMS.event_started,
  SCHEDULE_PROBLEMS.registration_not_open,
  SCHEDULE_PROBLEMS.registration_closed,
  SCHEDULE_PROBLEMS.registration_not_allowed,
  SCHEDULE_PROBLEMS.age_unknown,
  SCHEDULE_PROBLEMS.age_too_low,
  SCHEDULE_PROBLEMS.age_too_high,
  SCHEDULE_PROBLEMS.customer_not_participating,
];

/** Refusals of holding a seat. */
export const HOLD_PROBLEMS = [...BOOKING_PROBLEMS, SCHEDULE_PROBLEMS.already_registered];

export const alreadyPaying = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.already_registered, {
    staff: "A payment for the customer's place is under way in another checkout. Wait for it, or cancel that checkout.",
    customer: say`A payment for this ${one.spot} is already under way.`,
  });

/** Returns the refusal that a rule of booking names: one of the schedule, or of a payer. */
export const refusedBy = ({ code, message }: { code: string; message: Wording }): Problem =>
  new Problem({ ...SCHEDULE_PROBLEMS, ...payers.filled.kinds }[code]!, message);
