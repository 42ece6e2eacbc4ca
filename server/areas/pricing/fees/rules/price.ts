/**
 * What something costs, and why: docs/algorithms/pricing.md. List price − discount = price before tax; fees and taxes
 * are added to that, each rounded by itself. Amounts are minor units of one currency. Pure.
 */
import { allocate, amountText, roundHalfUp } from '../../../../kernel/values/money.ts';

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
  /** for each purchase, whatever its price */
  readonly amount: number;
}

/** A fee or a tax that applies to a purchase. */
export type Fee = PercentFee | FlatFee;

/** A named amount, and how it came about; its parts sum to it. */
export interface Explained {
  readonly name: 'total' | 'pre_tax_price' | 'list_price' | 'discount' | 'fee' | 'tax' | 'rounding';
  readonly amount: number;
  readonly text: string;
  readonly parts: readonly Explained[];
}

export interface FeeLine {
  readonly fee: Fee;
  /** what a percentage is of */
  readonly base: number;
  readonly amount: number;
}

export interface Price {
  readonly listPrice: number;
  /** 0 or more, never more than the list price */
  readonly discount: number;
  readonly preTax: number;
  readonly lines: readonly FeeLine[];
  /** what no line accounts for; other than 0 only where a total was given */
  readonly rounding: number;
  readonly total: number;
}

/** The price of one purchase from its list price, before fees and taxes. */
export function priceOf(listPrice: number, discount: number, fees: readonly Fee[]): Price {
  const taken = Math.min(Math.max(discount, 0), listPrice);
  return withTotal({ listPrice, discount: taken, lines: linesOn(listPrice - taken, fees), rounding: 0 });
}

/**
 * The price whose total is given: the highest one before fees and taxes whose total does not exceed it. What is left
 * over, at most one unit for each line, is named `rounding`. Null: more would be left over, so nothing costs just that.
 */
export function priceForTotal(total: number, fees: readonly Fee[]): Price | null {
  const totalOf = (price: number) => price + sum(linesOn(price, fees));
  let [low, high] = [0, total];
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (totalOf(middle) <= total) low = middle;
    else high = middle - 1;
  }
  const rounding = total - totalOf(low);
  if (rounding > fees.length) return null;
  return withTotal({ listPrice: low, discount: 0, lines: linesOn(low, fees), rounding });
}

/** The part of a discount on several lines that falls on each: in proportion to their prices, never more than they cost. */
export function allocateDiscount(discount: number, prices: readonly number[]): number[] {
  const all = prices.reduce((sum, price) => sum + price, 0);
  return allocate(Math.min(discount, all), prices);
}

/** Nothing is charged on what is free. */
function linesOn(price: number, fees: readonly Fee[]): FeeLine[] {
  if (price === 0) return [];
  const charged = fees.filter(({ kind }) => kind === 'fee').map((fee) => lineOf(fee, price));
  const taxed = price + sum(charged.filter(({ fee }) => fee.isTaxable));
  return [...charged, ...fees.filter(({ kind }) => kind === 'tax').map((fee) => lineOf(fee, taxed))];
}

function lineOf(fee: Fee, base: number): FeeLine {
  if (fee.type === 'flat') return { fee, base, amount: fee.amount };
  return {
    fee,
    base,
    amount: Math.max(fee.minAmount ?? 0, Math.min(shareOf(base, fee.rate), fee.maxAmount ?? Infinity)),
  };
}

const shareOf = (base: number, rate: number): number => roundHalfUp(BigInt(base) * BigInt(rate), WHOLE_RATE);

const sum = (lines: readonly { readonly amount: number }[]): number => lines.reduce((all, one) => all + one.amount, 0);

function withTotal({ listPrice, discount, lines, rounding }: Omit<Price, 'preTax' | 'total'>): Price {
  const preTax = listPrice - discount;
  return { listPrice, discount, preTax, lines, rounding, total: preTax + sum(lines) + rounding };
}

/** `VAT: 20% of £40.00`. */
export function lineText({ fee, base, amount }: FeeLine, currency: string): string {
  const say = (minor: number) => amountText({ minor, currency });
  if (fee.type === 'flat') return fee.name;
  const exact = shareOf(base, fee.rate);
  const bound = amount === exact ? '' : `, ${amount > exact ? 'at least' : 'at most'} ${say(amount)}`;
  return `${fee.name}: ${percentText(fee.rate)} of ${say(base)}${bound}`;
}

/** `8.875%` of a rate. */
export const percentText = (rate: number): string => `${rate / 10_000}%`;

/** The whole price as a tree of named amounts. */
export function explainPrice(price: Price, currency: string): Explained {
  const leaf = (name: Explained['name'], amount: number, text: string): Explained => ({
    name,
    amount,
    text,
    parts: [],
  });
  const parts: Explained[] = [
    {
      name: 'pre_tax_price',
      amount: price.preTax,
      text: 'Price before fees and taxes',
      parts: [
        leaf('list_price', price.listPrice, 'List price'),
        ...(price.discount === 0 ? [] : [leaf('discount', -price.discount, 'Discount')]),
      ],
    },
    ...price.lines.map((line) => leaf(line.fee.kind, line.amount, lineText(line, currency))),
    ...(price.rounding === 0 ? [] : [leaf('rounding', price.rounding, 'Rounding')]),
  ];
  return { name: 'total', amount: price.total, text: 'Total', parts };
}
