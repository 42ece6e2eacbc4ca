/** Interprets the response of a push service for a message and its device. */

export type Outcome =
  | { readonly is: 'sent' }
  /** the device has ended its subscription */
  | { readonly is: 'gone' }
  | { readonly is: 'later'; readonly retryAfterMs?: number }
  /** it will never be accepted */
  | { readonly is: 'dropped' };

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;

export function outcomeOf(status: number, retryAfter?: string): Outcome {
  if (status >= 200 && status < 300) return { is: 'sent' };
  if (status === 404 || status === 410) return { is: 'gone' };
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = retryAfter !== undefined && /^\d{1,7}$/.test(retryAfter) ? Number(retryAfter) : undefined;
    return { is: 'later', ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }) };
  }
  return { is: 'dropped' };
}

/**
 * Returns how long to wait after so many attempts: twice as long each time, and at least as long as the service asks
 * for.
 */
export const pauseAfter = (attempts: number, asked = 0): number =>
  Math.max(Math.min(FIRST_PAUSE_MS * 2 ** Math.max(attempts - 1, 0), LONGEST_PAUSE_MS), asked);
