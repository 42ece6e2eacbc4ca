/** The tables of an archive and their form: from the owners' declarations and the database catalog. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { foreignKeys, inForeignKeyOrder, MONTH, storedTables } from '../db/backups/backup-catalog.ts';
import type { BackupTable } from '../db/backups/backup-file.ts';
import type { Table } from '../db/table.ts';

export interface ArchivedTable extends BackupTable {
  readonly said: Table;
  /** the columns of a line, without the business and the columns derived with the installation's key */
  readonly lines: readonly string[];
  /** columns that order its rows */
  readonly key: readonly { readonly name: string; readonly text: boolean }[];
  /** columns that refer to accounts of people */
  readonly accounts: readonly string[];
  /** columns that name an account, and remain valid if it no longer exists */
  readonly loose: readonly string[];
  /** columns with an actor, such as `user:7` */
  readonly actors: readonly string[];
  /** ids are unique in the whole installation */
  readonly numbered: boolean;
  /** ids begin with the month in which they were issued */
  readonly monthly: boolean;
}

export interface Archived {
  /** referenced tables first */
  readonly tables: readonly ArchivedTable[];
  readonly leftOut: Readonly<Record<string, string>>;
}

interface Known {
  readonly name: string;
  readonly key: readonly { readonly name: string; readonly text: boolean }[];
  readonly accounts: readonly string[] | null;
  readonly numbered: boolean;
  readonly monthly: boolean;
}

const SELECT_CATALOG = `
  SELECT c.relname::text AS name,
    (SELECT json_agg(json_build_object('name', a.attname, 'text', a.attcollation <> 0) ORDER BY k.n)
     FROM pg_constraint p, unnest(p.conkey) WITH ORDINALITY k (num, n), pg_attribute a
     WHERE p.conrelid = c.oid AND p.contype = 'p' AND a.attrelid = c.oid AND a.attnum = k.num
       AND a.attname <> 'provider_id') AS key,
    (SELECT json_agg(a.attname ORDER BY a.attname) FROM pg_constraint f
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (f.conkey)
     WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid = to_regclass('public.' || $1)) AS accounts,
    EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'id'
            AND (a.attidentity <> '' OR c.relkind = 'p')) AS numbered,
    c.relkind = 'p' AS monthly
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname !~ '${MONTH}'
    AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = 1 AND a.attname = 'provider_id')`;

/**
 * Reads the catalog; `stays`: the reason why a table is left out.
 * @throws Error for a table without a declaration, which would otherwise be missing silently
 */
export async function readCatalog(
  client: pg.ClientBase,
  {
    tables: said,
    accounts: { table },
  }: { readonly tables: ReadonlyMap<string, Table>; readonly accounts: { readonly table: string } },
  stays: (said: Table) => string | undefined = (one) => one.stays,
): Promise<Archived> {
  const known = new Map((await client.query<Known>(SELECT_CATALOG, [table])).rows.map((row) => [row.name, row]));
  const stored = (await storedTables(client)).filter(({ schema, name }) => schema === 'public' && known.has(name));
  const undecided = stored.find(({ name }) => !said.has(name));
  if (undecided) throw new Error(`nobody says what becomes of the table ${undecided.name} when a business moves`);
  const moving = stored.filter(({ name }) => stays(said.get(name)!) === undefined);
  return {
    tables: inForeignKeyOrder(moving, await foreignKeys(client)).map((table) => {
      const { key, accounts, numbered, monthly } = known.get(table.name)!;
      const referring = accounts ?? [];
      const printed = Object.keys(said.get(table.name)!.printed ?? {});
      return {
        ...table,
        said: said.get(table.name)!,
        lines: table.columns.filter((column) => column !== 'provider_id' && !printed.includes(column)),
        key: key ?? [],
        accounts: referring,
        loose: table.columns.filter((column) => column === 'user_id' && !referring.includes(column)),
        actors: table.columns.filter((column) => column === 'actor' || column === 'asked_by'),
        numbered,
        monthly,
      };
    }),
    leftOut: Object.fromEntries(
      stored.flatMap(({ name }) => {
        const why = stays(said.get(name)!);
        return why === undefined ? [] : [[name, why]];
      }),
    ),
  };
}

interface Schema {
  readonly last: string;
  readonly sha256: string;
}

/** Reads the version of the database: its last migration, and the hash of all of them. */
export const readSchema = async (client: pg.ClientBase): Promise<Schema> =>
  (await readSchemas(client)).at(-1) ?? schemaAt([]);

/** Reads the versions that the database has had, oldest first. */
export async function readSchemas(client: pg.ClientBase): Promise<Schema[]> {
  const { rows } = await client.query('SELECT version, name, checksum FROM public.schema_migration ORDER BY version');
  return rows.map((_, at) => schemaAt(rows.slice(0, at + 1)));
}

const schemaAt = (rows: readonly { version: number; name: string; checksum: string }[]): Schema => ({
  last: rows.at(-1)?.name ?? 'none',
  sha256: createHash('sha256')
    .update(JSON.stringify(rows.map((r) => [r.version, r.name, r.checksum])))
    .digest('hex'),
});
