/** Rules for the new price of a customer membership, and its first day: docs/algorithms/price-edits.md. Pure. */
import { formatDecimal, roundHalfUp } from '../../../../../kernel/base/values/money.ts';
import { periodAt, periodStart, type Cycle } from '../../../../../kernel/base/values/cycle.ts';

/** A new price, or a change of the agreed one, in minor units. */
export type PriceChange =
  | { readonly price: number }
  | { readonly amount: number }
  | { /** in hundredths of a percent */ readonly percent: number };

export interface Priced {
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  /** agreed price in minor units */
  readonly price: number;
  /** for recurring plans */
  readonly cycle: Cycle | null;
  readonly start: string | null;
  /** last day; null if it has no end */
  readonly end: string | null;
}

export interface PriceEdit {
  readonly before: number;
  readonly after: number;
  /**
   * first day of the first billing period at this price; null if it has no billing periods and the price applies
   * immediately
   */
  readonly from: string | null;
}

/** Sums of its shares and penalties remain exact integers. */
export const HIGHEST_PRICE = 99_999_999_999_999;

const changed = (price: number, change: PriceChange): number => {
  if ('price' in change) return change.price;
  return price + ('amount' in change ? change.amount : roundHalfUp(BigInt(price) * BigInt(change.percent), 10_000));
};

/** Returns the next period to bill, because one that has begun is already billed. Null if no more begin. */
function nextToBill(cycle: Cycle, { start, end }: Pick<Priced, 'start' | 'end'>, today: string): string | null {
  const next = start !== null && today < start ? start : periodStart(cycle, periodAt(cycle, today) + 1);
  return end !== null && next > end ? null : next;
}

/** Returns the edit, or the reason why the price stays. */
export function editPrice(
  { status, price, cycle, start, end }: Priced,
  change: PriceChange,
  { today, currency }: { today: string; currency: string },
): PriceEdit | string {
  if (status === 'completed' || status === 'cancelled')
    return `The membership is ${status}, so nothing is billed for it any more.`;
  const from = cycle === null ? null : nextToBill(cycle, { start, end }, today);
  if (cycle !== null && from === null)
    return `The membership ends on ${end}, and no billing period starts before that, so nothing is left to be billed. Extend it first.`;
  const after = changed(price, change);
  const said = (minor: number) => `${formatDecimal({ minor, currency })} ${currency}`;
  if (after < 0)
    return `The price is ${said(price)} and would become ${said(after)}. Reduce it by less, or send the new price.`;
  if (after > HIGHEST_PRICE) return `The price would become ${said(after)}. The maximum is ${said(HIGHEST_PRICE)}.`;
  return { before: price, after, from };
}
