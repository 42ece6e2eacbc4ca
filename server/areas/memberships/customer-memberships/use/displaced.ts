/** Bookings that a membership does not pay for any more: it rests, ends or is replaced. */
import * as schedule from '../../../scheduling/schedule/index.ts';
import { membershipPayer } from './payer.ts';
import type { Settling } from '../../../scheduling/schedule/index.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/**
 * Events of these days, by the clock of their venue, that a membership does not pay for any more; both days are within.
 */
export interface Displacing extends Omit<schedule.Displacing, 'subject'> {
  readonly customerMembership: number;
}

/** What is locked: to be passed to `settleUncovered` after the memberships are changed. */
export interface Displaced extends Omit<schedule.Displaced, 'payer' | 'which'> {
  readonly which: readonly Displacing[];
}

const asSubjects = (which: readonly Displacing[]): schedule.Displacing[] =>
  which.map(({ customerMembership: subject, ...days }) => ({ subject, ...days }));

/**
 * Locks the bookings of these days, and all that anybody may use, as the law of locks has it; nobody books with these
 * memberships meanwhile. They are locked for the change next: `lockOwned`.
 */
export async function lockUncovered(work: Work, which: readonly Displacing[]): Promise<Displaced> {
  const locked = await schedule.lockUncovered(work, membershipPayer, asSubjects(which));
  return { ...locked, which };
}

/**
 * Settles those bookings after the change is written: another membership pays, or they are cancelled or kept, as the
 * business has set it.
 */
export const settleUncovered = (work: Work, { which, events }: Displaced, how?: Settling): Promise<void> =>
  schedule.settleUncovered(work, { payer: membershipPayer, which: asSubjects(which), events }, how);
