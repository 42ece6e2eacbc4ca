/**
 * What the price of a membership that somebody holds becomes, and from when on: docs/algorithms/price-edits.md. Pure.
 */
import { formatDecimal, roundHalfUp } from '../../../../../kernel/base/values/money.ts';
import { periodAt, periodStart, type Cycle } from '../../../../../kernel/base/values/cycle.ts';

/** Minor units: a new price, or more or less of the one that is agreed. */
export type PriceChange =
  | { readonly price: number }
  | { readonly amount: number }
  | { /** hundredths of a percent */ readonly percent: number };

export interface Priced {
  readonly status: 'active' | 'hold' | 'completed' | 'cancelled';
  /** minor units, as agreed */
  readonly price: number;
  /** of a recurring plan */
  readonly cycle: Cycle | null;
  readonly start: string | null;
  /** the last day; null: without end */
  readonly end: string | null;
}

export interface PriceEdit {
  readonly before: number;
  readonly after: number;
  /** first day of the first billing period that costs so much; null: there are none, and it counts at once */
  readonly from: string | null;
}

/** No sum of shares and penalties of it leaves what can be counted exactly. */
export const HIGHEST_PRICE = 99_999_999_999_999;

const changed = (price: number, change: PriceChange): number => {
  if ('price' in change) return change.price;
  return price + ('amount' in change ? change.amount : roundHalfUp(BigInt(price) * BigInt(change.percent), 10_000));
};

/** A period that has begun is billed already. Null: none begins any more. */
function nextToBill(cycle: Cycle, { start, end }: Pick<Priced, 'start' | 'end'>, today: string): string | null {
  const next = start !== null && today < start ? start : periodStart(cycle, periodAt(cycle, today) + 1);
  return end !== null && next > end ? null : next;
}

/** The edit, or what is against it. */
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
