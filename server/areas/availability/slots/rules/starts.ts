/** At which times something can start, of what is open and what is busy: docs/algorithms/slots.md. Pure; epoch ms. */
import { around, meets, subtract, union, widened, type Spans } from '../../../../kernel/base/values/intervals.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';

/** How one is offered; ms. */
export interface Offer {
  readonly duration: number;
  /** what stays free before and after it */
  readonly before: number;
  readonly after: number;
  /** from one start to the next; null: one starts when the one before it and what stays free have ended */
  readonly step: number | null;
}

/** What somebody or something is used for. */
export interface Use extends Period {
  /** its own time, without what stays free around it */
  readonly startsAt: number;
  readonly endsAt: number;
  /** id; null: it does not say where */
  readonly venue: number | null;
}

/** How long it takes from one venue to another, ms. */
export type Travel = (from: number, to: number) => number;

/** Everything that is in use: what stays free around each use belongs to it. */
export const usedBy = (uses: readonly Use[]): Spans => union(sorted(uses), []);

const sorted = (periods: readonly Period[]): Period[] => periods.toSorted((a, b) => a.start - b.start);

/** Where nothing may take place at a venue, because there would be no time to get there or away. */
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
 * Where the thing itself may not take place because of uses: what stays free after it must end before the next use
 * begins, and what stays free before it must begin when the last one has ended.
 */
export const keptFrom = (used: Spans, { before, after }: Offer): Spans => widened(used, after, before);

/**
 * All starts within `free`, in order. `hours` are the ranges of opening hours, from the beginning of each of which the
 * steps are counted, so that a booking moves no other start.
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

/** What is open and not kept. */
export const freeOf = (open: Spans, ...kept: readonly Spans[]): Spans => kept.reduce(subtract, open);

/** Whether it can take place then. */
export const fits = (free: Spans, startsAt: number, { duration }: Offer): boolean =>
  around(free, { start: startsAt, end: startsAt + duration }) !== undefined;

/** Whether it would get in the way of something. */
export const isKept = (kept: Spans, startsAt: number, { duration }: Offer): boolean =>
  meets(kept, { start: startsAt, end: startsAt + duration });
