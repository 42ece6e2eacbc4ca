/**
 * Sales, and when they become revenue: the basis of the revenue reports. Everything that the ledger posts to `revenue`
 * is here once: lines of invoices and credit notes, charges and credits of accounts, and voided amounts.
 */
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { asSql } from '../report.ts';
import { ZONE } from '../moment.ts';

/** Selects the day of a time in the calendar of the business. */
export const dayOf = (at: string): Sql => sql`(${raw(at)} AT TIME ZONE ${ZONE})::date`;

/** The day for a membership that begins with its first use and was not used yet: it is earned on no known day. */
export const SOME_DAY = `DATE '9999-12-31'`;

const MEMBERSHIP = `JOIN customer_membership m ON m.provider_id = l.provider_id AND m.id = l.billed_id AND l.billed_object = 'customermembership'`;
/** The first day on which nothing can be used any more. */
export const CLOSED = sql`least(m.expiration_date + 1, ${dayOf('m.ended_at')})`;

/** Facts about a line from other tables: the days or uses over which it is earned, and when nothing is left to earn. */
interface Earned {
  readonly types: readonly string[];
  readonly joins: string;
  readonly starts: string | Sql;
  readonly ends: string | Sql;
  readonly uses?: string;
  readonly closed?: Sql;
}

const EARNED: readonly Earned[] = [
  // A pack without a number of uses is earned like a plan.
  {
    types: ['pack_membership', 'prepaid_plan_membership'],
    joins: `${MEMBERSHIP} LEFT JOIN membership_limit k ON k.provider_id = m.provider_id AND k.membership_id = m.membership_id
      AND k.period = 'total' AND k.max_uses > 0 AND m.membership_type = 'pack'`,
    starts: `CASE WHEN m.expiration_date IS NULL THEN i.issued_on ELSE coalesce(m.start_date, ${SOME_DAY}) END`,
    ends: `CASE WHEN m.expiration_date IS NULL THEN i.issued_on WHEN m.start_date IS NULL THEN ${SOME_DAY}
      ELSE m.expiration_date END`,
    uses: 'k.max_uses',
    closed: CLOSED,
  },
  // Most kinds are earned on one day. They are read together, because each part reads all lines.
  {
    types: ['recurring_plan_membership', 'store_order', 'flat_fee', 'joining_fee', 'membership_penalty_fee'],
    joins: `LEFT JOIN billing_period b ON b.provider_id = i.provider_id AND b.invoice_id = coalesce(i.credits_invoice_id, i.id)
        AND l.type = 'recurring_plan_membership'
      LEFT ${MEMBERSHIP} AND l.type = 'recurring_plan_membership'`,
    starts: 'coalesce(b.period_start, m.start_date, i.issued_on)',
    ends: 'coalesce(b.period_start, m.start_date, i.issued_on)',
    closed: dayOf('m.ended_at'),
  },
  {
    types: ['event_registration', 'course_session', 'course'],
    // A charge of an account is for a booking too.
    joins: `LEFT JOIN account_entry n ON n.provider_id = l.provider_id AND n.id = l.billed_id AND l.billed_object = 'account_entry' AND n.subject_object = 'attendance'
      LEFT JOIN attendance a ON a.provider_id = l.provider_id AND a.id = CASE l.billed_object WHEN 'attendance' THEN l.billed_id ELSE n.subject_id END
      LEFT JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
      LEFT JOIN LATERAL (SELECT min(y.local_starts_at)::date AS first, max(y.local_starts_at)::date AS last
        FROM course_enrollment_date d JOIN event y ON y.provider_id = d.provider_id AND y.id = d.event_id
        WHERE d.provider_id = l.provider_id AND d.course_enrollment_id = l.billed_id) c ON l.type = 'course'`,
    starts: 'coalesce(e.local_starts_at::date, c.first, i.issued_on)',
    ends: 'coalesce(e.local_starts_at::date, c.last, i.issued_on)',
  },
];

/** The line of a charge was earned when the charge was made: only a credit note takes revenue back. */
const NOT_EARNED_BEFORE = '(l.account_entry_id IS NULL OR l.credits_line_id IS NOT NULL)';
/** A charge voided with its invoice is forgiven, and a credit becomes account credit. */
const TAKEN_BACK = `i.status = 'voided' AND (l.account_entry_id IS NULL OR l.pre_tax_minor > 0)`;

/** Limits sales to those of some invoice lines and account entries. */
export interface SomeSales {
  readonly lines: readonly number[];
  readonly entries: readonly number[];
}

