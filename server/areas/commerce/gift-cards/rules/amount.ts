/** Values that a gift card can have. Pure; amounts are minor units. */

export interface Offered {
  readonly amounts: readonly number[];
  /** any amount within these bounds; null: only the amounts above */
  readonly range: { readonly smallest: number; readonly largest: number } | null;
}

export const isOffered = (amount: number, { amounts, range }: Offered): boolean =>
  amounts.includes(amount) || (range !== null && amount >= range.smallest && amount <= range.largest);

/** Returns how many cards of one value an amount covers; null if the amount isn't a multiple of that value. */
export const wholeCards = (amount: number, worth: number): number | null =>
  amount % worth === 0 ? amount / worth : null;
