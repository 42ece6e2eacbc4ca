/** Puts things of the business in order: what is named comes first, as named; the others follow as they were. */
import { action, answer, staffWith } from '../../kernel/api/endpoint.ts';
import { categoryFeed, membershipFeed } from './feed.ts';
import { id, listOf, oneOf, text } from '../../kernel/api/kinds.ts';
import { instant, raw, sql } from '../../kernel/db/sql.ts';
import { invalid } from '../../kernel/api/problem.ts';
import type { Work } from '../../kernel/work.ts';

/** The answer of what changes many things and shows none. */
export const done = { status: oneOf(['OK']), detail: text().nullable() };
export const DONE = { status: 'OK', detail: null };

const body = { ordering: listOf(id(), { min: 2 }) };

/** Returns the ids of those whose place changed. */
async function putInOrder(work: Work, table: string, named: readonly number[]): Promise<number[]> {
  if (new Set(named).size < named.length) throw invalid('ordering', 'Name each id once.');
  // Locked in the order of ids, so that two calls cannot wait for each other.
  const rows = await work.tx.rows<{ id: number; sort_order: number | null }>(
    sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${work.providerId} ORDER BY id FOR NO KEY UPDATE`,
  );
  const known = new Map(rows.map((row) => [row.id, row.sort_order]));
  const unknown = named.find((one) => !known.has(one));
  if (unknown !== undefined) throw invalid('ordering', `There is no ${table.replace('_', ' ')} with the id ${unknown}.`);
  for (const row of rows) work.touch(table, row.id, row);
  const others = rows.filter((row) => !named.includes(row.id)).toSorted((a, b) => (a.sort_order ?? Infinity) - (b.sort_order ?? Infinity) || a.id - b.id);
  const order = [...named, ...others.map((row) => row.id)];
  await work.tx.run(
    sql`UPDATE ${raw(table)} o SET sort_order = n.place - 1, updated_at = ${instant(work.now)}
        FROM unnest(${order}::bigint[]) WITH ORDINALITY AS n (id, place)
        WHERE o.provider_id = ${work.providerId} AND o.id = n.id AND o.sort_order IS DISTINCT FROM n.place - 1`,
  );
  return order.filter((one, place) => known.get(one) !== place);
}

export const orderMemberships = action({
  method: 'PATCH',
  path: '/memberships/ordering',
  summary: 'Put memberships in order',
  description: 'Those that are named come first, as named; the others follow in the order that they had.',
  who: staffWith('super_admin'),
  body,
  returns: answer(done),
  run: async ({ work, body: { ordering } }) => {
    for (const id of await putInOrder(work, 'membership', ordering)) work.record(membershipFeed.updated, id, { membership: id, changed: ['order'] });
    return DONE;
  },
});

export const orderCategories = action({
  method: 'PATCH',
  path: '/membership_categories/ordering',
  summary: 'Put categories of memberships in order',
  description: 'Those that are named come first, as named; the others follow in the order that they had.',
  who: staffWith('customers'),
  body,
  returns: answer(done),
  run: async ({ work, body: { ordering } }) => {
    for (const id of await putInOrder(work, 'membership_category', ordering)) work.record(categoryFeed.updated, id, { membership_category: id, changed: ['order'] });
    return DONE;
  },
});
