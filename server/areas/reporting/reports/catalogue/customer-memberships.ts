/** Memberships of customers: one row each. */
import {
  anyOf,
  COUNT,
  changed,
  customerColumns,
  customerVenue,
  isTrue,
  named,
  oneOfThese,
  within,
  withinDays,
  yearAndMonth,
} from './common.ts';
import { column, filterBy, report } from '../report.ts';
import type { Columns } from '../columns.ts';
import {
  boolean,
  date,
  id,
  instant,
  listOf,
  money,
  object,
  oneOf,
  text,
} from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { TODAY, ZONE } from '../moment.ts';

const TYPES = ['pack', 'prepaid', 'recurring'] as const;
/** Selects the type; the reports omit that prepaid and recurring memberships are plans. */
export const typeOf = (t: string): string => `replace(${t}, '_plan', '')`;

const STATUSES = ['active', 'hold', 'cancelled', 'completed', 'upgraded', 'downgraded'] as const;
/** The status of a replaced membership says more than that it was cancelled. */
const STATUS = `
  CASE WHEN m.status = 'cancelled' AND m.cancellation_reason IN ('upgraded', 'downgraded') THEN m.cancellation_reason
    ELSE m.status END`;

const ENDED_ON = sql`(m.ended_at AT TIME ZONE ${ZONE})::date`;
const endedBy = (reason: string) => sql`CASE WHEN m.cancellation_reason = ${raw(`'${reason}'`)} THEN ${ENDED_ON} END`;
const CANCELLED_ON = sql`CASE WHEN m.cancellation_reason NOT IN ('upgraded', 'downgraded') THEN ${ENDED_ON} END`;

const HOLD = sql`FROM customer_membership_hold h WHERE h.provider_id = m.provider_id AND h.customer_membership_id = m.id
  AND h.ended_at IS NULL AND h.start_date <= ${TODAY}::date AND coalesce(h.end_date, 'infinity') >= ${TODAY}::date`;

const PROCESSOR_ID = raw(`(SELECT p.payment_processor_id FROM payment_subscription s
    JOIN payment_method p ON p.provider_id = s.provider_id AND p.id = s.payment_method_id
  WHERE s.provider_id = m.provider_id AND s.customer_membership_id = m.id ORDER BY s.id DESC LIMIT 1)`);

const price = { for: ['revenue', 'customer_payments'] } as const;
const status = column(
  oneOf(STATUSES),
  STATUS,
  'Status; upgraded and downgraded mean that another membership replaced it.',
);
const type = column(
  oneOf(TYPES),
  typeOf('m.membership_type'),
  'A number of uses, a prepaid period, or a plan that renews.',
);
const membership = named('membership', 'p', 'the membership');
const processor = column(
  text(),
  sql`(SELECT pp.name FROM payment_processor pp WHERE pp.provider_id = m.provider_id AND pp.id = ${PROCESSOR_ID})`,
  'Payment method of its renewals; empty if none was chosen.',
);

const columns: Columns = {
  id: column(id(), 'm.id', 'ID of the membership, as the customer has it.'),
  updated_at: column(instant(), 'm.updated_at', 'When it changed last.'),
  ...customerColumns('c'),
  ...customerVenue('v'),
  other_active: column(
    listOf(object({ id: id(), membership: object({ id: id(), name: text() }) })),
    `(SELECT coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'membership', jsonb_build_object('id', y.id, 'name', y.name)) ORDER BY x.id), '[]'::jsonb)
      FROM customer_membership x JOIN membership y ON y.provider_id = x.provider_id AND y.id = x.membership_id
      WHERE x.provider_id = m.provider_id AND x.customer_id = m.customer_id AND x.status = 'active' AND x.id <> m.id)`,
    'Other memberships that the customer can use.',
  ),
  ...membership,
  type,
  status,
  payment_processor: processor,
  purchase_date: column(date(), 'm.bought_on', 'Day on which it was bought.'),
  start_date: column(date(), 'm.start_date', 'First day; empty if it begins with the first use.'),
  expiration_date: column(date(), 'm.expiration_date', 'Last day; empty if it has no end.'),
  renewal_date: column(date(), 'm.renews_on', 'First day of the next billing period.'),
  cancelled_date: column(date(), CANCELLED_ON, 'Day on which it ended because somebody cancelled it.'),
  downgraded_date: column(date(), endedBy('downgraded'), 'Day on which a smaller one took its place.'),
  upgraded_date: column(date(), endedBy('upgraded'), 'Day on which a larger one took its place.'),
  has_custom_limits: column(
    boolean(),
    '(NOT true)',
    'Always false: limits belong to the membership, not to one customer.',
  ),
  is_first_membership: column(
    boolean(),
    `(NOT EXISTS (SELECT FROM customer_membership x WHERE x.provider_id = m.provider_id AND x.customer_id = m.customer_id AND x.id < m.id))`,
    'It is the first that the customer had.',
  ),
  billed_price: column(
    money(),
    'm.billed_price_minor',
    'Agreed price: for all of it, or for each billing period.',
    price,
  ),
  cancellation_reason: column(text(), 'm.cancellation_reason', 'Why it ended early.'),
  completed_at: column(
    instant(),
    `CASE WHEN m.status = 'completed' THEN m.ended_at END`,
    'When it ended in the ordinary way.',
  ),
};

