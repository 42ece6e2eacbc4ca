import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** Returns existing customers by the id that they have, or had before they were merged. Walk-ins are left out. */
export async function whoIs(work: Work, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await work.tx.rows<{ asked: number; id: number }>(
    sql`SELECT w.id AS asked, c.id FROM unnest(${[...new Set(ids)]}::bigint[]) w (id)
          LEFT JOIN customer_merge m ON m.provider_id = ${work.providerId} AND m.customer_id = w.id
          JOIN customer c ON c.provider_id = ${work.providerId} AND c.id = coalesce(m.into_id, w.id)
            AND c.deleted_at IS NULL
            AND NOT c.is_walk_in`,
  );
  return new Map(rows.map((r) => [r.asked, r.id]));
}
