/**
 * Computes when a schedule is open, as instants: the only place where its wall times meet the clocks of a zone. Pure.
 */
import {
  addDays,
  dateOfDayNumber,
  dayNumberOf,
  instantOfWall,
  startOfDay,
  weekdayOf,
} from '../../../../kernel/base/values/zone.ts';
import { intersect, spansOf, subtract, union, type Spans } from '../../../../kernel/base/values/intervals.ts';
import type { Period } from '../../../../kernel/base/values/period.ts';
import type { TimeRange } from './ranges.ts';

/** The part of a schedule that determines its hours; dates are days in its zone. */
export interface Plan {
  readonly zone: string;
  /** seven days, Monday first */
  readonly weekly: readonly (readonly TimeRange[])[];
  /** replace the weekly hours of the day; an empty list: closed */
  readonly overrides: ReadonlyMap<string, readonly TimeRange[]>;
  readonly blocked: ReadonlyMap<string, readonly TimeRange[]>;
}

/** Returns the hours that begin on a day, before blocked times are subtracted. */
const hoursOn = ({ weekly, overrides }: Pick<Plan, 'weekly' | 'overrides'>, date: string): readonly TimeRange[] =>
  overrides.get(date) ?? weekly[weekdayOf(date) - 1];

/**
 * Returns a range of a day as instants. If clocks are set forward, skipped times move forward too; of a time that
 * occurs twice, a start means the earlier and an end the later. Null if the clocks skip the whole range.
 */
export function spanOf({ start, end }: TimeRange, date: string, zone: string): Period | null {
  const span = {
    start: instantOfWall(`${date}T${start}`, zone, 'earlier'),
    end: instantOfWall(`${end > start ? date : addDays(date, 1)}T${end}`, zone, 'later'),
  };
  return span.start < span.end ? span : null;
}

/** Starts on the day before the first: its hours may extend into it. */
function* daysReaching(from: string, to: string): Generator<string> {
  const last = dayNumberOf(to);
  for (let day = dayNumberOf(from) - 1; day <= last; day++) yield dateOfDayNumber(day);
}

/** Blocked times of a venue, in its own wall time. */
export interface VenueBlocked {
  readonly zone: string;
  readonly blocked: ReadonlyMap<string, readonly TimeRange[]>;
}

/** A plan that applies at every venue, with the times blocked at each of them. */
interface PlanAnywhere extends Plan {
  readonly elsewhere: ReadonlyMap<number, VenueBlocked>;
}

type RangesOn = (date: string) => readonly TimeRange[] | undefined;

/** Returns the ranges of these days as instants in `zone`, unmerged. */
function rangesIn(zone: string, from: string, to: string, rangesOn: RangesOn): Period[] {
  const ranges: Period[] = [];
  for (const date of daysReaching(from, to))
    for (const range of rangesOn(date) ?? []) {
      const span = spanOf(range, date, zone);
      if (span) ranges.push(span);
    }
  return ranges;
}

const spansIn = (zone: string, from: string, to: string, rangesOn: RangesOn): Period[] =>
  spansOf(rangesIn(zone, from, to, rangesOn));

const daysIn = (zone: string, from: string, to: string): Period => ({
  start: startOfDay(from, zone),
  end: startOfDay(addDays(to, 1), zone),
});

/**
 * Returns the open times from the beginning of one day to the end of another, in order and without overlaps. Hours
 * belong to the day on which they begin; hours that extend into those of the next day are merged with them.
 */
export function openTimes(plan: Plan, from: string, to: string): Period[] {
  const open = spansIn(plan.zone, from, to, (date) => hoursOn(plan, date));
  const blocked = spansIn(plan.zone, from, to, (date) => plan.blocked.get(date));
  return intersect(subtract(open, blocked), [daysIn(plan.zone, from, to)]);
}

/** Returns everything that is blocked at a venue around these days: the times of the plan, and those of the venue. */
function blockedAt(plan: PlanAnywhere, venue: number, from: string, to: string): Period[] {
  const own = spansIn(plan.zone, from, to, (date) => plan.blocked.get(date));
  const there = plan.elsewhere.get(venue);
  // The date at the venue may differ at the same moment.
  const days = [addDays(from, -1), addDays(to, 1)] as const;
  return there
    ? union(
        own,
        spansIn(there.zone, ...days, (date) => there.blocked.get(date)),
      )
    : own;
}

/** A plan, applied to a venue. */
interface PlanThere {
  /** ranges of opening hours, unmerged, from the day before the first */
  readonly hours: readonly Period[];
  readonly blocked: Spans;
  /** `openTimes`, without the times that are blocked there */
  readonly open: Spans;
}

/** Computes all parts together, so that each wall time is converted only once. */
export function planAt(plan: PlanAnywhere, venue: number, from: string, to: string): PlanThere {
  const hours = rangesIn(plan.zone, from, to, (date) => hoursOn(plan, date));
  const blocked = blockedAt(plan, venue, from, to);
  return { hours, blocked, open: intersect(subtract(spansOf(hours), blocked), [daysIn(plan.zone, from, to)]) };
}
