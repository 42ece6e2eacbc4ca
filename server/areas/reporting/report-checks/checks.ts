/**
 * The sources that reports must agree with. Each side of a check selects `key` and `amount`; a report is queried
 * through its declaration, so that a join that loses rows or a column that adds up wrongly is found.
 */
import { monthOf, totalsOf, type Total } from '../reports/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Account } from '../../money/ledger/index.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Read-only context of a check. */
export type Reading = Pick<Work, 'tx' | 'providerId' | 'tenant'>;

export interface ReportCheck {
  readonly name: string;
  /** a full sentence that says what adds up to what */
  readonly description: string;
  readonly unit: 'money' | 'number';
  /** returns what a key refers to */
  readonly of: (key: string) => string;
  readonly report: Total;
  /** the other side: another report, or the rows that the report is made of */
  readonly against: Total | ((of: { readonly provider: number }) => Sql);
}

const SEATED = ['registered', 'attended', 'no_show'];
const LEFT_IN = { include_future: true };

const month = (key: string): string => key;
const customer = (key: string): string => `customer ${key}`;
const event = (key: string): string => `event ${key}`;

const invoicesByMonth: ReportCheck = {
  name: 'invoices_by_month',
  description:
    'The report of invoices comes in each month to what the ledger has of invoices and credit notes: revenue, taxes, fees, rounding, gift cards and charges that were invoiced.',
  unit: 'money',
  of: month,
  report: { report: 'invoices', by: { month: 'confirmed_at' }, sum: 'total_amount' },
  against: ({ provider }) => sql`SELECT ${monthOf('t.posted_at')} AS key, -sum(l.amount_minor) AS amount
    FROM ledger_transaction t JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
    WHERE t.provider_id = ${provider} AND t.kind IN ('invoice_issued', 'credit_note_issued')
      AND l.account IN ('revenue', 'tax', 'fee', 'rounding', 'gift_card', 'unbilled') GROUP BY 1`,
};

const linesByMonth: ReportCheck = {
  name: 'invoice_lines_by_month',
  description: 'The report of lines of invoices comes in each month to what the report of invoices does.',
  unit: 'money',
  of: month,
  report: { report: 'invoice_line_items', by: { month: 'invoice.confirmed_at' }, sum: 'amount' },
  against: invoicesByMonth.report,
};

const toBePaid: ReportCheck = {
  name: 'invoices_to_be_paid',
  description: 'The outstanding amounts in the report of invoices are what customers owe in the ledger.',
  unit: 'money',
  of: customer,
  report: { report: 'invoices', by: 'customer.id', sum: 'expected_payment_amount' },
  against: ({ provider }) => sql`SELECT customer_id::text AS key, sum(amount_minor) AS amount FROM ledger_line
    WHERE provider_id = ${provider} AND account = 'receivable' GROUP BY 1`,
};

/** Balances that triggers maintain from the ledger lines, in a table of their own. */
const CREDIT = ({
  provider,
}: {
  provider: number;
}): Sql => sql`SELECT customer_id::text AS key, -sum(amount_minor) AS amount
  FROM customer_balance WHERE provider_id = ${provider} AND account = 'credit' GROUP BY 1`;

const creditChanges: ReportCheck = {
  name: 'account_credit',
  description: 'The changes in the report of account credit come to the credit that each customer has.',
  unit: 'money',
  of: customer,
  report: { report: 'customer_credits', by: 'customer.id', sum: 'amount' },
  against: CREDIT,
};

const whole = (): string => 'all together';

/** Returns the open amount of an account: debited and not yet settled, or credited. */
const balanceOf =
  (account: Account, side: 'debits' | 'credits') =>
  ({ provider }: { provider: number }): Sql =>
    sql`SELECT 'all' AS key, ${raw(side === 'credits' ? '-' : '')}sum(amount_minor) AS amount
    FROM ledger_line WHERE provider_id = ${provider} AND account = ${account}`;

/**
 * Compared by type, not by month: sales have days in the business's current time zone, postings those of the zone at
 * that time.
 */
const revenueByType: ReportCheck = {
  name: 'revenue_by_type',
  description: 'The sales in the report of revenue, by type, are the revenue in the ledger.',
  unit: 'money',
  of: (key) => `type ${key}`,
  report: { report: 'revenue', by: 'type', sum: 'sold', filters: { ...LEFT_IN, what: ['sold'] } },
  against: ({ provider }) => sql`SELECT detail AS key, -sum(amount_minor) AS amount FROM ledger_line
    WHERE provider_id = ${provider} AND account = 'revenue' GROUP BY 1`,
};

const lifetimeValues: ReportCheck = {
  name: 'lifetime_values',
  description: 'The payments of all customers are the amounts received by payment processors in the ledger.',
  unit: 'money',
  of: whole,
  report: { report: 'lifetime_values', sum: 'value' },
  against: balanceOf('clearing', 'debits'),
};

