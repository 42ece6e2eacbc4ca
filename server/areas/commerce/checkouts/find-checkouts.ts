import { checkout } from './checkout.ts';
import { filter, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { STATUSES } from './statuses.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';
import { id, instant as when, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { param, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';

/** Staff at the front desk; customers for themselves and their family. */
export const whoChecksOut: Who = { provider: ['super_admin', 'pos'], customer: true, unregistered: false };

const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);

const since = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(when(), (t) => sql`${raw(`${t}.created_at ${operator}`)} ${at}::timestamptz`);
};

export const findCheckouts = [
  ...listAndGet(checkout, {
    path: '/checkouts',
    summary: 'List checkouts',
    get: 'Get a checkout',
    who: whoChecksOut,
    filters: {
      customer: filter(
        listOf(id(), { max: 200 }).describe('Customer who pays.'),
        (t, ids) => sql`${raw(t)}.customer_id = ANY(${ids}::bigint[])`,
      ),
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${raw(t)}.status = ANY(${wanted}::text[])`),
      created_at_gte: since('created_at_gte', '>='),
      created_at_lte: since('created_at_lte', '<='),
    },
    sort: { id: { by: column('id') }, created_at: { by: column('created_at') } },
    defaultSort: '-id',
  }),
];
