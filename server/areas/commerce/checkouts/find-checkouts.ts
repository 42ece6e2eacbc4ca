import { checkout, STATUSES } from './checkout.ts';
import { filter, get, list, type Who } from '../../../kernel/api/endpoint.ts';
import { id, instant as when, listOf, oneOf } from '../../../kernel/api/kinds.ts';
import { raw, sql, type Sql } from '../../../kernel/db/sql.ts';

/** Staff at the front desk; customers for themselves and their family. */
export const whoChecksOut: Who = { provider: ['super_admin', 'pos'], customer: true, unregistered: false };

const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);

const since = (operator: '>=' | '<=') =>
  filter(when(), (t, at) => sql`${raw(t)}.created_at ${raw(operator)} ${at}::timestamptz`);

export const findCheckouts = [
  list(checkout, {
    path: '/checkouts',
    summary: 'List checkouts',
    who: whoChecksOut,
    filters: {
      customer: filter(
        listOf(id(), { max: 200 }).describe('Who pays.'),
        (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`,
      ),
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
      created_at_gte: since('>='),
      created_at_lte: since('<='),
    },
    sort: { id: { by: column('id') }, created_at: { by: column('created_at') } },
    defaultSort: '-id',
  }),
  get(checkout, { path: '/checkouts/{id}', summary: 'Get a checkout', who: whoChecksOut }),
];
