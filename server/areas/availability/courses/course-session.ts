/** A session is an event: its properties are read from there. */
import { atVenue, placeOf, resource } from '../../../kernel/api/resource.ts';
import {
  collection,
  id,
  integer,
  oneOf,
  ref,
  refBy,
  text,
  uri,
  zonedInstant,
} from '../../../kernel/base/fields/kinds.ts';
import { eventPath } from '../../scheduling/schedule/index.ts';
import { ofMyFamily } from '../../people/customers/index.ts';
import { onOffer, shownToCustomers } from './course.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';

/** Event `t` is a session of a course that `shown` picks, under the alias `c`. */
const ofCourse = (t: string, shown: Sql): Sql => sql`EXISTS (SELECT FROM course_date d
  JOIN course c ON c.provider_id = d.provider_id AND c.id = d.course_id
  WHERE d.provider_id = ${raw(t)}.provider_id AND d.event_id = ${raw(t)}.id AND ${shown})`;

/** Event `t` is a session of any course. */
const isSession = (t: string): Sql =>
  raw(`EXISTS (SELECT FROM course_date d WHERE d.provider_id = ${t}.provider_id AND d.event_id = ${t}.id)`);

const dateColumn = (t: string, column: string): Sql =>
  raw(`(SELECT d.${column} FROM course_date d WHERE d.provider_id = ${t}.provider_id AND d.event_id = ${t}.id)`);

/** A family member is booked: for a make-up session, or as a single date. */
const bookedByMe = (t: string): Sql => sql`${isSession(t)} AND EXISTS (SELECT FROM attendance a
  WHERE a.provider_id = ${raw(t)}.provider_id AND a.event_id = ${raw(t)}.id AND a.status <> 'not_registered'
    AND ${ofMyFamily('a.customer_id')})`;

export const courseSession = resource('course_session', {
  description:
    'A session of a course. It is an event with the same id, so everything that events can do, it can do too.',
  table: 'event',
  fields: {
    id: id(),
    name: text({ max: 200 }).nullable(),
    starts_at: zonedInstant('starts_at'),
    ends_at: zonedInstant('ends_at'),
    status: oneOf(['active', 'cancelled']),
    attending_count: integer({ min: 0 }),
    max_occupancy: integer({ min: 1 }).nullable().describe('Null means no limit.'),
    venue: ref('venue'),
    instructors: collection(
      'instructor',
      { table: 'event_instructor', parent: 'event_id', child: 'instructor_id' },
      (eventId) => `/instructors?event=${eventId}`,
    ),
    course: refBy('course', (t) => dateColumn(t, 'course_id')),
    course_date_series: refBy('course_date_series', (t) => dateColumn(t, 'course_date_series_id')),
    customer_url: uri().computed(
      (t) => [raw(`${t}.provider_id`), raw(`${t}.id`)],
      ([providerId, eventId], wire) => `${wire.pagesUrl}${eventPath(Number(providerId), Number(eventId))}`,
    ),
    provider_url: uri()
      .nullable()
      .from(() => raw('NULL::text'))
      .describe('Null, because there is no page of sessions for staff.'),
  },
  visible: {
    provider: isSession,
    customer: (t) => sql`(${ofCourse(t, shownToCustomers('c'))}) OR (${bookedByMe(t)})`,
    unregistered: (t) => ofCourse(t, onOffer('c')),
  },
  place: atVenue('venue_id', 'public'),
});

const taking = (t: string): Sql =>
  raw(`${t}.status IN ('registered', 'attended', 'no_show') AND EXISTS (SELECT FROM course_date d
    WHERE d.provider_id = ${t}.provider_id AND d.event_id = ${t}.event_id)`);

export const courseSessionAttendance = resource('course_session_attendance', {
  description: 'A customer takes part in a session of a course. It is an attendance with the same id.',
  table: 'attendance',
  fields: {
    id: id(),
    course_session: ref('course_session', 'event_id'),
    customer: ref('customer').nullable(),
    status: oneOf(['registered', 'attended', 'no_show']),
  },
  visible: {
    provider: taking,
    customer: (t) => sql`${taking(t)} AND ${ofMyFamily(`${t}.customer_id`)}`,
    unregistered: false,
  },
  place: placeOf('event'),
});