const lines = (
  { types, joins, starts, ends, uses = 'NULL', closed = raw('NULL::date') }: Earned,
  some?: SomeSales,
): Sql => {
  const row = (kind: number, amount: string, soldOn: Sql, where: string): Sql => sql`
    SELECT l.provider_id, l.id AS base, ${raw(String(kind))} AS kind, l.type, l.customer_id, l.invoice_id,
      l.billed_object, l.billed_id, ${raw(amount)} AS amount, ${soldOn} AS sold_on, ${asSql(starts)} AS starts,
      ${asSql(ends)} AS ends,
      ${raw(uses)} AS uses, ${closed} AS closed_on
    FROM invoice_line l JOIN invoice i ON i.provider_id = l.provider_id AND i.id = l.invoice_id ${raw(joins)}
    WHERE l.provider_id = current_provider_id() AND l.type IN (${raw(types.map((type) => `'${type}'`).join(', '))})
      AND l.pre_tax_minor <> 0 AND ${raw(where)}${some ? sql` AND l.id = ANY(${some.lines}::bigint[])` : raw('')}`;
  return sql`${row(0, 'l.pre_tax_minor', raw('i.issued_on'), NOT_EARNED_BEFORE)}
    UNION ALL ${row(1, '-l.pre_tax_minor', dayOf('i.voided_at'), TAKEN_BACK)}`;
};

const entries = (kind: number, sign: '' | '-', at: string, where: string, some?: SomeSales): Sql => sql`
  SELECT n.provider_id, n.id, ${raw(String(kind))}, n.revenue, n.customer_id, n.settled_invoice_id, n.subject_object,
    n.subject_id,
    ${raw(sign)}(CASE n.kind WHEN 'charge' THEN 1 ELSE -1 END * (n.amount_minor - n.fees_minor - n.rounding_minor)),
    ${dayOf(at)},
    coalesce(e.local_starts_at::date, ${dayOf(at)}), coalesce(e.local_starts_at::date, ${dayOf(at)}), NULL, NULL::date
  FROM account_entry n
    LEFT JOIN attendance a ON a.provider_id = n.provider_id AND a.id = n.subject_id AND n.subject_object = 'attendance'
    LEFT JOIN event e ON e.provider_id = a.provider_id AND e.id = a.event_id
  WHERE n.provider_id = current_provider_id() AND n.revenue IS NOT NULL AND n.revenue <> 'gift_card' AND ${raw(where)}
    ${some ? sql`AND n.id = ANY(${some.entries}::bigint[])` : raw('')}`;

/** Upper limit for `kind`. */
export const KINDS = 4;

/** Kinds below this one are of invoice lines, the others of account entries. */
export const OF_ENTRIES = 2;

/** One row for each sale or credit. `base` and `kind` are unique together. */
export const salesOf = (
  some?: SomeSales,
): Sql => sql`(${EARNED.map((one) => lines(one, some)).reduce((all, one) => sql`${all} UNION ALL ${one}`)}
  UNION ALL ${entries(OF_ENTRIES, '', 'n.created_at', 'true', some)}
  UNION ALL ${entries(OF_ENTRIES + 1, '-', 'n.voided_at', 'n.voided_at IS NOT NULL', some)})`;

export const SALES = salesOf();

/** The columns of a sale that are stored. */
export const SALE_COLUMNS = raw(
  'provider_id, base, kind, type, customer_id, invoice_id, billed_object, billed_id, amount, sold_on, starts, ends, uses, closed_on',
);

/**
 * Selects the amount of the sale under an alias that is earned by the end of a day, whenever it was sold. `uses` counts
 * the uses until then.
 */
export const earnedBy = (s: string, day: Sql, uses: Sql): Sql => {
  const all = raw(`(CASE WHEN ${s}.uses IS NULL THEN ${s}.ends - ${s}.starts + 1 ELSE ${s}.uses END)`);
  const counted = sql`CASE WHEN ${raw(s)}.uses IS NULL THEN ${day} - ${raw(s)}.starts + 1 ELSE ${uses} END`;
  const done = sql`
    (CASE WHEN ${raw(s)}.closed_on <= ${day} THEN ${all} ELSE greatest(0, least(${all}, ${counted})) END)`;
  return sql`((${raw(s)}.amount * ${done}) / ${all})`;
};

/**
 * Selects the amount of the sale that is revenue by then. Implements `recognisedBy` of the rule; a test compares both.
 */
export const recognisedBy = (s: string, day: Sql, uses: Sql): Sql =>
  sql`(CASE WHEN ${day} < ${raw(s)}.sold_on THEN 0 ELSE ${earnedBy(s, day, uses)} END)`;

/**
 * Uses of memberships with the day on which each counts: the day of the event, or of the correction if that came later.
 */
export const USES = sql`
  (SELECT u.provider_id, u.customer_membership_id, greatest(u.event_starts_on, ${dayOf('u.at')}) AS day,
    (-u.amount)::bigint AS uses FROM entitlement_entry u WHERE u.provider_id = current_provider_id())`;
