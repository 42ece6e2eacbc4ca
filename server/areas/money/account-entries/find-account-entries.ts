import { accountEntry, KINDS, STATUSES, statusOf } from './account-entry.ts';
import { boolean, date, id, instant, listOf, oneOf } from '../../../kernel/base/fields/kinds.ts';
import { choice, filter, type Filter, type Who, listAndGet } from '../../../kernel/api/endpoint.ts';
import { raw, param, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { reasonName, subjectName } from './reasons.ts';
import type { Field } from '../../../kernel/base/fields/field.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const who: Who = { provider: true, customer: true, unregistered: false };

const column =
  (name: string) =>
  (t: string): Sql =>
    raw(`${t}.${name}`);

const ids = (name: string): Filter =>
  filter(listOf(id()), (t, wanted) => sql`${raw(`${t}.${name}`)} = ANY(${wanted}::bigint[])`);

const words = (name: string, word: Field<string>): Filter =>
  filter(listOf(word), (t, wanted) => sql`${raw(`${t}.${name}`)} = ANY(${wanted}::text[])`);

const dueBound = (operator: '>=' | '<='): Filter =>
  filter(date(), (t, day) => sql`${raw(`${t}.due_on ${operator}`)} ${day}::date`);

const createdBound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.created_at ${operator}`)} ${at}::timestamptz`);
};

export const findAccountEntries = [
  ...listAndGet(accountEntry, {
    path: '/account_entries',
    summary: 'List account entries',
    get: 'Get an account entry',
    description:
      'Charges and credits, for example of holds, upgrades and penalties, and those that staff added. The price of a membership is not among them. Customers see those of their family.',
    who,
    filters: {
      customer: ids('customer_id'),
      customer_membership: ids('customer_membership_id'),
      subject_object: words('subject_object', subjectName()),
      subject_id: filter(
        listOf(id()).describe('Comma-separated list of ids. Use it together with `subject_object`.'),
        (t, wanted) => sql`${raw(`${t}.subject_id`)} = ANY(${wanted}::bigint[])`,
      ),
      kind: words('kind', oneOf(KINDS)),
      reason: words('reason', reasonName()),
      status: filter(listOf(oneOf(STATUSES)), (t, wanted) => sql`${statusOf(t)} = ANY(${wanted}::text[])`),
      voided: choice(boolean(), {
        true: (t) => raw(`${t}.voided_at IS NOT NULL`),
        false: (t) => raw(`${t}.voided_at IS NULL`),
      }),
      due_date_gte: dueBound('>='),
      due_date_lte: dueBound('<='),
      created_at_gte: createdBound('created_at_gte', '>='),
      created_at_lte: createdBound('created_at_lte', '<='),
    },
    sort: { id: { by: column('id') }, due_date: { by: column('due_on') } },
  }),
];
