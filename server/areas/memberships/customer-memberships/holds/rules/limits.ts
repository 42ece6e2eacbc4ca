/** Limits for the number and the days of holds that customers create themselves: docs/algorithms/holds.md. Pure. */
import { periodStart } from '../../../../../kernel/base/values/cycle.ts';
import { lengthOf, type Days } from './hold.ts';

/** Limits within the twelve months before each hold, including it; null for no limit. */
export interface HoldLimits {
  readonly holds: number | null;
  readonly days: number | null;
}

export interface LimitReached {
  readonly limit: 'max_holds_per_year' | 'max_hold_days_per_year';
  readonly most: number;
  /** first day on which it could begin; null if there is none */
  readonly from: string | null;
}

/** Returns the same day of another year; 29 February becomes the 28th. */
const yearsLater = (date: string, years: number): string =>
  periodStart({ unit: 'months', length: 12, anchor: date }, years);

/**
 * Returns the limit that is exceeded on the day `at`. Holds count by their first days, and one without an end counts as
 * endless.
 */
function exceeded(all: readonly Days[], at: string, { holds, days }: HoldLimits): Omit<LimitReached, 'from'> | null {
  const since = yearsLater(at, -1);
  const counted = all.filter((h) => since < h.start && h.start <= at);
  if (holds !== null && counted.length > holds) return { limit: 'max_holds_per_year', most: holds };
  const rests = counted.reduce((sum, h) => sum + (lengthOf(h) ?? Infinity), 0);
  return days !== null && rests > days ? { limit: 'max_hold_days_per_year', most: days } : null;
}

/** Checks the limits on the hold's own first day, and on that of each later hold whose twelve months include it. */
function firstExceeded(hold: Days, others: readonly Days[], limits: HoldLimits): Omit<LimitReached, 'from'> | null {
  const until = yearsLater(hold.start, 1);
  const all = [...others, hold];
  for (const at of [hold.start, ...others.map((o) => o.start).filter((start) => hold.start < start && start < until)]) {
    const found = exceeded(all, at, limits);
    if (found) return found;
  }
  return null;
}

/**
 * Returns the limit that a hold exceeds; null if none. `others`: all holds of the same membership, no matter who
 * created them.
 */
export function limitReached(hold: Days, others: readonly Days[], limits: HoldLimits): LimitReached | null {
  const found = firstExceeded(hold, others, limits);
  if (!found) return null;
  const moved = (start: string): Days => ({ start, end: hold.end === null ? null : shifted(hold, start) });
  const candidates = others
    .map((o) => yearsLater(o.start, 1))
    .filter((day) => day > hold.start)
    .toSorted();
  return { ...found, from: candidates.find((day) => firstExceeded(moved(day), others, limits) === null) ?? null };
}

function shifted(hold: Days, start: string): string {
  const days = lengthOf(hold)!;
  return periodStart({ unit: 'days', length: 1, anchor: start }, days - 1);
}
