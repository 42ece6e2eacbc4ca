/** Deferred revenue: one row for each sale or credit that is not fully earned as of a day. */
import { anyOf, COUNT, oneOfThese, privateCustomer, withinDays } from './common.ts';
import { column, filterBy, report, summed, type Declared, type Report } from '../report.ts';
import type { Columns } from '../columns.ts';
import { date, id, integer, money, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { given } from '../moment.ts';
import { KINDS, OF_ENTRIES, recognisedBy, SALES, SOME_DAY, USES } from './sales.ts';
import { LINE_TYPES } from '../../../money/ledger/index.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';

const ON = sql`${given('on')}::date`;

/** Uses are queried only for sales that are earned by use. */
const USED = sql`
  coalesce((SELECT sum(u.uses) FROM ${USES} u WHERE u.customer_membership_id = s.billed_id AND u.day <= ${ON}), 0)`;

const fromOf = (sales: Sql): Sql => sql`(SELECT s.*, r.recognised, s.amount - r.recognised AS deferred
  FROM (SELECT s.* FROM ${sales} s WHERE s.sold_on <= ${ON}) s
    CROSS JOIN LATERAL (SELECT ${recognisedBy('s', ON, USED)} AS recognised) r) d`;

/** The words of the line or of the entry. */
const DESCRIPTION = raw(`CASE WHEN d.kind < ${OF_ENTRIES}
  THEN (SELECT l.description FROM invoice_line l WHERE l.provider_id = d.provider_id AND l.id = d.base)
  ELSE (SELECT n.explanation FROM account_entry n WHERE n.provider_id = d.provider_id AND n.id = d.base) END`);

const type = column(oneOf(LINE_TYPES), 'd.type', 'Type of the item sold.');
const month = column(text(), `to_char(d.sold_on, 'YYYY-MM')`, 'Month in which it was sold, for example 2026-01.');

const columns: Columns = {
  'invoice.id': column(id(), 'd.invoice_id', 'ID of the invoice or credit note, if there is one.', {
    alias: 'invoice_id',
  }),
  'invoice.number': column(text(), 'i.number', 'Number of the invoice or credit note.', { alias: 'invoice_number' }),
  ...privateCustomer('c'),
  type,
  description: column(text(), DESCRIPTION, 'Item sold or taken back, as described on the invoice.', {
    for: ['customers'],
  }),
  'membership.id': column(id(), 'k.id', 'ID of the membership that was sold.', { alias: 'membership_id' }),
  'membership.name': column(text(), 'k.name', 'Name of the membership that was sold.', { alias: 'membership_name' }),
  sold_on: column(date(), 'd.sold_on', 'Day on which it was sold or taken back.'),
  month,
  earned_from: column(
    date(),
    `CASE WHEN d.uses IS NULL AND d.starts < ${SOME_DAY} THEN d.starts END`,
    'First day on which it is earned. Empty if it is earned by its uses, or hasn’t begun.',
  ),
  earned_to: column(
    date(),
    `CASE WHEN d.uses IS NULL AND d.ends < ${SOME_DAY} THEN d.ends END`,
    'Last day on which it is earned. Empty if it is earned by its uses, or hasn’t begun.',
  ),
  uses: column(integer({ min: 1 }), 'd.uses', 'Uses by which it is earned. Empty if it is earned over days.'),
  sold: column(money(), 'd.amount', 'Amount without taxes and fees. Less than 0 if it was taken back.'),
  recognised: column(money(), 'd.recognised', 'Amount that is revenue by the end of the day that you ask for.'),
  deferred: column(money(), 'd.deferred', 'Amount that is not revenue yet.'),
};

const DECLARED: Declared = {
  title: 'deferred revenue',
  description:
    'What was sold and isn’t earned yet, as of a day: unused uses of packs, days of prepaid plans to come, and bookings of events to come. What is earned in full is left out.',
  who: ['revenue'],
  given: ({ on }, today) => ({ on: on ?? today }),
  from: fromOf(SALES),
  joins: {
    c: raw('JOIN customer c ON c.provider_id = d.provider_id AND c.id = d.customer_id'),
    i: raw('LEFT JOIN invoice i ON i.provider_id = d.provider_id AND i.id = d.invoice_id'),
    m: raw(
      `LEFT JOIN customer_membership m ON m.provider_id = d.provider_id AND m.id = d.billed_id
        AND d.billed_object = 'customermembership'`,
    ),
    k: raw('LEFT JOIN membership k ON k.provider_id = m.provider_id AND k.id = m.membership_id'),
  },
  // Sales whose period has ended are fully earned, whatever the amount, so they are excluded without calculating it.
  unless: {
    include_recognised: () => sql`(d.uses IS NOT NULL OR d.ends > ${ON}) AND d.deferred <> 0`,
  },
  id: `(d.base * ${KINDS} + d.kind)`,
  seek: { by: 'd.base', of: KINDS },
  venue: null,
  columns,
  sort: 'sold_on',
  customer: 'customer.id',
  filters: {
    on: filterBy(date().describe('The day that the report is of, today if left out.'), () => raw('true')),
    customers: anyOf('d.customer_id'),
    memberships: anyOf('k.id'),
    ...withinDays('sold_on', 'd.sold_on', date),
    types: oneOfThese(LINE_TYPES, 'd.type'),
  },
  grouped: {
    by: { type, 'membership.id': columns['membership.id'], 'membership.name': columns['membership.name'], month },
    measures: {
      count: COUNT,
      sold: summed(columns, 'sold', 'Amount without taxes and fees.'),
      recognised: summed(columns, 'recognised', 'Amount that is revenue by the end of the day that you ask for.'),
      deferred: summed(columns, 'deferred', 'Amount that is not revenue yet.'),
    },
  },
};

export const deferredRevenueReport: Report = {
  ...report('deferred_revenue', DECLARED),
  stored: report('deferred_revenue', { ...DECLARED, from: fromOf(raw('revenue_sale')) }),
};
