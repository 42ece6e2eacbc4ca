/** What a series and each of its sessions cost: docs/algorithms/courses.md. Pure; amounts are minor units. */
import { allocate } from '../../../../kernel/base/values/money.ts';

const ones = (n: number): number[] => Array.from({ length: n }, () => 1);

/** The part of the price that each session has, in their order; together exactly the price. */
export const partsOf = (price: number, sessions: number): number[] => allocate(price, ones(sessions));

export interface Joining {
  /** of the whole series */
  readonly price: number;
  /** how many sessions it has, cancelled ones included */
  readonly sessions: number;
  /** positions of the sessions that the customer gets, from 1 */
  readonly gets: readonly number[];
  readonly latePrice: 'prorated' | 'full_price';
}

/** What somebody pays who joins for these sessions. */
export function priceToJoin({ price, sessions, gets, latePrice }: Joining): number {
  if (latePrice === 'full_price') return price;
  const parts = partsOf(price, sessions);
  return gets.reduce((sum, position) => sum + parts[position - 1], 0);
}

/**
 * What somebody pays for each session that is added after they bought: as much as one of theirs cost, before discount, fees
 * and taxes.
 */
export const priceOfAdded = (price: number, sessions: number): number => Math.round(price / sessions);

/** The part of what was billed for an enrolment that falls on each of its sessions; together exactly the bill. */
export const billedParts = (billed: number, sessions: number): number[] => allocate(billed, ones(sessions));
