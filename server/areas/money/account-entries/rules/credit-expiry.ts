/** Rules for the expiry of account credit. Pure; days are YYYY-MM-DD, amounts are minor units. */
import { addDays } from '../../../../kernel/base/values/date.ts';

export interface ExpirySettings {
  /** number of days after it was given */
  readonly days: number;
  /** credit that was given earlier counts as given on this day */
  readonly since: string;
}

/** Returns the last day on which credit given on `givenOn` can be spent. */
export const lastDayOf = (givenOn: string, { days, since }: ExpirySettings): string =>
  addDays(givenOn < since ? since : givenOn, days);

/**
 * Returns the last day of giving whose credit can be spent until `lastDay` and not longer; null if no credit is that
 * old. The inverse of `lastDayOf`.
 */
export function givenUntil(lastDay: string, { days, since }: ExpirySettings): string | null {
  const day = addDays(lastDay, -days);
  return day < since ? null : day;
}

/** A customer's credit and its origin. */
interface Credit {
  /** amount that can be spent now */
  readonly balance: number;
  /** total given until a day; `taken` is the total ever used, moved or expired */
  readonly given: number;
  readonly taken: number;
}

/**
 * Returns the rest of the credit that was given until a day: the oldest is always used first. Credit reserved for a
 * payment can't expire while the payment is in progress, so the rest never exceeds what can be spent.
 */
export const remainingCredit = ({ balance, given, taken }: Credit): number =>
  Math.max(0, Math.min(balance, given - taken));
