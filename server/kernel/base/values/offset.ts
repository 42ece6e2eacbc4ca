/**
 * UTC offsets of IANA zones. A look-up in the zone database takes microseconds, and every printed timestamp needs an
 * offset, so the interval between two clock changes is cached after its first look-up.
 */
import { twoDigits } from './date.ts';

export const MS_PER_MINUTE = 60_000;
const NS_PER_MINUTE = 60_000_000_000;
// A zone has about two clock changes a year; the limit only affects callers that walk through thousands of years.
const MAX_CACHED_INTERVALS = 1024;

/**
 * The time between two clock changes: instants `from <= t < until` (epoch ms, infinite at the ends) share `offset`
 * (minutes east of UTC).
 */
type OffsetInterval = { from: number; until: number; offset: number };

type KnownZone = { last: OffsetInterval; sorted: OffsetInterval[] };

const NO_INTERVAL: OffsetInterval = { from: Infinity, until: -Infinity, offset: 0 };
const knownZones = new Map<string, KnownZone>();

/**
 * Returns true if the text is the exact spelling of a zone in the IANA database; bare offsets such as `+02:00` are not
 * zones.
 */
export function isZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name;
  } catch {
    return false;
  }
}

/**
 * Returns minutes east of UTC at an instant. Local mean times before standard time have seconds (`-05:17:32`); they are
 * rounded to the minute, because ISO 8601 offsets end there, and all arithmetic here uses the same rounded value.
 * Throws RangeError for an unknown zone.
 */
export function offsetAt(epochMs: number, zone: string): number {
  return offsetInterval(epochMs, zone).offset;
}

/** Returns the interval between clock changes that contains an instant; throws RangeError for an unknown zone. */
export function offsetInterval(epochMs: number, zone: string): OffsetInterval {
  let known = knownZones.get(zone);
  if (known === undefined) known = rememberZone(zone);
  const { last } = known;
  if (epochMs >= last.from && epochMs < last.until) return last;
  return (known.last = search(known.sorted, epochMs) ?? learn(known.sorted, epochMs, zone));
}

function rememberZone(zone: string): KnownZone {
  if (!isZone(zone)) throw new RangeError(`Unknown time zone: ${JSON.stringify(zone)}`);
  const known = { last: NO_INTERVAL, sorted: [] };
  knownZones.set(zone, known);
  return known;
}

function search(sorted: OffsetInterval[], epochMs: number): OffsetInterval | null {
  const candidate = sorted[firstAfter(sorted, epochMs) - 1];
  return candidate !== undefined && epochMs < candidate.until ? candidate : null;
}

/** Returns the index of the first interval that begins after the instant. */
function firstAfter(sorted: OffsetInterval[], epochMs: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle].from <= epochMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function learn(sorted: OffsetInterval[], epochMs: number, zone: string): OffsetInterval {
  const interval = askZoneDatabase(epochMs, zone);
  if (sorted.length >= MAX_CACHED_INTERVALS) sorted.length = 0;
  sorted.splice(firstAfter(sorted, epochMs), 0, interval);
  return interval;
}

function askZoneDatabase(epochMs: number, zone: string): OffsetInterval {
  const moment = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
  // 'previous' searches strictly before; from one millisecond later, it also finds a change at this very instant.
  const change = moment.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return {
    from: change?.epochMilliseconds ?? -Infinity,
    until: moment.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: Math.round(moment.offsetNanoseconds / NS_PER_MINUTE),
  };
}

/** Returns an offset in minutes as `+05:30`, `-03:30`, `+00:00`. */
export function offsetText(minutes: number): string {
  return OFFSET_TEXTS[minutes + LARGEST_OFFSET];
}

const LARGEST_OFFSET = 24 * 60;
const OFFSET_TEXTS = Array.from({ length: 2 * LARGEST_OFFSET + 1 }, (_, index) => {
  const minutes = index - LARGEST_OFFSET;
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
});
