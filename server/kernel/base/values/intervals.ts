/**
 * Sets of time: sorted lists of nonempty periods that neither overlap nor touch, in epoch milliseconds, half-open as in
 * period.ts. Every function takes such lists and returns one, in time linear in their lengths.
 */
import type { Period } from './period.ts';

export type Spans = readonly Period[];

/** Returns the set of time of any periods, in any order. */
export function spansOf(periods: readonly Period[]): Period[] {
  const sorted = periods.filter((p) => p.start < p.end).toSorted((a, b) => a.start - b.start);
  return merged(sorted);
}

/** Merges periods that are sorted by their start and not empty. */
function merged(sorted: Iterable<Period>): Period[] {
  const spans: Period[] = [];
  for (const { start, end } of sorted) {
    const last = spans.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

/** Returns the time that is in either set. */
export function union(a: Spans, b: Spans): Period[] {
  return merged(byStart(a, b));
}

function* byStart(a: Spans, b: Spans): Generator<Period> {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length)
    yield j === b.length || (i < a.length && a[i].start <= b[j].start) ? a[i++] : b[j++];
}

/** Returns the time that is in both sets. */
export function intersect(a: Spans, b: Spans): Period[] {
  const spans: Period[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [start, end] = [Math.max(a[i].start, b[j].start), Math.min(a[i].end, b[j].end)];
    if (start < end) spans.push({ start, end });
    if (a[i].end < b[j].end) i++;
    else j++;
  }
  return spans;
}

/** Returns the time that is in the first set and not in the second. */
export function subtract(from: Spans, what: Spans): Period[] {
  const spans: Period[] = [];
  let j = 0;
  for (const { start, end } of from) {
    let at = start;
    while (j < what.length && what[j].end <= at) j++;
    // The last period that cuts this one may cut the next one too, so it is checked again.
    let k = j;
    for (; k < what.length && what[k].start < end; k++) {
      if (at < what[k].start) spans.push({ start: at, end: what[k].start });
      at = Math.max(at, what[k].end);
    }
    if (at < end) spans.push({ start: at, end });
    j = Math.max(j, k - 1);
  }
  return spans;
}

/** Returns the set with more time before and after each of its periods. */
export function widened(spans: Spans, before: number, after: number): Period[] {
  return merged(spans.map(({ start, end }) => ({ start: start - before, end: end + after })));
}

/** Returns the period of the set that contains all of a period; undefined: there is none. Uses binary search. */
export function around(spans: Spans, { start, end }: Period): Period | undefined {
  const found = spans[lastAtOrBefore(spans, start)];
  return found && end <= found.end ? found : undefined;
}

/** Returns true if a period shares a moment with the set. Uses binary search. */
export function meets(spans: Spans, { start, end }: Period): boolean {
  if (start >= end) return false;
  const i = lastAtOrBefore(spans, start);
  return (i >= 0 && start < spans[i].end) || (i + 1 < spans.length && spans[i + 1].start < end);
}

/** Returns the position of the last period that starts then or earlier; -1: none does. */
function lastAtOrBefore(spans: Spans, at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans[middle].start <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the total length, in milliseconds. */
export const lengthOf = (spans: Spans): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);
