/** Totals of coins and notes. Pure; amounts are minor units. */

export interface Denomination {
  /** value of one coin or note */
  readonly value: number;
  readonly count: number;
}

/** @throws RangeError if the amount is too large to be counted exactly */
export function sumDenominations(all: readonly Denomination[]): number {
  const sum = all.reduce((total, { value, count }) => total + value * count, 0);
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${sum} is no amount`);
  return sum;
}

/** Minor units, by kind of movement. */
interface Moved {
  readonly payment: number;
  readonly refund: number;
  readonly paid_in: number;
  readonly paid_out: number;
}

/**
 * Returns the amount that must be in a drawer: docs/algorithms/cash-sessions.md. The database computes the same from
 * its rows.
 */
export const expectedCash = (float: number, { payment, refund, paid_in, paid_out }: Moved): number =>
  float + payment - refund + paid_in - paid_out;
