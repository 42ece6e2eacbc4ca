/** Fill rates of classes: one row for each past or future class. */
import {
  anyOf,
  clockOf,
  COUNT,
  countField,
  dayOfWeek,
  instructorsOf,
  isTrue,
  named,
  taughtBy,
  untilNow,
  within,
} from './common.ts';
import { column, counted, filterBy, report, allowSeveralValues, share, summed, zoned } from '../report.ts';
import type { Columns } from '../columns.ts';
import { called, id, integer, listOf, number, object, text } from '../../../../kernel/base/fields/kinds.ts';
import { CLASS_JOINS } from './classes.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

const OFFERED = raw('e.max_occupancy + coalesce(e.online_max_occupancy, 0)');
const TAKEN = '(e.attending_count + e.online_attending_count)';
/** Places taken in classes with a limit: without one, there is no fill rate. */
const TAKEN_OF_OFFERED = raw(`CASE WHEN e.max_occupancy IS NOT NULL THEN ${TAKEN} END`);

const ATTENDED = raw('coalesce(t.attended, 0)');
const IN_VAIN = raw('coalesce(w.people, 0)');

const TURNOUT = counted('t', {
  what: 'count(*) AS attended',
  rows: `FROM attendance a WHERE a.provider_id = current_provider_id() AND a.status = 'attended'`,
  key: 'a.event_id',
  is: 'e.id',
});

/**
 * Everyone on the waitlist has an attendance, which is `not_registered` until they get a place. A person may join
 * twice.
 */
const WAITED = counted('w', {
  what: 'count(DISTINCT b.customer_id) AS people',
  rows: `FROM attendance b
    JOIN waitlist_spot s ON s.provider_id = b.provider_id AND s.customer_id = b.customer_id AND s.event_id = b.event_id
    WHERE b.provider_id = current_provider_id() AND b.status = 'not_registered'`,
  key: 'b.event_id',
  is: 'e.id',
});

const offering = named('offering_type', 'o', 'what is offered');
const venue = named('venue', 'v', 'the venue');
const month = column(text(), `to_char(e.local_starts_at, 'YYYY-MM')`, 'Month of the class, for example 2026-01.');
const hour = column(
  integer({ min: 0, max: 23 }),
  `date_part('hour', e.local_starts_at)::int`,
  'Hour of the day in which it starts, by the clock of the venue.',
);

const columns: Columns = {
  id: column(id(), 'e.id', 'ID of the event.'),
  name: column(text(), 'e.name', 'Name of the event.'),
  starts_at: zoned('e.starts_at', 'e.timezone', 'When it starts, in the time zone of its venue.', { always: true }),
  ...offering,
  ...venue,
  instructors: column(
    listOf(called('id_and_name', object({ id: id(), name: text() }))),
    instructorsOf('e.id'),
    'Instructors of the session.',
  ),
  month,
  day_of_week: dayOfWeek('e.local_starts_at'),
  hour,
  start_time: clockOf('e.local_starts_at'),
  offered: column(countField(), OFFERED, 'Places that there are, at the venue and online. Empty if there is no limit.'),
  taken: column(
    countField(),
    TAKEN,
    'Places that were taken: bookings that weren’t cancelled, whether or not people came.',
  ),
  attended: column(countField(), ATTENDED, 'People who came.'),
  waited_in_vain: column(countField(), IN_VAIN, 'People who were on the waitlist and never got a place.'),
  fill_rate: column(
    number(),
    sql`round(${raw(TAKEN)}::numeric / nullif(${OFFERED}, 0), 4)`,
    'Places taken of places offered, from 0 to 1. Empty if there is no limit.',
  ),
};

export const fillRatesReport = report('fill_rates', {
  title: 'fill rates',
  description:
    'How full classes are, how many people came, and how many waited and never got a place. Cancelled classes are left out, and so are classes that are still to come.',
  who: ['manage_events', 'attendances'],
  from: 'event e',
  joins: { ...CLASS_JOINS, t: TURNOUT, w: WAITED },
  where: raw(`o.schedule_type = 'class' AND e.status = 'active'`),
  unless: { include_future: untilNow('e.starts_at') },
  id: 'e.id',
  venue: 'e.venue_id',
  columns,
  sort: '-starts_at',
  filters: {
    ...within('starts_at', 'e.starts_at', 'timeframe'),
    instructors: taughtBy('e.id'),
    offering_types: anyOf('e.offering_type_id'),
    venues: filterBy(
      listOf(id()),
      (ids) => sql`(e.venue_id = ANY(${ids}::bigint[]) OR e.online_venue_id = ANY(${ids}::bigint[]))`,
    ),
    waited_in_vain: isTrue(sql`(${IN_VAIN} > 0)`),
  },
  grouped: {
    by: {
      ...offering,
      ...venue,
      month,
      day_of_week: columns.day_of_week,
      hour,
      start_time: columns.start_time,
      ...allowSeveralValues(named('instructor', 'i', 'the instructor: a class of two counts for both')),
    },
    measures: {
      count: COUNT,
      offered: summed(columns, 'offered', 'Places that there were, in classes that have a limit.'),
      taken: summed(columns, 'taken', 'Places that were taken, in all classes.'),
      attended: summed(columns, 'attended', 'People who came.'),
      waited_in_vain: summed(
        columns,
        'waited_in_vain',
        'People who waited and never got a place, once for each class.',
      ),
      fill_rate: share(
        sql`sum(${TAKEN_OF_OFFERED})`,
        sql`sum(${OFFERED})`,
        'Places taken of places offered, from 0 to 1, over classes that have a limit.',
      ),
      attendance_rate: share(
        sql`sum(${ATTENDED})`,
        raw(`sum(${TAKEN})`),
        'People who came of places that were taken, from 0 to 1.',
      ),
    },
    pivot: raw('e.local_starts_at'),
  },
});
