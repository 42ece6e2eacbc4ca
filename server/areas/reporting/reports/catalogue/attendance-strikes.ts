/** Late cancellations and absences that count against a membership: one row for each rule that counts one. */
import { anyOf, clockOf, COUNT, customerColumns, dayOfWeek, named, oneOfThese, within } from './common.ts';
import { below, column, report, zoned } from '../report.ts';
import type { Columns } from '../columns.ts';
import { date, id, integer, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw } from '../../../../kernel/base/db/sql.ts';
import { STRIKE_STATUSES, strikeStatus } from '../../../memberships/penalties/index.ts';

const STATUS = strikeStatus('k');
const KINDS = ['late_cancel', 'no_show'] as const;
const APPLIES_TO = ['no_shows', 'late_cancels', 'late_cancels_or_no_shows'] as const;
const TYPES = ['course_session', 'appointment', 'class', 'room_rental'] as const;
const TYPE = `CASE o.schedule_type WHEN 'course' THEN 'course_session' ELSE o.schedule_type END`;

const amounts = { for: ['revenue', 'customer_payments'] } as const;
const status = column(oneOf(STRIKE_STATUSES), STATUS, 'Status.');
const kind = column(oneOf(KINDS), 'k.type', 'Kind of infraction.', { alias: 'attendance_status' });
const appliesTo = column(oneOf(APPLIES_TO), 'u.applies_to', 'Infractions that the rule counts.', {
  alias: 'rule_applies_to',
});
const offering = below('event', named('offering_type', 'o', 'what is offered'), (key) => key.replace('.', '_'));
const venue = below('event', named('venue', 'v', 'the venue'), (key) => key.replace('.', '_'));
const membership: Columns = {
  'customer_membership.membership.id': column(id(), 'p.id', 'ID of the membership.', { alias: 'membership_id' }),
  'customer_membership.membership.name': column(text(), 'p.name', 'Name of the membership.', {
    alias: 'membership_name',
  }),
};

const columns: Columns = {
  id: column(id(), 'k.id', 'ID of the strike.'),
  ...customerColumns('c'),
  'customer.thumbnail_url': column(text(), 'NULL::text', 'Always empty: pictures of customers aren’t stored.', {
    alias: 'customer_thumbnail_url',
  }),
  status,
  'rule.applies_to': appliesTo,
  'rule.max_infractions': column(
    integer({ min: 1 }),
    'u.max_infractions',
    'Number of free infractions within the days of the rule.',
    {
      alias: 'penalty_rule_max_infractions',
    },
  ),
  'rule.days': column(integer({ min: 1 }), 'u.days', 'Days within which they count together.', {
    alias: 'penalty_rule_days',
  }),
  'rule.system.id': column(id(), 'y.id', 'ID of the penalty system.', { alias: 'penalty_system_id' }),
  'rule.system.name': column(text(), 'y.name', 'Name of the penalty system.', { alias: 'penalty_system_name' }),
  ...offering,
  ...membership,
  'event.type': column(oneOf(TYPES), TYPE, 'Type of the event.', { alias: 'event_type' }),
  'event.starts_at': zoned('e.starts_at', 'e.timezone', 'When it started, in the time zone of its venue.', {
    alias: 'event_starts_at',
  }),
  'attendance.status': kind,
  ...venue,
  sequence_position: column(integer({ min: 1 }), 'k.sequence_position', 'Number of infractions by then.'),
  'penalty.charge.amount': column(money(), 'n.amount_minor', 'Amount of the penalty.', {
    ...amounts,
    alias: 'penalty_charge_amount',
  }),
  'penalty.charge.due_date': column(date(), 'n.due_on', 'Day on which that is charged.', {
    alias: 'penalty_charge_due_date',
  }),
  'penalty.id': column(id(), 'n.id', 'ID of the penalty that it led to.', { alias: 'penalty_id' }),
};

export const attendanceStrikesReport = report('attendance_strikes', {
  title: 'strikes',
  description: 'Late cancellations and absences that count against memberships, and what they cost.',
  who: ['attendances', 'customers'],
  from: 'membership_strike k',
  joins: {
    m: raw('JOIN customer_membership m ON m.provider_id = k.provider_id AND m.id = k.customer_membership_id'),
    p: raw('JOIN membership p ON p.provider_id = m.provider_id AND p.id = m.membership_id'),
    u: raw('JOIN membership_penalty_rule u ON u.provider_id = k.provider_id AND u.id = k.rule_id'),
    y: raw(
      'JOIN membership_penalty_system y ON y.provider_id = u.provider_id AND y.id = u.membership_penalty_system_id',
    ),
    a: raw('LEFT JOIN attendance a ON a.provider_id = k.provider_id AND a.id = k.attendance_id'),
    c: raw('JOIN customer c ON c.provider_id = k.provider_id AND c.id = coalesce(a.customer_id, m.customer_id)'),
    e: raw('LEFT JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id'),
    o: raw('LEFT JOIN offering_type o ON o.provider_id = e.provider_id AND o.id = e.offering_type_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = e.provider_id AND v.id = e.venue_id'),
    n: raw('LEFT JOIN membership_penalty n ON n.provider_id = k.provider_id AND n.id = k.penalty_id'),
  },
  id: 'k.id',
  venue: 'e.venue_id',
  columns,
  sort: '-id',
  customer: 'customer.id',
  filters: {
    attendance_status: oneOfThese(KINDS, 'k.type'),
    customers: anyOf('c.id'),
    ...within('event_starts_at', 'e.starts_at', null),
    memberships: anyOf('m.membership_id'),
    offering_types: anyOf('e.offering_type_id'),
    penalty: anyOf('k.penalty_id'),
    rule_applies_to: oneOfThese(APPLIES_TO, 'u.applies_to'),
    status: oneOfThese(STRIKE_STATUSES, STATUS),
    venues: anyOf('e.venue_id'),
  },
  grouped: {
    by: {
      ...customerColumns('c'),
      status,
      'attendance.status': kind,
      'rule.applies_to': appliesTo,
      ...offering,
      ...venue,
      ...membership,
      day_of_week: dayOfWeek('e.local_starts_at'),
      'event.start_time': clockOf('e.local_starts_at', { alias: 'event_start_time' }),
    },
    measures: { count: COUNT },
    pivot: raw('e.local_starts_at'),
  },
});
