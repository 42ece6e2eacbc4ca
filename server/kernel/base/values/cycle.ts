/**
 * Periods that follow each other by the calendar, without gap or overlap: every n days, weeks or months, all counted
 * from one anchor. Counting on from the period before would let a month that is too short move all that follow.
 */
import { addDays, dateText, daysBetween, daysInMonth, isValidDate, partsOfDate } from './date.ts';
import { roundHalfUp } from './money.ts';

export interface Cycle {
  readonly unit: 'days' | 'weeks' | 'months';
  /** 1 or more */
  readonly length: number;
  /** a date: period 0 starts on it */
  readonly anchor: string;
  /** 1 to 31, for months: the day on which periods start, or the last of a shorter month; absent: that of the anchor */
  readonly day?: number;
}

/** `start` and all dates before `end`. */
export interface Dates {
  readonly start: string;
  readonly end: string;
}

/** The date on which period `n` starts; n may be negative. Throws RangeError outside the years 0001 to 9999. */
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

/** The number of the period that a date falls into. */
export function periodAt(cycle: Cycle, date: string): number {
  const { unit, length, anchor } = cycle;
  if (unit !== 'months') return Math.floor(daysBetween(anchor, date) / (length * (unit === 'weeks' ? 7 : 1)));
  const [from, to] = [partsOfDate(anchor), partsOfDate(date)];
  const n = Math.floor(((to.year - from.year) * 12 + to.month - from.month) / length);
  // The period that starts in this month may start later than on this day.
  return periodStart(cycle, n) <= date ? n : n - 1;
}

/** The first day of the period after the one that a date falls into. */
export const nextStart = (cycle: Cycle, date: string): string => periodStart(cycle, periodAt(cycle, date) + 1);

/**
 * The part of `amount` (minor units, for all of `whole`) that falls on the dates from `from` until before `to`, by
 * days. What two neighbours get is what they would get as one, and all together get the amount: each part is the
 * difference of two rounded sums (halves away from zero). Throws RangeError when the dates do not lie within the period
 * in their order.
 */
export function shareOfDays(amount: number, whole: Dates, from: string, to: string): number {
  if (!(whole.start < whole.end && whole.start <= from && from <= to && to <= whole.end))
    throw new RangeError(`${from} to ${to} does not lie within ${whole.start} to ${whole.end}`);
  const days = daysBetween(whole.start, whole.end);
  const until = (date: string): number => roundHalfUp(BigInt(amount) * BigInt(daysBetween(whole.start, date)), days);
  return until(to) - until(from) + 0;
}
