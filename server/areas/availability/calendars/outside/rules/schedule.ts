/** Decides when a calendar is read next, and what its failures lead to. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Changes in other programs appear here within this time. */
export const EVERY_MS = 15 * MINUTE_MS;
const MAX_INTERVAL_MS = 6 * 60 * MINUTE_MS;
const MAX_WAIT_MS = DAY_MS;

/** After this, the owner is notified, once until the calendar works again. */
const NOTIFY_AFTER_MS = 3 * DAY_MS;
/** After this, its stored busy times are ignored: they say nothing about the days to come. */
const INACTIVE_AFTER_MS = 30 * DAY_MS;

/** Distance from now within which its events are kept. */
export const BACK_MS = DAY_MS;
export const AHEAD_MS = 400 * DAY_MS;
/** The window moves on, so even an unchanged calendar is expanded again from time to time. */
export const EXPANDED_FOR_MS = 7 * DAY_MS;

/**
 * Returns the time until the next read after a number of consecutive failures: 15 minutes, doubled each time, at most
 * six hours. A calendar may ask for more, at most a day. `part` is a number from 0 to 1 that spreads the times by a
 * tenth.
 */
export function pauseAfter(failures: number, { part, asked = 0 }: { part: number; asked?: number }): number {
  const pause = Math.min(EVERY_MS * 2 ** Math.min(Math.max(failures - 1, 0), 10), MAX_INTERVAL_MS);
  return Math.round(Math.max(pause, Math.min(asked, MAX_WAIT_MS)) * (1 + part / 10));
}

interface Failing {
  readonly since: number;
  readonly now: number;
  readonly notified: boolean;
}

export const isNotificationDue = ({ since, now, notified }: Failing): boolean =>
  !notified && now - since >= NOTIFY_AFTER_MS;

export const isActive = ({ since, now }: Pick<Failing, 'since' | 'now'>): boolean => now - since < INACTIVE_AFTER_MS;
