/** Recurring events: making them from their rule, and changing or cancelling a series from one event on. */
import { instant, json, sql } from '../../kernel/db/sql.ts';
import { formatRecurrence, occurrences, parseRecurrence, type Recurrence } from '../../kernel/values/recurrence.ts';
import { formatInstant, instantOfWall, parseInstant } from '../../kernel/values/zone.ts';
import { insertRow } from '../../kernel/db/row.ts';
import { invalid, Problem } from '../../kernel/api/problem.ts';
import { cancelEvent, changeEvent, createEvent, lockUses, plannedTimes, venueZone, type EventValues } from './event-writes.ts';
import type { Work } from '../../kernel/work.ts';

/** Events are made this far ahead, and further as time goes on. */
const HORIZON_MS = 366 * 86_400_000;
const DAY_MS = 86_400_000;
/** More than a daily class in the horizon: a slip, or several series. */
const EVENTS_AT_ONCE = 400;
export const EXTEND_TASK = 'extend_event_series';

type Template = Omit<EventValues, 'starts_at' | 'ends_at' | 'external_id'>;
type Reach = 'following' | 'all';

function ruleOf(rrule: string): Recurrence {
  const rule = parseRecurrence(rrule);
  if ('error' in rule) throw invalid('recurrence.rrule', rule.error);
  return rule;
}

/** Makes the series with its events up to the horizon, and returns its first event. */
export async function createSeries(work: Work, values: EventValues, { rrule, exceptions = [] }: { rrule: string; exceptions?: string[] }): Promise<number> {
  const rule = ruleOf(rrule);
  if (values.external_id) throw invalid('external_id', 'An external id names one event; a series has many.');
  const zone = await venueZone(work, values.venue);
  const times = plannedTimes(zone, values.starts_at, values.ends_at);
  const { starts_at: _s, ends_at: _e, external_id: _x, ...template } = values;
  const seriesId = await insertRow(work, 'event_series', {
    rrule: formatRecurrence(rule),
    timezone: zone,
    first_local_starts_at: times.local_starts_at,
    duration_minutes: Math.round((Date.parse(times.ends_at!) - Date.parse(times.starts_at!)) / 60_000),
    exceptions,
    template: json(template),
  });
  const made = await makeEvents(work, seriesId, 'refuse');
  if (made.length === 0) throw invalid('recurrence.rrule', 'The rule has no date from starts_at on within a year.');
  return made[0];
}

/**
 * Makes the events of a series that are still missing up to the horizon. Where a room or instructor is taken: `refuse`
 * refuses them all and names the day; `skip` leaves that one out.
 */
