/** The steps of the set-up, and which of them are done. Pure. */

export const STEPS = [
  'venue',
  'offering',
  'event',
  'membership',
  'payments',
  'look',
  'import',
  'staff',
  'site',
  'share',
] as const;

export type Step = (typeof STEPS)[number];

/** The count of each step; absent until it is read. */
export type Counts = Readonly<Partial<Record<Step, number>>>;

/** Steps that many businesses don't need: they don't count as open. */
export const OPTIONAL: ReadonlySet<Step> = new Set(['import']);

/** Steps without which nobody can book and pay. Until they are done, the list is the first screen. */
export const ESSENTIAL: readonly Step[] = ['venue', 'offering', 'event', 'membership', 'payments'];

const isDone = (counts: Counts, step: Step): boolean => (counts[step] ?? 0) > 0;

export interface Progress {
  readonly done: number;
  readonly all: number;
  /** the first open step; null if all are done */
  readonly next: Step | null;
}

/** Returns how many of the steps that count are done; null until all counts are read. */
export function progressOf(counts: Counts): Progress | null {
  if (STEPS.some((step) => counts[step] === undefined)) return null;
  const needed = STEPS.filter((step) => !OPTIONAL.has(step));
  const open = needed.filter((step) => !isDone(counts, step));
  return { done: needed.length - open.length, all: needed.length, next: open[0] ?? null };
}

/** Returns true if people can book and pay. */
export const isRunning = (counts: Counts): boolean => ESSENTIAL.every((step) => isDone(counts, step));
