/**
 * Who collects what memberships cost: an area after this one fills the port `membershipBillers`. It is called in the
 * transaction that sells a recurring plan or begins a billing period, so that neither happens without the other.
 */
import { Port, type Item } from '../../../kernel/api/port.ts';
import type { Work } from '../../../kernel/work.ts';

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

export interface MembershipBiller extends Item {
  /** Recurring plans were sold. */
  sold(work: Work, customerMemberships: readonly number[]): Promise<void>;
  /** Periods that have begun, and first periods that will. The same period may be told twice, and is due once. */
  due(work: Work, periods: readonly DuePeriod[]): Promise<void>;
}

export const membershipBillers = new Port<MembershipBiller>('membership biller', () => 'customermembership');

export async function reportSold(work: Work, customerMemberships: readonly number[]): Promise<void> {
  for (const biller of membershipBillers.items) await biller.sold(work, customerMemberships);
}

export async function reportDue(work: Work, periods: readonly DuePeriod[]): Promise<void> {
  if (periods.length === 0) return;
  for (const biller of membershipBillers.items) await biller.due(work, periods);
}
