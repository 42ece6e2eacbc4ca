/** How often, and for how long, customers may let a membership rest by themselves: docs/algorithms/holds.md. Pure. */
import { periodStart } from '../../../../../kernel/base/values/cycle.ts';
import { lengthOf, type Days } from './hold.ts';

/** Over the twelve months before each hold, it included; null: without limit. */
export interface HoldLimits {
  readonly holds: number | null;
  readonly days: number | null;
}

export interface LimitReached {
  readonly limit: 'max_holds_per_year' | 'max_hold_days_per_year';
  readonly most: number;
  /** the first day from which on it could begin; null: it never could */
  readonly from: string | null;
}

/** The same day of another year; 29 February becomes the 28th. */
const yearsLater = (date: string, years: number): string =>
  periodStart({ unit: 'months', length: 12, anchor: date }, years);

/** Holds count by their first days. One that ends when nobody knows counts as endless. */
function exceeded(all: readonly Days[], at: string, { holds, days }: HoldLimits): Omit<LimitReached, 'from'> | null {
  const since = yearsLater(at, -1);
  const counted = all.filter((h) => since < h.start && h.start <= at);
  if (holds !== null && counted.length > holds) return { limit: 'max_holds_per_year', most: holds };
  const rests = counted.reduce((sum, h) => sum + (lengthOf(h) ?? Infinity), 0);
  return days !== null && rests > days ? { limit: 'max_hold_days_per_year', most: days } : null;
}

/** Looked at on its own first day, and on that of each later hold that counts it in. */
function firstExceeded(hold: Days, others: readonly Days[], limits: HoldLimits): Omit<LimitReached, 'from'> | null {
  const until = yearsLater(hold.start, 1);
  const all = [...others, hold];
  for (const at of [hold.start, ...others.map((o) => o.start).filter((start) => hold.start < start && start < until)]) {
    const found = exceeded(all, at, limits);
    if (found) return found;
  }
  return null;
}

/** What is against a hold; null: nothing. `others`: those of the same membership, whoever made them. */
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
