/**
 * Consecutive periods by the calendar, without gap or overlap: every n days, weeks or months, all counted from one
 * anchor. If each were counted from the previous one, a month that is too short would move all that follow.
 */
import { addDays, dateText, daysBetween, daysInMonth, isValidDate, partsOfDate } from './date.ts';
import { roundHalfUp } from './money.ts';

export interface Cycle {
  readonly unit: 'days' | 'weeks' | 'months';
  /** 1 or more */
  readonly length: number;
  /** a date: period 0 starts on it */
  readonly anchor: string;
  /**
   * 1 to 31, for months: the day on which periods start, or the last day of a shorter month; absent: the anchor's day
   */
  readonly day?: number;
}

/** Dates from `start` until before `end`. */
export interface Dates {
  readonly start: string;
  readonly end: string;
}

/** Returns the date on which period `n` starts; n may be negative. Throws RangeError outside the years 0001 to 9999. */
export function periodStart({ unit, length, anchor, day }: Cycle, n: number): string {
  if (!Number.isInteger(length) || length < 1) throw new RangeError(`Not the length of a cycle: ${length}`);
  if (unit !== 'months') return addDays(anchor, n * length * (unit === 'weeks' ? 7 : 1));
  const { year, month, day: anchorDay } = partsOfDate(anchor);
  const months = year * 12 + (month - 1) + n * length;
  const at = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
  const parts = { ...at, day: Math.min(day ?? anchorDay, daysInMonth(at.year, at.month)) };
  if (!isValidDate(parts.year, parts.month, parts.day)) throw new RangeError('Date outside the years 0001 to 9999');
  return dateText(parts);
}

export const periodOf = (cycle: Cycle, n: number): Dates => ({
  start: periodStart(cycle, n),
  end: periodStart(cycle, n + 1),
});

/** Returns the number of the period that contains a date. */
export function periodAt(cycle: Cycle, date: string): number {
  const { unit, length, anchor } = cycle;
  if (unit !== 'months') return Math.floor(daysBetween(anchor, date) / (length * (unit === 'weeks' ? 7 : 1)));
  const [from, to] = [partsOfDate(anchor), partsOfDate(date)];
  const n = Math.floor(((to.year - from.year) * 12 + to.month - from.month) / length);
  // The period that starts in this month may start after this day.
  return periodStart(cycle, n) <= date ? n : n - 1;
}

/** Returns the first day of the period after the one that contains a date. */
export const nextStart = (cycle: Cycle, date: string): string => periodStart(cycle, periodAt(cycle, date) + 1);

/**
 * Returns the part of `amount` (minor units, for all of `whole`) for the dates from `from` until before `to`, by days.
 * Two adjacent parts sum to the part of both together, and all parts sum to the amount: each part is the difference of
 * two rounded sums (halves away from zero). Throws RangeError if the dates are out of order or outside the period.
 */
export function shareOfDays(amount: number, whole: Dates, from: string, to: string): number {
  if (!(whole.start < whole.end && whole.start <= from && from <= to && to <= whole.end))
    throw new RangeError(`${from} to ${to} does not lie within ${whole.start} to ${whole.end}`);
  const days = daysBetween(whole.start, whole.end);
  const until = (date: string): number => roundHalfUp(BigInt(amount) * BigInt(daysBetween(whole.start, date)), days);
  return until(to) - until(from) + 0;
}
