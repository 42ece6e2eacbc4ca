/** Objects that the filters of unsent broadcasts name: they can't be deleted until the recipients are determined. */
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import type { Area } from '../../../kernel/api/area.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Counts such broadcasts. `names`: a condition over the filters `q`. */
async function countNaming({ tx, providerId }: Work, names: Sql): Promise<number> {
  const found = await tx.one<{ n: number }>(sql`
    SELECT count(*)::int AS n FROM broadcast_message b, LATERAL (SELECT b.target_recipients->'query' AS q) query
    WHERE b.provider_id = ${providerId} AND b.target_recipients->>'query_type' = 'customer'
      AND (b.status IN ('draft', 'scheduled') OR (b.status = 'sending' AND NOT b.written)) AND (${names})`);
  return found!.n;
}

/** Matches one of the values of a filter, which is a list. */
const among = (filter: string, value: Sql): Sql =>
  sql`
    EXISTS (SELECT FROM jsonb_array_elements_text(CASE jsonb_typeof(q->${filter}) WHEN 'array' THEN q->${filter}
      ELSE '[]' END) v WHERE v = ${value})`;

/** Matches a status by its id, or by its slug. */
const statusNamed = (id: number): Sql =>
  sql`${among('status', sql`${id}::text`)}
    OR ${among(
      'status',
      sql`(SELECT s.slug FROM customer_status s
      WHERE s.provider_id = b.provider_id AND s.id = ${id})`,
    )}`;

export const uses: Area['uses'] = {
  customer_status: (work, id) => countNaming(work, statusNamed(id)),
  customer_label: (work, id) =>
    countNaming(work, sql`q->>'label' = ${id}::text OR ${among('labels', sql`${id}::text`)}`),
};
