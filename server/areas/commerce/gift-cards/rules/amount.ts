/** What a gift card can be worth. Pure; amounts are minor units. */

export interface Offered {
  readonly amounts: readonly number[];
  /** any amount from this to that; null: none but those above */
  readonly range: { readonly smallest: number; readonly largest: number } | null;
}

export const isOffered = (amount: number, { amounts, range }: Offered): boolean =>
  amounts.includes(amount) || (range !== null && amount >= range.smallest && amount <= range.largest);

/**
 * How many cards of one worth an amount stands for; null: only a part of one.
 */
export const wholeCards = (amount: number, worth: number): number | null =>
  amount % worth === 0 ? amount / worth : null;
