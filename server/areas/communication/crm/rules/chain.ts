/**
 * Decides if a run may begin, by the runs that led to it: workflows that trigger each other would run forever. The
 * worked table is in docs/algorithms/workflows.md.
 */

/** Number of runs in sequence, each triggered by the one before. */
export const LONGEST_CHAIN = 8;
/**
 * Number of runs of a workflow for one customer within a day, whatever triggers it: this stops loops through other
 * programs.
 */
export const RUNS_A_DAY = 20;

export interface Behind {
  readonly workflow: number;
  /** the workflows of the preceding runs, the nearest first */
  readonly chain: readonly number[];
  /** runs of this workflow for this customer in the last 24 hours */
  readonly runsToday: number;
}

/** Returns why the run is stopped, as a text for people; null if it may begin. */
export function refuseRun({ workflow, chain, runsToday }: Behind): string | null {
  if (chain.includes(workflow)) {
    const way = [...chain.toReversed(), workflow].join(' → ');
    return `A circle: this workflow triggered itself again (${way}).`;
  }
  if (chain.length >= LONGEST_CHAIN)
    return `A chain of ${chain.length} workflows (${chain.toReversed().join(' → ')}): at most ${LONGEST_CHAIN} can trigger each other.`;
  if (runsToday >= RUNS_A_DAY)
    return `It ran ${runsToday} times for this customer within a day, and at most ${RUNS_A_DAY} are allowed.`;
  return null;
}
