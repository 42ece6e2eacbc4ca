/** Bookings and visits: one row for each customer and event. */
import {
  anyOf,
  changed,
  clockOf,
  COUNT,
  countedBy,
  customerColumns,
  dayOfWeek,
  instructorsOf,
  named,
  oneOfThese,
  taughtBy,
  untilNow,
  within,
} from './common.ts';
import { below, column, filterBy, report, zoned, type Declared, type Report } from '../report.ts';
import type { Columns } from '../columns.ts';
import { called, boolean, id, instant, listOf, object, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { PLACES } from '../../../scheduling/schedule/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const STATUSES = ['attended', 'registered', 'no_show', 'late_cancelled'] as const;

/** The membership that pays, or paid, for the booking `a`. */
export const PAYER_JOINS = {
  u: raw(`LEFT JOIN LATERAL (SELECT n.customer_membership_id FROM entitlement_entry n
    WHERE n.provider_id = a.provider_id AND n.attendance_id = a.id AND n.amount < 0 ORDER BY n.id DESC LIMIT 1) u
    ON true`),
  m: raw('LEFT JOIN customer_membership m ON m.provider_id = a.provider_id AND m.id = u.customer_membership_id'),
  mp: raw('LEFT JOIN membership mp ON mp.provider_id = m.provider_id AND mp.id = m.membership_id'),
};

export const payerColumns: Columns = {
  'customer_membership.id': column(
    id(),
    'u.customer_membership_id',
    'ID of the membership that pays, as the customer has it.',
    { alias: 'customer_membership_id' },
  ),
  'customer_membership.membership.id': column(id(), 'mp.id', 'ID of the membership that pays.', {
    alias: 'membership_id',
  }),
  'customer_membership.membership.name': column(text(), 'mp.name', 'Name of the membership that pays.', {
    alias: 'membership_name',
  }),
};

const METHOD = raw(`CASE WHEN u.customer_membership_id IS NOT NULL THEN 'membership'
  WHEN EXISTS (SELECT FROM booking_payment bp WHERE bp.provider_id = a.provider_id AND bp.attendance_id = a.id)
    THEN 'dropin' ELSE 'free' END`);

/** The booking source: the id of its application, or `none`. */
const SOURCE = raw(`coalesce(a.booking_application_id::text, 'none')`);

const IS_FIRST: Sql = raw(`
    (a.status = 'attended' AND NOT EXISTS (SELECT FROM attendance b
      JOIN event be ON be.provider_id = b.provider_id AND be.id = b.event_id
  WHERE b.provider_id = a.provider_id AND b.customer_id = a.customer_id AND b.status = 'attended'
    AND (be.starts_at, be.id) < (e.starts_at, e.id)))`);

const offering = named('offering_type', 'o', 'what is offered');
/** The id of the venue at which somebody takes part: the online venue for a place online. */
const TOOK_PART_AT = `CASE a.place WHEN 'online' THEN e.online_venue_id ELSE e.venue_id END`;

const venue = named('venue', 'v', 'the venue, or the online venue of those who take part online');
const method = column(
  oneOf(['membership', 'dropin', 'free']),
  METHOD,
  'Way of booking: with a membership, for the drop-in price, or without paying.',
);
const source = column(
  text(),
  'a.booking_application_name',
  'The application that it was booked with; empty if it was booked without one.',
);
const status = column(oneOf(STATUSES), 'a.status', 'Result of the booking.');

const columns: Columns = {
  id: column(id(), 'a.id', 'ID of the booking.'),
  updated_at: column(instant(), 'a.updated_at', 'When it changed last.'),
  ...customerColumns('c'),
  'customer.thumbnail_url': column(text(), 'NULL::text', 'Always empty: pictures of customers aren’t stored.', {
    alias: 'customer_thumbnail_url',
  }),
  ...below('event', {
    id: column(id(), 'e.id', 'ID of the event.'),
    starts_at: zoned('e.starts_at', 'e.timezone', 'When the event starts, in the time zone of its venue.', {
      always: true,
    }),
    ends_at: zoned('e.ends_at', 'e.timezone', 'When the event ends, in the time zone of its venue.'),
    name: column(text(), 'e.name', 'Name of the event.'),
  }),
  ...offering,
  ...venue,
  instructors: column(
    listOf(called('id_and_name', object({ id: id(), name: text() }))),
    instructorsOf('a.event_id'),
    'Instructors of the session.',
  ),
  booking_method: method,
  ...payerColumns,
  booking_source: source,
  place: column(oneOf(PLACES), 'a.place', 'Where they take part: at the venue, or online.'),
  status,
  'checkin.ocurred_at': column(instant(), 'a.attended_at', 'When the visit was marked.', {
    alias: 'checkin_ocurred_at',
  }),
  is_first_attendance: column(boolean(), IS_FIRST, 'It is the customer’s first visit.'),
};

/**
 * How many bookings of each event became what, in the room and online. Visits that changed since the stored ones were
 * brought up to date are counted from the bookings, so that all numbers are of one moment; so are those of events with
 * places online, because the stored ones don't tell the places apart.
 */
const SUMS = sql`
  (WITH changed AS MATERIALIZED (SELECT DISTINCT of_id AS event_id FROM report_change
    WHERE provider_id = current_provider_id() AND of = 'turnout'
    UNION SELECT id FROM event WHERE provider_id = current_provider_id() AND online_venue_id IS NOT NULL)
  SELECT e.provider_id, e.id AS event_id, 'venue' AS place, s.status, s.n
  FROM event e LEFT JOIN report_turnout t ON t.provider_id = e.provider_id AND t.event_id = e.id
    CROSS JOIN LATERAL (VALUES ('attended', coalesce(t.attended, 0)), ('no_show', coalesce(t.no_show, 0)),
      ('late_cancelled', coalesce(t.late_cancelled, 0)),
      ('registered', e.attending_count - coalesce(t.attended + t.no_show, 0))) s(status, n)
  WHERE e.provider_id = current_provider_id() AND s.n > 0 AND e.id NOT IN (SELECT event_id FROM changed)
  UNION ALL SELECT a.provider_id, a.event_id, a.place, a.status, count(*) FROM attendance a
    WHERE a.provider_id = current_provider_id() AND a.event_id = ANY(ARRAY(SELECT event_id FROM changed))
    GROUP BY a.provider_id, a.event_id, a.place, a.status) a`;

const OF_EVENT = {
  ...within('event_start', 'e.starts_at', 'event_timeframe'),
  event_types: filterBy(
    listOf(oneOf(['appointment', 'class'])),
    (types) => sql`o.schedule_type = ANY(${types}::text[])`,
  ),
  instructors: taughtBy('a.event_id'),
  offering_types: anyOf('e.offering_type_id'),
  venues: anyOf(TOOK_PART_AT),
  attendance_status: oneOfThese(STATUSES, 'a.status'),
  status: oneOfThese(STATUSES, 'a.status'),
};

const BY_EVENT: Columns = {
  day_of_week: dayOfWeek('e.local_starts_at'),
  'event.start_time': clockOf('e.local_starts_at', { alias: 'event_start_time' }),
  ...offering,
  ...venue,
  status,
};

const DECLARED: Declared = {
  title: 'attendances',
  description: 'Bookings and visits. Events that are still to come are left out.',
  who: ['attendances', 'customers'],
  from: 'attendance a',
  joins: {
    e: raw('JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id'),
    c: raw('JOIN customer c ON c.provider_id = a.provider_id AND c.id = a.customer_id'),
    o: raw('JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id'),
    v: raw(`JOIN venue v ON v.provider_id = e.provider_id AND v.id = ${TOOK_PART_AT}`),
    ...PAYER_JOINS,
  },
  where: raw(`a.status <> 'not_registered'`),
  unless: { include_future: untilNow('e.starts_at') },
  id: 'a.id',
  venue: 'e.venue_id',
  columns,
  sort: '-event.starts_at',
  customer: 'customer.id',
  filters: {
    booking_methods: filterBy(
      listOf(oneOf(['membership', 'dropin', 'free'])),
      (methods) => sql`${METHOD} = ANY(${methods}::text[])`,
    ),
    booking_sources: filterBy(
      listOf(text({ max: 20, pattern: /^(\d+|none)$/, hint: 'Must be the id of an application, or none.' })),
      (sources) => sql`${SOURCE} = ANY(${sources}::text[])`,
    ),
    customer_memberships: anyOf('u.customer_membership_id'),
    customers: anyOf('a.customer_id'),
    memberships: anyOf('m.membership_id'),
    ...changed('a'),
    ...OF_EVENT,
  },
  grouped: {
    by: {
      ...customerColumns('c'),
      ...BY_EVENT,
      booking_method: method,
      booking_source: source,
    },
    measures: { count: COUNT },
    pivot: raw('e.local_starts_at'),
  },
};

export const attendancesReport: Report = {
  ...report('attendances', DECLARED),
  sums: report('attendances', {
    ...DECLARED,
    from: SUMS,
    counts: raw('a.n'),
    filters: OF_EVENT,
    grouped: { ...DECLARED.grouped!, by: BY_EVENT, measures: { count: countedBy('a.n') } },
  }),
};
