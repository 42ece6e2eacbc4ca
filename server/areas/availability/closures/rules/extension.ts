/** By how much a closure extends a membership: docs/algorithms/closures.md. Pure. */
import { addDays } from '../../../../kernel/base/values/date.ts';

interface Period {
  readonly start: string;
  /** the last day */
  readonly end: string;
  /** holds; their ends are days on which it is still held, null: open */
  readonly held: readonly { readonly start: string; readonly end: string | null }[];
}

/**
 * The last day after a closure: one day later for each closed day that the membership could have been used on. Days that
 * are won this way count too, so that nobody wins a day that is closed itself. `closed`: dates in order, each once.
 */
export function extendedTo({ start, end, held }: Period, closed: readonly string[]): string {
  let last = end;
  for (const day of closed) {
    const isHeld = held.some((hold) => hold.start <= day && (hold.end === null || day <= hold.end));
    if (start <= day && day <= last && !isHeld) last = addDays(last, 1);
  }
  return last;
}
