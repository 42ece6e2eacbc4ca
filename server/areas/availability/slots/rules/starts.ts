/**
 * Finds the times at which something can start, from open and busy times: docs/algorithms/slots.md. Pure; epoch
 * milliseconds.
 */
import { around, meets, subtract, union, widened, type Spans } from '../../../../kernel/base/values/intervals.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';

/** The lengths of an offer in milliseconds. */
export interface Offer {
  readonly duration: number;
  /** time that is kept free before and after it */
  readonly before: number;
  readonly after: number;
  /** time from one start to the next; null: the next starts when the previous one and the time kept free have ended */
  readonly step: number | null;
}

/** A use of an instructor or a room. */
export interface Use extends Period {
  /** its own time, without the time kept free around it */
  readonly startsAt: number;
  readonly endsAt: number;
  /** id; null: unknown */
  readonly venue: number | null;
}

/** Returns the travel time from one venue to another, in milliseconds. */
type Travel = (from: number, to: number) => number;

/** Returns all time in use, including the time kept free around each use. */
export const usedBy = (uses: readonly Use[]): Spans => union(sorted(uses), []);

const sorted = (periods: readonly Period[]): Period[] => periods.toSorted((a, b) => a.start - b.start);

/**
 * Returns the times at which nothing can take place at a venue, because there would be no time to get there or away.
 */
export const travelling = (uses: readonly Use[], venue: number, travel: Travel): Spans =>
  union(
    sorted(
      uses.flatMap(({ startsAt, endsAt, venue: other }) => {
        const way = other === null || other === venue ? 0 : travel(other, venue);
        return way > 0 ? [{ start: startsAt - way, end: endsAt + way }] : [];
      }),
    ),
    [],
  );

/**
 * Returns the times at which a booking itself can't take place because of other uses: the time kept free after it must
 * end before the next use begins, and the time kept free before it must begin after the last use has ended.
 */
export const keptFrom = (used: Spans, { before, after }: Offer): Spans => widened(used, after, before);

/**
 * Returns all starts within `free`, in order. Steps are counted from the beginning of each range in `hours`, the
 * opening hours, so that a booking moves no other start.
 */
export function startsWithin(
  hours: readonly Period[],
  free: Spans,
  { duration, before, after, step }: Offer,
): number[] {
  if (step === null)
    return free.flatMap(({ start, end }) => {
      const pace = duration + before + after;
      const n = Math.max(0, Math.floor((end - start - duration) / pace) + 1);
      return Array.from({ length: n }, (_, i) => start + i * pace);
    });
  const starts = new Set<number>();
  let first = 0;
  for (const range of sorted(hours)) {
    while (first < free.length && free[first].end <= range.start) first++;
    for (let i = first; i < free.length && free[i].start < range.end; i++) {
      const from = range.start + Math.max(0, Math.ceil((free[i].start - range.start) / step)) * step;
      for (let at = from; at < range.end && at + duration <= free[i].end; at += step) starts.add(at);
    }
  }
  return [...starts].toSorted((a, b) => a - b);
}

/** Returns the open time without the time that is kept. */
export const subtractAll = (open: Spans, ...kept: readonly Spans[]): Spans => kept.reduce(subtract, open);

/** Returns true if it can take place at that time. */
export const fits = (free: Spans, startsAt: number, { duration }: Offer): boolean =>
  around(free, { start: startsAt, end: startsAt + duration }) !== undefined;

/** Returns true if it would conflict with another use. */
export const isKept = (kept: Spans, startsAt: number, { duration }: Offer): boolean =>
  meets(kept, { start: startsAt, end: startsAt + duration });
