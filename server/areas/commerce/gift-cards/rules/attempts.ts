/** How long somebody waits after wrong codes. Pure. */

/** Who sends the codes, and from which network; a network may be a whole office. */
export const FREE = { caller: 5, network: 30 } as const;
export type Whose = keyof typeof FREE;

const LONGEST_SECONDS = 900;
/** Without an attempt for a day, it begins anew. */
export const FORGOTTEN_MS = 24 * 3_600_000;

/** Seconds until the next attempt, after so many that were wrong. */
export const pauseAfter = (failures: number, whose: Whose): number =>
  failures <= FREE[whose] ? 0 : Math.min(LONGEST_SECONDS, 2 ** (failures - FREE[whose]));
