/** Whether a membership that somebody holds is good for an event of a day. Pure. */
import type { Pause } from '../use/rules/allotment.ts';

export const STATUSES = ['active', 'hold', 'completed', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

export interface Standing {
  readonly status: Status;
  /** null: it begins with the first event that it is used for */
  readonly start: string | null;
  /** the last day; null: without end */
  readonly end: string | null;
  /** all of its holds, whether they shrink what may be used or not */
  readonly holds: readonly Pause[];
  /** number of the invoice that must be paid before it can be used; null or absent: none */
  readonly unpaid?: string | null;
}

export type NotGood = 'membership_expired' | 'membership_not_started' | 'membership_on_hold' | 'membership_unpaid';

/** What is against using it for an event of that day; null: nothing. */
export function againstUseOn({ status, start, end, holds, unpaid = null }: Standing, on: string): NotGood | null {
  if (status === 'completed' || status === 'cancelled' || (end !== null && on > end)) return 'membership_expired';
  if (start !== null && on < start) return 'membership_not_started';
  const held = holds.some((h) => h.start <= on && (h.end === null || on <= h.end));
  if (held || (status === 'hold' && holds.length === 0)) return 'membership_on_hold';
  return unpaid === null ? null : 'membership_unpaid';
}

/** It has neither been completed nor cancelled. */
export const goesOn = ({ status }: Pick<Standing, 'status'>): boolean => status === 'active' || status === 'hold';

/** Whether its time is over on a day: it is completed then. */
export const isOver = ({ status, end }: Pick<Standing, 'status' | 'end'>, today: string): boolean =>
  goesOn({ status }) && end !== null && today > end;
