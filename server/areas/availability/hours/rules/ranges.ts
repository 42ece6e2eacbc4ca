/**
 * Ranges within a day, as a schedule has them: wall times at its location. Pure; tables in docs/algorithms/hours.md.
 */

/** Wall times, `HH:MM`. An end that is not after its start is on the next day; `00:00`–`00:00` is the whole day. */
export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

/** Minutes from midnight of the day on which a range begins; the end is at most a day later. */
interface Minutes {
  readonly start: number;
  readonly end: number;
}

export const DAY = 1440;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');

export function minutesIn({ start, end }: TimeRange): Minutes {
  const [from, to] = [minutesOf(start), minutesOf(end)];
  return { start: from, end: to > from ? to : to + DAY };
}

const rangeOf = ({ start, end }: Minutes): TimeRange => ({ start: timeOf(start), end: timeOf(end) });

/** Returns the ranges in order, with overlapping and adjacent ones merged. */
function merged(all: readonly Minutes[]): Minutes[] {
  const united: Minutes[] = [];
  for (const next of all.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = united.at(-1);
    if (last && next.start <= last.end) united[united.length - 1] = { ...last, end: Math.max(last.end, next.end) };
    else united.push(next);
  }
  return united;
}

/**
 * Merges overlapping and adjacent ranges of one day, and returns them in order. Null if a merged range would be longer
 * than a day, which a range can't express.
 */
export function unite(ranges: readonly TimeRange[]): TimeRange[] | null {
  const united = merged(ranges.map(minutesIn));
  return united.some(({ start, end }) => end - start > DAY) ? null : united.map(rangeOf);
}

/**
 * Returns everything that is blocked on one day, from all sources. If a merged range would be longer than a day, the
 * ranges are returned unmerged, in order.
 */
export const together = (ranges: readonly TimeRange[]): TimeRange[] =>
  unite(ranges) ??
  ranges
    .map(minutesIn)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map(rangeOf);
