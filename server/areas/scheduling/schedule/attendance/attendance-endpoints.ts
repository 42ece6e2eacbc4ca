import { action, choice, filter, get, list, one, type Filter, type Who } from '../../../../kernel/api/endpoint.ts';
import { called, boolean, id, instant, listOf, oneOf, wallTime } from '../../../../kernel/base/fields/kinds.ts';
import { raw, param, sql } from '../../../../kernel/base/db/sql.ts';
import { attendance, ATTENDANCE_STATUSES, waitlistSpot } from './attendance.ts';
import { markAttendance } from './marking.ts';
import { SCHEDULE_PROBLEMS } from '../problems.ts';
import type { Input } from '../../../../kernel/work/access/viewer.ts';

const whoSees: Who = { provider: true, customer: true, unregistered: false };

const onEvent = (t: string) => raw(`JOIN event ev ON ev.provider_id = ${t}.provider_id AND ev.id = ${t}.event_id`);
const onCustomer = (t: string) =>
  raw(`JOIN customer cu ON cu.provider_id = ${t}.provider_id AND cu.id = ${t}.customer_id`);

const startBound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), () => sql`ev.starts_at ${raw(operator)} ${at}::timestamptz`, onEvent);
};

const statuses = param<Input>((i) => i.query.status.filter((s: string) => s !== 'plans_to_attend'));
const plans = param<Input>((i) => i.query.status.includes('plans_to_attend'));

/** `plans_to_attend`: booked, or on the waitlist of the event. */
const statusFilter = filter(
  listOf(called('attendance_status', oneOf([...ATTENDANCE_STATUSES, 'plans_to_attend']))).describe(
    '`plans_to_attend`: registered, or on the waitlist.',
  ),
  (t) =>
    sql`(${raw(t)}.status = ANY(${statuses}::text[]) OR (${plans}::boolean AND (${raw(t)}.status = 'registered' OR EXISTS (
    SELECT FROM waitlist_spot s WHERE s.provider_id = ${raw(t)}.provider_id AND s.event_id = ${raw(t)}.event_id AND s.customer_id = ${raw(t)}.customer_id AND s.ended_at IS NULL))))`,
);

const ids = (column: string): Filter =>
  filter(listOf(id()), (t, v) => sql`${raw(`${t}.${column}`)} = ANY(${v}::bigint[])`);

export const attendanceEndpoints = [
  list(attendance, {
    path: '/attendances',
    summary: 'List attendances: bookings, visits, cancellations and spots on waitlists',
    who: whoSees,
    filters: {
      customer: ids('customer_id'),
      event: ids('event_id'),
      status: statusFilter,
      event_starts_at_gte: startBound('event_starts_at_gte', '>='),
      event_starts_at_lte: startBound('event_starts_at_lte', '<='),
      event_local_starts_at_gte: filter(wallTime(), (_t, v) => sql`ev.local_starts_at >= ${v}::timestamp`, onEvent),
      event_local_starts_at_lte: filter(wallTime(), (_t, v) => sql`ev.local_starts_at <= ${v}::timestamp`, onEvent),
      offering_types: filter(listOf(id()), (_t, v) => sql`ev.offering_type_id = ANY(${v}::bigint[])`, onEvent),
      venue: filter(listOf(id()), (_t, v) => sql`ev.venue_id = ANY(${v}::bigint[])`, onEvent),
    },
    sort: {
      event_starts_at: { by: () => raw('ev.starts_at'), join: onEvent },
      'customer.created_at': { by: () => raw('cu.created_at'), join: onCustomer },
    },
  }),
  get(attendance, { path: '/attendances/{id}', summary: 'Get an attendance', who: whoSees }),
  action({
    method: 'PATCH',
    path: '/attendances/{id}',
    summary: 'Mark a customer as present or absent, or remove the mark',
    who: { provider: ['attendances', 'instructor_attendances'], customer: false, unregistered: false },
    target: attendance,
    body: { status: oneOf(['attended', 'no_show', 'registered']).optional() },
    returns: one(attendance),
    problems: [SCHEDULE_PROBLEMS.not_registered, SCHEDULE_PROBLEMS.event_cancelled],
    run: async ({ work, body, target }) => {
      if (body.status)
        await markAttendance(work, { event: target.event_id, customer: target.customer_id }, body.status);
      return target.id;
    },
  }),
  list(waitlistSpot, {
    path: '/waitlist_spots',
    summary: 'List waitlist spots',
    who: whoSees,
    filters: {
      event: ids('event_id'),
      customer: ids('customer_id'),
      active: choice(boolean().default(true), {
        true: (t) => raw(`${t}.ended_at IS NULL`),
        false: (t) => raw(`${t}.ended_at IS NOT NULL`),
      }),
    },
  }),
  get(waitlistSpot, { path: '/waitlist_spots/{id}', summary: 'Get a waitlist spot', who: whoSees }),
];
