/** Computes by how much a closure extends a membership: docs/algorithms/closures.md. Pure. */
import { addDays } from '../../../../kernel/base/values/date.ts';

interface Period {
  readonly start: string;
  /** the last day */
  readonly end: string;
  /** holds; an end is the last day of the hold, null: open-ended */
  readonly held: readonly { readonly start: string; readonly end: string | null }[];
}

/**
 * Returns the last day after a closure: one day later for each closed day on which the membership could have been used.
 * Days that are added this way count too, so that nobody gains a day that is closed itself. `closed`: dates in order,
 * each once.
 */
export function extendedTo({ start, end, held }: Period, closed: readonly string[]): string {
  let last = end;
  for (const day of closed) {
    const isHeld = held.some((hold) => hold.start <= day && (hold.end === null || day <= hold.end));
    if (start <= day && day <= last && !isHeld) last = addDays(last, 1);
  }
  return last;
}
