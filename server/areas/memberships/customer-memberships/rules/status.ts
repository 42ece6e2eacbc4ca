/** Rules for using a customer membership for an event on a day. Pure. */
import type { Pause } from '../use/rules/allotment.ts';

export const STATUSES = ['active', 'hold', 'completed', 'cancelled'] as const;
export type Status = (typeof STATUSES)[number];

export interface Standing {
  readonly status: Status;
  /** null if it begins with the first event that it is used for */
  readonly start: string | null;
  /** last day; null if it has no end */
  readonly end: string | null;
  /** all of its holds, including those that don't reduce the allotment */
  readonly holds: readonly Pause[];
  /** number of the invoice that must be paid before it can be used; null or absent if there is none */
  readonly unpaid?: string | null;
}

type NotGood = 'membership_expired' | 'membership_not_started' | 'membership_on_hold' | 'membership_unpaid';

/** Returns the objection to using it for an event on that day; null if there is none. */
export function againstUseOn({ status, start, end, holds, unpaid = null }: Standing, on: string): NotGood | null {
  if (status === 'completed' || status === 'cancelled' || (end !== null && on > end)) return 'membership_expired';
  if (start !== null && on < start) return 'membership_not_started';
  const held = holds.some((h) => h.start <= on && (h.end === null || on <= h.end));
  if (held || (status === 'hold' && holds.length === 0)) return 'membership_on_hold';
  return unpaid === null ? null : 'membership_unpaid';
}

/** Returns true unless it was completed or cancelled. */
export const goesOn = ({ status }: Pick<Standing, 'status'>): boolean => status === 'active' || status === 'hold';

/** Returns true if its last day has passed, so that it is to be completed. */
export const isOver = ({ status, end }: Pick<Standing, 'status' | 'end'>, today: string): boolean =>
  goesOn({ status }) && end !== null && today > end;
