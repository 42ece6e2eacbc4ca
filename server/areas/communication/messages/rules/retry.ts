/** Decides when a message that could not be handed over is retried. */
export const MAX_ATTEMPTS = 18;
const FIRST_MS = 15_000;
const LONGEST_MS = 2 * 3_600_000;

/**
 * Returns the milliseconds to wait after so many attempts, or null to give up: after about a day, longer than most
 * outages.
 */
export const backOff = (attempts: number): number | null =>
  attempts >= MAX_ATTEMPTS ? null : Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
