/**
 * What is left of what was paid, when something else takes its place: docs/algorithms/upgrades.md. Amounts are minor
 * units. Pure.
 */
import { daysBetween } from '../../../../../kernel/base/values/date.ts';
import { roundHalfUp } from '../../../../../kernel/base/values/money.ts';
import { shareOfDays, type Dates } from '../../../../../kernel/base/values/cycle.ts';

/** An amount that was billed and still stands, and how it is used up. */
export interface Paid {
  /** of all of it or, of a billing period, from its first day or that of the membership on */
  readonly worth: number;
  /** what of that can still be given back */
  readonly left: number;
  /**
   * the time that the price is for: the billing period, or all of a prepaid one; null: it has not begun, or has no end
   */
  readonly whole: Dates | null;
  /** the first day; null: it begins with its first use */
  readonly start: string | null;
  /** uses in total, which are what was paid for; null: it was time */
  readonly uses: { readonly total: number; readonly used: number } | null;
}

export type Measure =
  | { readonly by: 'uses' | 'days'; readonly left: number; readonly of: number }
  | { readonly by: 'all' | 'nothing' };

export interface Left {
  /** never negative, and never more than what can still be given back */
  readonly amount: number;
  readonly measure: Measure;
}

const NOTHING: Left = { amount: 0, measure: { by: 'nothing' } };

const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a);

/** What is worth giving back on that day, which is not used any more. */
export function leftOf({ worth, left, whole, start, uses }: Paid, today: string): Left {
  const atMost = (amount: number): number => Math.max(0, Math.min(left, amount));
  if (uses !== null) {
    const used = Math.min(uses.used, uses.total);
    return {
      amount: atMost(worth - (uses.total === 0 ? worth : roundHalfUp(BigInt(worth) * BigInt(used), uses.total))),
      measure: { by: 'uses', left: uses.total - used, of: uses.total },
    };
  }
  if (start === null || start > today) return { amount: atMost(worth), measure: { by: 'all' } };
  if (whole === null || today >= whole.end) return NOTHING;
  const dates = { start: later(whole.start, start), end: whole.end };
  const from = later(today, dates.start);
  return {
    amount: atMost(shareOfDays(worth, dates, from, dates.end)),
    measure: { by: 'days', left: daysBetween(from, dates.end), of: daysBetween(dates.start, dates.end) },
  };
}
