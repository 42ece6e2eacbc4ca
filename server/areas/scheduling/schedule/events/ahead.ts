/** Upcoming and current events, by the venues, rooms, offering types and instructors that they use. */
import { atMyVenues, nowInstant, viewedByStaff } from '../../../../kernel/work/access/viewer.ts';
import { boolean, id, listOf } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Filter } from '../../../../kernel/api/endpoint.ts';
import { instant, raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Area } from '../../../../kernel/api/area.ts';
import type { Properties } from '../../../../kernel/api/resource.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

/** Columns of `event` that reference its places and its offering type. */
type EventColumn = 'venue_id' | 'venue_room_id' | 'offering_type_id';

const ahead = (t: string, column: EventColumn, now: unknown): Sql =>
  sql`SELECT FROM event ahead WHERE ahead.provider_id = ${raw(t)}.provider_id AND ahead.${raw(column)} = ${raw(t)}.id
    AND ahead.status = 'active' AND ahead.ends_at > ${now}`;

/**
 * Returns the condition, for filters and fields, that the row under alias `t` has active events that have not ended.
 */
const hasEventsAhead = (t: string, column: EventColumn): Sql => sql`EXISTS (${ahead(t, column, nowInstant)})`;

/** Returns the number of active events that have not ended and reference `id`. */
async function countEventsAhead(work: Work, column: EventColumn, id: number): Promise<number> {
  const row = await work.tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM event WHERE provider_id = ${work.providerId} AND ${raw(column)} = ${id}
        AND status = 'active' AND ends_at > ${instant(work.now)}`,
  );
  return row!.n;
}

async function countTaught(work: Work, instructor: number): Promise<number> {
  const row = await work.tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM event_instructor
      WHERE provider_id = ${work.providerId} AND instructor_id = ${instructor}
        AND active AND upper(during) > ${instant(work.now)}`,
  );
  return row!.n;
}

async function countTimed(work: Work, timeline: number): Promise<number> {
  const row = await work.tx.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM event_registration_timeline
      WHERE provider_id = ${work.providerId} AND registration_timeline_id = ${timeline}`,
  );
  return row!.n;
}

export const uses: Area['uses'] = {
  venue: (work, venue) => countEventsAhead(work, 'venue_id', venue),
  venue_room: (work, room) => countEventsAhead(work, 'venue_room_id', room),
  offering_type: (work, type) => countEventsAhead(work, 'offering_type_id', type),
  instructor: countTaught,
  registration_timeline: countTimed,
};

export const offeringTypeProperties: Properties = {
  fields: {
    has_active_schedules: boolean()
      .from((t) => hasEventsAhead(t, 'offering_type_id'))
      .describe('Whether it has active events that have not ended.'),
  },
};

const withEventsAhead = (column: EventColumn): Filter =>
  choice(boolean().describe('Whether it has active events that have not ended.'), {
    true: (t) => hasEventsAhead(t, column),
    false: (t) => sql`NOT ${hasEventsAhead(t, column)}`,
  });

export const venueFilters = { has_active_sessions: withEventsAhead('venue_id') };

const hasSchedules = withEventsAhead('offering_type_id');

export const offeringTypeFilters = {
  has_active_schedules: hasSchedules,
  has_active_sessions: { ...hasSchedules, field: hasSchedules.field.describe('Same as `has_active_schedules`.') },
};

/**
 * Returns the condition that the instructor teaches an event visible to the viewer, among those that `which` selects by
 * the link `l`.
 */
const teaches = (t: string, which: Sql): Sql => sql`EXISTS (
  SELECT FROM event_instructor l JOIN event e ON e.provider_id = l.provider_id AND e.id = l.event_id
  JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id
  WHERE l.provider_id = ${raw(t)}.provider_id AND l.instructor_id = ${raw(t)}.id AND ${which}
    AND ((${viewedByStaff}::boolean AND ${atMyVenues('e.venue_id')})
      OR (o.status = 'active' AND o.customer_visibility = 'public'
        AND o.schedule_type NOT IN ('appointment', 'room_rental'))))`;

export const instructorFilters: Readonly<Record<string, Filter>> = {
  event: filter(id().describe('Only those of this event.'), (t, event) => teaches(t, sql`l.event_id = ${event}`)),
  events: filter(listOf(id(), { max: 250 }).describe('Only those of any of these events.'), (t, events) =>
    teaches(t, sql`l.event_id = ANY(${events}::bigint[])`),
  ),
};
