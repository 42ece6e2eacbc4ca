/** Bookings that a membership no longer pays for, because it is on hold, ends or is replaced. */
import * as schedule from '../../../scheduling/schedule/index.ts';
import { membershipPayer } from './payer.ts';
import type { Settling } from '../../../scheduling/schedule/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Events on these days, by the clock of their venue, that a membership no longer pays for; both days are included. */
export interface CoverageLoss extends Omit<schedule.CoverageLoss, 'subject'> {
  readonly customerMembership: number;
}

/** The locked bookings, to be passed to `settleUncovered` after the memberships are changed. */
export interface UncoveredBookings extends Omit<schedule.UncoveredBookings, 'payer' | 'which'> {
  readonly which: readonly CoverageLoss[];
}

const asSubjects = (which: readonly CoverageLoss[]): schedule.CoverageLoss[] =>
  which.map(({ customerMembership: subject, ...days }) => ({ subject, ...days }));

/**
 * Locks the bookings of these days and all memberships that could pay for them, in the documented order, so that nobody
 * books with them in the meantime. The caller then locks the memberships for the change: `lockOwned`.
 */
export async function lockUncovered(work: Work, which: readonly CoverageLoss[]): Promise<UncoveredBookings> {
  const locked = await schedule.lockUncovered(work, membershipPayer, asSubjects(which));
  return { ...locked, which };
}

/**
 * Settles those bookings after the change is written: another membership pays, or they are cancelled or kept, as set by
 * the business.
 */
export const settleUncovered = (work: Work, { which, events }: UncoveredBookings, how?: Settling): Promise<void> =>
  schedule.settleUncovered(work, { payer: membershipPayer, which: asSubjects(which), events }, how);
