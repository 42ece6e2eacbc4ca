/** Classes: one row for each event that isn't an appointment, a rental or a session of a course. */
import {
  anyOf,
  changed,
  clockOf,
  COUNT,
  countField,
  dayOfWeek,
  instructorsOf,
  named,
  taughtBy,
  untilNow,
  within,
  yearAndMonth,
} from './common.ts';
import {
  called,
  id,
  instant,
  integer,
  listOf,
  number,
  object,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { column, filterBy, report, allowSeveralValues, zoned } from '../report.ts';
import type { Columns } from '../columns.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

const attendancesThat = (status: string) =>
  column(
    countField(),
    `(SELECT count(*) FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id AND a.status = '${status}')`,
    {
      attended: 'People who came.',
      late_cancelled: 'Bookings that were cancelled too late.',
      no_show: 'People who booked and didn’t come.',
    }[status]!,
  );

const MINUTES = `date_part('epoch', e.ends_at - e.starts_at)::int / 60`;
const duration = column(integer({ min: 0 }), MINUTES, 'Length in minutes.');
const offering = named('offering_type', 'o', 'what is offered');
const venue = named('venue', 'v', 'the venue');

/** The reference uses the misspelling for the sixth day; both spellings are accepted. */
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'staturday'] as const;

const columns: Columns = {
  id: column(id(), 'e.id', 'ID of the event.'),
  starts_at: zoned('e.starts_at', 'e.timezone', 'When it starts, in the time zone of its venue.', { always: true }),
  updated_at: column(instant(), 'e.updated_at', 'When it changed last.'),
  status: column(oneOf(['active', 'cancelled']), 'e.status', 'Whether it takes place.'),
  ...offering,
  ...venue,
  instructors: column(
    listOf(called('id_and_name', object({ id: id(), name: text() }))),
    instructorsOf('e.id'),
    'Instructors of the session.',
  ),
  start_time: clockOf('e.local_starts_at'),
  duration_minutes: duration,
  day_of_week: dayOfWeek('e.local_starts_at'),
  attendance_count: attendancesThat('attended'),
  late_cancel_count: attendancesThat('late_cancelled'),
  no_show_count: attendancesThat('no_show'),
};

/** Joins of the event `e`. */
export const CLASS_JOINS = {
  o: raw('JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id'),
  v: raw('JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id'),
  ei: raw('LEFT JOIN event_instructor ei ON ei.provider_id = e.provider_id AND ei.event_id = e.id'),
  i: raw('LEFT JOIN instructor i ON i.provider_id = ei.provider_id AND i.id = ei.instructor_id'),
};

export const classesReport = report('classes', {
  title: 'classes',
  description: 'Classes, and how many people came. Classes that are still to come are left out.',
  who: ['manage_events', 'attendances'],
  from: 'event e',
  joins: CLASS_JOINS,
  where: raw(`o.schedule_type = 'class'`),
  unless: { include_future: untilNow('e.starts_at') },
  id: 'e.id',
  venue: 'e.venue_id',
  columns,
  sort: '-starts_at',
  filters: {
    day_of_week: filterBy(
      listOf(oneOf(DAYS)),
      (days: readonly string[]) =>
        sql`
          date_part('isodow', e.local_starts_at)::int =
          ANY(${days.map((day) => [7, 1, 2, 3, 4, 5, 6, 6][DAYS.indexOf(day as never)])}::int[])`,
    ),
    durations: filterBy(
      listOf(integer({ min: 1, max: 100_000 })),
      (minutes) => sql`${raw(MINUTES)} = ANY(${minutes}::int[])`,
    ),
    instructors: taughtBy('e.id'),
    offering_types: anyOf('e.offering_type_id'),
    ...within('starts_at', 'e.starts_at', 'timeframe'),
    status: filterBy(oneOf(['active', 'cancelled']), (status) => sql`e.status = ${status}::text`),
    ...changed('e'),
    venues: anyOf('e.venue_id'),
  },
  grouped: {
    by: {
      start_time: columns.start_time,
      day_of_week: columns.day_of_week,
      ...offering,
      ...venue,
      duration_minutes: duration,
      ...allowSeveralValues(named('instructor', 'i', 'the instructor: a class of two counts for both')),
      ...yearAndMonth(raw('e.local_starts_at'), 'the class', ['year', 'month']),
    },
    measures: {
      average_attendees: column(
        number(),
        `round(avg((SELECT count(*) FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id AND a.status = 'attended')), 2)`,
        'Average number of people who came to a class.',
      ),
      count: COUNT,
    },
  },
});
