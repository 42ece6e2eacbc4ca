/** Time limits of the reservations of a checkout. */
const MINUTE = 60_000;
/** Time that a checkout stays open after its last change, */
export const OPEN_MS = 15 * MINUTE;
/** and its maximum in total: nobody reserves a place without paying by changing something again and again. */
const MAX_OPEN_MS = 120 * MINUTE;
/** Longer than processors give customers on their pages. */
export const PAYING_MS = 35 * MINUTE;

/** Returns when a checkout that was changed now expires, in epoch milliseconds. */
export const expiryOf = (now: number, createdAt: number): number => Math.min(now + OPEN_MS, createdAt + MAX_OPEN_MS);

export const EXPIRE_TASK = 'expire_checkout';
