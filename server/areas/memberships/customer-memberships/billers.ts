/**
 * Port `membershipBillers`, which a later area fills: billers collect the prices of memberships. They are called in the
 * transaction that sells a recurring plan or begins a billing period, so that neither happens without the other.
 */
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import type { LineToPrice } from '../../pricing/fees/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A billing period whose price is due on its first day. */
export interface DuePeriod {
  readonly customerMembership: number;
  /** first and last day, YYYY-MM-DD */
  readonly start: string;
  readonly end: string;
  /** agreed price in minor units: of the whole period, or of the remaining days of a first one */
  readonly price: number;
  /** true for the first period of a membership whose sale collected nothing */
  readonly first: boolean;
}

/** Expected bills of billing periods that are not billed yet. */
export interface Expected {
  /**
   * prices in minor units, by first day, of periods that were reported and will be billed soon; for a shortened first
   * period, the price of the remaining days
   */
  readonly due: ReadonlyMap<string, number>;
  /**
   * Returns the line for a period with this price, with the current discount, fees and taxes. `ahead`: the number of
   * periods that will be billed before it and have not begun.
   */
  line(start: string, price: number, ahead: number): LineToPrice;
}

export interface MembershipBiller extends Item {
  /** Called when recurring plans have been sold. */
  sold(work: Work, customerMemberships: readonly number[]): Promise<void>;
  /**
   * Called for periods that have begun, and in advance for first periods. The same period may be reported twice, but is
   * due once.
   */
  due(work: Work, periods: readonly DuePeriod[]): Promise<void>;
  /**
   * Called when a membership ends immediately, so that the remaining value can be returned: periods that have begun and
   * are due are billed now, and later ones are never billed. The caller has locked the membership.
   */
  settle(work: Work, customerMembership: number): Promise<void>;
  expected(work: Work, customerMembership: number): Promise<Expected>;
}

export const membershipBillers = new Port<MembershipBiller>('membership biller', () => 'customermembership');

export async function reportSold(work: Work, customerMemberships: readonly number[]): Promise<void> {
  for (const biller of membershipBillers.items) await biller.sold(work, customerMemberships);
}

export async function reportDue(work: Work, periods: readonly DuePeriod[]): Promise<void> {
  if (periods.length === 0) return;
  for (const biller of membershipBillers.items) await biller.due(work, periods);
}

export async function settleDuePeriods(work: Work, customerMembership: number): Promise<void> {
  for (const biller of membershipBillers.items) await biller.settle(work, customerMembership);
}

/** Returns the expected bills in the current state; without a biller, a period costs the agreed price. */
export async function expectBills(work: Work, customerMembership: number): Promise<Expected> {
  const [biller] = membershipBillers.items;
  return biller
    ? biller.expected(work, customerMembership)
    : { due: new Map(), line: (_start, listPrice) => ({ listPrice, fees: [] }) };
}
