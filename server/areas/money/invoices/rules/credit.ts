/** What taking back a part of a line takes back of its price and of each fee and tax. Pure; whole minor units. */
import { allocate } from '../../../../kernel/values/money.ts';

/** What is left of a line after the credit notes so far. */
export interface Left {
  readonly preTax: number;
  /** of each fee and tax, in the order of the line */
  readonly fees: readonly number[];
  readonly rounding: number;
}

export const totalOf = ({ preTax, fees, rounding }: Left): number =>
  preTax + fees.reduce((all, fee) => all + fee, 0) + rounding;

/**
 * The part of each that makes up `amount`: in proportion to what is left of it, so that the last part takes back exactly
 * the rest, and no fee is ever taken back beyond what was charged.
 * @throws RangeError for more than is left
 */
export function creditPart(left: Left, amount: number): Left {
  if (amount > totalOf(left)) throw new RangeError('More than is left of the line');
  // A rounding below 0 cannot be shared out: it goes with the last of the price.
  const inPrice = left.rounding < 0;
  const price = inPrice ? left.preTax + left.rounding : left.preTax;
  const [first, ...others] = allocate(amount, [price, ...left.fees, inPrice ? 0 : left.rounding]);
  const fees = others.slice(0, -1);
  if (!inPrice) return { preTax: first, fees, rounding: others.at(-1)! };
  return first === price
    ? { preTax: left.preTax, fees, rounding: left.rounding }
    : { preTax: first, fees, rounding: 0 };
}

/** What a credit note does with its amount: where something is still due, that is reduced; the rest is given back. */
export interface Spread {
  readonly reduces: number;
  readonly toCredit: number;
  readonly toRefund: number;
}

/**
 * `refundable`: what was paid and not given back. What account credit paid goes back to account credit, also where the
 * rest is refunded.
 */
export function spread(
  amount: number,
  { due, refundable }: { readonly due: number; readonly refundable: number },
  to: 'credit' | 'unapplied',
): Spread {
  const reduces = Math.min(amount, due);
  const back = amount - reduces;
  const toRefund = to === 'unapplied' ? Math.min(back, refundable) : 0;
  return { reduces, toCredit: back - toRefund, toRefund };
}
