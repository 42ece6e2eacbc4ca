import { ACCOUNTS } from './accounts.ts';
import { filter, staffWith, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { date, id, instant, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { ledgerTransaction } from './ledger-transaction.ts';
import { param, raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Input } from '../../../kernel/work/access/viewer.ts';

const who = staffWith('super_admin', 'revenue');

const word = () => text({ max: 60, pattern: /^[a-z_]+$/, hint: 'Must be letters and underscores.' });

const hasLine = (t: string, condition: Sql): Sql =>
  sql`
    EXISTS (SELECT FROM ledger_line l WHERE l.provider_id = ${raw(t)}.provider_id AND l.transaction_id = ${raw(t)}.id
      AND ${condition})`;

const postedBound = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.posted_at ${operator}`)} ${at}::timestamptz`);
};

/**
 * Returns the filter for a day. The index has instants, and no zone is more than a day away from that of the session:
 * two more days include all of them.
 */
const postedDay = (operator: '>=' | '<=', spare: '- 2' | '+ 2'): Filter =>
  filter(
    date().describe('A day by the calendar of the business.'),
    (t, day) =>
      sql`
        (${raw(`${t}.posted_on ${operator}`)} ${day}::date
          AND ${raw(`${t}.posted_at ${operator}`)} ${day}::date ${raw(spare)})`,
  );

export const findLedger = [
  ...listAndGet(ledgerTransaction, {
    path: '/ledger_transactions',
    summary: 'List ledger transactions',
    get: 'Get a ledger transaction',
    description: 'Everything that happened to money, with its debits and credits.',
    who,
    filters: {
      account: filter(
        listOf(oneOf(ACCOUNTS)).describe('Only transactions with a line of any of these accounts.'),
        (t, names) => hasLine(t, sql`l.account = ANY(${names}::text[])`),
      ),
      customer: filter(listOf(id()).describe('Only transactions with a line of any of these customers.'), (t, ids) =>
        hasLine(t, sql`l.customer_id = ANY(${ids}::bigint[])`),
      ),
      kind: filter(listOf(word()), (t, kinds) => sql`${raw(t)}.kind = ANY(${kinds}::text[])`),
      about_object: filter(listOf(word()), (t, names) => sql`${raw(t)}.object = ANY(${names}::text[])`),
      about_id: filter(
        listOf(id()).describe('Comma-separated list of ids. Use it together with `about_object`.'),
        (t, ids) => sql`${raw(t)}.object_id = ANY(${ids}::bigint[])`,
      ),
      posted_at_gte: postedBound('posted_at_gte', '>='),
      posted_at_lte: postedBound('posted_at_lte', '<='),
      posted_on_gte: postedDay('>=', '- 2'),
      posted_on_lte: postedDay('<=', '+ 2'),
    },
    sort: { id: { by: (t) => raw(`${t}.id`) }, posted_at: { by: (t) => raw(`${t}.posted_at`) } },
  }),
];
