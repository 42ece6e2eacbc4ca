/**
 * The remaining value of a paid membership when another replaces it: docs/algorithms/upgrades.md. Amounts are minor
 * units. Pure.
 */
import { daysBetween } from '../../../../../kernel/base/values/date.ts';
import { roundHalfUp } from '../../../../../kernel/base/values/money.ts';
import { shareOfDays, type Dates } from '../../../../../kernel/base/values/cycle.ts';

/** A billed amount that still counts, and how it is used up. */
export interface Paid {
  /** value of the whole membership or, for a billing period, from its first day or that of the membership */
  readonly worth: number;
  /** part of it that can still be returned */
  readonly left: number;
  /**
   * time that the price covers: the billing period, or the whole of a prepaid plan; null if it has not begun, or has no
   * end
   */
  readonly whole: Dates | null;
  /** first day; null if it begins with its first use */
  readonly start: string | null;
  /** total of uses, if uses were paid for; null if time was */
  readonly uses: { readonly total: number; readonly used: number } | null;
}

export type Measure =
  | { readonly by: 'uses' | 'days'; readonly left: number; readonly of: number }
  | { readonly by: 'all' | 'nothing' };

export interface Left {
  /** never negative, and never more than can still be returned */
  readonly amount: number;
  readonly measure: Measure;
}

const NOTHING: Left = { amount: 0, measure: { by: 'nothing' } };

const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a);

/** Returns the unused value on that day, which is to be returned. */
export function remainingValue({ worth, left, whole, start, uses }: Paid, today: string): Left {
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
