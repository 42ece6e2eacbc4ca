/**
 * Wall times (`YYYY-MM-DDTHH:MM:SS`, what a clock on the wall of a zone shows) and the instants (epoch ms) they stand
 * for. The written rules and worked tables are in docs/algorithms/time.md.
 */
import { dateText, dayNumber, dayNumberOf, isValidDate, MS_PER_DAY, twoDigits, weekday, yearMonthDay } from './date.ts';
import { MS_PER_MINUTE, offsetAt, offsetInterval } from './offset.ts';

/** `dayOfWeek` is ISO: 1 is Monday, 7 is Sunday. */
export type Wall = {
  date: string;
  time: string;
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  dayOfWeek: number;
};

export type WallKind = 'unique' | 'gap' | 'fold';

/** What the clocks of a zone show at an instant, in whole seconds. */
export function wallAt(epochMs: number, zone: string): Wall {
  const local = epochMs + offsetAt(epochMs, zone) * MS_PER_MINUTE;
  const days = Math.floor(local / MS_PER_DAY);
  const seconds = Math.floor((local - days * MS_PER_DAY) / 1000);
  const date = yearMonthDay(days);
  return {
    date: dateText(date),
    time: timeText(seconds),
    ...date,
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    dayOfWeek: weekday(days),
  };
}

/** The wall time of an instant as `YYYY-MM-DDTHH:MM:SS`. */
export function formatWall(epochMs: number, zone: string): string {
  return localText(epochMs + offsetAt(epochMs, zone) * MS_PER_MINUTE);
}

// Timestamps of one answer mostly fall on few days: the last date's text is worth keeping.
let lastDay = 0;
let lastDateText = '1970-01-01';

/**
 * Milliseconds of a local timeline (wall time read as if it were UTC) as `YYYY-MM-DDTHH:MM:SS`; fractions are cut off.
 */
export function localText(local: number): string {
  const days = Math.floor(local / MS_PER_DAY);
  if (days !== lastDay) {
    lastDateText = dateText(yearMonthDay(days));
    lastDay = days;
  }
  return `${lastDateText}T${timeText(Math.floor((local - days * MS_PER_DAY) / 1000))}`;
}

function timeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** Local milliseconds of checked parts, or null when there is no such date or time (24:00 and second 60 are none). */
export function localMs(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  if (!isValidDate(year, month, day) || hour > 23 || minute > 59 || second > 59) return null;
  return dayNumber(year, month, day) * MS_PER_DAY + hour * 3_600_000 + minute * MS_PER_MINUTE + second * 1000;
}

/** Local milliseconds of a wall time `YYYY-MM-DDTHH:MM[:SS]` (a space for the T too), or null when it is none. */
export function parseWall(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  return match && localMs(+match[1], +match[2], +match[3], +match[4], +match[5], +(match[6] ?? 0));
}

/**
 * The instant of a wall time. A wall time that a clock change skipped moves forward by what was skipped; of one that
 * happens twice the earlier is meant unless `fold` says `later`. Throws RangeError for text that is no wall time and
 * for an unknown zone.
 */
export function instantOfWall(wall: string, zone: string, fold: 'earlier' | 'later' = 'earlier'): number {
  return instantOfLocal(requireWall(wall), zone, fold);
}

/** Whether a wall time happens once, never (`gap`) or twice (`fold`) in a zone. */
export function wallKind(wall: string, zone: string): WallKind {
  const instants = instantsOfLocal(requireWall(wall), zone);
  if (instants.length === 0) return 'gap';
  return instants.length === 1 ? 'unique' : 'fold';
}

/** Whether the clocks of a zone show the wall time of an instant twice: an hour later or earlier, too. */
export const isShownTwice = (epochMs: number, zone: string): boolean =>
  instantsOfLocal(epochMs + offsetAt(epochMs, zone) * MS_PER_MINUTE, zone).length > 1;

function requireWall(wall: string): number {
  const local = parseWall(wall);
  if (local === null) throw new RangeError(`Not a wall time: ${JSON.stringify(wall)}`);
  return local;
}

/** `instantOfWall` for local milliseconds. */
export function instantOfLocal(local: number, zone: string, fold: 'earlier' | 'later' = 'earlier'): number {
  const instants = instantsOfLocal(local, zone);
  if (instants.length === 0) return local - offsetAt(local - MS_PER_DAY, zone) * MS_PER_MINUTE;
  return instants[fold === 'earlier' ? 0 : instants.length - 1];
}

/**
 * All instants at which the clocks show a local time, in order. No zone is a whole day from UTC, so a day either way
 * sees both offsets.
 */
function instantsOfLocal(local: number, zone: string): number[] {
  const before = offsetAt(local - MS_PER_DAY, zone);
  const after = offsetAt(local + MS_PER_DAY, zone);
  const first = local - before * MS_PER_MINUTE;
  if (before === after) return [first];
  const second = local - after * MS_PER_MINUTE;
  const instants: number[] = [];
  if (offsetAt(first, zone) === before) instants.push(first);
  if (offsetAt(second, zone) === after) instants.push(second);
  return instants;
}

/**
 * The first instant of a date in a zone: its midnight, or where a clock change skips midnight the instant of that
 * change (for a date skipped whole, the start of the following one). Throws RangeError for text that is no date.
 */
export function startOfDay(date: string, zone: string): number {
  const local = dayNumberOf(date) * MS_PER_DAY;
  const [midnight] = instantsOfLocal(local, zone);
  return midnight ?? offsetInterval(instantOfLocal(local, zone), zone).from;
}
