/** When a schedule is open, as instants: the one place where its wall times meet the clocks of a zone. Pure. */
import { addDays, instantOfWall, startOfDay, weekdayOf } from '../../../../kernel/values/zone.ts';
import type { TimeRange } from './ranges.ts';

/** Epoch ms; the end does not belong to it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The part of a schedule that says when; dates are days in its zone. */
export interface Plan {
  readonly zone: string;
  /** seven days, Monday first */
  readonly weekly: readonly (readonly TimeRange[])[];
  /** instead of the weekly hours of the day; none: closed */
  readonly overrides: ReadonlyMap<string, readonly TimeRange[]>;
  readonly blocked: ReadonlyMap<string, readonly TimeRange[]>;
}

/** The hours that begin on a day, before anything blocked is taken off. */
export const hoursOn = (
  { weekly, overrides }: Pick<Plan, 'weekly' | 'overrides'>,
  date: string,
): readonly TimeRange[] => overrides.get(date) ?? weekly[weekdayOf(date) - 1];

/**
 * A range of a day as instants. Clocks that go forward move a time that they skip forward too; of a time that happens
 * twice a start means the earlier and an end the later. Null: the clocks skip all of it.
 */
export function spanOf({ start, end }: TimeRange, date: string, zone: string): Span | null {
  const span = {
    start: instantOfWall(`${date}T${start}`, zone, 'earlier'),
    end: instantOfWall(`${end > start ? date : addDays(date, 1)}T${end}`, zone, 'later'),
  };
  return span.start < span.end ? span : null;
}

/** In order, and what overlaps or touches made one. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const next of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && next.start <= last.end) all[all.length - 1] = { ...last, end: Math.max(last.end, next.end) };
    else all.push(next);
  }
  return all;
}

/** What is left of the first without the others; the first are in order and apart. */
export function without(spans: readonly Span[], taken: readonly Span[]): Span[] {
  let left = [...spans];
  for (const { start, end } of joined(taken)) {
    left = left.flatMap((span) =>
      span.end <= start || span.start >= end
        ? [span]
        : [
            { start: span.start, end: start },
            { start: end, end: span.end },
          ].filter((part) => part.start < part.end),
    );
  }
  return left;
}

/** From the day before the first: its hours may reach into it. */
function* daysReaching(from: string, to: string): Generator<string> {
  for (let date = addDays(from, -1); date <= to; date = addDays(date, 1)) yield date;
}

/**
 * When it is open from the beginning of one day to the end of another: in order and apart. Hours belong to the day on
 * which they begin; where they reach into those of the next day, both are one.
 */
export function openTimes(plan: Plan, from: string, to: string): Span[] {
  const spansOf = (rangesOn: (date: string) => readonly TimeRange[]) =>
    [...daysReaching(from, to)].flatMap((date) =>
      rangesOn(date).flatMap((range) => spanOf(range, date, plan.zone) ?? []),
    );
  const open = joined(spansOf((date) => hoursOn(plan, date)));
  const blocked = spansOf((date) => plan.blocked.get(date) ?? []);
  const [first, last] = [startOfDay(from, plan.zone), startOfDay(addDays(to, 1), plan.zone)];
  return without(open, blocked)
    .map(({ start, end }) => ({ start: Math.max(start, first), end: Math.min(end, last) }))
    .filter(({ start, end }) => start < end);
}
