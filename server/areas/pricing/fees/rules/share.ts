/** The parts of a price that belong to a refunded amount: docs/algorithms/pricing.md, "Refunds". Pure. */
import { allocate } from '../../../../kernel/base/values/money.ts';

/** A price by its parts, which add up to its total. */
export interface PriceParts {
  readonly preTax: number;
  /** amount of each fee and tax, in the order of the price */
  readonly lines: readonly number[];
  readonly rounding: number;
}

export const partsTotal = ({ preTax, lines, rounding }: PriceParts): number =>
  lines.reduce((all, one) => all + one, preTax + rounding);

/**
 * Returns the parts of an amount, in proportion to what is left of each part of the price. They add up to the amount,
 * none exceeds what is left, and the last amount takes everything left: so any number of refunds that add up to the
 * total return each fee and each tax exactly.
 * @throws RangeError for an invalid amount, or one greater than what is left
 */
export function shareOf(left: PriceParts, amount: number): PriceParts {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`Not an amount to give back: ${amount}`);
  if (amount > partsTotal(left)) throw new RangeError(`${amount} is more than the ${partsTotal(left)} that are left`);
  const [preTax, rounding, ...lines] = allocate(amount, [left.preTax, left.rounding, ...left.lines]);
  return { preTax, lines, rounding };
}

/** Returns what is left of a price after parts of it were refunded. */
export function remainingParts(price: PriceParts, given: readonly PriceParts[]): PriceParts {
  const less = (whole: number, part: (one: PriceParts) => number): number =>
    given.reduce((left, one) => left - part(one), whole);
  return {
    preTax: less(price.preTax, ({ preTax }) => preTax),
    lines: price.lines.map((amount, i) => less(amount, ({ lines }) => lines[i])),
    rounding: less(price.rounding, ({ rounding }) => rounding),
  };
}
