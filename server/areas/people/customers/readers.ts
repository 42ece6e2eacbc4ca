/** Recipients of messages about customers. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/**
 * Returns the recipients for these customers: messages about a child go to the managers of its family, all others to
 * the customers themselves. Messages for walk-ins have no recipient.
 */
export async function readersOf(work: Work, customers: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await work.tx.rows<{ id: number; reader: number }>(sql`
    SELECT c.id, coalesce(manager.id, c.id) AS reader
    FROM customer c
    LEFT JOIN customer manager ON c.family_role = 'child' AND manager.provider_id = c.provider_id
      AND manager.family_id = c.family_id
      AND manager.family_role = 'manager' AND manager.deleted_at IS NULL
    WHERE c.provider_id = ${work.providerId} AND c.id = ANY(${customers}::bigint[]) AND NOT c.is_walk_in
    ORDER BY c.id, reader`);
  const readers = new Map<number, number[]>();
  for (const { id, reader } of rows) readers.set(id, [...(readers.get(id) ?? []), reader]);
  return readers;
}
