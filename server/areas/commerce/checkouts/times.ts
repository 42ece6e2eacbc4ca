/** How long what is in a checkout is held. */
const MINUTE = 60_000;
/** A checkout waits so long after its last change, */
export const OPEN_MS = 15 * MINUTE;
/** and at most so long in all: nobody keeps a place without paying by changing something again and again. */
export const OPEN_AT_MOST_MS = 120 * MINUTE;
/** Longer than processors give a customer on their pages. */
export const PAYING_MS = 35 * MINUTE;

/** When a checkout that was changed now expires, epoch ms. */
export const expiryOf = (now: number, createdAt: number): number =>
  Math.min(now + OPEN_MS, createdAt + OPEN_AT_MOST_MS);

export const EXPIRE_TASK = 'expire_checkout';
