/** Prices of several purchases that are paid together: docs/algorithms/pricing.md, "Several lines". Pure. */
import { allocateDiscount, priceOf, type Fee, type Meant, type Price } from './price.ts';

export interface LineToPrice extends Meant {
  /** price of all pieces together, before discounts */
  readonly listPrice: number;
  readonly fees: readonly Fee[];
  /** discount of this line alone; never more than its list price */
  readonly discount?: number;
  /** false if a discount on the whole doesn't apply to it */
  readonly discountable?: boolean;
}

/** The sum of one fee or tax over all lines. */
interface FeeTotal {
  readonly fee: Fee;
  readonly amount: number;
  readonly included: number;
}

/** Sums of the lines' amounts. */
export interface Totals extends Omit<Price, 'lines'> {
  /** fees before taxes, otherwise in the order in which the lines list them */
  readonly fees: readonly FeeTotal[];
}

export interface Priced {
  /** in the order of the request */
  readonly lines: readonly Price[];
  readonly totals: Totals;
}

/**
 * `discount`: on the whole; it is split over the lines in proportion to the rest after their own discounts.
 * @throws RangeError for an invalid list price, and for sums beyond safe integers
 */
export function priceLines(asked: readonly LineToPrice[], discount = 0): Priced {
  const own = asked.map((line) => Math.min(Math.max(line.discount ?? 0, 0), line.listPrice));
  const parts = allocateDiscount(
    Math.max(discount, 0),
    asked.map(({ listPrice, discountable = true }, i) => (discountable ? listPrice - own[i] : 0)),
  );
  const lines = asked.map((line, i) => priceOf(line.listPrice, own[i] + parts[i], line.fees, line));
  return { lines, totals: totalsOf(lines) };
}

function totalsOf(lines: readonly Price[]): Totals {
  const sum = (amount: (price: Price) => number): number => safe(lines.reduce((all, line) => all + amount(line), 0));
  return {
    listPrice: sum(({ listPrice }) => listPrice),
    discount: sum((line) => line.discount),
    includedTaxes: sum(({ includedTaxes }) => includedTaxes),
    preTax: sum(({ preTax }) => preTax),
    fees: feesOf(lines),
    rounding: sum(({ rounding }) => rounding),
    total: sum(({ total }) => total),
  };
}

function feesOf(lines: readonly Price[]): FeeTotal[] {
  const totals = new Map<number, FeeTotal>();
  for (const { fee, amount, included } of lines.flatMap((line) => line.lines)) {
    const before = totals.get(fee.id) ?? { fee, amount: 0, included: 0 };
    totals.set(fee.id, { fee, amount: before.amount + amount, included: before.included + included });
  }
  return [...totals.values()].toSorted((a, b) => Number(a.fee.kind === 'tax') - Number(b.fee.kind === 'tax'));
}

function safe(sum: number): number {
  if (!Number.isSafeInteger(sum)) throw new RangeError('Amount beyond safe integers');
  return sum;
}