const cash: ReportCheck = {
  name: 'cash',
  description: 'The cash in the report of revenue is what all customers have brought in.',
  unit: 'money',
  of: whole,
  report: { report: 'revenue', sum: 'cash', filters: { ...LEFT_IN, what: ['cash'] } },
  against: lifetimeValues.report,
};

const giftCards: ReportCheck = {
  name: 'gift_cards',
  description: 'The gift cards that can still be redeemed are what the ledger has as owed for gift cards.',
  unit: 'money',
  of: whole,
  report: { report: 'gift_cards', sum: 'amount', filters: { status: ['scheduled', 'delivered'] } },
  against: balanceOf('gift_card', 'credits'),
};

const seats: ReportCheck = {
  name: 'seats',
  description: 'The report of attendances has as many bookings that take a place as each event counts.',
  unit: 'number',
  of: event,
  report: { report: 'attendances', by: 'event.id', filters: { ...LEFT_IN, status: SEATED } },
  against: ({ provider }) =>
    sql`SELECT id::text AS key, attending_count + online_attending_count AS amount FROM event
      WHERE provider_id = ${provider} AND attending_count + online_attending_count > 0`,
};

const bookings: ReportCheck = {
  name: 'bookings',
  description: 'The report of attendances has each booking once, by what became of it.',
  unit: 'number',
  of: (key) => `status ${key}`,
  report: { report: 'attendances', by: 'status', filters: LEFT_IN },
  against: ({ provider }) => sql`SELECT status AS key, count(*) AS amount FROM attendance
    WHERE provider_id = ${provider} AND status <> 'not_registered' GROUP BY 1`,
};

const visitsOfClasses: ReportCheck = {
  name: 'visits_of_classes',
  description: 'The report of classes has as many people who came as the report of attendances has for these events.',
  unit: 'number',
  of: event,
  report: { report: 'classes', by: 'id', sum: 'attendance_count', filters: LEFT_IN },
  against: {
    report: 'attendances',
    by: 'event.id',
    filters: { ...LEFT_IN, status: ['attended'], event_types: ['class'] },
  },
};

const bookingsOfCustomers: ReportCheck = {
  name: 'bookings_of_customers',
  description: 'The report of customers has as many bookings and visits of each as the report of attendances.',
  unit: 'number',
  of: customer,
  report: { report: 'customers', by: 'id', sum: 'registered_and_attended_count' },
  against: { report: 'attendances', by: 'customer.id', filters: { ...LEFT_IN, status: ['registered', 'attended'] } },
};

const seatsOfCourses: ReportCheck = {
  name: 'seats_of_courses',
  description: 'The report of sessions of courses has as many bookings of each as the session counts.',
  unit: 'number',
  of: event,
  report: { report: 'course_session_attendances', by: 'course_session.id', filters: LEFT_IN },
  against: ({ provider }) => sql`SELECT e.id::text AS key,
    e.attending_count + e.online_attending_count AS amount
    FROM event e JOIN course_date d ON d.provider_id = e.provider_id AND d.event_id = e.id
    WHERE e.provider_id = ${provider} AND e.attending_count + e.online_attending_count > 0`,
};

const usesOfMemberships: ReportCheck = {
  name: 'uses_of_memberships',
  description:
    'The report of attendances has as many bookings and visits with each membership as the membership has uses for them.',
  unit: 'number',
  of: (key) => `customer membership ${key}`,
  report: {
    report: 'attendances',
    by: 'customer_membership.id',
    filters: { ...LEFT_IN, status: ['registered', 'attended'] },
  },
  against: ({ provider }) => sql`SELECT n.customer_membership_id::text AS key, count(*) AS amount
    FROM entitlement_entry n JOIN attendance a ON a.provider_id = n.provider_id AND a.id = n.attendance_id
    WHERE n.provider_id = ${provider} AND n.open AND a.status IN ('registered', 'attended') GROUP BY 1`,
};

export const REPORT_CHECKS: readonly ReportCheck[] = [
  invoicesByMonth,
  linesByMonth,
  toBePaid,
  creditChanges,
  revenueByType,
  lifetimeValues,
  cash,
  giftCards,
  seats,
  seatsOfCourses,
  bookings,
  visitsOfClasses,
  bookingsOfCustomers,
  usesOfMemberships,
];

/** Maximum number of findings reported for one check. */
const MAX_DIFFERENCES = raw('100');

/** Selects where the two sides differ. One statement reads both, so that they have the same snapshot. */
export function comparison(
  { report, against }: ReportCheck,
  provider: number,
  asked: Parameters<typeof totalsOf>[1],
): Sql {
  const other = typeof against === 'function' ? against({ provider }) : totalsOf(against, asked);
  return sql`SELECT coalesce(o.key, r.key), coalesce(o.amount, 0)::bigint, coalesce(r.amount, 0)::bigint
    FROM (${other}) o FULL JOIN (${totalsOf(report, asked)}) r ON r.key = o.key
    WHERE coalesce(o.amount, 0) <> coalesce(r.amount, 0) ORDER BY length(coalesce(o.key, r.key)), 1
    LIMIT ${MAX_DIFFERENCES}`;
}
