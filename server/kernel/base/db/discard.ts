/** Deletes everything that belongs to a test business, whatever tables there are: the catalog says which. */
import { MONTH } from './backup-catalog.ts';
import { raw, sql } from './sql.ts';
import type { Reads, Transaction } from './database.ts';

/**
 * Those whose first column names the business and whose rows are the business's, as the second wall says. Not a month that
 * was taken out: its rows are on their way to a file.
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

/** How many rows the business has in tables; `names`: what the tables are called. Most first, and none without any. */
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
 * In one statement: references between the tables are checked when all of their rows are gone, in whatever order they
 * point to each other.
 */
const deleteFrom = (tables: readonly string[], business: number): string =>
  `WITH ${tables.map((table, n) => `d${n} AS (DELETE FROM public."${table}" WHERE provider_id = ${business})`).join(', ')} SELECT 1`;

/**
 * The database refuses it for a business that is not made for tests. The transaction sees all businesses; nothing may
 * be written about this one afterwards.
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
  // Again, because triggers counted what went; and the business itself.
  await tx.run(sql`${raw(deleteFrom(tables, business))}`);
}
