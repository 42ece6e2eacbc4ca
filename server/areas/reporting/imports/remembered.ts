/** The origin of imported objects, by their external ids. */
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

type Kept = 'customer' | 'customermembership' | 'event' | 'staff' | 'account_entry';

export const LONGEST_ID = 400;

/** Returns the objects that these external ids became. They may have been deleted since. */
export async function recall(
  { tx, providerId }: Work,
  object: Kept,
  source: string,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  if (externalIds.length === 0) return new Map();
  const rows = await tx.rows<{ external_id: string; object_id: number }>(
    sql`SELECT external_id, object_id FROM imported_object
      WHERE provider_id = ${providerId} AND object = ${object} AND source = ${source}
          AND external_id = ANY(${externalIds}::text[])`,
  );
  return new Map(rows.map((row) => [row.external_id, row.object_id]));
}

/** Returns the external ids by which these objects are known. */
export async function knownAs(
  { tx, providerId }: Work,
  object: Kept,
  source: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.rows<{ external_id: string; object_id: number }>(
    sql`SELECT external_id, object_id FROM imported_object
      WHERE provider_id = ${providerId} AND object = ${object} AND source = ${source}
          AND object_id = ANY(${ids}::bigint[])`,
  );
  return new Map(rows.map((row) => [row.object_id, row.external_id]));
}

export async function remember(
  { tx, providerId }: Work,
  object: Kept,
  source: string,
  known: readonly (readonly [externalId: string, id: number])[],
): Promise<void> {
  if (known.length === 0) return;
  await tx.run(sql`
    INSERT INTO imported_object (provider_id, object, source, external_id, object_id)
    SELECT ${providerId}::bigint, ${object}, ${source}, e, o
    FROM unnest(${known.map(([e]) => e)}::text[], ${known.map(([, o]) => o)}::bigint[]) AS k (e, o)
    ORDER BY e ON CONFLICT (provider_id, object, source, external_id) DO UPDATE SET object_id = excluded.object_id
    WHERE imported_object.object_id <> excluded.object_id`);
}
