/** Recurring events: creation from their rule, and changes or cancellation of a series from one event on. */
import { venueZone, VENUE_PROBLEMS } from '../../../places/venues/index.ts';
import { instant, json, sql } from '../../../../kernel/base/db/sql.ts';
import {
  formatRecurrence,
  occurrences,
  parseRecurrence,
  type Recurrence,
} from '../../../../kernel/base/values/recurrence.ts';
import { formatInstant, formatWall, instantOfWall } from '../../../../kernel/base/values/zone.ts';
import {
  exceptionsOf,
  isAsPlanned,
  newTimes,
  seriesTimes,
  timesOn,
  untilDay,
  type PlannedEvent,
  type SeriesTimes,
} from './series-times.ts';
import { changedNames, insertRow } from '../../../../kernel/work/unit/row.ts';
import { invalid, Problem } from '../../../../kernel/base/problem.ts';
import { eventSeriesFeed } from '../feed.ts';
import { closedDaysAt } from '../events/closed-days.ts';
import { cancelEvent, type EventRow } from '../events/cancel-events.ts';
import { changeCancelled, changeEvent, createEvent, lockUses, type EventValues } from '../events/event-writes.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Events are created this far ahead, and further ones as time passes. */
const HORIZON_MS = 366 * 86_400_000;
const DAY_MS = 86_400_000;
/** A daily class has fewer within the horizon; after a long pause, the next round creates the rest. */
const EVENTS_AT_ONCE = 400;
export const EXTEND_TASK = 'extend_event_series';

type Template = Omit<EventValues, 'starts_at' | 'ends_at' | 'external_id' | 'on_closed_day'>;
type Reach = 'following' | 'all';
type SeriesEvent = PlannedEvent & EventRow;

export function ruleOf(rrule: string): Recurrence {
  const rule = parseRecurrence(rrule);
  if ('error' in rule) throw invalid('recurrence.rrule', rule.error);
  return rule;
}

/** Creates a series with its events up to the horizon, and returns its first event. */
export async function createSeries(
  work: Work,
  values: EventValues,
  { rrule, exceptions = [] }: { rrule: string; exceptions?: string[] },
): Promise<number> {
  const rule = ruleOf(rrule);
  if (values.external_id) throw invalid('external_id', 'An external id names one event, but a series has many.');
  if (values.on_closed_day)
    throw invalid('on_closed_day', 'A series leaves closed days out. Create the event of such a day on its own.');
  const zone = await venueZone(work, values.venue);
  const times = seriesTimes(zone, values);
  const { starts_at: _s, ends_at: _e, external_id: _x, on_closed_day: _c, ...template } = values;
  const seriesId = await insertRow(work, 'event_series', {
    rrule: formatRecurrence(rule),
    timezone: zone,
    first_local_starts_at: times.startWall,
    duration_minutes: times.minutes,
    exceptions: exceptionsOf(exceptions, { rule, startWall: times.startWall, zone }),
    template: json(template),
  });
  work.record(eventSeriesFeed.created, seriesId, { event_series: seriesId, split_from: null });
  const made = await makeEvents(work, seriesId, 'refuse', times);
  if (made.length === 0) throw invalid('recurrence.rrule', 'The rule gives no date within a year of starts_at.');
  return made[0];
}

/**
 * Creates the missing events of a series up to the horizon. If a room or an instructor is in use: `refuse` refuses all
 * events and names the day; `skip` skips that one, and also continues if a place or a person is archived. `first`: the
 * times that were sent for the first event.
 */
