import { boolean, id, instant, listOf, oneOf, wallTime } from '../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { course } from './course.ts';
import { courseDateSeries } from './course-date-series.ts';
import { courseEnrollment, courseMakeUp, courseWaitlistSpot } from './course-enrollment.ts';
import { courseSession, courseSessionAttendance } from './course-session.ts';
import { eventFilters, eventSorts } from '../../scheduling/schedule/index.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

/** Courses are as public as the schedule; staff need one of the permissions related to it. */
const whoSees: Who = {
  provider: ['manage_events', 'attendances', 'instructor_manage_events', 'instructor_attendances', 'developer'],
  customer: true,
  unregistered: true,
};
const whoTakesPart: Who = { ...whoSees, unregistered: false };

const flag = (column: string) =>
  choice(boolean(), { true: (t) => raw(`${t}.${column}`), false: (t) => raw(`NOT ${t}.${column}`) });

const ids = (column: string): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${column}`)} = ANY(${wanted}::bigint[])`);

const status = <const V extends string>(values: readonly V[]): Filter =>
  filter(listOf(oneOf(values)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`);

/** Matches sessions whose place in a course is in this column. */
const within = (column: string): Filter =>
  filter(
    listOf(id()),
    (t, wanted) => sql`EXISTS (SELECT FROM course_date d WHERE d.provider_id = ${raw(t)}.provider_id
      AND d.event_id = ${raw(t)}.id AND ${raw(`d.${column}`)} = ANY(${wanted}::bigint[]))`,
  );

const { ends_at_gte, ends_at_lte, instructors, local_starts_at_gte, local_starts_at_lte, occupancy_status } =
  eventFilters;
const { offering_types, start_gte, start_lte, starts_at_gte, starts_at_lte, venues } = eventFilters;

const onEvent = (t: string) => raw(`JOIN event ev ON ev.provider_id = ${t}.provider_id AND ev.id = ${t}.event_id`);

const startOf = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), () => sql`ev.starts_at ${raw(operator)} ${at}::timestamptz`, onEvent);
};
const localStart = (operator: '>=' | '<='): Filter =>
  filter(wallTime(), (_t, at) => sql`ev.local_starts_at ${raw(operator)} ${at}::timestamp`, onEvent);

export const findCourses = [
  ...listAndGet(course, {
    path: '/courses',
    summary: 'List courses',
    get: 'Get a course',
    description: 'Customers and visitors see those that are published.',
    who: whoSees,
    filters: { published: flag('published'), offering_types: ids('offering_type_id') },
  }),
  ...listAndGet(courseDateSeries, {
    path: '/course_date_series',
    summary: 'List date series of courses',
    get: 'Get a date series of a course',
    who: whoSees,
    filters: { course: ids('course_id'), venues: ids('venue_id'), status: status(['active', 'cancelled']) },
  }),
  ...listAndGet(courseSession, {
    path: '/course_sessions',
    summary: 'List sessions of courses',
    get: 'Get a session of a course',
    who: whoSees,
    sort: { start: eventSorts.start },
    defaultSort: 'start',
    filters: {
      course: within('course_id'),
      course_date_series: within('course_date_series_id'),
      ends_at_gte,
      ends_at_lte,
      instructors,
      local_starts_at_gte,
      local_starts_at_lte,
      occupancy_status,
      offering_types,
      start_gte,
      start_lte,
      starts_at_gte,
      starts_at_lte,
      status: eventFilters.status,
      venues,
    },
  }),
];

export const findAttendances = [
  ...listAndGet(courseSessionAttendance, {
    path: '/course_session_attendances',
    summary: 'List who takes part in sessions of courses',
    get: 'Get an attendance at a session of a course',
    who: { provider: true, customer: true, unregistered: false },
    filters: {
      customer: ids('customer_id'),
      course_session: ids('event_id'),
      status: status(['registered', 'attended', 'no_show']),
      course_session_local_starts_at_gte: localStart('>='),
      course_session_local_starts_at_lte: localStart('<='),
      course_session_starts_at_gte: startOf('course_session_starts_at_gte', '>='),
      course_session_starts_at_lte: startOf('course_session_starts_at_lte', '<='),
    },
  }),
];

export const findEnrollments = [
  ...listAndGet(courseEnrollment, {
    path: '/course_enrollments',
    summary: 'List enrolments in courses',
    get: 'Get an enrolment in a course',
    who: whoTakesPart,
    filters: {
      customer: ids('customer_id'),
      course_date_series: ids('course_date_series_id'),
      status: status(['active', 'cancelled']),
    },
  }),
  ...listAndGet(courseMakeUp, {
    path: '/course_make_ups',
    summary: 'List make-up sessions',
    get: 'Get a make-up session',
    description: 'Those whose booking was cancelled in time are left out.',
    who: whoTakesPart,
    filters: {
      customer: ids('customer_id'),
      course_enrollment: ids('course_enrollment_id'),
      course_session: ids('event_id'),
    },
  }),
  ...listAndGet(courseWaitlistSpot, {
    path: '/course_waitlist_spots',
    summary: 'List who waits for date series',
    get: 'Get a spot on the waitlist of a date series',
    who: whoTakesPart,
    filters: {
      customer: ids('customer_id'),
      course_date_series: ids('course_date_series_id'),
      status: status(['waiting', 'offered', 'enrolled', 'left', 'expired', 'ended']),
    },
  }),
];
