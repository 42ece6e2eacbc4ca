/**
 * Whether a run may begin, by what stands behind it: workflows whose effects set each other off would go on for ever.
 * The worked table is in docs/algorithms/workflows.md.
 */

/** So many runs one after the other, each set off by the one before. */
export const LONGEST_CHAIN = 8;
/**
 * So often a workflow runs for one customer within a day, whatever sets it off: catches circles that lead through other
 * programs.
 */
export const RUNS_A_DAY = 20;

export interface Behind {
  readonly workflow: number;
  /** the workflows of the runs behind this one, the nearest first */
  readonly chain: readonly number[];
  /** runs of this workflow for this customer in the last 24 hours */
  readonly runsToday: number;
}

/** Null: it may. Else why it is stopped, for people. */
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
