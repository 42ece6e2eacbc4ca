/** Sales, revenue and payments of each month: one row for each amount and month. */
import { anyOf, COUNT, countedBy, oneOfThese, privateCustomer, withinPeriod } from './common.ts';
import { CLOSED, earnedBy, KINDS, SALE_COLUMNS, SALES, SOME_DAY, USES } from './sales.ts';
import { column, report, summed, type Declared, type Report } from '../report.ts';
import type { Columns, Grouped } from '../columns.ts';
import { date, id, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { LINE_TYPES } from '../../../money/ledger/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { TODAY } from '../moment.ts';

const WHAT = ['sold', 'recognised', 'cash'] as const;

/** Upper limit for month numbers, counted from January 1970. */
const MONTHS = 4096;
const monthOf = (day: string): string =>
  `((date_part('year', ${day}) - 1970) * 12 + date_part('month', ${day}) - 1)::int`;
const startOf = (month: string): string => `make_date(1970 + (${month}) / 12, (${month}) % 12 + 1, 1)`;

/** The kinds of rows, as a part of their ids: sales and revenue by their kinds, and payments. */
export const RECOGNISED = KINDS;
export const CASH = 2 * KINDS;
const ALL_KINDS = 4 * KINDS;

const OF_SALE = raw('s.provider_id, s.base, s.type, s.customer_id, s.invoice_id');

const SOLD = sql`SELECT ${OF_SALE}, 'sold' AS what, s.kind, ${raw(monthOf('s.sold_on'))} AS month, 0 AS portion,
    s.amount AS sold, 0::bigint AS recognised, 0::bigint AS cash
  FROM sale s`;

/** Selects the revenue of a month. Portions earned before the sale become revenue in the month of the sale. */
const recognised = (month: string, uses: string, before: string, from: Sql, where: Sql): Sql => sql`
  SELECT ${OF_SALE}, 'recognised', s.kind + ${raw(String(RECOGNISED))},
    greatest(${raw(month)}, ${raw(monthOf('s.sold_on'))}), ${raw(month)},
    0, e.earned, 0
  FROM ${from} CROSS JOIN LATERAL (SELECT ${earnedBy('s', sql`(${raw(startOf(`${month} + 1`))} - 1)`, raw(uses))}
    - ${earnedBy('s', sql`(${raw(startOf(month))} - 1)`, raw(before))} AS earned OFFSET 0) e
  WHERE ${where} AND e.earned <> 0`;

/** Most sales are earned on one day, so they need no portions. */
const ON_A_DAY = sql`SELECT ${OF_SALE}, 'recognised', s.kind + ${raw(String(RECOGNISED))},
    ${raw(monthOf('greatest(s.sold_on, least(s.starts, s.closed_on))'))}, 0, 0, s.amount, 0
  FROM sale s WHERE s.uses IS NULL AND s.starts = s.ends AND least(s.starts, s.closed_on) < ${raw(SOME_DAY)}`;

const OVER_DAYS = recognised(
  't.month',
  '0',
  '0',
  sql`sale s CROSS JOIN LATERAL generate_series(${raw(monthOf('least(s.starts, s.closed_on)'))},
    ${raw(monthOf('least(s.ends, s.closed_on)'))}) t(month)`,
  raw('s.uses IS NULL AND s.starts < s.ends'),
);

/** When nothing can be used any more, the rest counts as used: no sale has this many uses. */
const REST = 1_000_000_000;

/** `some`: reads only the uses of the memberships that were sold here, which are few. */
const overUses = (some: boolean): Sql => {
  const these = (membership: string) =>
    raw(some ? `AND ${membership} = ANY(ARRAY(SELECT y.billed_id FROM sale y WHERE y.uses IS NOT NULL))` : '');
  return recognised(
    'u.month',
    'u.upto',
    'u.upto - u.uses',
    sql`sale s JOIN (SELECT m.of, m.month, m.uses, sum(m.uses) OVER (PARTITION BY m.of ORDER BY m.month)::bigint AS upto
        FROM (SELECT y.of, y.month, sum(y.uses)::bigint AS uses FROM (
            SELECT u.customer_membership_id AS of, ${raw(monthOf('u.day'))} AS month, u.uses FROM ${USES} u
              WHERE true ${these('u.customer_membership_id')}
            UNION ALL SELECT m.id, ${raw(monthOf('c.day'))}, ${raw(String(REST))}
              FROM customer_membership m CROSS JOIN LATERAL (SELECT ${CLOSED} AS day) c
              WHERE m.provider_id = current_provider_id() AND m.membership_type = 'pack' AND c.day IS NOT NULL
                ${these('m.id')}) y
          GROUP BY y.of, y.month) m) u ON u.of = s.billed_id`,
    raw('s.uses IS NOT NULL'),
  );
};

/** Amounts that payment processors received, less refunds and chargebacks. */
const paid = (payments?: readonly number[]): Sql => sql`
  SELECT l.provider_id, l.id, NULL, NULL::bigint, NULL::bigint, 'cash', ${raw(String(CASH))},
    ${raw(monthOf('x.posted_on'))}, 0, 0, 0, l.amount_minor
  FROM ledger_line l JOIN ledger_transaction x ON x.provider_id = l.provider_id AND x.id = l.transaction_id
  WHERE l.provider_id = current_provider_id() AND l.account = 'clearing'
    ${payments ? sql`AND l.id = ANY(${payments}::bigint[])` : raw('')}`;

/**
 * Selects the rows that follow from sales, which are read once for all kinds of rows, and from payments. `sales`: a
 * query; `payments`: only the rows of these lines of the ledger, and of sales that are few; absent: all.
 */
export const revenueOf = (sales: Sql, payments?: readonly number[]): Sql => sql`
  (SELECT p.provider_id, p.base, p.kind, p.portion, p.what, p.type, p.customer_id, p.invoice_id, m.month, p.sold,
    p.recognised, p.cash
  FROM (WITH sale AS MATERIALIZED (${sales}) ${SOLD} UNION ALL ${ON_A_DAY} UNION ALL ${OVER_DAYS}
      UNION ALL ${overUses(payments !== undefined)} UNION ALL ${paid(payments)}) p
    JOIN (SELECT n.month AS number, to_char(f.day, 'YYYY-MM') AS month
      FROM generate_series(0, ${raw(String(MONTHS - 1))}) n(month)
      CROSS JOIN LATERAL (SELECT ${raw(startOf('n.month'))} AS day) f) m ON m.number = p.month)`;

const FROM = sql`${revenueOf(sql`SELECT ${SALE_COLUMNS} FROM (${SALES}) s`)} r`;

/** A group stands for as many rows as it counts. */
const SUMS = sql`(SELECT provider_id, month, what, nullif(type, '') AS type, n, sold, recognised, cash
  FROM revenue_month WHERE provider_id = current_provider_id() AND n <> 0) r`;

const what = column(
  oneOf(WHAT),
  'r.what',
  'Kind of amount: `sold` when it was billed, `recognised` when it was earned, `cash` when a payment came in or went back.',
);
const type = column(oneOf(LINE_TYPES), 'r.type', 'Type of the item sold. Empty for payments.');
const month = column(text(), 'r.month', 'The month, for example 2026-01, by the calendar of the business.', {
  always: true,
});

const columns: Columns = {
  month,
  what,
  type,
  'invoice.id': column(id(), 'r.invoice_id', 'ID of the invoice or credit note, if there is one. Empty for payments.', {
    alias: 'invoice_id',
  }),
  'invoice.number': column(text(), 'i.number', 'Number of the invoice or credit note.', { alias: 'invoice_number' }),
  ...privateCustomer('c'),
  'ledger_transaction.id': column(
    id(),
    `CASE WHEN r.what = 'cash' THEN (SELECT l.transaction_id FROM ledger_line l WHERE l.provider_id = r.provider_id AND l.id = r.base) END`,
    'ID of the ledger transaction of a payment. Empty for what was sold or earned.',
    { alias: 'ledger_transaction_id' },
  ),
  sold: column(money(), 'r.sold', 'Amount billed, without taxes and fees, less the amount taken back.'),
  recognised: column(money(), 'r.recognised', 'Amount earned.'),
  deferred_change: column(
    money(),
    '(r.sold - r.recognised)',
    'Amount billed and not earned: deferred revenue grows by it.',
  ),
  cash: column(
    money(),
    'r.cash',
    'Amount received by payment processors, less refunds and amounts taken back by banks.',
  ),
};

/** The first day of a month is this day or later, or this day or earlier: compared as text, by the index of months. */
const FROM_DAY = (day: Sql): Sql => sql`r.month >= to_char(${day}::date + interval '1 month - 1 day', 'YYYY-MM')`;
const TO_DAY = (day: Sql): Sql => sql`r.month <= to_char(${day}::date, 'YYYY-MM')`;

const BY_MONTH = {
  ...withinPeriod('month', date, {
    from: (day) => FROM_DAY(sql`${day}`),
    to: (day) => TO_DAY(sql`${day}`),
  }),
  types: oneOfThese(LINE_TYPES, 'r.type'),
  what: oneOfThese(WHAT, 'r.what'),
};

const MEASURES: Columns = {
  sold: summed(columns, 'sold', 'Amount billed, without taxes and fees, less the amount taken back.'),
  recognised: summed(columns, 'recognised', 'Amount earned.'),
  deferred_change: summed(columns, 'deferred_change', 'Amount billed and not earned: deferred revenue grows by it.'),
  cash: summed(columns, 'cash', 'Amount received by payment processors, less refunds and amounts taken back by banks.'),
};

const GROUPED: Grouped = {
  by: { month, what, type },
  measures: { count: COUNT, ...MEASURES },
  pivot: raw(`to_date(r.month, 'YYYY-MM')::timestamp`),
};

const DECLARED: Declared = {
  title: 'revenue and cash',
  description:
    'What was sold, what was earned, and what was paid in each month. What will be earned in months to come is left out.',
  who: ['revenue'],
  from: FROM,
  joins: {
    c: raw('LEFT JOIN customer c ON c.provider_id = r.provider_id AND c.id = r.customer_id'),
    i: raw('LEFT JOIN invoice i ON i.provider_id = r.provider_id AND i.id = r.invoice_id'),
  },
  unless: {
    include_future: () => TO_DAY(sql`${TODAY}`),
  },
  id: `((r.base * ${ALL_KINDS} + r.kind) * ${MONTHS} + r.portion)`,
  seek: { by: 'r.base', of: ALL_KINDS * MONTHS },
  venue: null,
  columns,
  sort: '-month',
  customer: 'customer.id',
  filters: { customers: anyOf('r.customer_id'), ...BY_MONTH },
  grouped: GROUPED,
};

export const revenueReport: Report = {
  ...report('revenue', DECLARED),
  stored: report('revenue', { ...DECLARED, from: 'revenue_part r' }),
  sums: report('revenue', {
    ...DECLARED,
    from: SUMS,
    joins: {},
    filters: BY_MONTH,
    counts: raw('r.n'),
    grouped: { ...GROUPED, measures: { count: countedBy('r.n'), ...MEASURES } },
  }),
};
