/** Holds of memberships: one row each. */
import {
  anyOf,
  COUNT,
  customerColumns,
  customerVenue,
  isTrue,
  oneOfThese,
  withinDays,
  yearAndMonth,
} from './common.ts';
import { below, column, report } from '../report.ts';
import type { Columns } from '../columns.ts';
import {
  boolean,
  date,
  id,
  instant,
  integer,
  listOf,
  money,
  object,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { TODAY, ZONE } from '../moment.ts';
import { typeOf } from './customer-memberships.ts';

const STATUSES = ['active', 'upcoming', 'ended'] as const;
const STATUS = sql`CASE WHEN h.ended_at IS NOT NULL OR h.end_date < ${TODAY}::date THEN 'ended'
  WHEN h.start_date > ${TODAY}::date THEN 'upcoming' ELSE 'active' END`;

const RESOLUTIONS = ['charge', 'credit', 'none'] as const;
const RESOLUTION = `CASE WHEN h.charge_entry_id IS NOT NULL THEN 'charge'
  WHEN h.credit_entry_id IS NOT NULL THEN 'credit' ELSE 'none' END`;

const TYPES = ['pack', 'prepaid_plan', 'recurring_plan'] as const;
const amounts = { for: ['revenue', 'customer_payments'] } as const;

/** Selects the amount of an account entry; 0 if there is none. */
const entry = (of: string): string =>
  `coalesce((SELECT x.amount_minor FROM account_entry x WHERE x.provider_id = h.provider_id AND x.id = h.${of}), 0)`;

const status = column(oneOf(STATUSES), STATUS, 'Whether the hold is to come, runs, or is over.');
const membershipName = column(text(), 'p.name', 'Name of the membership.', { alias: 'membership_name' });
const membershipType = column(oneOf(TYPES), 'p.type', 'A number of uses, a prepaid period, or a plan that renews.', {
  alias: 'membership_type',
});
const wall = (of: string) => sql`(${raw(of)} AT TIME ZONE ${ZONE})::date`;

const columns: Columns = {
  id: column(id(), 'h.id', 'ID of the hold.'),
  created_at: column(instant(), 'h.created_at', 'When it was made.'),
  updated_at: column(instant(), 'h.updated_at', 'When it changed last.'),
  start_date: column(date(), 'h.start_date', 'First day of the hold.'),
  end_date: column(date(), 'h.end_date', 'Last day of the hold; empty if it has no end yet.'),
  status,
  is_usage_prorated: column(boolean(), 'h.prorate_usage', 'It reduces the uses of the periods that it touches.'),
  credit_amount: column(money(), entry('credit_entry_id'), 'Amount returned for it.', amounts),
  reactivation_charge_amount: column(money(), entry('charge_entry_id'), 'Amount charged when it ends.', amounts),
  is_payment_resolution_customized: column(
    boolean(),
    'h.disable_prorates',
    'Somebody chose that it doesn’t change what is paid.',
  ),
  ...customerColumns('c'),
  ...customerVenue('v'),
  ...below(
    'customer_membership',
    {
      id: column(id(), 'm.id', 'ID of the membership, as the customer has it.'),
      'membership.id': column(id(), 'p.id', 'ID of the membership.'),
      'membership.type': membershipType,
      'membership.name': membershipName,
      start_date: column(date(), 'm.start_date', 'First day of the membership.'),
      expiration_date: column(date(), 'm.expiration_date', 'Last day of the membership; empty if it has no end.'),
      allowed_cancellation_date: column(date(), 'NULL::date', 'Always empty: the membership itself has it.'),
    },
    {
      id: 'customer_membership_id',
      'membership.id': 'membership_id',
      'membership.type': 'membership_type',
      'membership.name': 'membership_name',
      start_date: 'membership_start_date',
      expiration_date: 'membership_expiration_date',
      allowed_cancellation_date: 'membership_allowed_cancellation_date',
    },
  ),
  previous_expiration_date: column(
    date(),
    'h.previous_expiration_date',
    'Last day that the membership had before the hold moved it.',
  ),
  previous_allowed_cancellation_date: column(date(), 'NULL::date', 'Always empty: it isn’t stored.'),
  other_active_customer_memberships: column(
    listOf(object({ id: id(), membership: object({ id: id(), name: text() }) })),
    `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'membership', jsonb_build_object('id', y.id, 'name', y.name)) ORDER BY x.id), '[]'::jsonb)
      FROM customer_membership x JOIN membership y ON y.provider_id = x.provider_id AND y.id = x.membership_id
      WHERE x.provider_id = h.provider_id AND x.customer_id = m.customer_id AND x.status = 'active' AND x.id <> m.id)`,
    'Other memberships that the customer can use.',
  ),
  days_to_add: column(integer(), 'h.days_to_add', 'Days by which it was extended since it was made.'),
};

const dayOf = (name: string, of: string, period?: null) => withinDays(name, wall(of), date, undefined, period);

export const customerMembershipHoldsReport = report('customer_membership_holds', {
  title: 'membership holds',
  description: 'Holds of memberships: from when to when, and what they change.',
  who: ['customers', 'revenue'],
  from: 'customer_membership_hold h',
  joins: {
    m: raw('JOIN customer_membership m ON m.provider_id = h.provider_id AND m.id = h.customer_membership_id'),
    c: raw('JOIN customer c ON c.provider_id = m.provider_id AND c.id = m.customer_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    p: raw('JOIN membership p ON p.provider_id = m.provider_id AND p.id = m.membership_id'),
  },
  id: 'h.id',
  venue: null,
  columns,
  sort: '-start_date',
  customer: 'customer.id',
  filters: {
    ...dayOf('created_at', 'h.created_at'),
    customers: anyOf('m.customer_id'),
    ...withinDays('end_date', 'h.end_date', date, undefined, 'end_timeframe'),
    is_usage_prorated: isTrue('h.prorate_usage'),
    membership_types: oneOfThese(['pack', 'prepaid', 'recurring'], typeOf('p.type')),
    memberships: anyOf('m.membership_id'),
    payment_resolution_type: oneOfThese(RESOLUTIONS, RESOLUTION),
    ...withinDays('start_date', 'h.start_date', date, undefined, 'start_timeframe'),
    status: oneOfThese(STATUSES, STATUS),
    ...dayOf('updated_at', 'h.updated_at', null),
  },
  grouped: {
    by: {
      status,
      'membership.name': membershipName,
      'membership.type': membershipType,
      payment_resolution_type: column(
        oneOf(RESOLUTIONS),
        RESOLUTION,
        'Whether something comes back, is charged, or neither.',
      ),
      ...yearAndMonth(raw('h.start_date'), 'the first day', ['start_year', 'start_month']),
      ...yearAndMonth(raw('h.end_date'), 'the last day', ['end_year', 'end_month']),
    },
    measures: {
      average_hold_duration: column(
        integer({ min: 0 }),
        'round(avg(h.end_date - h.start_date + 1))::int',
        'Length in days, on average, of those that have an end.',
      ),
      count: COUNT,
    },
    pivot: raw('h.start_date::timestamp'),
  },
});
