import { boolean, date, id, listOf, oneOf, text } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Filter, type Who, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { invoice } from '../invoice.ts';
import { param, raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { Input } from '../../../../kernel/work/access/viewer.ts';
import { STATUSES } from './statuses.ts';

/** Staff who work with invoices; customers see those of their family. */
export const who: Who = { provider: ['super_admin', 'pos', 'store'], customer: true, unregistered: false };

/** Splits `INV-000042`, `cn 7` or `42` into its series and its position there. */
const numberIn = (input: Input): { readonly series: readonly string[]; readonly sequence: number } => {
  const [, prefix = '', digits] = /^(?:(inv|cn)[\s-]*)?0*(\d{1,9})$/i.exec(input.query.number.trim()) ?? [];
  const series = { INV: ['invoice'], CN: ['credit_note'] }[prefix.toUpperCase()] ?? ['invoice', 'credit_note'];
  return { series, sequence: digits === undefined ? 0 : Number(digits) };
};
const askedSeries = param<Input>((input) => numberIn(input).series);
const askedSequence = param<Input>((input) => numberIn(input).sequence);

const dueBound = (operator: '>=' | '<='): Filter =>
  filter(date(), (t, day) => sql`${raw(`${t}.due_on ${operator}`)} ${day}::date`);

export const findInvoices = [
  ...listAndGet(invoice, {
    path: '/invoices',
    summary: 'List invoices',
    get: 'Get an invoice',
    description: 'Invoices and credit notes. Customers see those of their family.',
    who,
    filters: {
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
      payer: filter(listOf(id()), (t, wanted) => sql`${raw(t)}.customer_id = ANY(${wanted}::bigint[])`),
      is_credit_note: choice(boolean(), {
        true: (t) => raw(`${t}.series = 'credit_note'`),
        false: (t) => raw(`${t}.series = 'invoice'`),
      }),
      number: filter(
        text({ max: 50 }).describe('The number as printed, or only its digits: `INV-000042`, `42`.'),
        (t) => sql`${raw(t)}.series = ANY(${askedSeries}::text[]) AND ${raw(t)}.sequence = ${askedSequence}::bigint`,
      ),
      due_date_gte: dueBound('>='),
      due_date_lte: dueBound('<='),
    },
    sort: { due_date: { by: (t) => raw(`${t}.due_on`) }, id: { by: (t) => raw(`${t}.id`) } },
  }),
];
