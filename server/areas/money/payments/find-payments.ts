import { boolean, id, instant, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { DISPUTE_STATES, PAYMENT_STATES, REFUND_STATES } from './rules/states.ts';
import { param, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { payees } from './payees.ts';
import { payment, paymentDispute, paymentRefund } from './payment.ts';
import { whoSees, whoTakes } from './shown.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);

const ids = (name: string): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${name}`)} = ANY(${wanted}::bigint[])`);

const words = (name: string, word: Field<string>): Filter =>
  filter(listOf(word), (t, wanted) => sql`${raw(`${t}.${name}`)} = ANY(${wanted}::text[])`);

const createdBound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.created_at ${operator}`)} ${at}::timestamptz`);
};

const bounds = {
  created_at_gte: createdBound('created_at_gte', '>='),
  created_at_lte: createdBound('created_at_lte', '<='),
};

/** Names under which payees are stored, for the requested resources. */
const namesOf = param<Input>((i) =>
  payees.items
    .filter(({ resource }) => (i.query.subject_object as string[]).includes(resource))
    .map(({ name }) => name),
);

const sort = { id: { by: column('id') }, created_at: { by: column('created_at') } };

export const findPayments = [
  ...listAndGet(payment, {
    path: '/payments',
    summary: 'List payments',
    get: 'Get a payment',
    description: 'Including those that failed. Customers see those of their family.',
    who: whoSees,
    filters: {
      customer: ids('customer_id'),
      payment_processor: ids('payment_processor_id'),
      status: words('status', oneOf(PAYMENT_STATES)),
      subject_object: filter(
        listOf(text({ max: 60 })).describe('Comma-separated list of types, for example `checkout`.'),
        (t) => sql`${raw(`${t}.payee`)} = ANY(${namesOf}::text[])`,
      ),
      subject_id: filter(
        listOf(id()).describe('Comma-separated list of ids. Use it together with `subject_object`.'),
        (t, wanted) => sql`${raw(`${t}.payee_id`)} = ANY(${wanted}::bigint[])`,
      ),
      taken: choice(boolean(), { true: (t) => raw(`${t}.taken`), false: (t) => raw(`NOT ${t}.taken`) }),
      ...bounds,
    },
    sort,
  }),
  ...listAndGet(paymentRefund, {
    path: '/payment_refunds',
    summary: 'List refunds',
    get: 'Get a refund',
    who: whoSees,
    filters: { payment: ids('payment_id'), status: words('status', oneOf(REFUND_STATES)), ...bounds },
    sort,
  }),
  ...listAndGet(paymentDispute, {
    path: '/payment_disputes',
    summary: 'List disputes',
    get: 'Get a dispute',
    who: whoTakes,
    filters: { payment: ids('payment_id'), status: words('status', oneOf(DISPUTE_STATES)), ...bounds },
    sort,
  }),
];
