import { boolean, id, listOf } from '../../../../kernel/base/fields/kinds.ts';
import { bound, ids } from '../filters.ts';
import { choice, filter, listAndGet } from '../../../../kernel/api/endpoint.ts';
import { counterSale, ofInvoice } from './counter-sale.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import { whoSells } from '../shown.ts';

export const findSales = [
  ...listAndGet(counterSale, {
    path: '/counter/sales',
    summary: 'List sales at the counter',
    get: 'Get a sale at the counter',
    description: 'The latest first.',
    who: whoSells,
    filters: {
      customer: filter(
        listOf(id()),
        (t, wanted) => sql`NOT ${raw(t)}.is_walk_in AND ${ofInvoice(t, 'customer_id')} = ANY(${wanted}::bigint[])`,
      ),
      is_walk_in: choice(boolean(), {
        true: (t) => raw(`${t}.is_walk_in`),
        false: (t) => raw(`NOT ${t}.is_walk_in`),
      }),
      invoice: ids('invoice_id'),
      venue: ids('venue_id'),
      staff: ids('staff_id'),
      payment_processor: filter(
        listOf(id()).describe('Sales with a payment by any of these.'),
        (t, wanted) => sql`EXISTS (SELECT FROM counter_payment c
          JOIN payment p ON p.provider_id = c.provider_id AND p.id = c.payment_id
          WHERE c.provider_id = ${raw(t)}.provider_id AND c.counter_sale_id = ${raw(t)}.id
            AND p.payment_processor_id = ANY(${wanted}::bigint[]))`,
      ),
      cash_session: filter(
        listOf(id()).describe('Sales with a payment into any of these cash sessions.'),
        (t, wanted) => sql`EXISTS (SELECT FROM counter_payment c
          JOIN cash_movement m ON m.provider_id = c.provider_id AND m.payment_id = c.payment_id AND m.kind = 'payment'
          WHERE c.provider_id = ${raw(t)}.provider_id AND c.counter_sale_id = ${raw(t)}.id
            AND m.cash_session_id = ANY(${wanted}::bigint[]))`,
      ),
      created_at_gte: bound('created_at_gte', '>='),
      created_at_lte: bound('created_at_lte', '<='),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, created_at: { by: (t) => raw(`${t}.created_at`) } },
    defaultSort: '-id',
  }),
];
