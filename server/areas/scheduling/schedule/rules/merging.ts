/**
 * Rules for merging two records of one person: which booking stays if both have one, and which spot. The worked tables
 * are in docs/algorithms/merging.md.
 */

export type AttendanceStatus = 'not_registered' | 'registered' | 'attended' | 'no_show' | 'late_cancelled';

type Stays = 'kept' | 'merged';

/** Rank by status: recorded attendance before bookings, and bookings before cancellations. */
const STRENGTH: Record<AttendanceStatus, number> = {
  attended: 4,
  no_show: 3,
  registered: 2,
  late_cancelled: 1,
  not_registered: 0,
};

/** Returns the one of two bookings of an event that stays. If they are equal, that of the customer who is kept. */
export const strongerBooking = (kept: AttendanceStatus, merged: AttendanceStatus): Stays =>
  STRENGTH[merged] > STRENGTH[kept] ? 'merged' : 'kept';

export const holdsSeat = (status: AttendanceStatus): boolean => STRENGTH[status] >= STRENGTH.registered;

export interface Spot {
  readonly id: number;
  readonly reserved: boolean;
}

export interface Hold {
  /** true if a payment for the seat is in progress */
  readonly paying: boolean;
  /** in epoch milliseconds */
  readonly until: number;
}

/** Returns the one of two held seats that stays: the one that is being paid for, else the one that lasts longer. */
export function betterHold(kept: Hold, merged: Hold): Stays {
  if (kept.paying !== merged.paying) return kept.paying ? 'kept' : 'merged';
  return merged.until > kept.until ? 'merged' : 'kept';
}

/**
 * Returns the one of two spots on a waitlist that stays: a reserved spot before an unreserved one, and an earlier one
 * before a later one.
 */
export function betterSpot(kept: Spot, merged: Spot): Stays {
  if (kept.reserved !== merged.reserved) return kept.reserved ? 'kept' : 'merged';
  return merged.id < kept.id ? 'merged' : 'kept';
}
