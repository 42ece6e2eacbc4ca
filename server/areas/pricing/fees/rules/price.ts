/**
 * What something costs, and why: docs/algorithms/pricing.md. List price − discount − taxes that it contains = price
 * before tax; fees and taxes are added to that, each rounded on its own. Amounts are minor units of one currency. Pure.
 */
import { allocate, roundHalfUp } from '../../../../kernel/base/values/money.ts';

export const PURCHASE_TYPES = [
  'event',
  'course',
  'membership',
  'recurring_membership',
  'store',
  'gift_card',
  'joining_fee',
] as const;
export type PurchaseType = (typeof PURCHASE_TYPES)[number];

/** A rate of 100%: rates are ten-thousandths of a percent, so that 8.875% is a whole number. */
export const WHOLE_RATE = 1_000_000;

interface Named {
  /** id */
  readonly id: number;
  readonly name: string;
  /** a tax is charged on fees too, where they are taxable; a fee never on anything but the price */
  readonly kind: 'fee' | 'tax';
  /** of a fee: whether taxes are charged on it */
  readonly isTaxable: boolean;
}

export interface PercentFee extends Named {
  readonly type: 'percent';
  /** of `WHOLE_RATE` */
  readonly rate: number;
  /** at least so much, and at most; null: no bound */
  readonly minAmount: number | null;
  readonly maxAmount: number | null;
}

export interface FlatFee extends Named {
  readonly type: 'flat';
  /** for each piece, whatever its price */
  readonly amount: number;
}

/** A fee or a tax that applies to a purchase. */
export type Fee = PercentFee | FlatFee;

export interface FeeLine {
  readonly fee: Fee;
  /** what a percentage is of */
  readonly base: number;
  readonly amount: number;
  /** of a tax: the part of the amount that the list price contains already */
  readonly included: number;
  /** of an amount that was charged before: how it was explained then */
  readonly explanation?: string;
}

export interface Price {
  readonly listPrice: number;
  /** 0 or more, never more than the list price */
  readonly discount: number;
  /** what the list price, less the discount, contains of taxes */
  readonly includedTaxes: number;
  readonly preTax: number;
  readonly lines: readonly FeeLine[];
  /** what no line accounts for; other than 0 only where a total was given */
  readonly rounding: number;
  readonly total: number;
}

/** How a price is meant. */
export interface Meant {
  /** how many pieces the list price is for: what is flat or a bound counts for each of them */
  readonly quantity?: number;
  /** whether the list price contains the taxes on it; fees, and the taxes on fees, come on top in any case */
  readonly includesTax?: boolean;
}

/**
 * The price of one purchase from its list price, before fees and taxes.
 * @throws RangeError for a list price that is no amount
 */
export function priceOf(
  listPrice: number,
  discount: number,
  fees: readonly Fee[],
  { quantity = 1, includesTax = false }: Meant = {},
): Price {
  if (!Number.isSafeInteger(listPrice) || listPrice < 0) throw new RangeError(`Not a list price: ${listPrice}`);
  const taken = Math.min(Math.max(discount, 0), listPrice);
  const lines = includesTax
    ? linesWithin(listPrice - taken, fees, quantity)
    : linesOn(listPrice - taken, fees, quantity);
  return withTotal({ listPrice, discount: taken, lines, rounding: 0 });
}

/**
 * The price whose total is given: the highest one before fees and taxes whose total does not exceed it. What is left
 * over, at most one unit for each line, is named `rounding`. Null: more would be left over, so nothing costs just that.
 */
export function priceForTotal(total: number, fees: readonly Fee[]): Price | null {
  const totalOf = (price: number) => price + sum(linesOn(price, fees, 1));
  const price = highest(total, (one) => totalOf(one) <= total);
  const rounding = total - totalOf(price);
  if (rounding > fees.length) return null;
  return withTotal({ listPrice: price, discount: 0, lines: linesOn(price, fees, 1), rounding });
}

/** The part of a discount on several lines that falls on each: in proportion to their prices, never more than they cost. */
export function allocateDiscount(discount: number, prices: readonly number[]): number[] {
  const all = prices.reduce((sum, price) => sum + price, 0);
  return allocate(Math.min(discount, all), prices);
}

/** Nothing is charged on what is free. */
function linesOn(price: number, fees: readonly Fee[], quantity: number): FeeLine[] {
  if (price === 0) return [];
  const charged = of('fee', fees).map((fee) => lineOf(fee, price, quantity));
  const taxed = price + taxableOf(charged);
  return [...charged, ...of('tax', fees).map((fee) => lineOf(fee, taxed, quantity))];
}

/**
 * The lines on what is paid when that contains the taxes. The price before tax is the highest one that fits with its
 * taxes; what is left over belongs to the taxes, and none gets more than one unit of price further. So a price never
 * ends in a rounding, and one that is below its own taxes (a flat one, a minimum) is all tax.
 */
function linesWithin(paid: number, fees: readonly Fee[], quantity: number): FeeLine[] {
  if (paid === 0) return [];
  const taxes = of('tax', fees);
  const on = (price: number) => taxes.map((tax) => (price === 0 ? 0 : lineOf(tax, price, quantity).amount));
  const price = highest(paid, (one) => one + total(on(one)) <= paid);
  const fitting = on(price);
  const further = on(price + 1);
  const left = allocate(
    paid - price - total(fitting),
    further.map((amount, i) => amount - fitting[i]),
  );
  const charged = of('fee', fees).map((fee) => lineOf(fee, price, quantity));
  const base = price + taxableOf(charged);
  return [
    ...charged,
    ...taxes.map((tax, i) => {
      const included = fitting[i] + left[i];
      const onFees = lineOf(tax, base, quantity).amount - lineOf(tax, price, quantity).amount;
      return { fee: tax, base, amount: included + onFees, included };
    }),
  ];
}

function lineOf(fee: Fee, base: number, quantity: number): FeeLine {
  return { fee, base, amount: amountOf(fee, base, quantity), included: 0 };
}

function amountOf(fee: Fee, base: number, quantity: number): number {
  if (fee.type === 'flat') return fee.amount * quantity;
  const { minAmount, maxAmount } = fee;
  return Math.max((minAmount ?? 0) * quantity, Math.min(percentOf(base, fee.rate), (maxAmount ?? Infinity) * quantity));
}

export function percentOf(base: number, rate: number): number {
  const product = base * rate;
  return roundHalfUp(Number.isSafeInteger(product) ? product : BigInt(base) * BigInt(rate), WHOLE_RATE);
}

/** The highest number up to `most` that fits; 0 does in any case, and whatever is below one that does. */
function highest(most: number, fits: (price: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const of = (kind: Fee['kind'], fees: readonly Fee[]): Fee[] => fees.filter((fee) => fee.kind === kind);

const taxableOf = (charged: readonly FeeLine[]): number => sum(charged.filter(({ fee }) => fee.isTaxable));

const sum = (lines: readonly { readonly amount: number }[]): number => total(lines.map(({ amount }) => amount));

const total = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);

function withTotal({
  listPrice,
  discount,
  lines,
  rounding,
}: Pick<Price, 'listPrice' | 'discount' | 'lines' | 'rounding'>): Price {
  const includedTaxes = total(lines.map(({ included }) => included));
  const preTax = listPrice - discount - includedTaxes;
  return { listPrice, discount, includedTaxes, preTax, lines, rounding, total: preTax + sum(lines) + rounding };
}
