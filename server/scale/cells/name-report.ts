/** A cell's report of its businesses to the others: the names by which requests identify them, and where they live. */
import { sql } from '../../kernel/base/db/sql.ts';
import type { CellQuestion } from './question.ts';
import type { Database } from '../../kernel/base/db/database.ts';

export const DIRECTORY = 'directory';

export interface Asked {
  /** `until` of the previous report; null: everything is requested */
  readonly since: string | null;
}

export interface NameReport {
  /** names, each with the cell of its business; 0: the name is no longer used */
  readonly names: readonly (readonly [string, number])[];
  /** transactions from this id on are not in it, or not all of them */
  readonly until: string;
}

/**
 * Returns a report from one snapshot: transactions in progress are in the next one. A business that is leaving still
 * lives here: nobody works with it elsewhere before it has left. `leaving`: the value reported for it instead of the
 * cell.
 */
export async function namesSince(db: Database, own: number, { since }: Asked, leaving = own): Promise<NameReport> {
  const [report] = await db.readAcrossTenants<NameReport>(
    'the names of all businesses of a cell',
    sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS until, coalesce((
          SELECT json_agg(json_build_array(n.name,
            CASE WHEN n.gone THEN 0 WHEN b.state IS NULL THEN ${own}::integer
              WHEN b.state = 'leaving' THEN ${leaving}::integer ELSE b.cell END))
          FROM cell_name n LEFT JOIN cell_business b ON b.provider_id = n.provider_id
          WHERE n.changed_in >= coalesce(${since}::text, '0')::xid8), '[]') AS names`,
  );
  return report;
}

export const directoryQuestion: CellQuestion<Asked, NameReport> = {
  name: DIRECTORY,
  answer: ({ db, installation }, asked) => namesSince(db, installation.cells!.own, asked),
};
