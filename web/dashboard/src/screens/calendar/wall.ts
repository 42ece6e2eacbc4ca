/**
 * Wall times: times as a clock at a venue shows them. The calendar draws these: an event at 18:00 is drawn at 18:00,
 * even on days with a clock change. A wall time is the number of minutes since 1970-01-01T00:00 on such a clock.
 */

export const DAY = 1440;

export interface Clock {
  /** Returns the wall time at an instant. */
  readonly wallOf: (epochMs: number, zone: string) => number;
  /**
   * Returns epoch milliseconds. A wall time that a clock change skips is shifted by the skipped time; a wall time that
   * occurs twice means the first. The service interprets wall times in the same way.
   */
  readonly instantOf: (wall: number, zone: string) => number;
}

const pad = (n: number): string => String(n).padStart(2, '0');

/** Formats as `2026-11-23`. */
export const dateOf = (wall: number): string =>
  new Date(Math.floor(wall / DAY) * 86_400_000).toISOString().slice(0, 10);

/** Formats as `18:30`. */
export const timeOfDay = (wall: number): string => {
  const minutes = ((wall % DAY) + DAY) % DAY;
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
};

/** Formats as `2026-11-23T18:30`. */
export const textOf = (wall: number): string => `${dateOf(wall)}T${timeOfDay(wall)}`;

/** Parses a wall time; null if it is not valid. */
export function parseWall(date: string, time = '00:00'): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return null;
  const ms = Date.parse(`${date}T${time.slice(0, 5)}Z`);
  // A day beyond the end of the month is parsed as one of the next month.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? null : ms / 60_000;
}

const HAS_TEMPORAL = 'Temporal' in globalThis;

export const byTemporal: Clock = {
  wallOf: (epochMs, zone) => {
    const { year, month, day, hour, minute } = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone);
    return Date.UTC(year, month - 1, day, hour, minute) / 60_000;
  },
  instantOf: (wall, zone) => Temporal.PlainDateTime.from(textOf(wall)).toZonedDateTime(zone).epochMilliseconds,
};

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}

function intlWallOf(epochMs: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute) / 60_000;
}

/** Returns the offset from UTC in minutes. */
const aheadAt = (epochMs: number, zone: string): number => intlWallOf(epochMs, zone) - Math.floor(epochMs / 60_000);

export const byIntl: Clock = {
  wallOf: intlWallOf,
  instantOf: (wall, zone) => {
    const local = wall * 60_000;
    // No offset is as large as a day, so the offsets a day earlier and later are those before and after a clock change.
    const before = aheadAt(local - 86_400_000, zone);
    const after = aheadAt(local + 86_400_000, zone);
    const found = [before, after]
      .map((ahead) => ({ at: local - ahead * 60_000, ahead }))
      .filter(({ at, ahead }) => aheadAt(at, zone) === ahead);
    return found.length > 0 ? Math.min(...found.map(({ at }) => at)) : local - before * 60_000;
  },
};

export const { wallOf, instantOf } = HAS_TEMPORAL ? byTemporal : byIntl;
