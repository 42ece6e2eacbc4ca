/**
 * Half-open stretches of time `start <= t < end` in epoch milliseconds, and calendar months. An open end is Infinity.
 */
import { dateText, daysInMonth, isValidDate, partsOfDate } from './date.ts';
import { MS_PER_MINUTE } from './offset.ts';

export type Period = { start: number; end: number };

/** Throws RangeError when the end lies before the start. */
export function period(start: number, end: number): Period {
  if (!(start <= end)) throw new RangeError('A period cannot end before it starts');
  return { start, end };
}

/** Whether two periods share a moment. One that ends when the other starts does not, and an empty one never does. */
export function overlaps(a: Period, b: Period): boolean {
  return a.start < b.end && b.start < a.end && a.start < a.end && b.start < b.end;
}

/** Whether an instant lies within; the start does, the end does not. */
export function contains(within: Period, epochMs: number): boolean {
  return within.start <= epochMs && epochMs < within.end;
}

/** Whether the inner period lies wholly within the outer one. */
export function encloses(outer: Period, inner: Period): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/**
 * The instant so many real minutes earlier (clock changes do not stretch it), as in "cancel until 120 minutes before
 * the start".
 */
export function minutesBefore(epochMs: number, minutes: number): number {
  return epochMs - minutes * MS_PER_MINUTE;
}

/**
 * The same day of the month `n` months later (earlier when negative), or the last day of a month that is too short. A
 * series counts from its first date each time (31 January + 1, + 2, …): counting on from a shortened date would stay on
 * the 28th for good. Throws RangeError outside the years 0001 to 9999.
 */
export function addMonths(date: string, n: number): string {
  const { year, month, day } = partsOfDate(date);
  const months = year * 12 + (month - 1) + n;
  const target = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
  const parts = { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
  if (!isValidDate(parts.year, parts.month, parts.day)) throw new RangeError('Date outside the years 0001 to 9999');
  return dateText(parts);
}
