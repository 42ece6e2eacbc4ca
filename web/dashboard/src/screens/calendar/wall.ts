/**
 * Times as a clock on the wall of a venue shows them. The calendar draws these: an event at 18:00 stands at 18:00, whatever
 * the clocks did that day. A wall time is a number of minutes since 1970-01-01T00:00 on such a clock.
 */

export const DAY = 1440;

export interface Clock {
  /** What a clock there shows. */
  readonly wallOf: (epochMs: number, zone: string) => number;
  /**
   * Epoch ms. A wall time that a clock change skips is later by what was skipped; of one that comes twice, the first is meant.
   * The service reads wall times in the same way.
   */
  readonly instantOf: (wall: number, zone: string) => number;
}

const pad = (n: number): string => String(n).padStart(2, '0');

/** `2026-11-23` */
export const dateOf = (wall: number): string =>
  new Date(Math.floor(wall / DAY) * 86_400_000).toISOString().slice(0, 10);

/** `18:30` */
export const timeOfDay = (wall: number): string => {
  const minutes = ((wall % DAY) + DAY) % DAY;
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
};

/** `2026-11-23T18:30` */
export const textOf = (wall: number): string => `${dateOf(wall)}T${timeOfDay(wall)}`;

/** Null: it is no wall time. */
export function parseWall(date: string, time = '00:00'): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d/.test(time)) return null;
  const ms = Date.parse(`${date}T${time.slice(0, 5)}Z`);
  // A day that the month doesn't have is read as one of the next month.
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

/** Minutes that a clock there is ahead of UTC. */
const aheadAt = (epochMs: number, zone: string): number => intlWallOf(epochMs, zone) - Math.floor(epochMs / 60_000);

export const byIntl: Clock = {
  wallOf: intlWallOf,
  instantOf: (wall, zone) => {
    const local = wall * 60_000;
    // No zone is a whole day from UTC, so a day either way sees what holds before and after a change of the clocks.
    const before = aheadAt(local - 86_400_000, zone);
    const after = aheadAt(local + 86_400_000, zone);
    const found = [before, after]
      .map((ahead) => ({ at: local - ahead * 60_000, ahead }))
      .filter(({ at, ahead }) => aheadAt(at, zone) === ahead);
    return found.length > 0 ? Math.min(...found.map(({ at }) => at)) : local - before * 60_000;
  },
};

export const { wallOf, instantOf } = HAS_TEMPORAL ? byTemporal : byIntl;
