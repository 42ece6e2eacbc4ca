/** The actions that a customer can take for an event right now, in one object, for buttons and badges. */
import { instant, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { hasSeat } from '../has-seat.ts';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { atPlace, bookingFacts, placeFor, placeKinds, type CustomerAround, type EventAround } from './facts.ts';
import { explainBooking, payable, TO_SETTLE, type Place } from '../rules/booking.ts';

export const SUGGESTED_ACTIONS = ['register', 'join_waitlist', 'unregister', 'leave_waitlist', 'claim_spot'] as const;
export const CURRENT_STATUSES = [
  'not_registered',
  'registered',
  'attended',
  'no_show',
  'late_cancelled',
  'on_waitlist',
  'spot_reserved',
] as const;

/** Codes of refusals in the plural spelling that clients of this field know; others have the code of the refusal. */
const RESTRICTION: Record<string, string> = {
  registration_closed: 'registrations_closed',
  registration_not_open: 'registrations_not_open',
};

export const statusShape = {
  suggested_action: oneOf(SUGGESTED_ACTIONS).nullable(),
  current_status: oneOf(CURRENT_STATUSES),
  restriction_codes: listOf(text()),
  registrations_open_at: instant().nullable(),
  registrations_close_at: instant().nullable(),
  late_cancels_after: instant().nullable(),
};

/**
 * Returns them for one kind of place: the one that is asked for, or else that of the customer's booking or spot.
 * Somebody who is booked may also wait for the other kind, and is registered all the same.
 */
export function registrationStatus(read: EventAround, who: CustomerAround, now: number, asked?: Place) {
  const booked = hasSeat(who.attendance) ? who.attendance!.place : undefined;
  const place = placeFor(who, asked ?? booked);
  const around = placeKinds(read).includes(place) ? atPlace(read, place) : read;
  const facts = bookingFacts(around, who, false, now);
  const refused = explainBooking(facts)
    .filter((v) => !v.passed)
    .map((v) => v.code);
  const spot = booked === undefined ? who.spot : null;
  const current = spot?.status ?? who.attendance?.status ?? 'not_registered';
  const at = (epochMs: number | undefined) =>
    epochMs === undefined ? null : formatInstant(epochMs, around.event.zone);
  return {
    suggested_action: suggest(
      current,
      refused.filter((code) => code !== payable(facts) && code !== TO_SETTLE),
      around,
      now,
    ),
    current_status: current,
    restriction_codes: current === 'registered' ? [] : refused.map((code) => RESTRICTION[code] ?? code),
    registrations_open_at: at(facts.window?.opensAt),
    registrations_close_at: at(facts.window?.closesAt),
    late_cancels_after: at(facts.window?.lateCancelsAfter),
  };
}

/**
 * Suggests the next action. `refused`: the refusals of a booking apart from payment and requirements, which are steps
 * of booking.
 */
function suggest(
  current: string,
  refused: readonly string[],
  { event }: EventAround,
  now: number,
): (typeof SUGGESTED_ACTIONS)[number] | null {
  if (current === 'registered') return now < event.startsAt && event.status === 'active' ? 'unregister' : null;
  if (current === 'attended' || current === 'no_show') return null;
  if (current === 'spot_reserved') return refused.length === 0 ? 'claim_spot' : 'leave_waitlist';
  if (refused.length === 0) return 'register';
  if (current === 'on_waitlist') return 'leave_waitlist';
  const waitlistOpen = event.waitlistMax === null || event.waiting < event.waitlistMax;
  return refused.every((code) => code === 'event_full') && waitlistOpen ? 'join_waitlist' : null;
}
