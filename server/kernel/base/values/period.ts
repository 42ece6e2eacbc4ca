/** Half-open periods of time `start <= t < end` in epoch milliseconds, and calendar months. An open end is Infinity. */
import { dateText, daysInMonth, isValidDate, partsOfDate } from './date.ts';
import { MS_PER_MINUTE } from './offset.ts';

export type Period = { start: number; end: number };

/** Returns a period. Throws RangeError if the end is before the start. */
export function period(start: number, end: number): Period {
  if (!(start <= end)) throw new RangeError('A period cannot end before it starts');
  return { start, end };
}

/**
 * Returns true if two periods share a moment. A period that ends when the other starts does not overlap it, and an
 * empty one overlaps nothing.
 */
export function overlaps(a: Period, b: Period): boolean {
  return a.start < b.end && b.start < a.end && a.start < a.end && b.start < b.end;
}

/** Returns true if the period contains an instant, including its start but not its end. */
export function contains(within: Period, epochMs: number): boolean {
  return within.start <= epochMs && epochMs < within.end;
}

/** Returns true if the outer period contains all of the inner one. */
export function encloses(outer: Period, inner: Period): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/**
 * Returns the instant this many real minutes earlier (clock changes do not stretch it), as in "cancel until 120 minutes
 * before the start".
 */
export function minutesBefore(epochMs: number, minutes: number): number {
  return epochMs - minutes * MS_PER_MINUTE;
}

/**
 * Returns the same day of the month `n` months later (earlier if negative), or the last day of a month that is too
 * short. A series must count from its first date each time (31 January + 1, + 2, …): counting from a shortened date
 * would stay on the 28th forever. Throws RangeError outside the years 0001 to 9999.
 */
export function addMonths(date: string, n: number): string {
  const { year, month, day } = partsOfDate(date);
  const months = year * 12 + (month - 1) + n;
  const target = { year: Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1 };
  const parts = { ...target, day: Math.min(day, daysInMonth(target.year, target.month)) };
  if (!isValidDate(parts.year, parts.month, parts.day)) throw new RangeError('Date outside the years 0001 to 9999');
  return dateText(parts);
}
