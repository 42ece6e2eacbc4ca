/**
 * Wall times (`YYYY-MM-DDTHH:MM:SS`, the local time in a zone) and the instants (epoch ms) that they mean. The rules
 * with worked tables are in docs/algorithms/time.md.
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

/** Returns the wall time of a zone at an instant, in whole seconds. */
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

/** Returns the wall time of an instant as `YYYY-MM-DDTHH:MM:SS`. */
export function formatWall(epochMs: number, zone: string): string {
  return localText(epochMs + offsetAt(epochMs, zone) * MS_PER_MINUTE);
}

// Timestamps of one response mostly fall on few days, so the last date's text is cached.
let lastDay = 0;
let lastDateText = '1970-01-01';

/**
 * Returns milliseconds of a local timeline (wall time read as if it were UTC) as `YYYY-MM-DDTHH:MM:SS`; fractions are
 * cut off.
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

/**
 * Returns local milliseconds of validated parts, or null if there is no such date or time (24:00 and second 60 don't
 * exist).
 */
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

/**
 * Returns local milliseconds of a wall time `YYYY-MM-DDTHH:MM[:SS]` (also with a space for the T), or null if it is
 * invalid.
 */
export function parseWall(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  return match && localMs(+match[1], +match[2], +match[3], +match[4], +match[5], +(match[6] ?? 0));
}

/**
 * Returns the instant of a wall time. A wall time that a clock change skipped moves forward by the skipped time; one
 * that happens twice means the earlier instant unless `fold` is `later`. Throws RangeError for text that is not a wall
 * time and for an unknown zone.
 */
export function instantOfWall(wall: string, zone: string, fold: 'earlier' | 'later' = 'earlier'): number {
  return instantOfLocal(requireWall(wall), zone, fold);
}

/** Returns whether a wall time happens once, never (`gap`) or twice (`fold`) in a zone. */
export function wallKind(wall: string, zone: string): WallKind {
  const instants = instantsOfLocal(requireWall(wall), zone);
  if (instants.length === 0) return 'gap';
  return instants.length === 1 ? 'unique' : 'fold';
}

/** Returns true if the wall time of an instant also happens an hour later or earlier. */
export const isShownTwice = (epochMs: number, zone: string): boolean =>
  instantsOfLocal(epochMs + offsetAt(epochMs, zone) * MS_PER_MINUTE, zone).length > 1;

function requireWall(wall: string): number {
  const local = parseWall(wall);
  if (local === null) throw new RangeError(`Not a wall time: ${JSON.stringify(wall)}`);
  return local;
}

/** Works like `instantOfWall`, for local milliseconds. */
export function instantOfLocal(local: number, zone: string, fold: 'earlier' | 'later' = 'earlier'): number {
  const instants = instantsOfLocal(local, zone);
  if (instants.length === 0) return local - offsetAt(local - MS_PER_DAY, zone) * MS_PER_MINUTE;
  return instants[fold === 'earlier' ? 0 : instants.length - 1];
}

/**
 * Returns all instants with a local time, in order. No zone is a whole day from UTC, so a day either way sees both
 * offsets.
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
 * Returns the first instant of a date in a zone: its midnight, or if a clock change skips midnight, the instant of that
 * change (for a date that is skipped entirely, the start of the following one). Throws RangeError for text that is not
 * a date.
 */
export function startOfDay(date: string, zone: string): number {
  const local = dayNumberOf(date) * MS_PER_DAY;
  const [midnight] = instantsOfLocal(local, zone);
  return midnight ?? offsetInterval(instantOfLocal(local, zone), zone).from;
}
