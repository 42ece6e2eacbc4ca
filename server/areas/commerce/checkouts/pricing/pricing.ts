/**
 * The price of a checkout: docs/algorithms/checkout.md. Every preview and every payment uses it. Pure; amounts are
 * minor units.
 */
import { allocate } from '../../../../kernel/base/values/money.ts';
import { priceLines, type LineToPrice, type Price, type Totals } from '../../../pricing/fees/index.ts';

export interface ItemToPrice {
  /** price of one piece */
  readonly unitPrice: number;
  readonly quantity: number;
  /** the fees and taxes that apply, and whether the price includes taxes */
  readonly on: Pick<LineToPrice, 'fees' | 'includesTax'>;
  /** amount that a discount code takes off the whole line */
  readonly discount: number;
  /** remaining value of the membership that it replaces */
  readonly credit: number;
}

export interface CheckoutPrice {
  /** in the order of the items */
  readonly prices: readonly Price[];
  readonly totals: Totals;
  /** the part of each item's credit that fits into the total, in the order of the items */
  readonly used: readonly number[];
  /** the part of the rest that account credit pays */
  readonly accountCredit: number;
  /** sum of both credits */
  readonly credit: number;
  /** amount left to pay */
  readonly due: number;
}

/** `accountCredit`: the amount that the payer can spend and wants to. */
export function priceCheckout(items: readonly ItemToPrice[], accountCredit: number): CheckoutPrice {
  const { lines: prices, totals } = priceLines(
    items.map(({ unitPrice, quantity, discount, on }) => ({
      ...on,
      listPrice: unitPrice * quantity,
      quantity,
      discount,
    })),
  );
  const used = creditsUsed(
    totals.total,
    items.map(({ credit }) => credit),
  );
  const replaced = sum(used);
  const spent = Math.min(Math.max(accountCredit, 0), totals.total - replaced);
  const credit = replaced + spent;
  return { prices, totals, used, accountCredit: spent, credit, due: totals.total - credit };
}

/**
 * Returns how much of each credit is used. Credits for replaced memberships come before account credit, each in turn,
 * until nothing is left to pay.
 */
export function creditsUsed(total: number, credits: readonly number[]): number[] {
  let left = total;
  return credits.map((credit) => {
    const used = Math.min(Math.max(credit, 0), left);
    left -= used;
    return used;
  });
}

/** Splits the price before fees and taxes over the pieces. */
export const perPiece = (amount: number, quantity: number): number[] =>
  allocate(
    amount,
    Array.from({ length: quantity }, () => 1),
  );

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
