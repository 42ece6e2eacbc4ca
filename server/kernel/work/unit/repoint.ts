/**
 * Moves all references from one row to another, by the database catalog: future tables are included without being
 * named, and nothing can be forgotten. If a row would exist twice, the one of the kept row stays. The kernel does this,
 * and not each owner, because the same rules must hold for all tables, also for future ones. An owner that must decide
 * more carefully does so before, and leaves no references for this.
 */
import { join, raw, sql, type Sql } from '../../base/db/sql.ts';
import type { Work } from './work.ts';

interface Pointer {
  readonly table: string;
  readonly column: string;
  /** columns that are unique together, and the condition of the index if it has one */
  readonly uniques: { readonly columns: readonly string[]; readonly predicate: string | null }[];
}

/** Finds all references except those whose rows are deleted with the row. */
const pointersTo = (table: string): Sql => sql`
  SELECT c.conrelid::regclass::text AS "table", a.attname AS "column",
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
        'columns', (SELECT jsonb_agg(ia.attname ORDER BY k.n) FROM unnest(x.indkey::int2[]) WITH ORDINALITY k (num, n)
          JOIN pg_attribute ia ON ia.attrelid = x.indrelid AND ia.attnum = k.num),
        'predicate', pg_get_expr(x.indpred, x.indrelid))), '[]')
     FROM pg_index x WHERE x.indrelid = c.conrelid AND x.indisunique AND a.attnum = ANY(x.indkey::int2[])) AS uniques
  FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
    AND a.attname <> 'provider_id'
  WHERE c.contype = 'f' AND c.confrelid = ${`public.${table}`}::regclass AND c.confdeltype <> 'c'
  ORDER BY 1, 2`;

interface Two {
  readonly kept: number;
  readonly merged: number;
}

export async function repoint(work: Work, what: string, { kept, merged }: Two): Promise<void> {
  const pointers = await work.tx.rows<Pointer>(pointersTo(what));
  for (const pointer of pointers) {
    const dropped = await dropTwice(work, pointer, kept, merged);
    const moved = await work.tx.run(
      sql`UPDATE ${raw(pointer.table)} SET ${raw(pointer.column)} = ${kept}
        WHERE provider_id = ${work.providerId} AND ${raw(pointer.column)} = ${merged}`,
    );
    if (moved + dropped === 0) continue;
    const { table, column } = pointer;
    work.audit({
      action: `merge ${what}s`,
      object: table,
      objectId: null,
      before: { [column]: merged, rows: moved + dropped },
      after: { [column]: kept, rows: moved },
    });
    work.effect('moved', table, null, { rows: moved, ...(dropped > 0 && { dropped }) });
  }
}

async function dropTwice(
  work: Work,
  { table, column, uniques }: Pointer,
  kept: number,
  merged: number,
): Promise<number> {
  let dropped = 0;
  for (const { columns, predicate } of uniques) {
    const others = columns.filter((name) => name !== column && name !== 'provider_id');
    const same: Sql[] = [sql`true`, ...others.map((name) => raw(`k.${name} = ${table}.${name}`))];
    const where = predicate === null ? sql`true` : raw(predicate);
    dropped += await work.tx.run(
      sql`DELETE FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${raw(column)} = ${merged} AND ${where}
        AND EXISTS (
            SELECT FROM (SELECT * FROM ${raw(table)}
              WHERE provider_id = ${work.providerId} AND ${raw(column)} = ${kept} AND ${where}) k
            WHERE ${join(same, ' AND ')})`,
    );
  }
  return dropped;
}
