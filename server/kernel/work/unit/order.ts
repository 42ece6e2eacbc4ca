/** The order that people give to objects of a business, stored in the column `sort_order` of their table. */
import { instant, raw, sql } from '../../base/db/sql.ts';
import { invalid } from '../../base/problem.ts';
import type { Work } from './work.ts';

interface Ordered {
  /** all ids, in their new order */
  readonly order: readonly number[];
  /** ids whose position changed */
  readonly moved: readonly number[];
}

/**
 * Moves the given ids to the front, in their order; the others follow in their previous order. Ids that don't exist or
 * appear twice are refused under `property`.
 */
export async function putInOrder(
  work: Work,
  table: string,
  named: readonly number[],
  property: string,
): Promise<Ordered> {
  if (new Set(named).size < named.length) throw invalid(property, 'Name each id only once.');
  // Locked in the order of ids, so that two calls cannot deadlock.
  const all = await work.tx.rows<{ id: number; sort_order: number | null; deleted_at?: number | null }>(
    sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${work.providerId} ORDER BY id FOR NO KEY UPDATE`,
  );
  const rows = all.filter((row) => (row.deleted_at ?? null) === null);
  const known = new Map(rows.map((row) => [row.id, row.sort_order]));
  const unknown = named.find((one) => !known.has(one));
  if (unknown !== undefined)
    throw invalid(property, `There is no ${table.replaceAll('_', ' ')} with the id ${unknown}.`);
  for (const row of rows) work.touch(table, row.id, row);
  const others = rows
    .filter((row) => !named.includes(row.id))
    .toSorted((a, b) => (a.sort_order ?? Infinity) - (b.sort_order ?? Infinity) || a.id - b.id);
  const order = [...named, ...others.map((row) => row.id)];
  await work.tx.run(
    sql`UPDATE ${raw(table)} o SET sort_order = n.place - 1, updated_at = ${instant(work.now)}
        FROM unnest(${order}::bigint[]) WITH ORDINALITY AS n (id, place)
        WHERE o.provider_id = ${work.providerId} AND o.id = n.id AND o.sort_order IS DISTINCT FROM n.place - 1`,
  );
  return { order, moved: order.filter((one, place) => known.get(one) !== place) };
}