const day = (name: string, of: Parameters<typeof withinDays>[1]) => withinDays(name, of, date);

export const customerMembershipsReport = report('customer_memberships', {
  title: 'customer memberships',
  description: 'Memberships that customers have or had, when they began and ended, and what was agreed.',
  who: ['customers', 'revenue'],
  from: 'customer_membership m',
  joins: {
    c: raw('JOIN customer c ON c.provider_id = m.provider_id AND c.id = m.customer_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    p: raw('JOIN membership p ON p.provider_id = m.provider_id AND p.id = m.membership_id'),
  },
  id: 'm.id',
  venue: null,
  columns,
  sort: 'id',
  customer: 'customer.id',
  filters: {
    ...Object.fromEntries(
      (['end_date', 'start_date'] as const).flatMap((name) =>
        (['gte', 'lte'] as const).map((bound) => [
          `active_hold_${name}_${bound}`,
          filterBy(
            date(),
            (on) => sql`EXISTS (SELECT ${HOLD} AND h.${raw(name)} ${raw(bound === 'gte' ? '>=' : '<=')} ${on}::date)`,
          ),
        ]),
      ),
    ),
    ...within(
      'cancelled_at',
      `(CASE WHEN m.cancellation_reason NOT IN ('upgraded', 'downgraded') THEN m.ended_at END)`,
    ),
    customers: anyOf('m.customer_id'),
    ...day('downgrade_date', endedBy('downgraded')),
    ...day('expiration_date', 'm.expiration_date'),
    has_active_hold: isTrue(sql`EXISTS (SELECT ${HOLD})`),
    has_custom_limits: filterBy(boolean(), (wanted) => sql`NOT ${wanted}::boolean`),
    has_expiration_date: isTrue('(m.expiration_date IS NOT NULL)'),
    ids: anyOf('m.id'),
    is_first_membership: isTrue(columns.is_first_membership.reads[0]),
    membership_categories: anyOf('p.category_id'),
    memberships: anyOf('m.membership_id'),
    payment_processors: filterBy(
      listOf(text({ max: 20, pattern: /^(\d+|none)$/, hint: 'Must be the id of a payment processor, or none.' })),
      (ids) => sql`coalesce(${PROCESSOR_ID}::text, 'none') = ANY(${ids}::text[])`,
    ),
    ...within('purchased_at', 'm.created_at'),
    ...day('renewal_date', 'm.renews_on'),
    ...day('start_date', 'm.start_date'),
    status: oneOfThese(STATUSES, STATUS),
    types: oneOfThese(TYPES, typeOf('m.membership_type')),
    ...changed('m'),
    ...day('upgrade_date', endedBy('upgraded')),
  },
  grouped: {
    by: {
      type,
      status,
      payment_processor: processor,
      ...yearAndMonth(raw('m.bought_on'), 'the purchase', ['purchase_year', 'purchase_month']),
      ...yearAndMonth(raw('m.start_date'), 'the first day', ['start_year', 'start_month']),
      ...yearAndMonth(raw('m.expiration_date'), 'the last day', ['expiration_year', 'expiration_month']),
      ...yearAndMonth(CANCELLED_ON, 'the cancellation', ['cancelled_year', 'cancelled_month']),
      ...membership,
    },
    measures: {
      count: COUNT,
      billed_price: column(money(), 'sum(m.billed_price_minor)', 'Price agreed for all of them.', price),
    },
    spans: { from: raw('coalesce(m.start_date, m.bought_on)'), to: sql`least(${ENDED_ON}, m.expiration_date)` },
  },
});
