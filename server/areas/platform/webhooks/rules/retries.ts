/** When a delivery that failed is tried again, and when a destination is left in peace. Pure; chance is passed in. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * How long after the first failure, the second and so on; the last failure parks. Together a little less than three
 * days.
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
export const MOST_ATTEMPTS = WAITS_MS.length + 1;

/** Each wait is up to a tenth shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.1;

/** A receiver is waited for as long as it asks, but no longer. */
export const RETRY_AFTER_AT_MOST_MS = DAY;

/** A destination to which nothing could be delivered for so long is paused. */
export const FAILS_AT_MOST_MS = 5 * DAY;

/**
 * Milliseconds until the next attempt after so many failures in a row; null: there is none.
 * @param chance from 0 to 1
 * @param asked what the receiver asked to wait, ms
 */
export function waitAfter(failures: number, chance: number, asked: number | null): number | null {
  const wait = WAITS_MS[failures - 1];
  if (wait === undefined) return null;
  const own = Math.round(wait * (1 + JITTER * (2 * chance - 1)));
  return Math.max(own, Math.min(asked ?? 0, RETRY_AFTER_AT_MOST_MS));
}

const PATIENCE = 3;
const FIRST_REST_MS = 5 * SECOND;
const LONGEST_REST_MS = 5 * MINUTE;

/** How long nothing is sent to a destination where so many deliveries failed one after another, whichever they were. */
export const restAfter = (failures: number): number =>
  failures < PATIENCE ? 0 : Math.min(FIRST_REST_MS * 2 ** Math.min(failures - PATIENCE, 20), LONGEST_REST_MS);

/** What `Retry-After` asks for in ms: seconds, or a date; null: nothing that can be read. */
export function retryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND;
  const at = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}
