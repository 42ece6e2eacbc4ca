/** Brings the stored rows of a business up to date before something reads them. */
import { fold, want } from './fold.ts';
import { raw, sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { Database } from '../../../../kernel/base/db/database.ts';
import type { Tenant } from '../../../../kernel/work/unit/work.ts';

/** More than this is left to the worker: a request doesn't wait for it. */
const MAX_CHANGES = 5000;
const MAX_ROWS = 2000;

/**
 * Returns whether the stored rows have every change that was committed before the call. If not, they have to be
 * calculated from what they follow from, which takes seconds for a large business.
 */
export async function refreshStored(db: Database, { providerId: provider, zone }: Tenant): Promise<boolean> {
  const atMost = (table: Sql, most: number) =>
    sql`(SELECT count(*) FROM (SELECT FROM ${table} WHERE provider_id = ${provider} LIMIT ${most + 1}) few)`;
  const found = await db.looking(provider, (tx) =>
    tx.one<{ built: boolean; wanted: boolean; changes: number; rows: number }>(sql`
      SELECT s.built, s.wanted, ${atMost(raw('report_change'), MAX_CHANGES)}::int AS changes,
        CASE WHEN s.built THEN 0 ELSE greatest(${atMost(raw('invoice_line'), MAX_ROWS)},
          ${atMost(raw('attendance'), MAX_ROWS)}) END::int AS rows
      FROM (SELECT coalesce(bool_or(built_at IS NOT NULL AND timezone = ${zone}), false) AS built,
        coalesce(bool_or(built_at IS NULL), false) AS wanted FROM report_state WHERE provider_id = ${provider}) s`),
  );
  const { built, wanted, changes, rows } = found!;
  if (built && changes === 0) return true;
  const isMuch = built ? changes > MAX_CHANGES : rows > MAX_ROWS;
  if (isMuch && (built || wanted)) return false;
  try {
    await db.transaction(provider, (tx) => (isMuch ? want(tx, { provider, zone }) : fold(tx, { provider, zone })));
    return !isMuch;
  } catch {
    // The database that can't be written to can still be read. Whatever else is wrong, the worker's log says it.
    return false;
  }
}
