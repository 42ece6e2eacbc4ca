/** Retention: one row for each customer who has had a membership, and each month since they began. */
import { anyOf, COUNT, firstMembership, isTrue, named, oneOfThese, privateCustomer, withinDays } from './common.ts';
import { asSql, column, filterBy, report, share, summed } from '../report.ts';
import type { Columns } from '../columns.ts';
import { boolean, date, id, integer, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { TODAY, ZONE } from '../moment.ts';

const STATES = ['active', 'hold', 'left'] as const;

/**
 * Upper limit for the months since a customer began, and for the part of a row's id that identifies the month. Someone
 * who began earlier, by more than 85 years, isn't counted: one wrong date would multiply the work for everybody.
 */
const MONTHS = 1024;

/** Selects the number of a month, counted from the year 0. */
const monthOf = (day: string | Sql): Sql =>
  sql`(date_part('year', ${asSql(day)}) * 12 + date_part('month', ${asSql(day)}) - 1)::int`;

/**
 * The days of all memberships of a customer, and the days without a hold, as ranges: one comparison tells whether
 * somebody was a member on a day, however often they left and came back. Memberships sold by mistake don't count.
 */
const MEMBERS = sql`(SELECT d.provider_id, d.customer_id, min(lower(d.days)) AS began_on,
    to_char(min(lower(d.days)), 'YYYY-MM') AS cohort, ${monthOf('min(lower(d.days))')} AS month, min(d.id) AS first_id,
    range_agg(d.days) AS days, range_agg(d.usable) AS usable
  FROM (SELECT m.provider_id, m.customer_id, m.id, s.days, datemultirange(s.days) - coalesce(h.days, '{}') AS usable
    FROM customer_membership m
      CROSS JOIN LATERAL (SELECT coalesce(m.start_date, m.bought_on) AS first,
        least(m.expiration_date, (m.ended_at AT TIME ZONE ${ZONE})::date - 1) AS last) b
      CROSS JOIN LATERAL (SELECT daterange(b.first, b.last, '[]') AS days WHERE b.first <= coalesce(b.last, b.first)) s
      LEFT JOIN (SELECT provider_id, customer_membership_id, range_agg(daterange(start_date, end_date, '[]')) AS days
        FROM customer_membership_hold WHERE provider_id = current_provider_id() GROUP BY 1, 2) h
        ON h.provider_id = m.provider_id AND h.customer_membership_id = m.id
    WHERE m.provider_id = current_provider_id() AND m.cancellation_reason IS DISTINCT FROM 'mistake') d
  GROUP BY d.provider_id, d.customer_id)`;

const CURRENT_MONTH = monthOf(sql`${TODAY}::date`);
const FIRST_MONTH = sql`${CURRENT_MONTH} - ${raw(String(MONTHS - 1))}`;

/**
 * Every month from the first in which anyone began until the current one, counted from the year 0, with its derived
 * values.
 */
const CALENDAR = sql`(SELECT n.month, to_char(d.first, 'YYYY-MM') AS label, d.first - 1 AS day_before,
    least(${TODAY}::date, (d.first + interval '1 month')::date - 1) AS day
  FROM generate_series(
    greatest(${FIRST_MONTH}, (SELECT ${monthOf('min(least(start_date, bought_on))')} FROM customer_membership
      WHERE provider_id = current_provider_id())),
    ${CURRENT_MONTH}) n(month)
  CROSS JOIN LATERAL (SELECT make_date(n.month / 12, n.month % 12 + 1, 1) AS first) d)`;

/**
 * Each member in each of their months, with its last day and the last day of the month before. Nobody begins in the
 * future.
 */
const FROM = sql`
  (SELECT b.provider_id, b.customer_id, b.began_on, b.first_id, b.cohort, b.days, b.usable, t.month - b.month AS month,
    t.label, t.day, t.day_before
  FROM ${MEMBERS} b
    JOIN ${CALENDAR} t ON t.month >= b.month
  WHERE b.month >= ${FIRST_MONTH} AND b.began_on <= ${TODAY}::date) r`;

const IS_MEMBER = raw('(r.days @> r.day)');
const WAS_MEMBER = raw('(r.month = 0 OR r.days @> r.day_before)');
const IS_CHURNED = sql`(${WAS_MEMBER} AND NOT ${IS_MEMBER})`;
const STATE = raw(`CASE WHEN r.usable @> r.day THEN 'active' WHEN r.days @> r.day THEN 'hold' ELSE 'left' END`);

const cohort = column(
  text(),
  'r.cohort',
  'Month in which the customer’s first membership began, for example 2026-01. Someone who leaves and comes back stays in the month in which they first began.',
);
const month = column(
  integer({ min: 0 }),
  'r.month',
  'Months since then: 0 is the month in which they began, by the calendar.',
);
const state = column(
  oneOf(STATES),
  STATE,
  'Status on the last day of the month, or today if the month isn’t over: `active` with a membership that could be used, `hold` with memberships that were all on hold, `left` without one.',
);
const calendarMonth = column(text(), 'r.label', 'The month that it was, for example 2026-03.');

const columns: Columns = {
  ...privateCustomer('c'),
  'customer.id': column(id(), 'r.customer_id', 'ID of the customer.', { alias: 'customer_id' }),
  ...firstMembership('fm'),
  ...named('venue', 'v', 'the venue that the customer belongs to'),
  began_on: column(date(), 'r.began_on', 'First day of their first membership.'),
  cohort,
  month,
  calendar_month: calendarMonth,
  counted_on: column(date(), 'r.day', 'Last day of that month, or today if it isn’t over.'),
  state,
  is_retained: column(boolean(), IS_MEMBER, 'Had a membership at the end of the month. One that is on hold counts.'),
  is_on_hold: column(
    boolean(),
    raw('(r.days @> r.day AND NOT r.usable @> r.day)'),
    'Had memberships at the end of the month, and all of them were on hold.',
  ),
  was_member: column(
    boolean(),
    WAS_MEMBER,
    'Had a membership at the end of the month before. In month 0: yes, because they began.',
  ),
  is_churned: column(
    boolean(),
    IS_CHURNED,
    'Left in this month: had a membership at the end of the month before, or began in this one, and had none at its end. A change from one membership to another isn’t leaving.',
  ),
  is_returned: column(
    boolean(),
    sql`(NOT ${WAS_MEMBER} AND ${IS_MEMBER})`,
    'Came back in this month: had no membership at the end of the month before, and has one again.',
  ),
};

const count = () => integer({ min: 0, max: MONTHS });

export const retentionReport = report('retention', {
  title: 'retention',
  description:
    'Who stays and who leaves, by the month in which customers first had a membership: one row for each customer and month since then. Group by `cohort` and `month` for a table of cohorts.',
  who: ['customers', 'revenue'],
  from: FROM,
  joins: {
    c: raw('JOIN customer c ON c.provider_id = r.provider_id AND c.id = r.customer_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    fo: raw('JOIN customer_membership fo ON fo.provider_id = r.provider_id AND fo.id = r.first_id'),
    fm: raw('JOIN membership fm ON fm.provider_id = fo.provider_id AND fm.id = fo.membership_id'),
  },
  id: `(r.customer_id * ${MONTHS} + r.month)`,
  seek: { by: 'r.customer_id', of: MONTHS },
  venue: null,
  columns,
  sort: 'customer.id',
  customer: 'customer.id',
  filters: {
    ...withinDays('began_on', 'r.began_on', date),
    ...withinDays('counted_on', 'r.day', date),
    month_gte: filterBy(count(), (from) => sql`r.month >= ${from}::int`),
    month_lte: filterBy(count(), (to) => sql`r.month <= ${to}::int`),
    customers: anyOf('r.customer_id'),
    first_memberships: anyOf('fm.id'),
    states: oneOfThese(STATES, STATE),
    is_churned: isTrue(IS_CHURNED),
    venues: anyOf('v.id'),
  },
  grouped: {
    by: {
      cohort,
      month,
      calendar_month: calendarMonth,
      state,
      ...firstMembership('fm'),
      ...named('venue', 'v', 'the venue that the customer belongs to'),
    },
    measures: {
      count: { ...COUNT, means: 'Rows in the group: within one cohort and month, its customers.' },
      retained: summed(columns, 'is_retained', 'Had a membership at the end of the month. One that is on hold counts.'),
      on_hold: summed(columns, 'is_on_hold', 'Customers of those whose memberships were all on hold.'),
      members_before: summed(
        columns,
        'was_member',
        'Had a membership at the end of the month before, or began in this one.',
      ),
      churned: summed(columns, 'is_churned', 'Left in the month.'),
      returned: summed(columns, 'is_returned', 'Came back in the month.'),
      retention_rate: share(
        sql`count(*) FILTER (WHERE ${IS_MEMBER})`,
        raw('count(*)'),
        'Customers who were members at the end of the month, of all in the cohort, from 0 to 1.',
      ),
      churn_rate: share(
        sql`count(*) FILTER (WHERE ${WAS_MEMBER} AND NOT ${IS_MEMBER})`,
        sql`count(*) FILTER (WHERE ${WAS_MEMBER})`,
        'Customers who left in the month, of those who were members before, from 0 to 1.',
      ),
    },
  },
});
