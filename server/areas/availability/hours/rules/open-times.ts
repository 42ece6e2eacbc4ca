/** When a schedule is open, as instants: the one place where its wall times meet the clocks of a zone. Pure. */
import { addDays, instantOfWall, startOfDay, weekdayOf } from '../../../../kernel/values/zone.ts';
import { intersect, spansOf, subtract, union } from '../../../../kernel/values/intervals.ts';
import type { Period } from '../../../../kernel/values/period.ts';
import type { TimeRange } from './ranges.ts';

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
export function spanOf({ start, end }: TimeRange, date: string, zone: string): Period | null {
  const span = {
    start: instantOfWall(`${date}T${start}`, zone, 'earlier'),
    end: instantOfWall(`${end > start ? date : addDays(date, 1)}T${end}`, zone, 'later'),
  };
  return span.start < span.end ? span : null;
}

/** From the day before the first: its hours may reach into it. */
function* daysReaching(from: string, to: string): Generator<string> {
  for (let date = addDays(from, -1); date <= to; date = addDays(date, 1)) yield date;
}

/** Blocked times of a venue, whose wall times are its own. */
export interface VenueBlocked {
  readonly zone: string;
  readonly blocked: ReadonlyMap<string, readonly TimeRange[]>;
}

/** A plan for every venue, with what is blocked at each of them. */
export interface PlanAnywhere extends Plan {
  readonly elsewhere: ReadonlyMap<number, VenueBlocked>;
}

/** Dates by the clocks of `zone`, from the day before the first. */
const spansIn = (
  zone: string,
  from: string,
  to: string,
  rangesOn: (date: string) => readonly TimeRange[] | undefined,
): Period[] =>
  spansOf(
    [...daysReaching(from, to)].flatMap((date) =>
      (rangesOn(date) ?? []).flatMap((range) => spanOf(range, date, zone) ?? []),
    ),
  );

/**
 * When it is open from the beginning of one day to the end of another: in order and apart. Hours belong to the day on
 * which they begin; where they reach into those of the next day, both are one.
 */
export function openTimes(plan: Plan, from: string, to: string): Period[] {
  const open = spansIn(plan.zone, from, to, (date) => hoursOn(plan, date));
  const blocked = spansIn(plan.zone, from, to, (date) => plan.blocked.get(date));
  const days = { start: startOfDay(from, plan.zone), end: startOfDay(addDays(to, 1), plan.zone) };
  return intersect(subtract(open, blocked), spansOf([days]));
}

/** All that is blocked of it at a venue, around these days: times of the plan, and those of the venue. */
export function blockedAt(plan: PlanAnywhere, venue: number, from: string, to: string): Period[] {
  const own = spansIn(plan.zone, from, to, (date) => plan.blocked.get(date));
  const there = plan.elsewhere.get(venue);
  // The venue may have another date at the time.
  const days = [addDays(from, -1), addDays(to, 1)] as const;
  return there
    ? union(
        own,
        spansIn(there.zone, ...days, (date) => there.blocked.get(date)),
      )
    : own;
}

/** `openTimes` at a venue: without what is blocked there. */
export const openAt = (plan: PlanAnywhere, venue: number, from: string, to: string): Period[] =>
  subtract(openTimes(plan, from, to), blockedAt(plan, venue, from, to));
