/** The decision whether a door opens for a customer now. Pure. */

export const ADMITS = ['bookings', 'memberships', 'customers'] as const;

export type Admits = (typeof ADMITS)[number];

export interface AdmissionFacts {
  readonly isBlocked: boolean;
  /** a booking at the venue for which the door opens now */
  readonly isBooked: boolean;
  /** when the door opens for the next booking of the day, in epoch milliseconds; null if there is none */
  readonly opensAt: number | null;
  /** has a membership that is valid today */
  readonly isMember: boolean;
}

export type Admission =
  | { readonly by: 'booking' | 'membership' | 'customer' }
  | { readonly refused: 'blocked' | 'too_early' | 'not_booked' | 'nothing_valid' };

/** Decides by what lets most people in: a booking first, then a membership, then being a customer. */
export function admit(admits: Admits, { isBlocked, isBooked, opensAt, isMember }: AdmissionFacts): Admission {
  if (isBlocked) return { refused: 'blocked' };
  if (isBooked) return { by: 'booking' };
  if (admits !== 'bookings' && isMember) return { by: 'membership' };
  if (admits === 'customers') return { by: 'customer' };
  if (opensAt !== null) return { refused: 'too_early' };
  return { refused: admits === 'bookings' ? 'not_booked' : 'nothing_valid' };
}
