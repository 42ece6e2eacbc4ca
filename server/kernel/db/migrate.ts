import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

export interface MigrateOptions {
  /** Folder of the files NNNN_name.sql; the project's own by default. */
  dir?: string;
  log?: (message: string) => void;
}

interface Migration {
  version: number;
  /** File name without its ending, such as `0001_start`. */
  name: string;
  sql: string;
  checksum: string;
}

interface Applied {
  version: number;
  name: string;
  checksum: string;
}

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
/** Any number will do as long as nothing else in the database locks it; all releases must share it. */
const LOCK = 7_265_550_001;

/**
 * Brings the database to the version of this code: each file in a transaction of its own, recorded in
 * `schema_migration`. Two servers may do it at once, the second waits and finds it done.
 * @param client a connection of the owner of the database, outside of any transaction
 * @returns names of the migrations applied by this call, in order
 * @throws Error naming the remedy when an applied migration was changed, or the database is ahead of this code.
 */
export async function migrate(
  client: pg.Client,
  { dir = MIGRATIONS_DIR, log }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const migrations = readMigrations(dir);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS public.schema_migration (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
    const pending = pendingOf(migrations, await readApplied(client));
    for (const migration of pending) await apply(client, migration);
    if (pending.length > 0) log?.(spoken(pending.map(({ name }) => name)));
    return { applied: pending.map(({ name }) => name) };
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}

/**
 * Names of the migrations this code has and the database has not, in order; changes nothing.
 * @throws Error as migrate() does.
 */
export async function pendingMigrations(
  client: pg.ClientBase,
  { dir = MIGRATIONS_DIR }: MigrateOptions = {},
): Promise<string[]> {
  const { rows } = await client.query(`SELECT to_regclass('public.schema_migration') IS NOT NULL AS known`);
  return pendingOf(readMigrations(dir), rows[0].known ? await readApplied(client) : []).map(({ name }) => name);
}

/** One line, however many there were. */
const spoken = (names: readonly string[]): string =>
  names.length === 1
    ? `Applied the migration ${names[0]}.`
    : `Applied ${names.length} migrations, ${names[0]} to ${names.at(-1)}.`;

async function apply(client: pg.Client, { version, name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    // The files name their tables plainly; a search path set on the role must not send them elsewhere.
    await client.query('SET LOCAL search_path = public');
    await client.query(sql);
    await client.query('INSERT INTO public.schema_migration (version, name, checksum) VALUES ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(
      `Migration ${name} failed and left nothing behind: ${(error as Error).message}${place(sql, error)}`,
      { cause: error },
    );
  }
}

/** PostgreSQL counts characters from 1; a line number is what one looks for in a file. */
function place(sql: string, error: unknown): string {
  const { position } = error as { position?: string };
  return position ? ` (line ${sql.slice(0, Number(position) - 1).split('\n').length})` : '';
}

async function readApplied(client: pg.ClientBase): Promise<Applied[]> {
  return (await client.query<Applied>('SELECT version, name, checksum FROM public.schema_migration ORDER BY version'))
    .rows;
}

function pendingOf(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, name, checksum } of applied) {
    const here = known.get(version);
    if (!here) {
      throw new Error(
        `The database is newer than this release: it carries migration ${name}, unknown here. Remedy: run the newer release, or restore a backup made before the update.`,
      );
    }
    if (here.checksum !== checksum) {
      throw new Error(
        `Migration ${here.name} was changed after it had been applied. Remedy: put the file back as it was and write the change as a new migration.`,
      );
    }
  }
  const last = applied.at(-1)?.version ?? 0;
  const done = new Set(applied.map(({ version }) => version));
  const pending = migrations.filter(({ version }) => !done.has(version));
  if (pending[0]?.version < last) {
    throw new Error(
      `Migration ${pending[0].name} comes before ${applied.at(-1)?.name}, which is applied already. Remedy: give it the next free number.`,
    );
  }
  return pending;
}

function readMigrations(dir: string): Migration[] {
  const files = readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();
  const migrations = files.map((file) => {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(file))
      throw new Error(`${join(dir, file)} is not named like 0001_what_it_does.sql.`);
    // A checkout with other line ends is still the same migration.
    const sql = readFileSync(join(dir, file), 'utf8').replaceAll('\r\n', '\n');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return { version: Number(file.slice(0, 4)), name: file.slice(0, -'.sql'.length), sql, checksum };
  });
  const twice = migrations.find(({ version }, i) => i > 0 && migrations[i - 1].version === version);
  if (twice)
    throw new Error(`Two migrations carry the number of ${twice.name}. Remedy: give one the next free number.`);
  return migrations;
}
