/** Objections to a referral, and its rewards. The tables are in docs/algorithms/referrals.md. */

export const CANCEL_REASONS = ['own_code', 'same_family', 'known_before', 'staff'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

interface Person {
  readonly id: number;
  readonly family: number | null;
  readonly user: number | null;
}

export interface Facts {
  readonly referrer: Person;
  readonly customer: Person;
  /** true if the business had an earlier record of this address, or another customer already referred this person */
  readonly known: boolean;
}

/**
 * Returns why the referral doesn't count, or null if there is no objection. Evaluated at sign-up, and again before it
 * is confirmed.
 */
export function against({ referrer, customer, known }: Facts): Exclude<CancelReason, 'staff'> | null {
  if (referrer.id === customer.id || (referrer.user !== null && referrer.user === customer.user)) return 'own_code';
  if (referrer.family !== null && referrer.family === customer.family) return 'same_family';
  return known ? 'known_before' : null;
}

interface Promise {
  /** minor units */
  readonly referrer: number;
  readonly customer: number;
}

export interface Earned extends Promise {
  readonly withheld: 'limit' | 'deleted' | null;
}

/** Returns what both get when it is confirmed. `rewards`: number of rewards that the referrer has had in 365 days. */
export function earned(
  promised: Promise,
  { gone, rewards, limit }: { readonly gone: boolean; readonly rewards: number; readonly limit: number | null },
): Earned {
  const { customer } = promised;
  if (gone) return { referrer: 0, customer, withheld: 'deleted' };
  if (promised.referrer > 0 && limit !== null && rewards >= limit) return { referrer: 0, customer, withheld: 'limit' };
  return { ...promised, withheld: null };
}