export async function makeEvents(
  work: Work,
  seriesId: number,
  onClash: 'refuse' | 'skip',
  first?: SeriesTimes,
): Promise<number[]> {
  const row = (await work.tx.one(
    sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${seriesId} FOR UPDATE`,
  ))!;
  if (row.status === 'ended') return [];
  const rule = ruleOf(row.rrule);
  const plan = { startWall: row.first_local_starts_at, zone: row.timezone, exceptions: row.exceptions };
  const known = await plannedAlready(work, row);
  let horizon = Math.max(work.now, instantOfWall(row.first_local_starts_at, row.timezone)) + HORIZON_MS;
  const closed = await closedDaysAt(work, {
    venue: (row.template as Template).venue,
    from: (row.made_until ?? row.first_local_starts_at).slice(0, 10),
    to: formatWall(horizon, row.timezone).slice(0, 10),
  });
  const made: number[] = [];
  for (const { wall, instant: startsAt } of occurrences(rule, { ...plan, from: madeUntil(row), to: horizon })) {
    if (known.has(wall)) continue;
    const day = closed.get(wall.slice(0, 10));
    if (day) {
      leaveOut(work, row.id, wall, `The venue is closed on that day${day.reason === null ? '.' : `: ${day.reason}`}`);
      continue;
    }
    if (made.length >= EVENTS_AT_ONCE) {
      horizon = startsAt;
      break;
    }
    const own = wall === first?.startWall ? first.own : undefined;
    const id = await makeOne(work, row, { wall, startsAt, own }, onClash);
    if (id !== null) made.push(id);
  }
  await work.tx.run(
    sql`UPDATE event_series SET made_until = ${formatWall(horizon, row.timezone)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ${seriesId}`,
  );
  const goesOn = [...occurrences(rule, { ...plan, from: horizon, limit: 1 })].length > 0;
  if (goesOn)
    work.enqueue({
      task: EXTEND_TASK,
      payload: { series: seriesId },
      runAt: work.now + DAY_MS,
      key: `series:${seriesId}`,
    });
  return made;
}

/**
 * Returns the end of the last round, which is stored as a wall time, like the plan: it stays correct if the series
 * moves to a venue in another zone.
 */
const madeUntil = (series: Record<string, any>): number | undefined =>
  series.made_until ? instantOfWall(series.made_until, series.timezone) : undefined;

/**
 * Returns the wall times from the end of the last round on that already have an event: if clocks are set back, that end
 * occurs twice.
 */
async function plannedAlready(work: Work, series: Record<string, any>): Promise<Set<string>> {
  if (!series.made_until) return new Set();
  const rows = await work.tx.rows<{ at: string }>(
    sql`SELECT series_local_starts_at AS at FROM event
      WHERE provider_id = ${work.providerId} AND series_id = ${series.id}
        AND series_local_starts_at >= ${series.made_until}::timestamp`,
  );
  return new Set(rows.map((r) => r.at));
}

/** Creates one event and returns its id; null if it was skipped. */
export async function makeOne(
  work: Work,
  series: Record<string, any>,
  { wall, startsAt, own }: { wall: string; startsAt: number; own?: SeriesTimes['own'] },
  onClash: 'refuse' | 'skip',
): Promise<number | null> {
  const endsAt = own ? Date.parse(own.ends_at) : startsAt + series.duration_minutes * 60_000;
  const values: EventValues = {
    ...(series.template as Template),
    starts_at: formatInstant(startsAt, series.timezone),
    ends_at: formatInstant(endsAt, series.timezone),
  };
  const make = () => createEvent(work, values, { id: series.id, plannedAt: wall });
  if (onClash === 'refuse') return namingTheDay(wall, make);
  try {
    return await work.tx.attempt(make);
  } catch (error) {
    const because = findClash(error) ?? (error instanceof Problem ? error.message : null);
    if (because === null) throw error;
    leaveOut(work, series.id, wall, because);
    return null;
  }
}

function leaveOut(work: Work, series: number, wall: string, because: string): void {
  work.audit({
    action: 'event left out of its series',
    object: 'event_series',
    objectId: series,
    before: null,
    after: { starts_at: wall, because },
  });
  work.effect('event_left_out', 'event_series', series, { starts_at: wall, because });
}

export function findClash(error: unknown): 'event_room_free' | 'instructor_free' | null {
  const { constraint } = error as { constraint?: string };
  return constraint === 'event_room_free' || constraint === 'instructor_free' ? constraint : null;
}

/** Runs `act`, and names the day of the one of several events that conflicts. */
async function namingTheDay<T>(wall: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const constraint = findClash(error);
    throw constraint ? clash(constraint, wall) : error;
  }
}

const clash = (constraint: string, wall: string): Problem =>
  constraint === 'event_room_free'
    ? new Problem(
        VENUE_PROBLEMS.room_taken,
        `On ${wall.replace('T', ' ')}, another event uses the room. Choose another room or time, or exclude that day.`,
      )
    : new Problem(
        SCHEDULE_PROBLEMS.instructor_taken,
        `On ${wall.replace('T', ' ')}, an instructor is teaching another event. Choose another instructor or time, or exclude that day.`,
      );

function seriesOf(row: Record<string, any>): number {
  if (row.series_id === null) throw invalid('applies_to', 'The event is not part of a series. Leave out applies_to.');
  return row.series_id;
}

/**
 * Locks the events that a change from `row` on affects, in one order, the soonest first. They include cancelled ones,
 * which have the same plan and may be reopened.
 */
function reached(work: Work, row: Record<string, any>, reach: Reach): Promise<SeriesEvent[]> {
  const from =
    reach === 'following'
      ? sql`series_local_starts_at >= ${row.series_local_starts_at}`
      : sql`(starts_at > ${instant(work.now)} OR id = ${row.id})`;
  return work.tx.rows<SeriesEvent>(
    sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND series_id = ${seriesOf(row)} AND ${from}
      ORDER BY id FOR UPDATE`,
  );
}

const timeOfDay = (wall: string) => wall.slice(11);

/**
 * Changes the events of a series from here on, or all future ones. The day of the week belongs to the rule, so only the
 * time of day changes. An event that was moved individually keeps its own time.
 */
export async function changeInSeries(
  work: Work,
  row: Record<string, any>,
  values: Partial<EventValues>,
  reach: Reach,
  notify: string | null,
): Promise<void> {
  const seriesId = seriesOf(row);
  const { starts_at, ends_at, on_closed_day, ...rest } = values;
  const zone =
    values.venue === undefined || values.venue === row.venue_id ? row.timezone : await venueZone(work, values.venue);
  const { duration_minutes: planned } = (await work.tx.one<{ duration_minutes: number }>(
    sql`SELECT duration_minutes FROM event_series WHERE provider_id = ${work.providerId} AND id = ${seriesId}`,
  ))!;
  const times = newTimes(row as SeriesEvent, { starts_at, ends_at }, { minutes: planned, zone });
  if (times && ![row.local_starts_at, row.series_local_starts_at].some((wall) => sameDay(wall, times.startWall))) {
    throw invalid(
      'starts_at',
      "With applies_to, the day can't change, only the time of day. To use other days, cancel from this event on and create a new series.",
    );
  }
  const events = await reached(work, row, reach);
  const target = reach === 'following' ? await splitSeries(work, row) : seriesId;
  await lockUses(
    work,
    [...events.map((e) => e.venue_room_id), rest.venue_room],
    rest.instructors ?? [],
    events.map((e) => e.id),
  );
  for (const one of events) {
    const moved = times && timesOf(one, { times, row, planned, zone });
    const changes = { ...rest, ...moved };
    if (one.status === 'cancelled') await changeCancelled(work, one, changes);
    else await namingTheDay(one.local_starts_at, () => changeEvent(work, one, { ...changes, on_closed_day }, notify));
  }
  // A room belongs to its venue: if the venue changes, the room is removed, unless another one is named.
  const leavesRoom = rest.venue !== undefined && rest.venue !== row.venue_id && rest.venue_room === undefined;
  await moveSeries(work, target, {
    rest: leavesRoom ? { ...rest, venue_room: null } : rest,
    time: times && timeOfDay(times.startWall),
    minutes: times && times.minutes,
    zone,
  });
  const time = times && timeOfDay(times.startWall);
  await work.tx.run(
    sql`UPDATE event SET series_id = ${target},
      series_local_starts_at = series_local_starts_at::date + coalesce(${time}::time, series_local_starts_at::time)
        WHERE provider_id = ${work.providerId} AND id = ANY(${events.map((e) => e.id)}::bigint[])
          AND (${time !== null}::boolean OR series_id <> ${target})`,
  );
}

const sameDay = (one: string, other: string): boolean => one.slice(0, 10) === other.slice(0, 10);

/** Returns the new times of one event of a series; null if it was moved individually, and keeps its own. */
function timesOf(
  one: SeriesEvent,
  { times, row, planned, zone }: { times: SeriesTimes; row: Record<string, any>; planned: number; zone: string },
): SeriesTimes['own'] | null {
  if (one.id === row.id) return times.own;
  return isAsPlanned(one, planned) ? timesOn(one.series_local_starts_at.slice(0, 10), times, zone) : null;
}

interface SeriesChange {
  rest: Partial<EventValues>;
  time: string | null;
  minutes: number | null;
  zone: string;
}

/** Changes the plan, so that later events are created like the changed ones. */
async function moveSeries(work: Work, seriesId: number, { rest, time, minutes, zone }: SeriesChange): Promise<void> {
  const row = (await work.tx.one(
    sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${seriesId} FOR UPDATE`,
  ))!;
  work.touch('event_series', seriesId, row);
  const stays = time === null && zone === row.timezone;
  const was = { time: timeOfDay(row.first_local_starts_at), zone: row.timezone };
  await work.tx.run(
    sql`UPDATE event_series SET template = template || ${json(rest)}::jsonb, timezone = ${zone},
      updated_at = ${instant(work.now)},
          rrule = ${stays ? row.rrule : untilDay(ruleOf(row.rrule), was)},
          first_local_starts_at = first_local_starts_at::date + coalesce(${time}::time, first_local_starts_at::time),
          duration_minutes = coalesce(${minutes}::integer, duration_minutes)
        WHERE provider_id = ${work.providerId} AND id = ${seriesId}`,
  );
  const changed = [
    ...changedNames(rest),
    ...(time === null ? [] : ['starts_at']),
    ...(minutes === null ? [] : ['ends_at']),
  ];
  work.record(eventSeriesFeed.changed, seriesId, { event_series: seriesId, changed });
}

/** Ends the series before this event and returns a new one that continues from it. */
async function splitSeries(work: Work, row: Record<string, any>): Promise<number> {
  const old = (await work.tx.one(
    sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${row.series_id} FOR UPDATE`,
  ))!;
  work.touch('event_series', old.id, old);
  if (old.first_local_starts_at >= row.series_local_starts_at) return old.id;
  const rule = ruleOf(old.rrule);
  const before = [
    ...occurrences(rule, {
      startWall: old.first_local_starts_at,
      zone: old.timezone,
      to: instantOfWall(row.series_local_starts_at, old.timezone),
    }),
  ].length;
  const following: Recurrence = { ...rule, count: rule.count === null ? null : rule.count - before };
  await endSeriesBefore(work, old, rule, row.series_local_starts_at);
  return insertRow(work, 'event_series', {
    rrule: formatRecurrence(following),
    timezone: old.timezone,
    first_local_starts_at: row.series_local_starts_at,
    duration_minutes: old.duration_minutes,
    exceptions: old.exceptions,
    template: json(old.template),
    made_until: old.made_until,
  }).then((id) => {
    work.record(eventSeriesFeed.created, id, { event_series: id, split_from: old.id });
    work.enqueue({ task: EXTEND_TASK, payload: { series: id }, runAt: work.now + DAY_MS, key: `series:${id}` });
    return id;
  });
}

async function endSeriesBefore(work: Work, series: Record<string, any>, rule: Recurrence, wall: string): Promise<void> {
  // UNTIL is inclusive, so it is one second before.
  const until = new Date(Date.parse(`${wall}Z`) - 1000).toISOString().slice(0, 19);
  const ended: Recurrence = { ...rule, count: null, until: { wall: until, utc: false } };
  await work.tx.run(
    sql`UPDATE event_series SET rrule = ${formatRecurrence(ended)}, updated_at = ${instant(work.now)}
      WHERE provider_id = ${work.providerId} AND id = ${series.id}`,
  );
  work.record(eventSeriesFeed.changed, series.id, { event_series: series.id, changed: ['rrule'] });
}

export async function cancelInSeries(
  work: Work,
  row: Record<string, any>,
  reach: Reach,
  notify: string | null,
): Promise<void> {
  const seriesId = seriesOf(row);
  for (const one of await reached(work, row, reach)) if (one.status === 'active') await cancelEvent(work, one, notify);
  const series = (await work.tx.one(
    sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${seriesId} FOR UPDATE`,
  ))!;
  work.touch('event_series', seriesId, series);
  if (reach === 'all' || series.first_local_starts_at >= row.series_local_starts_at) {
    await work.tx.run(
      sql`UPDATE event_series SET status = 'ended', updated_at = ${instant(work.now)}
        WHERE provider_id = ${work.providerId} AND id = ${seriesId}`,
    );
    work.record(eventSeriesFeed.ended, seriesId, { event_series: seriesId });
  } else {
    await endSeriesBefore(work, series, ruleOf(series.rrule), row.series_local_starts_at);
  }
}
