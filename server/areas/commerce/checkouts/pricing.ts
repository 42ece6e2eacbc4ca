/**
 * What a checkout costs: docs/algorithms/checkout.md. Every preview and every payment come from here. Pure; amounts are
 * minor units.
 */
import { allocate } from '../../../kernel/base/values/money.ts';
import { priceLines, type LineToPrice, type Price, type Totals } from '../../pricing/fees/index.ts';

export interface ItemToPrice {
  /** what one costs */
  readonly unitPrice: number;
  readonly quantity: number;
  /** the fees and taxes on it, and whether the price contains taxes */
  readonly on: Pick<LineToPrice, 'fees' | 'includesTax'>;
  /** what a discount code takes off all of it */
  readonly discount: number;
  /** what is left of the membership that it replaces */
  readonly credit: number;
}

export interface CheckoutPrice {
  /** in the order of the items */
  readonly prices: readonly Price[];
  readonly totals: Totals;
  /** the part of each item's credit that the total has room for, in the order of the items */
  readonly used: readonly number[];
  /** what account credit pays of the rest */
  readonly accountCredit: number;
  /** both together */
  readonly credit: number;
  /** what is left to pay */
  readonly due: number;
}

/** `accountCredit`: what the payer can spend, and wants to. */
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

/** Credits for memberships that end come before account credit, each in turn, as far as there is something to pay. */
export function creditsUsed(total: number, credits: readonly number[]): number[] {
  let left = total;
  return credits.map((credit) => {
    const used = Math.min(Math.max(credit, 0), left);
    left -= used;
    return used;
  });
}

/** What of the price before fees and taxes falls on each piece. */
export const perPiece = (amount: number, quantity: number): number[] =>
  allocate(
    amount,
    Array.from({ length: quantity }, () => 1),
  );

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
