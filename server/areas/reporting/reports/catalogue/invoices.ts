/** Invoices and credit notes: one row each. */
import {
  anyOf,
  COUNT,
  changed,
  customerColumns,
  customerVenue,
  isTrue,
  within,
  withinDays,
  yearAndMonth,
} from './common.ts';
import { below, column, filterBy, report, allowSeveralValues } from '../report.ts';
import type { Column, Columns } from '../columns.ts';
import {
  called,
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
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import { ZONE } from '../moment.ts';
import { formatInstant, parsePgInstant } from '../../../../kernel/base/values/zone.ts';
import { wireMoney } from '../../../../kernel/base/values/money.ts';
import type { Wire } from '../../../../kernel/base/fields/field.ts';

export const STATUSES = [
  'open',
  'paid',
  'pending_offline',
  'pending_online',
  'failed',
  'voided',
  'upcoming',
  'skipped',
  'retrying',
  'retry_failed',
] as const;

/**
 * Selects the status of an invoice in the terms of the reports, which use a different name for one that waits for the
 * processor.
 */
export const invoiceStatus = (t: string): Sql =>
  raw(`CASE ${t}.status WHEN 'pending' THEN 'pending_online' ELSE ${t}.status END`);

export const byStatus = (t: string) =>
  filterBy(called('report_invoice_status', oneOf(STATUSES)), (status) => sql`${invoiceStatus(t)} = ${status}::text`);

const PURCHASE_TYPES = ['class', 'course', 'course_session', 'membership', 'store'] as const;

/** Selects the type of a line's object, in the terms of the reports; null for other objects. */
const typeOfLine = (
  l: string,
): string => `CASE ${l}.type WHEN 'event_registration' THEN 'class' WHEN 'course' THEN 'course'
  WHEN 'course_session' THEN 'course_session' WHEN 'store_order' THEN 'store' WHEN 'gift_card' THEN 'store'
  WHEN 'recurring_plan_membership' THEN 'membership' WHEN 'prepaid_plan_membership' THEN 'membership'
  WHEN 'pack_membership' THEN 'membership' WHEN 'joining_fee' THEN 'membership' END`;

/** The type of the first line that has one: all invoices of one purchase have the same type. */
const PURCHASE_TYPE =
  raw(`(SELECT ${typeOfLine('l')} FROM invoice_line l WHERE l.provider_id = n.provider_id AND l.invoice_id = n.id
  AND ${typeOfLine('l')} IS NOT NULL ORDER BY l.position LIMIT 1)`);

const LINES = (what: string): Sql =>
  raw(`(SELECT ${what} FROM invoice_line l WHERE l.provider_id = n.provider_id AND l.invoice_id = n.id)`);

const PROCESSOR = raw(`(SELECT p.name FROM invoice_charge ch
    JOIN payment_processor p ON p.provider_id = ch.provider_id AND p.id = ch.payment_processor_id
  WHERE ch.provider_id = n.provider_id AND ch.invoice_id = n.id ORDER BY ch.id DESC LIMIT 1)`);

/** The taxes of an invoice, including those contained in its prices. */
const TAX = raw(`(SELECT coalesce(sum(f.amount_minor), 0) FROM invoice_line_fee f
  WHERE f.provider_id = n.provider_id AND f.invoice_id = n.id AND f.kind = 'tax')`);

const amount = (of: string | Sql, means: string) => column(money(), of, means);
const processor = column(text(), PROCESSOR, 'Last payment method; empty if nothing was paid yet.');
const purchaseType = column(
  oneOf(PURCHASE_TYPES),
  PURCHASE_TYPE,
  'Item of the first line of a purchase. Empty for charges and corrections.',
);
const CHARGES = `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('minor', ch.amount_minor, 'at', ch.created_at::text) ORDER BY ch.id),
    '[]'::jsonb)
  FROM invoice_charge ch WHERE ch.provider_id = n.provider_id AND ch.invoice_id = n.id)`;

/** Selects the amounts of a list of objects, with their other values. */
const amountsOf =
  (more: (one: any, wire: Wire) => object): Column['make'] =>
  ([cell], wire) =>
    JSON.parse(cell!).map((one: any) => ({
      ...more(one, wire),
      amount: wireMoney({ minor: one.minor, currency: wire.currency }),
    }));

const status = column(called('report_invoice_status', oneOf(STATUSES)), invoiceStatus('n'), 'Status of the invoice.');

export const discountCode = (t: string): Columns =>
  below(
    'discount_code',
    {
      name: column(text(), `${t}.discount_code_name`, 'Name of the discount code.'),
      code: column(text(), `${t}.discount_code`, 'The discount code.'),
    },
    { name: 'discount_code_name' },
  );

const columns: Columns = {
  id: column(id(), 'n.id', 'ID of the invoice.'),
  due_date: column(date(), 'n.due_on', 'Last day on which it can be paid in time.'),
  confirmed_at: column(instant(), 'n.created_at', 'When it was issued.'),
  paid_at: column(instant(), 'n.paid_at', 'When it was paid in full.'),
  status,
  is_credit_note: column(boolean(), `(n.series = 'credit_note')`, 'It takes back an invoice, or a part of one.'),
  'refunded_invoice.id': column(id(), 'n.credits_invoice_id', 'Credit notes only: the invoice that it takes back.', {
    alias: 'refunded_invoice_id',
  }),
  number: column(text(), 'n.number', 'Number of the invoice.'),
  ...customerColumns('c'),
  ...customerVenue('v'),
  total_amount: amount('n.total_minor', 'Total with fees and taxes.'),
  subtotal_amount: amount('n.pre_tax_minor', 'Total before fees and taxes.'),
  discount_amount: amount('n.discount_minor', 'Amount of the discount.'),
  tax_amount: amount(TAX, 'Taxes, those in the prices included.'),
  credit_amount: amount('n.credit_minor', 'Account credit that paid for it.'),
  adjustment_amount: amount('n.reduced_minor', 'Amount credited before it was paid.'),
  expected_payment_amount: amount('n.due_minor', 'Amount left to pay.'),
  refund_amount: amount('n.refunded_minor', 'Amount paid and returned.'),
  refund_date: column(
    date(),
    sql`(SELECT max(x.issued_on) FROM invoice x
      WHERE x.provider_id = n.provider_id AND x.credits_invoice_id = n.id AND x.to_refund_minor > 0)`,
    'Day of the last credit note that gave back a payment.',
  ),
  ...discountCode('n'),
  payment_processor: processor,
  purchase_type: purchaseType,
  purchase_items: column(
    text(),
    LINES(`string_agg(l.description, '; ' ORDER BY l.position)`),
    'Items that were bought, line by line.',
  ),
  payout: column(text(), 'NULL::text', 'Always empty: payouts of processors aren’t stored.'),
  applied_credits: {
    ...column(
      listOf(object({ amount: money() })),
      `(CASE WHEN n.credit_minor > 0 THEN jsonb_build_array(jsonb_build_object('minor', n.credit_minor)) ELSE '[]'::jsonb END)`,
      'Account credit that was applied.',
    ),
    make: amountsOf(() => ({})),
  },
  charges: {
    ...column(
      listOf(object({ created_at: instant(), amount: money(), confirmed_at: instant() })),
      CHARGES,
      'Payments that came in for it.',
    ),
    make: amountsOf(({ at }, { zone }) => ({
      created_at: formatInstant(parsePgInstant(at), zone),
      confirmed_at: formatInstant(parsePgInstant(at), zone),
    })),
  },
  updated_at: column(instant(), 'n.updated_at', 'When it changed last.'),
  legacy_mapping: column(text(), 'n.legacy_invoice_key', 'Key of the invoice in another system.'),
};

export const INVOICE_WHO = ['revenue', 'customer_payments'] as const;

export const invoicesReport = report('invoices', {
  title: 'invoices',
  description: 'Invoices and credit notes, what they come to, and what has been paid.',
  who: INVOICE_WHO,
  from: 'invoice n',
  joins: {
    c: raw('JOIN customer c ON c.provider_id = n.provider_id AND c.id = n.customer_id'),
    v: raw('LEFT JOIN venue v ON v.provider_id = c.provider_id AND v.id = c.venue_id'),
    fee: raw(`LEFT JOIN LATERAL (SELECT DISTINCT f.name FROM invoice_line_fee f
      WHERE f.provider_id = n.provider_id AND f.invoice_id = n.id) fee ON true`),
    item: raw(`LEFT JOIN LATERAL (SELECT DISTINCT coalesce(l.billed_name, l.description) AS name FROM invoice_line l
      WHERE l.provider_id = n.provider_id AND l.invoice_id = n.id) item ON true`),
  },
  id: 'n.id',
  venue: null,
  columns,
  sort: '-id',
  customer: 'customer.id',
  filters: {
    ...within('confirmed_at', 'n.created_at', null),
    credit_applied: isTrue(raw('(n.credit_minor > 0)')),
    customer_memberships: filterBy(
      listOf(id(), { max: 1000 }),
      (ids) => sql`EXISTS (SELECT FROM invoice_line l WHERE l.provider_id = n.provider_id AND l.invoice_id = n.id
        AND l.billed_object = 'customermembership' AND l.billed_id = ANY(${ids}::bigint[]))`,
    ),
    customers: anyOf('n.customer_id'),
    discount_applied: isTrue(raw('(n.discount_minor > 0)')),
    ...withinDays('due_date', 'n.due_on', date),
    ...within('paid_at', 'n.paid_at'),
    payment_processors: filterBy(
      listOf(id(), { max: 100 }),
      (ids) =>
        sql`EXISTS (SELECT FROM invoice_charge ch
          WHERE ch.provider_id = n.provider_id AND ch.invoice_id = n.id
            AND ch.payment_processor_id = ANY(${ids}::bigint[]))`,
    ),
    purchase_types: filterBy(
      listOf(oneOf(PURCHASE_TYPES)),
      (types) =>
        sql`
          EXISTS (SELECT FROM invoice_line l WHERE l.provider_id = n.provider_id AND l.invoice_id = n.id
            AND ${raw(typeOfLine('l'))} = ANY(${types}::text[]))`,
    ),
    status: byStatus('n'),
    ...changed('n'),
  },
  grouped: {
    by: {
      status,
      ...customerColumns('c'),
      purchase_type: purchaseType,
      payment_processor: processor,
      ...yearAndMonth(raw('n.due_on'), 'the due date', ['due_date_year', 'due_date_month']),
      ...yearAndMonth(sql`(n.paid_at AT TIME ZONE ${ZONE})`, 'the payment', ['payment_year', 'payment_month']),
      ...yearAndMonth(raw('NULL::date'), 'the payout; always empty: payouts of processors aren’t stored', [
        'payout_year',
        'payout_month',
      ]),
      ...allowSeveralValues({
        purchased_item: column(text(), 'item.name', 'Items bought: an invoice with several counts for each.'),
        purchase_fee_type: column(text(), 'fee.name', 'Name of a fee or tax: an invoice with several counts for each.'),
      }),
    },
    measures: {
      count: COUNT,
      total_amount: amount('sum(n.total_minor)', 'Total with fees and taxes.'),
    },
  },
});
