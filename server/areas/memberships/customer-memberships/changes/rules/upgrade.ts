/**
 * What is left of what was paid, when something else takes its place: docs/algorithms/upgrades.md. Amounts are minor
 * units. Pure.
 */
import { daysBetween } from '../../../../../kernel/values/date.ts';
import { roundHalfUp } from '../../../../../kernel/values/money.ts';
import { shareOfDays, type Dates } from '../../../../../kernel/values/cycle.ts';

/** What was paid for, and how it is used up. */
export interface Paid {
  /** of all of it, or of the billing period */
  readonly price: number;
  /**
   * the time that the price is for: the billing period, or all of a prepaid one; null: it has not begun, or has no end
   */
  readonly whole: Dates | null;
  /** the first day; null: it begins with its first use */
  readonly start: string | null;
  /** it is paid again and again, and what is left is of this period alone */
  readonly recurring: boolean;
  /** uses in total, which are what was paid for; null: it was time */
  readonly uses: { readonly total: number; readonly used: number } | null;
  /** of a billing period: its price was due, for it did not begin within a hold */
  readonly billed: boolean;
  /** charges less credits that holds have made of the period */
  readonly adjusted: number;
}

export type Measure =
  | { readonly by: 'uses' | 'days'; readonly left: number; readonly of: number }
  | { readonly by: 'all' | 'nothing' };

export interface Left {
  /** never negative, and never more than what was paid */
  readonly amount: number;
  readonly measure: Measure;
}

const NOTHING: Left = { amount: 0, measure: { by: 'nothing' } };

const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a);

/** What is worth giving back on that day, which is not used any more. */
export function leftOf(paid: Paid, today: string): Left {
  const { price, whole, start, uses, recurring } = paid;
  if (uses !== null) {
    const used = Math.min(uses.used, uses.total);
    return {
      amount: price - (uses.total === 0 ? price : roundHalfUp(BigInt(price) * BigInt(used), uses.total)),
      measure: { by: 'uses', left: uses.total - used, of: uses.total },
    };
  }
  const begun = start !== null && start <= today;
  // A recurring plan is paid when its first period begins, everything else when it is bought.
  if (!begun) return recurring ? NOTHING : { amount: price, measure: { by: 'all' } };
  if (whole === null || today >= whole.end) return NOTHING;
  const first = later(whole.start, start);
  const was = (paid.billed ? shareOfDays(price, whole, first, whole.end) : 0) + paid.adjusted;
  const share = shareOfDays(price, whole, later(today, first), whole.end);
  return {
    amount: Math.max(0, Math.min(was, share)),
    measure: { by: 'days', left: daysBetween(later(today, first), whole.end), of: daysBetween(first, whole.end) },
  };
}
