/** The pause after wrong codes. Pure. */

/** Attempts without a pause, for the caller and for their network; a network may be a whole office. */
const FREE = { caller: 5, network: 30 } as const;
export type Whose = keyof typeof FREE;

const LONGEST_SECONDS = 900;
/** After a day without an attempt, counting starts over. */
export const FORGOTTEN_MS = 24 * 3_600_000;

/** Returns the seconds until the next attempt, after this many wrong ones. */
export const pauseAfter = (failures: number, whose: Whose): number =>
  failures <= FREE[whose] ? 0 : Math.min(LONGEST_SECONDS, 2 ** (failures - FREE[whose]));
