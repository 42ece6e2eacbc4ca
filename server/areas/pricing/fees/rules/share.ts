/** Which part of a price belongs to an amount that is given back: docs/algorithms/pricing.md, "Refunds". Pure. */
import { allocate } from '../../../../kernel/base/values/money.ts';

/** A price as what it consists of: they sum to its total. */
export interface PriceParts {
  readonly preTax: number;
  /** of each fee and tax, in the order of the price */
  readonly lines: readonly number[];
  readonly rounding: number;
}

export const partsTotal = ({ preTax, lines, rounding }: PriceParts): number =>
  lines.reduce((all, one) => all + one, preTax + rounding);

/**
 * The parts of an amount, in proportion to what is left of each part of the price. They sum to the amount, none is more
 * than what is left, and the last amount takes all that is left: so any number of refunds that sum to the total give
 * back each fee and each tax to the unit.
 * @throws RangeError for an amount that is none, or more than what is left
 */
export function shareOf(left: PriceParts, amount: number): PriceParts {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`Not an amount to give back: ${amount}`);
  if (amount > partsTotal(left)) throw new RangeError(`${amount} is more than the ${partsTotal(left)} that are left`);
  const [preTax, rounding, ...lines] = allocate(amount, [left.preTax, left.rounding, ...left.lines]);
  return { preTax, lines, rounding };
}

/** What is left of a price after parts of it were given back. */
export function leftOf(price: PriceParts, given: readonly PriceParts[]): PriceParts {
  const less = (whole: number, part: (one: PriceParts) => number): number =>
    given.reduce((left, one) => left - part(one), whole);
  return {
    preTax: less(price.preTax, ({ preTax }) => preTax),
    lines: price.lines.map((amount, i) => less(amount, ({ lines }) => lines[i])),
    rounding: less(price.rounding, ({ rounding }) => rounding),
  };
}
