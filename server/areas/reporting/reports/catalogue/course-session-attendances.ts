/** Bookings of sessions of courses: one row for each customer and session. */
import {
  anyOf,
  clockOf,
  COUNT,
  customerColumns,
  dayOfWeek,
  instructorsOf,
  isTrue,
  named,
  oneOfThese,
  taughtBy,
  untilNow,
  within,
} from './common.ts';
import { below, column, report, zoned } from '../report.ts';
import type { Columns } from '../columns.ts';
import { called, boolean, id, listOf, object, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { PAYER_JOINS, payerColumns } from './attendances.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';

const STATUSES = ['no_show', 'registered', 'attended'] as const;
const METHODS = ['session_dropin', 'membership', 'course_dropin'] as const;

const METHOD = `CASE WHEN u.customer_membership_id IS NOT NULL THEN 'membership'
  WHEN EXISTS (SELECT FROM booking_payment bp WHERE bp.provider_id = a.provider_id AND bp.attendance_id = a.id)
    THEN 'session_dropin' ELSE 'course_dropin' END`;

const IS_MAKE_UP = `EXISTS (SELECT FROM course_make_up mu
  WHERE mu.provider_id = a.provider_id AND mu.event_id = a.event_id
  AND mu.customer_id = a.customer_id AND NOT mu.given_up)`;

const offering = named('offering_type', 'o', 'what is offered');
const venue = named('venue', 'v', 'the venue');
const method = column(oneOf(METHODS), METHOD, 'Way of booking: alone, with a membership, or with the whole course.');
const makeUp = column(boolean(), IS_MAKE_UP, 'It makes up for a session of another series.');
const status = column(oneOf(STATUSES), 'a.status', 'Result of the booking.');

const columns: Columns = {
  ...customerColumns('c'),
  ...below('course_session', {
    id: column(id(), 'e.id', 'ID of the session.'),
    starts_at: zoned('e.starts_at', 'e.timezone', 'When the session starts, in the time zone of its venue.', {
      always: true,
    }),
  }),
  ...named('course', 'k', 'the course'),
  ...named('course_series', 's', 'the series of dates'),
  ...offering,
  ...venue,
  instructors: column(
    listOf(called('id_and_name', object({ id: id(), name: text() }))),
    instructorsOf('a.event_id'),
    'Instructors of the session.',
  ),
  booking_method: method,
  ...payerColumns,
  is_makeup: makeUp,
  status,
};

export const courseSessionAttendancesReport = report('course_session_attendances', {
  title: 'attendances of courses',
  description: 'Attendance at the sessions of courses. Sessions that are still to come are left out.',
  who: ['attendances', 'customers'],
  from: 'attendance a',
  joins: {
    d: raw('JOIN course_date d ON d.provider_id = a.provider_id AND d.event_id = a.event_id'),
    e: raw('JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id'),
    c: raw('JOIN customer c ON c.provider_id = a.provider_id AND c.id = a.customer_id'),
    k: raw('JOIN course k ON k.provider_id = d.provider_id AND k.id = d.course_id'),
    s: raw('JOIN course_date_series s ON s.provider_id = d.provider_id AND s.id = d.course_date_series_id'),
    o: raw('JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id'),
    v: raw('JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id'),
    ...PAYER_JOINS,
  },
  where: raw(`d.event_id IS NOT NULL AND a.status IN ('registered', 'attended', 'no_show')`),
  unless: { include_future: untilNow('e.starts_at') },
  id: 'a.id',
  venue: 'e.venue_id',
  columns,
  sort: '-course_session.starts_at',
  customer: 'customer.id',
  filters: {
    booking_methods: oneOfThese(METHODS, METHOD),
    customers: anyOf('a.customer_id'),
    instructors: taughtBy('a.event_id'),
    is_makeup: isTrue(IS_MAKE_UP),
    memberships: anyOf('m.membership_id'),
    offering_types: anyOf('e.offering_type_id'),
    ...within('session_starts_at', 'e.starts_at', 'session_timeframe'),
    status: oneOfThese(STATUSES, 'a.status'),
    venues: anyOf('e.venue_id'),
  },
  grouped: {
    by: {
      ...customerColumns('c'),
      ...venue,
      ...offering,
      booking_method: method,
      is_makeup: makeUp,
      status,
      'course_session.start_time': clockOf('e.local_starts_at', { alias: 'course_session_start_time' }),
      day_of_week: dayOfWeek('e.local_starts_at'),
    },
    measures: { count: COUNT },
    pivot: raw('e.local_starts_at'),
  },
});
