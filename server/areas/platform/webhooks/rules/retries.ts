/** When a failed delivery is retried, and when a destination is paused. Pure; randomness is passed in. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Waits after the first failure, the second and so on; the last failure parks the delivery. They add up to a little
 * less than three days.
 */
export const WAITS_MS: readonly number[] = [
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** Each wait is up to a tenth shorter or longer, so that deliveries that failed together aren't retried together. */
const JITTER = 0.1;

/** The longest wait that a receiver can request. */
export const MAX_RETRY_AFTER_MS = DAY;

/** A destination without a successful delivery for this long is paused. */
export const MAX_FAILS_MS = 5 * DAY;

/**
 * Returns the milliseconds until the next attempt after this many consecutive failures; null if there is none.
 * @param chance from 0 to 1
 * @param asked the wait that the receiver requested, in milliseconds
 */
export function waitAfter(failures: number, chance: number, asked: number | null): number | null {
  const wait = WAITS_MS[failures - 1];
  if (wait === undefined) return null;
  const own = Math.round(wait * (1 + JITTER * (2 * chance - 1)));
  return Math.max(own, Math.min(asked ?? 0, MAX_RETRY_AFTER_MS));
}

const PATIENCE = 3;
const FIRST_REST_MS = 5 * SECOND;
const LONGEST_REST_MS = 5 * MINUTE;

/** Returns how long nothing is sent to a destination after this many consecutive failures, of any deliveries. */
export const restAfter = (failures: number): number =>
  failures < PATIENCE ? 0 : Math.min(FIRST_REST_MS * 2 ** Math.min(failures - PATIENCE, 20), LONGEST_REST_MS);

/**
 * Returns the wait that `Retry-After` requests in milliseconds, given in seconds or as a date; null if it can't be
 * parsed.
 */
export function retryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const at = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}
