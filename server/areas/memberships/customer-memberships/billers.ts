/**
 * Who collects what memberships cost: an area after this one fills the port `membershipBillers`. It is called in the
 * transaction that sells a recurring plan or begins a billing period, so that neither happens without the other.
 */
import { Port, type Item } from '../../../kernel/base/fields/port.ts';
import type { LineToPrice } from '../../pricing/fees/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** A billing period whose price is due on its first day. */
export interface DuePeriod {
  readonly customerMembership: number;
  /** YYYY-MM-DD, the first and the last day */
  readonly start: string;
  readonly end: string;
  /** minor units, as it was agreed: of the whole period, or of the days that are left of a first one */
  readonly price: number;
  /** the first period of a membership whose sale has collected nothing */
  readonly first: boolean;
}

/** How a billing period is billed that is not billed yet. */
export interface Expected {
  /**
   * periods that were reported and will be billed at any moment: the price by the first day, minor units. Of a first period that
   * is cut short, it is that of the days that are left
   */
  readonly due: ReadonlyMap<string, number>;
  /**
   * A period of this price, with the discount, fees and taxes as they stand. `ahead`: how many periods will be billed before
   * it that have not begun.
   */
  line(start: string, price: number, ahead: number): LineToPrice;
}

export interface MembershipBiller extends Item {
  /** Recurring plans were sold. */
  sold(work: Work, customerMemberships: readonly number[]): Promise<void>;
  /** Periods that have begun, and first periods that will. The same period may be told twice, and is due once. */
  due(work: Work, periods: readonly DuePeriod[]): Promise<void>;
  /**
   * It ends at once, so that what is left of it can be returned: what has begun and is due is billed now, and what has not begun
   * never is. The caller has locked it.
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

/** As everything stands; without a biller, a period costs what was agreed. */
export async function expectedOf(work: Work, customerMembership: number): Promise<Expected> {
  const [biller] = membershipBillers.items;
  return biller
    ? biller.expected(work, customerMembership)
    : { due: new Map(), line: (_start, listPrice) => ({ listPrice, fees: [] }) };
}
