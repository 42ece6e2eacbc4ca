/**
 * Times of a series. Its plan is a wall time and a length on the clock. On the night of a clock change, the length is
 * in real minutes, so that such an event lasts as long as any other, unless that night was planned by its own times.
 */
import {
  formatInstant,
  formatWall,
  instantOfWall,
  parseInstant,
  parseWall,
  startOfDay,
  wallAt,
  wallOfText,
} from '../../../../kernel/base/values/zone.ts';
import { formatRecurrence, occurrences, type Recurrence } from '../../../../kernel/base/values/recurrence.ts';
import { addDays, parseDate } from '../../../../kernel/base/values/date.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { plannedTimes, wallDifference, type EventValues } from '../events/event-writes.ts';

type Times = Required<Pick<EventValues, 'starts_at' | 'ends_at'>>;

/** The times of the first event of a series, and the plan that results for all of them. */
export interface SeriesTimes {
  /** planned wall time, even if clocks skip it */
  readonly startWall: string;
  /** length of its events */
  readonly minutes: number;
  /** times of the event for which they were sent */
  readonly own: Times;
}

/** Computes the times of a series. @throws Problem if the times don't fit together */
export function seriesTimes(zone: string, { starts_at, ends_at }: Times): SeriesTimes {
  const own = plannedTimes(zone, starts_at, ends_at);
  const startWall = wallOfText(starts_at, zone)!;
  return {
    startWall,
    minutes: minutesBetween(startWall, wallOfText(ends_at, zone)!, own),
    own: { starts_at: own.starts_at!, ends_at: own.ends_at! },
  };
}

/**
 * Returns the length. If clocks are set back, the end may be earlier on the clock than the start: then only real
 * minutes are meaningful.
 */
function minutesBetween(startWall: string, endWall: string, own: { starts_at: string | null; ends_at: string | null }) {
  const onClock = wallDifference(startWall, endWall) / 60_000;
  const minutes = onClock > 0 ? onClock : (Date.parse(own.ends_at!) - Date.parse(own.starts_at!)) / 60_000;
  if (!Number.isInteger(minutes)) throw invalid('ends_at', 'Events of a series must last a whole number of minutes.');
  return minutes;
}

/**
 * Returns the dates that a plan excludes. Programs also send the instant at which one of its events starts, or midnight
 * of a day at the venue; any other instant is refused, because its date depends on the zone.
 *
 * @throws Problem that names all values without a date
 */
export function exceptionsOf(
  sent: readonly string[],
  { rule, startWall, zone }: { readonly rule: Recurrence; readonly startWall: string; readonly zone: string },
): string[] {
  const wrong: Record<string, string[]> = {};
  const dates = sent.map((text, n) => {
    const date = dateOfException(text, { rule, startWall, zone });
    if (date === null)
      wrong[`recurrence.exceptions.${n}`] = [
        `No event of this plan starts at ${text}. Send the date, for example 2026-01-31, or the time at which the event starts.`,
      ];
    return date ?? '';
  });
  const [first] = Object.entries(wrong);
  if (first) throw new Problem('parameter_invalid', `${first[0]}: ${first[1][0]}`, wrong);
  return dates;
}

function dateOfException(
  text: string,
  { rule, startWall, zone }: { rule: Recurrence; startWall: string; zone: string },
): string | null {
  const written = parseDate(text);
  if (written !== null) return written;
  const at = parseInstant(text, zone)!;
  for (const { wall } of occurrences(rule, { startWall, zone, from: at, to: at + 1 })) return wall.slice(0, 10);
  const { date } = wallAt(at, zone);
  return startOfDay(date, zone) === at ? date : null;
}

/** An event with the times that are compared. */
export interface PlannedEvent extends Record<string, any> {
  /** wall time that the series planned; the next two are those of the event */
  readonly series_local_starts_at: string;
  readonly local_starts_at: string;
  readonly local_ends_at: string;
  readonly timezone: string;
  /** in epoch milliseconds */
  readonly starts_at: number;
  readonly ends_at: number;
}

/**
 * Returns true if nobody has moved the event individually. Starts are compared as instants, because a wall time that
 * clocks skip is shown as another one. A length is as planned in real minutes or on the clock.
 */
export const isAsPlanned = (event: PlannedEvent, minutes: number): boolean =>
  event.starts_at === instantOfWall(event.series_local_starts_at, event.timezone) &&
  (event.ends_at - event.starts_at === minutes * 60_000 ||
    wallDifference(event.series_local_starts_at, event.local_ends_at) === minutes * 60_000);

const later = (wall: string, minutes: number): string =>
  new Date(parseWall(wall)! + minutes * 60_000).toISOString().slice(0, 19);

/**
 * Returns the new times of a series after new times of one event; null if they are unchanged. A time that is not sent
 * stays as the series planned it, and so does one that is sent back as it was shown: on the night of a clock change,
 * that differs from the plan.
 */
export function newTimes(
  row: PlannedEvent,
  { starts_at, ends_at }: Partial<Times>,
  { minutes, zone }: { readonly minutes: number; readonly zone: string },
): SeriesTimes | null {
  if (starts_at === undefined && ends_at === undefined) return null;
  const planned = isAsPlanned(row, minutes);
  const same = (sent: string | undefined, at: number) =>
    sent === undefined || (zone === row.timezone && parseInstant(sent, zone) === at);
  const [sameStart, sameEnd] = [planned && same(starts_at, row.starts_at), planned && same(ends_at, row.ends_at)];
  if (sameStart && sameEnd) return null;
  const starts = sameStart ? row.series_local_starts_at : (starts_at ?? row.local_starts_at);
  const ends = sameEnd ? later(row.series_local_starts_at, minutes) : (ends_at ?? row.local_ends_at);
  return seriesTimes(zone, { starts_at: starts, ends_at: ends });
}

/** Returns the times of an event on a date, at the time of day of its series. */
export function timesOn(date: string, { startWall, minutes }: SeriesTimes, zone: string): Times {
  const startsAt = instantOfWall(`${date}T${startWall.slice(11)}`, zone);
  return { starts_at: formatInstant(startsAt, zone), ends_at: formatInstant(startsAt + minutes * 60_000, zone) };
}

/**
 * Returns a rule whose last day doesn't depend on the time of day: with another one, UNTIL would otherwise gain or lose
 * a day. `time` is the rule's previous time of day in `zone`.
 */
export function untilDay(rule: Recurrence, { time, zone }: { readonly time: string; readonly zone: string }): string {
  if (rule.until === null) return formatRecurrence(rule);
  const { wall, utc } = rule.until;
  const local = utc ? formatWall(Date.parse(`${wall}Z`), zone) : wall;
  const last = local.slice(11) >= time ? local.slice(0, 10) : addDays(local.slice(0, 10), -1);
  return formatRecurrence({ ...rule, until: { wall: `${last}T23:59:59`, utc: false } });
}
