/** Problems of recurring reservations, in addition to those of bookings. */
import { defineProblems, Problem } from '../../../kernel/base/problem.ts';
import { dayText } from '../../../kernel/base/values/spoken-time.ts';
import { localizedText, type StoredProblem } from './rows.ts';
import { one, say, textIn, When, type Text, type Words } from '../../../kernel/base/values/words.ts';

export const RESERVATION_PROBLEMS = defineProblems({
  reservation_conflicts: {
    status: 409,
    type: 'conflict',
    means:
      'At least one date of the recurring reservation can’t be booked, and `on_conflict` is `fail`; or no date of an appointment or a room rental can. The message names each date with the reason.',
  },
  nothing_to_reserve: {
    status: 409,
    type: 'conflict',
    means: 'Nothing that is still to come takes place at this time, so a recurring reservation would book nothing.',
  },
});

/** Some dates are named, the rest are counted. */
const MAX_NAMED = 10;

interface Conflict {
  readonly startsAt: number;
  readonly zone: string;
  readonly reason: StoredProblem;
}

export function conflicts(
  all: readonly Conflict[],
  { bySlot, none }: { readonly bySlot: boolean; readonly none: boolean },
): Problem {
  const named = all.slice(0, MAX_NAMED);
  const more = all.length - named.length;
  const staff = named.map(({ startsAt, zone, reason }) => `${dayText(startsAt, zone)}: ${reason.staff}`);
  const customer: Text[] = named.map(
    ({ startsAt, zone, reason }) => say`${new When(startsAt, zone, true)}: ${reason.customer}`,
  );
  const which = none ? 'None of the dates can be booked.' : 'Some dates can’t be booked.';
  const move = bySlot ? 'Move them with moved_dates, leave' : 'Leave';
  const remedy = none
    ? 'Choose another time. The preview lists the nearest free ones.'
    : `${move} them out with skipped_dates, or send on_conflict=skip.`;
  return new Problem(RESERVATION_PROBLEMS.reservation_conflicts, {
    staff: [which, ...staff, ...(more > 0 ? [`And ${more} more.`] : []), remedy].join(' '),
    customer: [
      none ? say`None of the dates can be booked.` : say`Some dates can’t be booked.`,
      ...customer,
      ...(more > 0 ? [say`And ${more} more.`] : []),
    ].reduce((before, text) => say`${before} ${text}`),
  });
}

/** The rule that recurring reservations add to those of booking. */
const OVERLAPPING = 'overlapping_booking';

const NOT_RESTORED = say`This ${one.event} had been cancelled. It takes place after all, but your ${one.booking} could not be restored.`;

/** The event was cancelled and takes place after all, but the booking did not come back with it. */
export const notRestored = (reason: string, because: string, words: Words): StoredProblem => ({
  code: reason,
  staff: because,
  ...localizedText(words, (theirs) => textIn(theirs, NOT_RESTORED)),
});

const NOT_OFFERED = say`No ${one.appointment} is offered at this time. Choose another one.`;

/** A free time that no slot offers. */
export const notOffered = (words: Words): StoredProblem => ({
  code: 'not_offered',
  staff:
    'Nothing is offered then: no hours, or none of the times that customers can choose. List the free times with GET /slots.',
  ...localizedText(words, (theirs) => textIn(theirs, NOT_OFFERED)),
});

export const overlapping = (event: string, words: Words): StoredProblem => ({
  code: OVERLAPPING,
  staff: `The customer is booked on ${event} at that time.`,
  ...localizedText(words, (theirs) => textIn(theirs, say`There is another ${one.booking} at that time: ${event}.`)),
});
