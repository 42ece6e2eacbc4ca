/** Deletes everything that belongs to a test business, in all tables of the catalog. */
import { MONTH } from './backups/backup-catalog.ts';
import { raw, sql } from './sql.ts';
import type { Reads, Transaction } from './database.ts';

/**
 * Returns the tables whose first column is the business and whose rows belong to it, by row-level security. Detached
 * months are excluded: their rows are being written to a file.
 */
const ownTables = async (tx: Reads): Promise<string[]> =>
  (
    await tx.rows<{ name: string }>(
      sql`SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1 AND a.attname = 'provider_id'
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relrowsecurity AND c.relname !~ ${MONTH} ORDER BY c.relname`,
    )
  ).map(({ name }) => name);

export interface Counted {
  readonly object: string;
  readonly count: number;
}

/**
 * Counts the rows of the business by table; `names` are the labels of the tables. Sorted by count, without empty
 * tables.
 */
export async function countRows(
  tx: Transaction,
  business: number,
  names: ReadonlyMap<string, string>,
): Promise<Counted[]> {
  const tables = (await ownTables(tx)).filter((table) => names.has(table) && table !== 'provider');
  const counted = await tx.all(
    tables.map((table) => sql`SELECT count(*) AS n FROM ${raw(`public."${table}"`)} WHERE provider_id = ${business}`),
  );
  return tables
    .map((table, n) => ({ object: names.get(table)!, count: Number(counted[n][0].n) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.object.localeCompare(b.object));
}

/**
 * Deletes in one statement: references between the tables are checked after all rows are gone, regardless of their
 * direction.
 */
const deleteFrom = (tables: readonly string[], business: number): string =>
  `WITH ${tables.map((table, n) => `d${n} AS (DELETE FROM public."${table}" WHERE provider_id = ${business})`).join(', ')} SELECT 1`;

/**
 * Deletes a business. The database refuses it if the business is not a test business. The transaction sees all
 * businesses; nothing may be written about this one afterwards.
 */
export async function discardBusiness(tx: Transaction, business: number): Promise<void> {
  if (!Number.isSafeInteger(business)) throw new TypeError('a business has a whole number');
  const tables = await ownTables(tx);
  await tx.run(
    sql`SELECT set_config('rollcall.discarding', ${String(business)}, true), set_config('statement_timeout', '0', true)`,
  );
  await tx.run(
    sql`${raw(
      deleteFrom(
        tables.filter((table) => table !== 'provider'),
        business,
      ),
    )}`,
  );
  // A second time, because triggers counted the deleted rows; and then the business itself.
  await tx.run(sql`${raw(deleteFrom(tables, business))}`);
}