export async function makeEvents(work: Work, seriesId: number, onClash: 'refuse' | 'skip'): Promise<number[]> {
  const row = (await work.tx.one(sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${seriesId} FOR UPDATE`))!;
  if (row.status === 'ended') return [];
  const template: Template = row.template;
  const horizon = Math.max(work.now, instantOfWall(row.first_local_starts_at, row.timezone)) + HORIZON_MS;
  const made: number[] = [];
  const plan = { startWall: row.first_local_starts_at, zone: row.timezone, exceptions: row.exceptions, from: row.made_until ? instantOfWall(row.made_until, row.timezone) : undefined, to: horizon };
  for (const { wall, instant: startsAt } of occurrences(ruleOf(row.rrule), plan)) {
    if (made.length >= EVENTS_AT_ONCE) throw invalid('recurrence.rrule', `Makes more than ${EVENTS_AT_ONCE} events within a year; use several series or a coarser rule.`);
    const values: EventValues = {
      ...template,
      starts_at: formatInstant(startsAt, row.timezone),
      ends_at: formatInstant(startsAt + row.duration_minutes * 60_000, row.timezone),
    };
    try {
      made.push(await work.tx.attempt(() => createEvent(work, values, { id: seriesId, plannedAt: wall })));
    } catch (error) {
      const { constraint } = error as { constraint?: string };
      if (constraint !== 'event_room_free' && constraint !== 'instructor_free') throw error;
      if (onClash === 'refuse') throw clash(constraint, wall);
      work.audit({ action: 'event left out of its series', object: 'event_series', objectId: seriesId, before: null, after: { starts_at: wall, because: constraint } });
    }
  }
  await work.tx.run(
    sql`UPDATE event_series SET made_until = ${wallOf(horizon)}, updated_at = ${instant(work.now)} WHERE provider_id = ${work.providerId} AND id = ${seriesId}`,
  );
  const rule = ruleOf(row.rrule);
  if (rule.count === null && (rule.until === null || parseInstant(rule.until.wall, row.timezone)! > horizon)) {
    work.enqueue({ task: EXTEND_TASK, payload: { series: seriesId }, runAt: work.now + DAY_MS, key: `series:${seriesId}` });
  }
  return made;
}

/** The horizon as a wall time of UTC: a day more or less does not matter to it, the unique key keeps events single. */
const wallOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 19);

const clash = (constraint: string, wall: string): Problem =>
  constraint === 'event_room_free'
    ? new Problem('room_taken', `On ${wall.replace('T', ' ')} the room is used by another event. Choose another room or time, or except that day.`)
    : new Problem('instructor_taken', `On ${wall.replace('T', ' ')} an instructor teaches another event. Choose another instructor or time, or except that day.`);

function seriesOf(row: Record<string, any>): number {
  if (row.series_id === null) throw invalid('applies_to', 'The event belongs to no series; leave applies_to out.');
  return row.series_id;
}

/** The events that a change from `row` on reaches, locked in one order, soonest first. */
function reached(work: Work, row: Record<string, any>, reach: Reach): Promise<Record<string, any>[]> {
  const from = reach === 'following' ? sql`series_local_starts_at >= ${row.series_local_starts_at}` : sql`(starts_at > ${instant(work.now)} OR id = ${row.id})`;
  return work.tx.rows(
    sql`SELECT * FROM event WHERE provider_id = ${work.providerId} AND series_id = ${seriesOf(row)} AND status = 'active' AND ${from} ORDER BY id FOR UPDATE`,
  );
}

const timeOfDay = (wall: string) => wall.slice(11);

/**
 * Changes the events of a series from here on, or all that are to come. The day of the week belongs to the rule, so only
 * the time of day moves. An event that was moved by itself keeps its own time.
 */
export async function changeInSeries(work: Work, row: Record<string, any>, values: Partial<EventValues>, reach: Reach, notify: string | null): Promise<void> {
  const seriesId = seriesOf(row);
  const { starts_at, ends_at, ...rest } = values;
  const zone = values.venue === undefined || values.venue === row.venue_id ? row.timezone : await venueZone(work, values.venue);
  const times = starts_at === undefined && ends_at === undefined ? null : plannedTimes(zone, starts_at ?? row.local_starts_at, ends_at ?? row.local_ends_at);
  if (times && times.local_starts_at.slice(0, 10) !== row.local_starts_at.slice(0, 10)) {
    throw invalid('starts_at', 'With applies_to the day must stay, only the time of day may move. For other days cancel from here on and make a new series.');
  }
  const events = await reached(work, row, reach);
  const target = reach === 'following' ? await splitSeries(work, row) : seriesId;
  await lockUses(work, [...events.map((e) => e.venue_room_id), rest.venue_room], rest.instructors ?? [], events.map((e) => e.id));
  const minutes = times && (Date.parse(times.ends_at!) - Date.parse(times.starts_at!)) / 60_000;
  for (const one of events) {
    const keepsOwnTime = one.local_starts_at !== one.series_local_starts_at && one.id !== row.id;
    await changeEvent(work, one, { ...rest, ...(times && !keepsOwnTime && movedTo(one, times.local_starts_at, minutes!, zone)) }, notify);
  }
  await moveSeries(work, target, { rest, time: times && timeOfDay(times.local_starts_at), minutes, zone });
  await work.tx.run(
    sql`UPDATE event SET series_id = ${target}, series_local_starts_at = series_local_starts_at::date + ${times ? timeOfDay(times.local_starts_at) : null}::time
        WHERE provider_id = ${work.providerId} AND id = ANY(${events.map((e) => e.id)}::bigint[]) AND ${times !== null}::boolean`,
  );
  if (!times && target !== seriesId) {
    await work.tx.run(sql`UPDATE event SET series_id = ${target} WHERE provider_id = ${work.providerId} AND id = ANY(${events.map((e) => e.id)}::bigint[])`);
  }
}

function movedTo(event: Record<string, any>, newStart: string, minutes: number, zone: string): Pick<EventValues, 'starts_at' | 'ends_at'> {
  const startsAt = instantOfWall(`${event.local_starts_at.slice(0, 10)}T${timeOfDay(newStart)}`, zone);
  return { starts_at: formatInstant(startsAt, zone), ends_at: formatInstant(startsAt + minutes * 60_000, zone) };
}

interface SeriesChange {
  rest: Partial<EventValues>;
  time: string | null;
  minutes: number | null;
  zone: string;
}

/** Lets events that are made later be as the changed ones. */
async function moveSeries(work: Work, seriesId: number, { rest, time, minutes, zone }: SeriesChange): Promise<void> {
  await work.tx.run(
    sql`UPDATE event_series SET template = template || ${json(rest)}::jsonb, timezone = ${zone}, updated_at = ${instant(work.now)},
          first_local_starts_at = first_local_starts_at::date + coalesce(${time}::time, first_local_starts_at::time),
          duration_minutes = coalesce(${minutes}::integer, duration_minutes)
        WHERE provider_id = ${work.providerId} AND id = ${seriesId}`,
  );
}

/** Ends the series before this event and returns a new one that goes on from it. */
async function splitSeries(work: Work, row: Record<string, any>): Promise<number> {
  const old = (await work.tx.one(sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${row.series_id} FOR UPDATE`))!;
  if (old.first_local_starts_at >= row.series_local_starts_at) return old.id;
  const rule = ruleOf(old.rrule);
  const before = [...occurrences(rule, { startWall: old.first_local_starts_at, zone: old.timezone, to: instantOfWall(row.series_local_starts_at, old.timezone) })].length;
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
    work.enqueue({ task: EXTEND_TASK, payload: { series: id }, runAt: work.now + DAY_MS, key: `series:${id}` });
    return id;
  });
}

