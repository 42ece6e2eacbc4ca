/**
 * What a pack or a prepaid plan costs by when it begins: docs/algorithms/membership-purchase.md. Amounts are minor
 * units, dates the business's. Pure.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { shareOfDays } from '../../../../kernel/base/values/cycle.ts';
import type { Lifetime, Term } from './lifetime.ts';

/**
 * The part of a fee that is paid by who begins after the first day of a time that is the same for all; halves of the
 * smallest unit away from zero.
 */
export function feeFor(fee: number, whole: { start: string; end: string } | null, start: string): number {
  if (whole === null || start <= whole.start || start > whole.end) return fee;
  const after = addDays(whole.end, 1);
  return shareOfDays(fee, { start: whole.start, end: after }, start, after);
}

/**
 * The same for what is bought on a day and counts for these days: a time with a first day of its own is the same for
 * all.
 */
export function feeOn(
  fee: number,
  { useProrate, startDate: first }: Pick<Lifetime, 'startDate'> & { readonly useProrate: boolean },
  { startDate, expirationDate: end }: Term,
  boughtOn: string,
): number {
  const whole = useProrate && first !== null && end !== null && end >= first ? { start: first, end } : null;
  return feeFor(fee, whole, startDate ?? boughtOn);
}
