/** Utilization of rooms and instructors: one row for each hour in which they were available. */
import { anyOf, COUNT, countField, dayOfWeek, named, oneOfThese, withinDays } from './common.ts';
import { column, filterBy, report, share, summed } from '../report.ts';
import type { Columns, Around } from '../columns.ts';
import { MAX_DAYS, daysAsked, lengthOf } from '../rules/utilisation-days.ts';
import { date, integer, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { given } from '../moment.ts';
import { invalid } from '../../../../kernel/base/problem.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const KINDS = ['room', 'instructor'] as const;

/** Upper limit for the hours since the first day, and for the part of a row's id that identifies the hour. */
const HOURS = 16_384;

const FROM_DAY = sql`${given('from')}::date`;
const TO_DAY = sql`${given('to')}::date`;
const WINDOW = sql`tsmultirange(tsrange(${FROM_DAY}::timestamp, (${TO_DAY} + 1)::timestamp))`;
const NEVER = raw(`'{}'::tsmultirange`);

/** The local times of the event `e`. When the clock goes back, an event may end before it began. */
const DURING = raw('tsrange(e.local_starts_at, greatest(e.local_ends_at, e.local_starts_at))');
/** An event may have begun the day before. */
const IN_WINDOW = sql`e.status = 'active' AND e.local_starts_at >= ${FROM_DAY} - 1
  AND e.local_starts_at < ${TO_DAY} + 1`;

const DAYS = sql`(SELECT n::date AS day FROM generate_series(${FROM_DAY} - 1, ${TO_DAY}, interval '1 day') n) d`;

/**
 * Converts the ranges of a day (`[{"start": "09:00", "end": "12:30"}]`) to local times; an end that isn't after its
 * start is on the next day.
 */
const rangesOf = (hours: Sql): Sql =>
  sql`jsonb_to_recordset(${hours}) AS h(start time, "end" time)
    CROSS JOIN LATERAL
      (SELECT tsrange(d.day + h.start, d.day + h."end" + CASE WHEN h."end" <= h.start THEN interval '1 day'
        ELSE interval '0' END) AS r) t`;

/** A venue is open from its first event of a day until its last has ended. */
const OPEN_VENUES = sql`(SELECT v.provider_id, v.venue_id, range_agg(v.r) AS open FROM (
    SELECT e.provider_id, e.venue_id,
      tsrange(min(e.local_starts_at), max(greatest(e.local_ends_at, e.local_starts_at))) AS r
    FROM event e WHERE e.provider_id = current_provider_id() AND ${IN_WINDOW}
    GROUP BY e.provider_id, e.venue_id, e.local_starts_at::date) v
  GROUP BY v.provider_id, v.venue_id)`;

const BLOCKED_VENUES = sql`(SELECT b.provider_id, b.venue_id, range_agg(t.r) AS blocked
  FROM ${DAYS} JOIN blocked_time b ON b.provider_id = current_provider_id() AND b.date = d.day
    AND b.venue_id IS NOT NULL AND b.applicable_to IS NULL
  CROSS JOIN LATERAL ${rangesOf(raw('b.blocked_times'))}
  GROUP BY b.provider_id, b.venue_id)`;

const ROOMS = sql`SELECT r.provider_id, 0 AS kind, r.id AS resource, r.venue_id,
  o.open - coalesce(b.blocked, ${NEVER}) AS open,
    coalesce(u.used, ${NEVER}) AS used
  FROM venue_room r
    JOIN ${OPEN_VENUES} o ON o.provider_id = r.provider_id AND o.venue_id = r.venue_id
    LEFT JOIN ${BLOCKED_VENUES} b ON b.provider_id = r.provider_id AND b.venue_id = r.venue_id
    LEFT JOIN (SELECT e.provider_id, e.venue_room_id, range_agg(${DURING}) AS used FROM event e
      WHERE e.provider_id = current_provider_id() AND e.venue_room_id IS NOT NULL AND ${IN_WINDOW}
      GROUP BY e.provider_id, e.venue_room_id) u ON u.provider_id = r.provider_id AND u.venue_room_id = r.id
  WHERE r.provider_id = current_provider_id() AND (r.status = 'active' OR u.used IS NOT NULL)`;

const WEEKDAY =
  raw(`(ARRAY[s.default_monday, s.default_tuesday, s.default_wednesday, s.default_thursday, s.default_friday,
  s.default_saturday, s.default_sunday])[date_part('isodow', d.day)::int]`);

/**
 * The hours of instructors' schedules, without days off and blocked times: each schedule separately, because it may
 * apply to one venue.
 */
const HOURS_OF_INSTRUCTORS = sql`(SELECT s.provider_id, s.instructor_id, range_agg(s.open) AS open FROM (
    SELECT s.provider_id, s.instructor_id, tsmultirange(t.r) - coalesce((SELECT range_agg(x.r) FROM (
        SELECT t.r FROM blocked_time b CROSS JOIN LATERAL ${rangesOf(raw('b.blocked_times'))}
        WHERE b.provider_id = s.provider_id AND b.date = d.day
          AND (b.instructor_id = s.instructor_id OR b.venue_id = s.venue_id)
          AND (b.applicable_to IS NULL OR b.applicable_to = 'IU')) x), ${NEVER}) AS open
    FROM availability_schedule s
      CROSS JOIN ${DAYS}
      LEFT JOIN availability_override o ON o.provider_id = s.provider_id AND o.availability_schedule_id = s.id
        AND o.date = d.day
      CROSS JOIN LATERAL ${rangesOf(sql`coalesce(o.availability, ${WEEKDAY})`)}
    WHERE s.provider_id = current_provider_id() AND s.schedule_type = 'IU'
      AND d.day >= coalesce(s.valid_from, d.day) AND d.day <= coalesce(s.valid_until, d.day)
      AND NOT EXISTS (SELECT FROM business_closure c WHERE c.provider_id = s.provider_id AND c.closure_date = d.day
        AND (c.venue_id IS NULL OR c.venue_id = s.venue_id))) s
  GROUP BY s.provider_id, s.instructor_id)`;

const INSTRUCTORS = sql`SELECT i.provider_id, 1 AS kind, i.id AS resource, NULL::bigint AS venue_id,
  coalesce(o.open, ${NEVER}) AS open,
    coalesce(u.used, ${NEVER}) AS used
  FROM instructor i
    LEFT JOIN ${HOURS_OF_INSTRUCTORS} o ON o.provider_id = i.provider_id AND o.instructor_id = i.id AND NOT i.archived
    LEFT JOIN (SELECT ei.provider_id, ei.instructor_id, range_agg(${DURING}) AS used
      FROM event e JOIN event_instructor ei ON ei.provider_id = e.provider_id AND ei.event_id = e.id
      WHERE e.provider_id = current_provider_id() AND ${IN_WINDOW}
      GROUP BY ei.provider_id, ei.instructor_id) u ON u.provider_id = i.provider_id AND u.instructor_id = i.id
  WHERE i.provider_id = current_provider_id()`;

/** Minutes of a range within the hour that begins at `h.at`. */
const MINUTES = raw(
  `date_part('epoch', least(upper(p.r), h.at + interval '1 hour') - greatest(lower(p.r), h.at)) / 60`,
);

/** Booked time counts as available, whatever the hours are. */
const FROM = sql`
  (SELECT c.provider_id, c.kind, c.resource, c.venue_id, h.at, h.at::date AS day, date_part('hour', h.at)::int AS hour,
    (date_part('epoch', h.at - ${FROM_DAY}::timestamp) / 3600)::int AS nth,
    round(sum(${MINUTES}) FILTER (WHERE NOT p.is_use))::int AS open,
    coalesce(round(sum(${MINUTES}) FILTER (WHERE p.is_use)), 0)::int AS used
  FROM (${ROOMS} UNION ALL ${INSTRUCTORS}) c
    CROSS JOIN LATERAL (SELECT r, false AS is_use FROM unnest((c.open + c.used) * ${WINDOW}) r
      UNION ALL SELECT r, true FROM unnest(c.used * ${WINDOW}) r) p
    CROSS JOIN LATERAL generate_series(date_trunc('hour', lower(p.r)), upper(p.r) - interval '1 microsecond',
      interval '1 hour') h(at)
  GROUP BY c.provider_id, c.kind, c.resource, c.venue_id, h.at) u`;

const KIND = raw(`(ARRAY['room', 'instructor'])[u.kind + 1]`);
const kind = column(oneOf(KINDS), KIND, 'Whether the row is about a room or an instructor.');
const hour = column(integer({ min: 0, max: 23 }), 'u.hour', 'Hour of the day, by the clock of the venue.');
const month = column(text(), `to_char(u.day, 'YYYY-MM')`, 'Month, for example 2026-01.');
const room = named('room', 'r', 'the room, in rows about rooms');
const instructor = named('instructor', 'i', 'the instructor, in rows about instructors');
const venue = named('venue', 'v', 'the venue of the room');

const columns: Columns = {
  kind,
  ...room,
  ...instructor,
  ...venue,
  day: column(date(), 'u.day', 'Day, by the clock of the venue.', { always: true }),
  month,
  day_of_week: dayOfWeek('u.at'),
  hour,
  minutes_available: column(
    countField(),
    'u.open',
    'Minutes of the hour that could be booked. A room is available from the first event of its venue on that day until the last has ended, without blocked times. An instructor is available in the hours of their availability schedules, without days off and blocked times. Time that is booked counts in any case.',
  ),
  minutes_booked: column(
    countField(),
    'u.used',
    'Minutes of the hour in which something took place or will: classes, appointments, rentals and sessions of courses that aren’t cancelled, without the time before and after them.',
  ),
};

export const utilisationReport = report('utilisation', {
  title: 'utilisation',
  description: `Booked share of the time of rooms and instructors, hour by hour: the latest 28 days unless you ask for others, at most ${MAX_DAYS} at a time. Group by \`day_of_week\` and \`hour\`, by \`room.name\` or by \`instructor.name\`.`,
  who: ['manage_events', 'attendances'],
  given: (asked, today) => ({ ...daysAsked(asked, today) }),
  from: FROM,
  joins: {
    r: raw('LEFT JOIN venue_room r ON r.provider_id = u.provider_id AND r.id = u.resource AND u.kind = 0'),
    i: raw('LEFT JOIN instructor i ON i.provider_id = u.provider_id AND i.id = u.resource AND u.kind = 1'),
    v: raw('LEFT JOIN venue v ON v.provider_id = u.provider_id AND v.id = u.venue_id'),
  },
  id: `((u.resource * ${KINDS.length} + u.kind) * ${HOURS} + u.nth)`,
  seek: { by: `(u.resource * ${KINDS.length} + u.kind)`, of: HOURS },
  venue: 'u.venue_id',
  columns,
  sort: 'day',
  filters: {
    ...Object.fromEntries(
      Object.entries(withinDays('day', 'u.day', date)).map(([name, filter]) => [
        name,
        {
          ...filter,
          where: (value: unknown, around: Around) => {
            const { from, to } = around.given!;
            if (lengthOf({ from, to }) > MAX_DAYS)
              throw invalid(name, `Must be ${MAX_DAYS} days at most, from the first day to the last.`);
            return filter.where(value, around);
          },
        },
      ]),
    ),
    kinds: oneOfThese(KINDS, KIND),
    rooms: anyOf('r.id'),
    instructors: anyOf('i.id'),
    venues: anyOf('u.venue_id'),
    hour_gte: filterBy(integer({ min: 0, max: 23 }), (from) => sql`u.hour >= ${from}::int`),
    hour_lte: filterBy(integer({ min: 0, max: 23 }), (to) => sql`u.hour <= ${to}::int`),
  },
  grouped: {
    by: { kind, ...room, ...instructor, ...venue, month, day_of_week: columns.day_of_week, hour },
    measures: {
      count: COUNT,
      minutes_available: summed(columns, 'minutes_available', 'Minutes that could be booked.'),
      minutes_booked: summed(columns, 'minutes_booked', 'Minutes that were booked.'),
      utilisation: share(
        raw('sum(u.used)'),
        raw('sum(u.open)'),
        'Minutes booked of minutes that could be booked, from 0 to 1.',
      ),
    },
    pivot: raw('u.at'),
  },
});