async function endSeriesBefore(work: Work, series: Record<string, any>, rule: Recurrence, wall: string): Promise<void> {
  // UNTIL includes its moment, so it is one second before.
  const until = new Date(Date.parse(`${wall}Z`) - 1000).toISOString().slice(0, 19);
  const ended: Recurrence = { ...rule, count: null, until: { wall: until, utc: false } };
  await work.tx.run(
    sql`UPDATE event_series SET rrule = ${formatRecurrence(ended)}, updated_at = ${instant(work.now)} WHERE provider_id = ${work.providerId} AND id = ${series.id}`,
  );
}

export async function cancelInSeries(work: Work, row: Record<string, any>, reach: Reach, notify: string | null): Promise<void> {
  const seriesId = seriesOf(row);
  for (const one of await reached(work, row, reach)) await cancelEvent(work, one, notify);
  const series = (await work.tx.one(sql`SELECT * FROM event_series WHERE provider_id = ${work.providerId} AND id = ${seriesId} FOR UPDATE`))!;
  if (reach === 'all' || series.first_local_starts_at >= row.series_local_starts_at) {
    await work.tx.run(sql`UPDATE event_series SET status = 'ended', updated_at = ${instant(work.now)} WHERE provider_id = ${work.providerId} AND id = ${seriesId}`);
  } else {
    await endSeriesBefore(work, series, ruleOf(series.rrule), row.series_local_starts_at);
  }
}

