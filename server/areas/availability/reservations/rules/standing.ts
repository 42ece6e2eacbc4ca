/**
 * Decides the outcome of each date of a recurring reservation, and when the reservation is over:
 * docs/algorithms/standing-bookings.md. Pure.
 */
import { say, type Text } from '../../../../kernel/base/values/words.ts';
import { addDays, daysBetween, weekdayOf } from '../../../../kernel/base/values/date.ts';
import type { Wordings } from '../../../../kernel/base/values/wording.ts';

export const ON_CONFLICT = ['skip', 'fail', 'waitlist'] as const;
export type OnConflict = (typeof ON_CONFLICT)[number];

/** `already_booked`: booked separately from the reservation, which therefore never cancels the booking. */
export const OUTCOMES = ['booked', 'already_booked', 'waitlisted', 'opens_later', 'unavailable'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface DateFacts {
  /** the customer is booked on the event */
  readonly hasSeat: boolean;
  /** the customer has another booking at that time */
  readonly overlaps: boolean;
  /** the rules for customers apply */
  readonly byCustomer: boolean;
  /** epoch milliseconds; null: booking never opens for the customer */
  readonly opensAt: number | null;
  readonly now: number;
}

/** Returns the decision before a booking is tried; `try` leaves it to the rules of booking. */
export function firstStep(
  facts: DateFacts,
): Extract<Outcome, 'already_booked' | 'opens_later'> | 'overlapping' | 'try' {
  if (facts.hasSeat) return 'already_booked';
  if (facts.overlaps) return 'overlapping';
  if (facts.byCustomer && facts.opensAt !== null && facts.opensAt > facts.now) return 'opens_later';
  return 'try';
}

/** Returns the consequence of a refusal by the rules of booking. The waitlist helps only if the event is full. */
export const afterRefusal = (code: string, onConflict: OnConflict): 'wait' | 'leave_out' =>
  code === 'event_full' && onConflict === 'waitlist' ? 'wait' : 'leave_out';

/**
 * Returns true if the outcome uses up one of the times. Dates that could not be booked, or were cancelled since, don't.
 */
export const counts = (outcome: Outcome, eventStatus: 'active' | 'cancelled'): boolean =>
  outcome !== 'unavailable' && eventStatus === 'active';

interface Plan {
  /** 1 is Monday */
  readonly weekday: number;
  readonly end_date: string | null;
  readonly skipped_dates: readonly string[];
}

/** Returns the dates of a plan from one day until another, and the first one after that, null if there is none. */
export function plannedDates(
  { weekday, end_date: end, skipped_dates: skipped }: Plan,
  { from, until }: { from: string; until: string },
): { dates: string[]; next: string | null } {
  const dates: string[] = [];
  let date = addDays(from, (weekday - weekdayOf(from) + 7) % 7);
  for (; date <= until; date = addDays(date, 7))
    if ((end === null || date <= end) && !skipped.includes(date)) dates.push(date);
  return { dates, next: end === null || date <= end ? date : null };
}

/** Days by which a date can be moved: less than half the distance to the next one, so that two never meet. */
export const MAX_MOVED = 3;

interface Extent {
  readonly endDate: string | null;
  /** null: unlimited */
  readonly times: number | null;
  /** number of times that are used up */
  readonly taken: number;
  /** last date of those that are used up */
  readonly lastDate: string | null;
  readonly today: string;
}

/** Returns how many dates may still be booked. */
export const timesLeft = ({ times, taken }: Pick<Extent, 'times' | 'taken'>): number =>
  times === null ? Infinity : Math.max(0, times - taken);

/** Returns true if no further date can follow. */
export function isOver({ endDate, times, taken, lastDate, today }: Extent): boolean {
  if (endDate !== null && endDate < today) return true;
  return times !== null && taken >= times && (lastDate === null || lastDate < today);
}

interface Length {
  readonly startDate: string;
  readonly endDate: string | null;
  readonly times: number | null;
}

const MAX_DATES = {
  open: (n: number): Text =>
    n === 1 ? say`Say for how long, at most one week.` : say`Say for how long, at most ${n} weeks.`,
  until: (n: number): Text =>
    n === 1
      ? say`This can last at most one week. Choose an earlier last day.`
      : say`This can last at most ${n} weeks. Choose an earlier last day.`,
  times: (n: number): Text =>
    n === 1
      ? say`This can last at most one week. Choose fewer times.`
      : say`This can last at most ${n} weeks. Choose fewer times.`,
};

/**
 * Returns the last day of a customer's reservation, if the business limits how many weeks it may last. A reservation
 * that is limited by `times` alone ends there too, because dates that can't be booked don't count.
 */
export function lastDay({ startDate, endDate, times }: Length, mostWeeks: number | null): string | null | Wordings {
  if (mostWeeks === null) return endDate;
  const latest = addDays(startDate, mostWeeks * 7 - 1);
  const said = mostWeeks === 1 ? 'one week' : `${mostWeeks} weeks`;
  if (endDate === null && times === null)
    return { staff: `Customers must send it, within ${said}.`, customer: MAX_DATES.open(mostWeeks) };
  if (endDate !== null && daysBetween(latest, endDate) > 0)
    return {
      staff: `Must be ${latest} or earlier.`,
      customer: MAX_DATES.until(mostWeeks),
    };
  if (times !== null && times > mostWeeks)
    return { staff: `At most ${mostWeeks}.`, customer: MAX_DATES.times(mostWeeks) };
  return endDate ?? latest;
}
