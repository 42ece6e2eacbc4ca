/**
 * Recurring schedules: an RRULE, the wall time and zone of its start, and exceptions. Every occurrence keeps the
 * planned wall time across clock changes; its instant is computed per occurrence. The algorithm is described in
 * docs/algorithms/recurrence.md.
 */
import { MS_PER_DAY, parseDate } from './date.ts';
import { recurrenceDays } from './recurrence-days.ts';
import type { Recurrence, Until } from './recurrence-text.ts';
import { instantOfLocal, localText, parseWall } from './wall.ts';

export { describeRecurrence } from './recurrence-description.ts';
export { formatRecurrence, parseRecurrence } from './recurrence-text.ts';
export type { ByDay, Frequency, Recurrence, Until } from './recurrence-text.ts';

/** The planned wall time `YYYY-MM-DDTHH:MM:SS` and its instant (epoch ms); they differ in the hour only in a gap. */
export type Occurrence = { wall: string; instant: number };

/**
 * `startWall`: `YYYY-MM-DDTHH:MM[:SS]`, first day and time of day. `exceptions`: skipped dates or planned wall times
 * (they still count towards COUNT). `from`, `to`: only instants `from <= instant < to` (epoch ms). `limit`: maximum
 * number.
 */
export type Schedule = {
  startWall: string;
  zone: string;
  exceptions?: readonly string[];
  from?: number;
  to?: number;
  limit?: number;
};

/**
 * Yields occurrences in order, computed on demand. Ends at `to`, `limit`, COUNT, UNTIL, the end of the year 9999, or
 * when the rule can never match again. Throws RangeError for an invalid start, zone or exception.
 */
export function* occurrences(rule: Recurrence, schedule: Schedule): Generator<Occurrence, void> {
  const { zone, from = -Infinity, to = Infinity, limit = Infinity } = schedule;
  const start = localOfWall(schedule.startWall);
  const anchor = Math.floor(start / MS_PER_DAY);
  const timeOfDay = start - anchor * MS_PER_DAY;
  const leftOut = new Set(schedule.exceptions?.map(exceptionKey));
  if (limit < 1) return;
  // A local day is less than a day away from the UTC day, and a gap moves an occurrence later by at most a day.
  const days = recurrenceDays(rule, anchor, Math.floor(from / MS_PER_DAY) - 2, Math.floor(to / MS_PER_DAY) + 1);
  let shown = 0;
  for (const day of days) {
    const local = day * MS_PER_DAY + timeOfDay;
    const instant = instantOfLocal(local, zone);
    if (instant >= to || isPast(rule.until, local, instant)) return;
    const wall = localText(local);
    if (instant < from || leftOut.has(wall) || leftOut.has(wall.slice(0, 10))) continue;
    yield { wall, instant };
    if (++shown >= limit) return;
  }
}

function isPast(until: Until | null, local: number, instant: number): boolean {
  if (until === null) return false;
  return (until.utc ? instant : local) > localOfWall(until.wall);
}

/** Dates and wall times have different forms, so both kinds of exception are in one set. */
function exceptionKey(exception: string): string {
  return parseDate(exception) ?? localText(localOfWall(exception));
}

function localOfWall(wall: string): number {
  const local = parseWall(wall);
  if (local === null) throw new RangeError(`Not a wall time: ${JSON.stringify(wall)}`);
  return local;
}
