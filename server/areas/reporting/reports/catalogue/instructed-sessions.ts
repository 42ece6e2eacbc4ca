/** Sessions taught: one row for each instructor of a session, with the pay. */
import { anyOf, COUNT, countField, named, untilNow, within, yearAndMonth } from './common.ts';
import { below, column, filterBy, report, zoned } from '../report.ts';
import type { Column, Columns } from '../columns.ts';
import {
  boolean,
  id,
  integer,
  listOf,
  money,
  moneyText,
  number,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { PAY_TYPES, printTiers, shownTiers } from '../../../scheduling/instructor-pay/index.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';

const bookingsThat = (status: string, more = ''): string =>
  `(SELECT count(*) FROM attendance a WHERE a.provider_id = t.provider_id AND a.event_id = t.event_id AND a.status = '${status}'${more})`;

/** The reference has classes and course sessions; appointments are taught and paid as well. */
const SESSION_TYPES = ['class', 'course_session', 'appointment'] as const;
const SESSION_TYPE = `CASE o.schedule_type WHEN 'course' THEN 'course_session' ELSE o.schedule_type END`;

const HOURS = `extract(epoch FROM e.ends_at - e.starts_at) / 3600`;

/** Pay is visible only with this permission. */
const paid = { for: ['revenue'] } as const;

const tiers: Column = {
  field: shownTiers(),
  means: 'Pay for participants, by their number.',
  reads: [raw(`p.terms->'tiers'`)],
  make: ([cell], { currency }) => cell && printTiers(JSON.parse(cell), currency),
  alias: 'pay_rate_tiers',
  sortable: false,
  ...paid,
};

const offering = named('offering_type', 'o', 'what is offered');
const venue = named('venue', 'v', 'the venue');
const sessionType = column(oneOf(SESSION_TYPES), SESSION_TYPE, 'Type of session.');
const rateId = column(
  id(),
  'p.instructor_pay_rate_id',
  'ID of the rate that applies. Empty if none covers it, or none is known yet.',
  paid,
);
const rateName = column(text(), `p.terms->>'name'`, 'Name of the rate, as it was when the pay was calculated.', paid);

const columns: Columns = {
  id: column(id(), 'e.id', 'ID of the event.'),
  name: column(text(), 'e.name', 'Name of the event.'),
  ...offering,
  ...named('instructor', 'i', 'the instructor'),
  'instructor.thumbnail_url': column(text(), `nullif(i.picture_url, '')`, 'Picture of the instructor.', {
    alias: 'instructor_thumbnail_url',
  }),
  starts_at: zoned('e.starts_at', 'e.timezone', 'When it starts, in the time zone of its venue.', { always: true }),
  ...venue,
  venue_timezone: column(text(), 'e.timezone', 'Time zone of the venue.'),
  max_occupancy: column(integer(), 'e.max_occupancy', 'Maximum number of participants. Empty if there is no limit.'),
  hours: column(number(), `round(${HOURS}, 2)`, 'Length in hours.'),
  attended_count: column(countField(), bookingsThat('attended'), 'People who came.'),
  no_show_count: column(countField(), bookingsThat('no_show'), 'People who booked and didn’t come.'),
  late_cancel_count: column(countField(), bookingsThat('late_cancelled'), 'Bookings that were cancelled too late.'),
  'comped_counts.attended': column(
    countField(),
    bookingsThat('attended', ' AND a.comped'),
    'People who came for free.',
    {
      alias: 'attended_comped_count',
    },
  ),
  session_type: sessionType,
  ...below('instructor_pay_rate', {
    id: rateId,
    name: rateName,
    type: column(
      oneOf(PAY_TYPES),
      `p.terms->>'type'`,
      'Unit that the base is paid for: the session, or each hour of it.',
      paid,
    ),
    base: column(
      moneyText(),
      `(p.terms->>'base')::bigint`,
      'Pay for the session or the hour, without customers.',
      paid,
    ),
  }),
  'instructor_pay_rate.tiers': tiers,
  instructor_pay: column(
    money(),
    'p.pay_minor',
    'Pay of the instructor for the session. Empty if no rate covers it.',
    paid,
  ),
  instructor_pay_calculation_pending: column(
    boolean(),
    'coalesce(p.id IS NULL AND e.ends_at > g.calculated_until, false)',
    'Whether the pay is still to be calculated, which is done when the session has ended.',
    paid,
  ),
};

/** The base over `event_instructor t`, shared by the reports about instructors. */
export const TAUGHT = {
  who: ['revenue', 'manage_events', 'attendances'],
  from: 'event_instructor t',
  joins: {
    e: raw('JOIN event e ON e.provider_id = t.provider_id AND e.id = t.event_id'),
    o: raw('JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id'),
    v: raw('JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id'),
    i: raw('JOIN instructor i ON i.provider_id = t.provider_id AND i.id = t.instructor_id'),
    p: raw(
      'LEFT JOIN instructor_pay_item p ON p.provider_id = t.provider_id AND p.event_id = t.event_id AND p.instructor_id = t.instructor_id',
    ),
    g: raw('LEFT JOIN instructor_pay_progress g ON g.provider_id = t.provider_id'),
  },
  // A rented room has no instructor.
  where: raw(`e.status = 'active' AND o.schedule_type <> 'room_rental'`),
  unless: { include_future: untilNow('e.starts_at') },
  venue: 'e.venue_id',
  filters: {
    instructors: anyOf('t.instructor_id'),
    offering_types: anyOf('e.offering_type_id'),
    ...within('starts_at', 'e.starts_at', 'timeframe'),
    venues: anyOf('e.venue_id'),
  },
} as const;

export const totalHours = column(number(), `round(sum(${HOURS}), 2)`, 'Hours in all.');

export const totalPay = (field: Column['field']): Column =>
  column(field, 'coalesce(sum(p.pay_minor), 0)', 'Pay for the sessions that are calculated.', paid);

export const instructedSessionsReport = report('instructed_sessions', {
  ...TAUGHT,
  title: 'sessions that were taught',
  description:
    'Who taught which session, how many people came, and what it pays. A session of two instructors has two rows. Sessions that are still to come are left out.',
  // The instructors of an event are numbered, so that each row has a unique id.
  id: `
    (t.event_id * 1000 + (SELECT count(*) FROM event_instructor x
      WHERE x.provider_id = t.provider_id AND x.event_id = t.event_id
    AND x.instructor_id < t.instructor_id))`,
  columns,
  sort: '-starts_at',
  filters: {
    ...TAUGHT.filters,
    pay_rates: anyOf('p.instructor_pay_rate_id', 'instructor_pay_rate.id'),
    session_types: filterBy(listOf(oneOf(SESSION_TYPES)), (types) => sql`${raw(SESSION_TYPE)} = ANY(${types}::text[])`),
  },
  grouped: {
    by: {
      ...named('instructor', 'i', 'the instructor'),
      ...offering,
      ...venue,
      session_type: sessionType,
      ...below('instructor_pay_rate', { id: rateId, name: rateName }),
      ...yearAndMonth(raw('e.local_starts_at'), 'the session', ['year', 'month']),
    },
    measures: { hours: totalHours, instructor_pay: totalPay(money()), count: COUNT },
    pivot: raw('e.local_starts_at'),
  },
});
