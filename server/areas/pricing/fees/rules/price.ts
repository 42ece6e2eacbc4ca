/**
 * The price of a purchase and its explanation: docs/algorithms/pricing.md. List price − discount − included taxes =
 * price before tax; fees and taxes are added to that, each rounded separately. Amounts are minor units of one currency.
 * Pure.
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
  /** a tax is also charged on taxable fees; a fee only on the price */
  readonly kind: 'fee' | 'tax';
  /** for a fee: true if taxes are charged on it */
  readonly isTaxable: boolean;
}

export interface PercentFee extends Named {
  readonly type: 'percent';
  /** in units of `WHOLE_RATE` */
  readonly rate: number;
  /** minimum and maximum amount; null if unbounded */
  readonly minAmount: number | null;
  readonly maxAmount: number | null;
}

interface FlatFee extends Named {
  readonly type: 'flat';
  /** for each piece, regardless of its price */
  readonly amount: number;
}

/** A fee or a tax that applies to a purchase. */
export type Fee = PercentFee | FlatFee;

export interface FeeLine {
  readonly fee: Fee;
  /** the amount that a percentage applies to */
  readonly base: number;
  readonly amount: number;
  /** for a tax: the part of the amount that the list price already includes */
  readonly included: number;
  /** for an amount that was charged earlier: its explanation at that time */
  readonly explanation?: string;
}

export interface Price {
  readonly listPrice: number;
  /** 0 or more, never more than the list price */
  readonly discount: number;
  /** taxes included in the list price less the discount */
  readonly includedTaxes: number;
  readonly preTax: number;
  readonly lines: readonly FeeLine[];
  /** the amount that no line accounts for; other than 0 only if a total was given */
  readonly rounding: number;
  readonly total: number;
}

/** Interpretation of a price. */
export interface Meant {
  /** number of pieces that the list price covers: flat amounts and bounds count for each of them */
  readonly quantity?: number;
  /** true if the list price includes its taxes; fees, and the taxes on fees, are added in any case */
  readonly includesTax?: boolean;
}

/**
 * Calculates the price of one purchase from its list price, before fees and taxes.
 * @throws RangeError for an invalid list price
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
 * Returns the price for a given total: the highest price before fees and taxes whose total doesn't exceed it. The
 * remainder, at most one unit for each line, is named `rounding`. Returns null if the remainder would be larger, so
 * that nothing costs exactly that total.
 */
export function priceForTotal(total: number, fees: readonly Fee[]): Price | null {
  const totalOf = (price: number) => price + sum(linesOn(price, fees, 1));
  const price = highest(total, (one) => totalOf(one) <= total);
  const rounding = total - totalOf(price);
  if (rounding > fees.length) return null;
  return withTotal({ listPrice: price, discount: 0, lines: linesOn(price, fees, 1), rounding });
}

/** Splits a discount over several lines in proportion to their prices, never more than they cost. */
export function allocateDiscount(discount: number, prices: readonly number[]): number[] {
  const all = prices.reduce((sum, price) => sum + price, 0);
  return allocate(Math.min(discount, all), prices);
}

/** Returns the lines on a price. Nothing is charged on a free purchase. */
function linesOn(price: number, fees: readonly Fee[], quantity: number): FeeLine[] {
  if (price === 0) return [];
  const charged = of('fee', fees).map((fee) => lineOf(fee, price, quantity));
  const taxed = price + taxableOf(charged);
  return [...charged, ...of('tax', fees).map((fee) => lineOf(fee, taxed, quantity))];
}

/**
 * Returns the lines for a paid amount that includes taxes. The price before tax is the highest one that fits with its
 * taxes; the remainder belongs to the taxes, and no tax gets more than it would at a price one unit higher. So a price
 * never needs rounding, and an amount below its own taxes (a flat one, a minimum) is all tax.
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

/** Returns the highest number up to `most` that fits; 0 always fits, and so does every number below one that does. */
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
