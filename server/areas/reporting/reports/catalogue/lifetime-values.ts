/** Lifetime values: one row for each customer, whether or not they ever paid. */
import { anyOf, COUNT, countField, firstMembership, isTrue, named, privateCustomer, within } from './common.ts';
import { column, counted, report, share, summed } from '../report.ts';
import type { Columns } from '../columns.ts';
import { boolean, instant, money, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { ZONE } from '../moment.ts';

/** A column with the month of a date, by the calendar of the business. */
const cohort = column(
  text(),
  sql`to_char(c.created_at AT TIME ZONE ${ZONE}, 'YYYY-MM')`,
  'Month in which the customer signed up or was added, for example 2026-01.',
);

const columns: Columns = {
  ...privateCustomer('c'),
  'customer.created_at': column(instant(), 'c.created_at', 'When the customer signed up or was added.', {
    alias: 'customer_created_at',
  }),
  cohort,
  ...firstMembership('fm'),
  ...named('venue', 'v', 'the venue that the customer belongs to'),
  'lead_source.name': column(text(), 'NULL::text', 'Always empty: it isn’t stored.', { alias: 'lead_source_name' }),
  is_referred: column(boolean(), '(c.referred_by_code IS NOT NULL)', 'Came by the code of another customer.'),
  payments_count: column(countField(), 'coalesce(p.payments, 0)', 'Payments that came in.'),
  paid: column(money(), 'coalesce(p.paid, 0)', 'Payments that came in.'),
  refunded: column(money(), 'coalesce(p.refunded, 0)', 'Refunds that were sent or are on their way.'),
  disputed: column(money(), 'coalesce(d.disputed, 0)', 'Payments that a bank took back, unless it decided otherwise.'),
  value: column(
    money(),
    '(coalesce(p.paid - p.refunded, 0) - coalesce(d.disputed, 0))',
    'Payments, less refunds and what banks took back. Account credit and gift cards that were given count nothing.',
  ),
  first_paid_at: column(instant(), 'p.first_at', 'When the first payment came in.'),
  last_paid_at: column(instant(), 'p.last_at', 'When the last payment came in.'),
};

const VALUE = columns.value.reads[0];

export const lifetimeValuesReport = report('lifetime_values', {
  title: 'lifetime values',
  description:
    'What each customer has paid in all, less refunds. Deleted customers and walk-ins are included, so the total is what the ledger says that payments came to.',
  who: ['revenue'],
  from: 'customer c',
  joins: {
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    first: counted('first', {
      what: 'min(m.id) AS id',
      rows: `FROM customer_membership m WHERE m.provider_id = current_provider_id()`,
      key: 'm.customer_id',
      is: 'c.id',
    }),
    fo: raw('LEFT JOIN customer_membership fo ON fo.provider_id = c.provider_id AND fo.id = first.id'),
    fm: raw('LEFT JOIN membership fm ON fm.provider_id = fo.provider_id AND fm.id = fo.membership_id'),
    p: counted('p', {
      what: `count(*) AS payments, sum(y.amount_minor) AS paid, sum(y.refunded_minor) AS refunded,
        min(y.succeeded_at) AS first_at, max(y.succeeded_at) AS last_at`,
      rows: `FROM payment y WHERE y.provider_id = current_provider_id() AND y.status = 'succeeded'`,
      key: 'y.customer_id',
      is: 'c.id',
    }),
    d: counted('d', {
      what: 'sum(x.amount_minor) AS disputed',
      rows: `FROM payment_dispute x JOIN payment z ON z.provider_id = x.provider_id AND z.id = x.payment_id
        WHERE x.provider_id = current_provider_id() AND x.status <> 'won'`,
      key: 'z.customer_id',
      is: 'c.id',
    }),
  },
  id: 'c.id',
  venue: null,
  columns,
  sort: 'customer.id',
  customer: 'customer.id',
  filters: {
    ...within('created_at', 'c.created_at'),
    customers: anyOf('c.id'),
    first_memberships: anyOf('fm.id'),
    has_paid: isTrue(sql`(${VALUE} <> 0)`),
    venues: anyOf('c.venue_id'),
  },
  grouped: {
    by: {
      cohort,
      ...firstMembership('fm'),
      ...named('venue', 'v', 'the venue that the customer belongs to'),
      'lead_source.name': columns['lead_source.name'],
      is_referred: columns.is_referred,
    },
    measures: {
      count: COUNT,
      payments_count: summed(columns, 'payments_count', 'Payments that came in.'),
      paid: summed(columns, 'paid', 'Payments that came in.'),
      refunded: summed(columns, 'refunded', 'Refunds that were sent or are on their way.'),
      disputed: summed(columns, 'disputed', 'Payments that banks took back, unless they decided otherwise.'),
      value: summed(columns, 'value', 'Payments, less refunds and what banks took back.'),
      average_value: column(
        money(),
        sql`round(sum(${VALUE}) / count(*))`,
        'Value of a customer on average, rounded to the smallest unit of money.',
      ),
      paying_share: share(
        sql`count(*) FILTER (WHERE ${VALUE} <> 0)`,
        raw('count(*)'),
        'Customers who have paid anything that they didn’t get back, of all in the group, from 0 to 1.',
      ),
    },
  },
});
