import { action, answer, staffWith } from '../../kernel/api/endpoint.ts';
import { id, listOf } from '../../kernel/api/kinds.ts';
import { instant, sql } from '../../kernel/db/sql.ts';
import { invalid } from '../../kernel/api/problem.ts';
import { offeringTypeUpdated } from './feed.ts';

const ids = { offering_types: listOf(id(), { min: 1 }) };

export const orderOfferingTypes = action({
  method: 'PATCH',
  path: '/offering_types/ordering',
  summary: 'Put offering types in order',
  description: 'Those that are named come first, as named; the others follow in the order that they had. Answers all ids in their new order.',
  who: staffWith('super_admin', 'manage_events'),
  body: ids,
  returns: answer({ offering_types: listOf(id()) }),
  run: async ({ work, body: { offering_types: named } }) => {
    if (new Set(named).size < named.length) throw invalid('offering_types', 'Name each offering type once.');
    // Locked in the order of ids, so that two calls cannot wait for each other.
    const rows = await work.tx.rows<{ id: number; sort_order: number | null }>(
      sql`SELECT * FROM offering_type WHERE provider_id = ${work.providerId} ORDER BY id FOR NO KEY UPDATE`,
    );
    const known = new Map(rows.map((row) => [row.id, row.sort_order]));
    for (const row of rows) work.touch('offering_type', row.id, row);
    const unknown = named.find((one) => !known.has(one));
    if (unknown !== undefined) throw invalid('offering_types', `There is no offering type with the id ${unknown}.`);
    const others = rows.filter((row) => !named.includes(row.id)).toSorted((a, b) => (a.sort_order ?? Infinity) - (b.sort_order ?? Infinity) || a.id - b.id);
    const order = [...named, ...others.map((row) => row.id)];
    const moved = order.filter((one, place) => known.get(one) !== place);
    await work.tx.run(
      sql`UPDATE offering_type o SET sort_order = n.place - 1, updated_at = ${instant(work.now)}
          FROM unnest(${order}::bigint[]) WITH ORDINALITY AS n (id, place)
          WHERE o.provider_id = ${work.providerId} AND o.id = n.id AND o.sort_order IS DISTINCT FROM n.place - 1`,
    );
    for (const one of moved) work.record(offeringTypeUpdated, one, { offering_type: one, changed: ['order'] });
    return { offering_types: order };
  },
});
