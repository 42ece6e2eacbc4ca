/** What coins and notes come to. Pure; amounts are minor units. */

export interface Denomination {
  /** of one coin or note */
  readonly value: number;
  readonly count: number;
}

/** @throws RangeError where it is more than can be counted exactly */
export function countedOf(all: readonly Denomination[]): number {
  const sum = all.reduce((total, { value, count }) => total + value * count, 0);
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${sum} is no amount`);
  return sum;
}

/** Minor units, by kind. */
export interface Moved {
  readonly payment: number;
  readonly refund: number;
  readonly paid_in: number;
  readonly paid_out: number;
}

/** What must be in a drawer: docs/algorithms/cash-sessions.md. The database calculates the same by its rows. */
export const expectedOf = (float: number, { payment, refund, paid_in, paid_out }: Moved): number =>
  float + payment - refund + paid_in - paid_out;
