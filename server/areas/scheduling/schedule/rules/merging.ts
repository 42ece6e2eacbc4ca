/**
 * Of two records of one person: which booking stays where both have one, and which spot. The worked tables are in
 * docs/algorithms/merging.md.
 */

export type AttendanceStatus = 'not_registered' | 'registered' | 'attended' | 'no_show' | 'late_cancelled';

export type Stays = 'kept' | 'merged';

/** What really happened counts more than what was planned, and what was planned more than what was called off. */
const STRENGTH: Record<AttendanceStatus, number> = {
  attended: 4,
  no_show: 3,
  registered: 2,
  late_cancelled: 1,
  not_registered: 0,
};

/** Of two bookings of one event, the one that stays. Of equals it is that of the customer who is kept. */
export const strongerBooking = (kept: AttendanceStatus, merged: AttendanceStatus): Stays =>
  STRENGTH[merged] > STRENGTH[kept] ? 'merged' : 'kept';

export const holdsSeat = (status: AttendanceStatus): boolean => STRENGTH[status] >= STRENGTH.registered;

export interface Spot {
  readonly id: number;
  readonly reserved: boolean;
}

export interface Hold {
  /** a payment for the seat is under way */
  readonly paying: boolean;
  /** epoch ms */
  readonly until: number;
}

/** Of two held seats, the one that stays: what is being paid for, else what lasts longer. */
export function betterHold(kept: Hold, merged: Hold): Stays {
  if (kept.paying !== merged.paying) return kept.paying ? 'kept' : 'merged';
  return merged.until > kept.until ? 'merged' : 'kept';
}

/**
 * Of two spots on one waitlist, the one that stays: a seat that is held counts more than waiting, and who came first
 * more than who came later.
 */
export function betterSpot(kept: Spot, merged: Spot): Stays {
  if (kept.reserved !== merged.reserved) return kept.reserved ? 'kept' : 'merged';
  return merged.id < kept.id ? 'merged' : 'kept';
}
