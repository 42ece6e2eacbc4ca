/** Refusals of the schedule. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { many, one, say } from '../../../kernel/base/values/words.ts';
import { payers } from './bookings/payer-port.ts';
import type { Place } from './rules/booking.ts';
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
  registration_blocked: { status: 400, type, means: 'Staff have blocked the customer from booking.' },
  registration_not_allowed: {
    status: 400,
    type,
    means: 'No registration timeline of the event is open to this customer.',
  },
  age_too_low: { status: 400, type, means: 'The customer is younger than the event allows on its day.' },
  age_too_high: { status: 400, type, means: 'The customer is older than the event allows on its day.' },
  age_unknown: { status: 400, type, means: 'The event has an age limit, and the date of birth is unknown.' },
  customer_not_participating: { status: 400, type, means: 'The customer manages a family and does not take part.' },
  requirements_missing: {
    status: 400,
    type,
    means:
      'The customer must complete something before they book or buy this, for example a form. `requirements` lists what is missing, each with the address of its page. Staff can book and sell anyway.',
  },
  not_online: {
    status: 409,
    type,
    means: 'The event is not online, or its venue has no address of a video call.',
  },
  no_online_places: { status: 400, type, means: 'The event has no places online.' },
  other_price: {
    status: 409,
    type: 'conflict',
    means:
      'The places at the venue and online have different prices, and the customer pays the price. Staff can switch the booking.',
  },
  not_open_now: {
    status: 409,
    type,
    means: 'The event can be joined from 15 minutes before it begins until it ends. The message says from when.',
  },
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
  SCHEDULE_PROBLEMS.registration_blocked,
  SCHEDULE_PROBLEMS.registration_not_allowed,
  SCHEDULE_PROBLEMS.age_unknown,
  SCHEDULE_PROBLEMS.age_too_low,
  SCHEDULE_PROBLEMS.age_too_high,
  SCHEDULE_PROBLEMS.customer_not_participating,
  SCHEDULE_PROBLEMS.requirements_missing,
  SCHEDULE_PROBLEMS.no_online_places,
];

/** Refusals of holding a seat. */
export const HOLD_PROBLEMS = [...BOOKING_PROBLEMS, SCHEDULE_PROBLEMS.already_registered];

export const alreadyPaying = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.already_registered, {
    staff: "A payment for the customer's place is under way in another checkout. Wait for it, or cancel that checkout.",
    customer: say`A payment for this ${one.spot} is already under way.`,
  });

/** Returns the refusal of a place online at an event that has none. */
export const noOnlinePlaces = (): Problem =>
  new Problem(SCHEDULE_PROBLEMS.no_online_places, {
    staff: 'The event has no places online. Set `online_venue` and `online_max_occupancy` of the event first.',
    customer: say`This ${one.event} has no ${many.spot} online.`,
  });

/** Returns the refusal of one kind of place for a customer who has booked the other. */
export const alreadyAt = (place: Place): Problem =>
  new Problem(SCHEDULE_PROBLEMS.already_registered, {
    staff: `The customer has booked a place ${place === 'online' ? 'online' : 'at the venue'}. Switch it instead.`,
    customer: say`This ${one.event} is already booked. Change the ${one.booking} instead.`,
  });

/** Returns the refusal that a rule of booking names: one of the schedule, or of a payer. */
export const refusedBy = ({ code, message }: { code: string; message: Wording }): Problem =>
  new Problem({ ...SCHEDULE_PROBLEMS, ...payers.filled.kinds }[code]!, message);
