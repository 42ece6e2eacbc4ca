/**
 * Rows that move to another cell: all rows of the business, in every table except those of the queue and the processes.
 */
import type pg from 'pg';
import { readCatalog, type ArchivedTable } from '../../../kernel/base/archive/catalog.ts';
import type { Accounts } from '../../../kernel/base/archive/accounts.ts';
import type { Table } from '../../../kernel/base/db/table.ts';

export interface MovedTable extends ArchivedTable {
  /** type of each column, as written in a cast */
  readonly types: Readonly<Record<string, string>>;
}

/** Returns the tables, referenced ones first. */
export async function movedTables(
  client: pg.ClientBase,
  around: { readonly tables: ReadonlyMap<string, Table>; readonly accounts: Pick<Accounts, 'table'> },
): Promise<MovedTable[]> {
  const { tables } = await readCatalog(client, around, (said) => said.ofCell);
  const { rows } = await client.query<{ name: string; types: Record<string, string> }>(
    `SELECT c.relname::text AS name, json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)) AS types
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped
     GROUP BY 1`,
    [tables.map(({ name }) => name)],
  );
  const types = new Map(rows.map((row) => [row.name, row.types]));
  return tables.map((table) => ({ ...table, types: types.get(table.name)! }));
}

/** Returns the tables in which the business has rows that the role of the transaction sees. */
export async function filledTables<T extends { readonly name: string }>(
  client: pg.ClientBase,
  tables: readonly T[],
  business: number,
): Promise<T[]> {
  const asked = tables.map(({ name }) => `EXISTS (SELECT FROM public."${name}" WHERE provider_id = ${business})`);
  const {
    rows: [{ filled }],
  } = await client.query<{ filled: boolean[] }>(`SELECT ARRAY[${asked.join(', ')}] AS filled`);
  return tables.filter((_, n) => filled[n]);
}
