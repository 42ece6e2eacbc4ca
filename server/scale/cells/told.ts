/** What a cell tells the others of its businesses: by which names requests ask for them, and where they live. */
import { sql } from '../../kernel/base/db/sql.ts';
import type { CellQuestion } from '../../kernel/api/cell-declarations.ts';
import type { Database } from '../../kernel/base/db/database.ts';

export const DIRECTORY = 'directory';

export interface Asked {
  /** what was answered as `until` before; null: everything is wanted */
  readonly since: string | null;
}

export interface Told {
  /** names, each with the cell where its business lives; 0: it names none any more */
  readonly names: readonly (readonly [string, number])[];
  /** transactions from this one on are not in it, or not all of them */
  readonly until: string;
}

/**
 * One snapshot: what was under way is told by the next answer. A business that is leaving still lives here: nobody works
 * with it before it has left. `leaving`: what is said of it instead of the cell.
 */
export async function namesSince(db: Database, own: number, { since }: Asked, leaving = own): Promise<Told> {
  const [told] = await db.readAcrossTenants<Told>(
    'the names of all businesses of a cell',
    sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS until, coalesce((
          SELECT json_agg(json_build_array(n.name,
            CASE WHEN n.gone THEN 0 WHEN b.state IS NULL THEN ${own}::integer WHEN b.state = 'leaving' THEN ${leaving}::integer ELSE b.cell END))
          FROM cell_name n LEFT JOIN cell_business b ON b.provider_id = n.provider_id
          WHERE n.changed_in >= coalesce(${since}::text, '0')::xid8), '[]') AS names`,
  );
  return told;
}

export const directoryQuestion: CellQuestion<Asked, Told> = {
  name: DIRECTORY,
  answer: ({ db, installation }, asked) => namesSince(db, installation.cells!.own, asked),
};
