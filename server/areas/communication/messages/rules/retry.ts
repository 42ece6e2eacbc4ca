/** When a message that could not be handed over is tried again. */
export const MOST_ATTEMPTS = 18;
const FIRST_MS = 15_000;
const LONGEST_MS = 2 * 3_600_000;

/** Milliseconds to wait after so many attempts, or null when it is enough: about a day, longer than most outages. */
export const backOff = (attempts: number): number | null =>
  attempts >= MOST_ATTEMPTS ? null : Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS);
