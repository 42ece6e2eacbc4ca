/**
 * Computes what a series and each of its sessions cost: docs/algorithms/courses.md. Pure; amounts are in minor units.
 */
import { allocate } from '../../../../kernel/base/values/money.ts';

const ones = (n: number): number[] => Array.from({ length: n }, () => 1);

/** Returns the part of the price of each session, in order; the sum is exactly the price. */
export const partsOf = (price: number, sessions: number): number[] => allocate(price, ones(sessions));

interface Joining {
  /** of the whole series */
  readonly price: number;
  /** number of sessions, including cancelled ones */
  readonly sessions: number;
  /** positions of the sessions that the customer gets, starting at 1 */
  readonly gets: readonly number[];
  readonly latePrice: 'prorated' | 'full_price';
}

/** Returns the price of joining for these sessions. */
export function priceToJoin({ price, sessions, gets, latePrice }: Joining): number {
  if (latePrice === 'full_price') return price;
  const parts = partsOf(price, sessions);
  return gets.reduce((sum, position) => sum + parts[position - 1], 0);
}

/**
 * Returns the price of each session that is added after the purchase: the price of one session, before discount, fees
 * and taxes.
 */
export const priceOfAdded = (price: number, sessions: number): number => Math.round(price / sessions);

/** Returns the part of an enrollment's bill that falls on each of its sessions; the sum is exactly the bill. */
export const billedParts = (billed: number, sessions: number): number[] => allocate(billed, ones(sessions));
