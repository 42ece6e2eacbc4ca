/**
 * Rules for the price of a pack or a prepaid plan by its start: docs/algorithms/membership-purchase.md. Amounts are
 * minor units, dates the business's. Pure.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { shareOfDays } from '../../../../kernel/base/values/cycle.ts';
import type { Lifetime, Term } from './lifetime.ts';

/**
 * Returns the part of a fee that is due for a start after the first day of a fixed term; rounded half away from zero.
 */
export function feeFor(fee: number, whole: { start: string; end: string } | null, start: string): number {
  if (whole === null || start <= whole.start || start > whole.end) return fee;
  const after = addDays(whole.end, 1);
  return shareOfDays(fee, { start: whole.start, end: after }, start, after);
}

/** Returns the fee for a purchase on a day with these dates: a term with a first day of its own is fixed. */
export function feeOn(
  fee: number,
  { useProrate, startDate: first }: Pick<Lifetime, 'startDate'> & { readonly useProrate: boolean },
  { startDate, expirationDate: end }: Term,
  boughtOn: string,
): number {
  const whole = useProrate && first !== null && end !== null && end >= first ? { start: first, end } : null;
  return feeFor(fee, whole, startDate ?? boughtOn);
}
