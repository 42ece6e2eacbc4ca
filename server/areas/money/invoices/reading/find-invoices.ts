import { boolean, date, id, listOf, oneOf } from '../../../../kernel/base/fields/kinds.ts';
import { choice, filter, get, list, type Filter, type Who } from '../../../../kernel/api/endpoint.ts';
import { invoice } from '../invoice.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { STATUSES } from './statuses.ts';

/** Staff who work with invoices; customers see those of their family. */
export const who: Who = { provider: ['super_admin', 'pos', 'store'], customer: true, unregistered: false };

const dueBound = (operator: '>=' | '<='): Filter =>
  filter(date(), (t, day) => sql`${raw(`${t}.due_on ${operator}`)} ${day}::date`);

export const findInvoices = [
  list(invoice, {
    path: '/invoices',
    summary: 'List invoices',
    description: 'Invoices and credit notes. Customers see those of their family.',
    who,
    filters: {
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
      payer: filter(listOf(id()), (t, wanted) => sql`${raw(t)}.customer_id = ANY(${wanted}::bigint[])`),
      is_credit_note: choice(boolean(), {
        true: (t) => raw(`${t}.series = 'credit_note'`),
        false: (t) => raw(`${t}.series = 'invoice'`),
      }),
      due_date_gte: dueBound('>='),
      due_date_lte: dueBound('<='),
    },
    sort: { due_date: { by: (t) => raw(`${t}.due_on`) }, id: { by: (t) => raw(`${t}.id`) } },
  }),
  get(invoice, { path: '/invoices/{id}', summary: 'Get an invoice', who }),
];
