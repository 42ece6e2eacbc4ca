/** Which account credit expires when. Pure; days are YYYY-MM-DD, amounts are minor units. */
import { addDays } from '../../../../kernel/base/values/date.ts';

export interface ExpirySettings {
  /** so many days after it was given */
  readonly days: number;
  /** credit that was given before counts as given on this day */
  readonly since: string;
}

/** The last day on which credit can be spent that was given on a day. */
export const lastDayOf = (givenOn: string, { days, since }: ExpirySettings): string =>
  addDays(givenOn < since ? since : givenOn, days);

/**
 * The last day of giving whose credit can be spent until `lastDay` and not longer; null: none is so old. The other way
 * round of `lastDayOf`.
 */
export function givenUntil(lastDay: string, { days, since }: ExpirySettings): string | null {
  const day = addDays(lastDay, -days);
  return day < since ? null : day;
}

/** What a customer has, and where it came from. */
export interface Credit {
  /** what can be spent now */
  readonly balance: number;
  /** all that was ever given until a day, and what was ever used, moved or has expired */
  readonly given: number;
  readonly taken: number;
}

/**
 * What is left of the credit that was given until a day: the oldest is always used first. Credit that a payment has set
 * aside can't expire while it runs, so never more than what can be spent.
 */
export const leftOf = ({ balance, given, taken }: Credit): number => Math.max(0, Math.min(balance, given - taken));
