/**
 * Instants (epoch milliseconds) as text: as the interface prints them, as it accepts them, and as PostgreSQL sends
 * them.
 */
import { dayNumber, MS_PER_DAY, parseDate } from './date.ts';
import { MS_PER_MINUTE, offsetAt, offsetText } from './offset.ts';
import { formatWall, instantOfLocal, localMs, localText, parseWall, startOfDay } from './wall.ts';

const EARLIEST = dayNumber(1, 1, 1) * MS_PER_DAY;
const LATEST = dayNumber(10_000, 1, 1) * MS_PER_DAY - 1;

/**
 * Returns an instant as `2026-01-05T13:00:00-05:00`: whole seconds (fractions cut off), numeric offset of the zone, UTC
 * as `+00:00`.
 */
export function formatInstant(epochMs: number, zone: string): string {
  const offset = offsetAt(epochMs, zone);
  return localText(epochMs + offset * MS_PER_MINUTE) + offsetText(offset);
}

const INSTANT = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?` + // date, time, fraction
    String.raw`(?:(Z)|([+\- ])(\d{2})(?::?(\d{2}))?)?$`, // a space for the plus: a query string decodes it to a space
);

/**
 * Returns the instant that a text means, or null. Accepts `T` or a space; optional seconds and fraction (cut to
 * milliseconds); `Z`, `+02:00`, `+0200`, `+02`, or no offset (wall time in `zone`); a plain date (start of that day in
 * `zone`). Returns null for dates and times that do not exist, for hour 24, second 60, and outside the years 0001 to
 * 9999. Throws RangeError for an unknown zone only.
 */
export function parseInstant(text: string, zone: string): number | null {
  if (parseDate(text) !== null) return inRange(startOfDay(text, zone));
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const local = localMs(+match[1], +match[2], +match[3], +match[4], +match[5], +(match[6] ?? 0));
  if (local === null) return null;
  const instant = instantOfMatch(match, local, zone);
  return instant === null ? null : inRange(instant + milliseconds(match[7]));
}

/**
 * Returns the wall time that a text means, as `YYYY-MM-DDTHH:MM:SS`: as written if it has no offset, even in a gap of
 * the zone, otherwise converted to `zone`. Returns null if `parseInstant` does.
 */
export function wallOfText(text: string, zone: string): string | null {
  const at = parseInstant(text, zone);
  if (at === null) return null;
  const written = parseDate(text) === null ? parseWall(text) : null;
  return written === null ? formatWall(at, zone) : localText(written);
}

/** Returns the instant of the matched local time, from its own offset if it has one. */
function instantOfMatch(match: RegExpExecArray, local: number, zone: string): number | null {
  const [, , , , , , , , utc, sign, hours, minutes = '0'] = match;
  if (utc) return local;
  if (sign === undefined) return instantOfLocal(local, zone);
  if (+hours > 23 || +minutes > 59) return null;
  const offset = (+hours * 60 + +minutes) * MS_PER_MINUTE;
  return sign === '-' ? local + offset : local - offset;
}

function milliseconds(fraction: string | undefined): number {
  return fraction === undefined ? 0 : +fraction.slice(0, 3).padEnd(3, '0');
}

function inRange(epochMs: number): number | null {
  return epochMs >= EARLIEST && epochMs <= LATEST ? epochMs : null;
}

/**
 * Returns the instant of PostgreSQL's text for a timestamptz while the session's zone is UTC: `2026-01-05 13:00:00+00`,
 * `2026-01-05 13:00:00.123456+00` (cut to milliseconds). The server has checked the calendar; another form (another
 * session zone, `infinity`, BC, five-digit years) throws RangeError instead of returning a wrong time.
 */
export function parsePgInstant(text: string): number {
  const end = text.length - 3;
  if (end < 19 || !text.endsWith('+00') || text[10] !== ' ' || text[4] !== '-') throw notUtcText(text);
  const days = dayNumber(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10));
  const seconds = digits(text, 11, 13) * 3600 + digits(text, 14, 16) * 60 + digits(text, 17, 19);
  return days * MS_PER_DAY + seconds * 1000 + (end > 19 ? pgFraction(text, end) : 0);
}

function pgFraction(text: string, end: number): number {
  if (text[19] !== '.' || end === 20) throw notUtcText(text);
  const length = Math.min(end - 20, 3);
  return digits(text, 20, 20 + length) * (length === 1 ? 100 : length === 2 ? 10 : 1);
}

function digits(text: string, from: number, until: number): number {
  let value = 0;
  for (let index = from; index < until; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) throw notUtcText(text);
    value = value * 10 + digit;
  }
  return value;
}

function notUtcText(text: string): RangeError {
  return new RangeError(`Not a UTC timestamp of PostgreSQL: ${JSON.stringify(text)}`);
}
