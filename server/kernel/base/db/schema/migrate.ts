import { connectTo } from '../connections/connect.ts';
import type pg from 'pg';
import { compareReleases, RELEASE } from '../../release.ts';
import { MIGRATIONS_DIR, readMigrations, type Migration } from './migration-files.ts';

export { MIGRATIONS_DIR };

export interface MigrateOptions {
  /** Folder of the files NNNN_name.sql; default: the project's own. */
  dir?: string;
  /** the release of this process */
  release?: string;
  /** the number of the last migration to apply; default: all */
  upTo?: number;
  log?: (message: string) => void;
}

interface Migrated {
  /** names of the migrations applied by this call, in order */
  readonly applied: string[];
  /** migrations that wait until no process of an older release runs */
  readonly waiting: string[];
}

interface Applied {
  version: number;
  name: string;
  checksum: string;
  oldest_release: string | null;
}

/** Any number works as long as nothing else in the database locks it; all releases must share it. */
const LOCK = 7_265_550_001;
/** A process that has not reported for this long has ended. */
const ENDED_AFTER_SECONDS = 30;
/** A migration that waits for a table lock blocks everybody behind it, so it waits briefly, but often. */
const LOCK_SECONDS = 3;
const LOCK_ATTEMPTS = 20;
const LOCK_PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Migrates the database to the version of this code: each file in a transaction of its own, recorded in
 * `schema_migration`. Two servers may do so at the same time: the second waits and finds it done. Contracting
 * migrations wait while a process that needs the removed parts is running.
 * @param client a connection of the owner of the database, outside any transaction
 * @throws Error with the remedy if an applied migration was changed, or the database is ahead of this code.
 */
export async function migrate(
  client: pg.Client,
  { dir = MIGRATIONS_DIR, release = RELEASE, upTo = Infinity, log }: MigrateOptions = {},
): Promise<Migrated> {
  const migrations = readMigrations(dir).filter(({ version }) => version <= upTo);
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query(`CREATE TABLE IF NOT EXISTS public.schema_migration (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, oldest_release text,
      applied_at timestamptz NOT NULL DEFAULT now())`);
    const pending = pendingOf(migrations, await readApplied(client), release);
    const ready = await readyOf(client, pending, release);
    for (const migration of ready) await apply(client, migration);
    const applied = ready.map(({ name }) => name);
    if (applied.length > 0) log?.(spoken(applied));
    return { applied, waiting: pending.slice(ready.length).map(({ name }) => name) };
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}

/**
 * Returns the names of migrations that the database lacks, in order; changes nothing.
 * @throws Error as migrate() does.
 */
export async function pendingMigrations(
  client: pg.ClientBase,
  { dir = MIGRATIONS_DIR, release = RELEASE }: MigrateOptions = {},
): Promise<string[]> {
  return (await pendingIn(client, dir, release)).map(({ name }) => name);
}

/** Returns the first migration that waits, and the processes that it waits for; null if none does. Changes nothing. */
export async function waitingMigration(
  client: pg.ClientBase,
  { dir = MIGRATIONS_DIR, release = RELEASE }: MigrateOptions = {},
): Promise<{ readonly name: string; readonly release: string; readonly older: readonly string[] } | null> {
  for (const { name, contracts, oldestRelease } of await pendingIn(client, dir, release)) {
    const older = contracts ? await olderProcesses(client, oldestRelease!) : [];
    if (older.length > 0) return { name, release: oldestRelease!, older };
  }
  return null;
}

/** Forgets the running processes of a copy of a database: none uses it, so no migration has to wait for them. */
export async function forgetProcesses(url: string): Promise<void> {
  const client = await connectTo(url);
  try {
    const { rows } = await client.query(`SELECT to_regclass('public.process') IS NOT NULL AS known`);
    if (rows[0].known) await client.query('DELETE FROM public.process');
  } finally {
    await client.end();
  }
}

async function pendingIn(client: pg.ClientBase, dir: string, release: string): Promise<Migration[]> {
  const { rows } = await client.query(`SELECT to_regclass('public.schema_migration') IS NOT NULL AS known`);
  return pendingOf(readMigrations(dir), rows[0].known ? await readApplied(client) : [], release);
}

/** Returns the migrations that can be applied now: up to the first that removes something a running process uses. */
async function readyOf(client: pg.Client, pending: readonly Migration[], release: string): Promise<Migration[]> {
  const ready: Migration[] = [];
  for (const migration of pending) {
    const { name, contracts, oldestRelease } = migration;
    if (contracts && compareReleases(release, oldestRelease!) < 0)
      throw new Error(
        `Migration ${name} needs every process at ${oldestRelease}, and this is release ${release}. Remedy: name a release that is not later than the one that contains the migration.`,
      );
    const older = contracts ? await olderProcesses(client, oldestRelease!) : [];
    if (older.length === 0) {
      ready.push(migration);
      continue;
    }
    const behind = pending.slice(ready.length + 1).find((other) => !other.contracts);
    if (behind)
      throw new Error(
        `Migration ${behind.name} comes after ${name}, which waits until no process older than release ${oldestRelease} runs. These do: ${older.join(', ')}. ` +
          'Remedy: stop them, or upgrade them to the release before this one first.',
      );
    break;
  }
  return ready;
}

/** Returns the processes of an older release on this database, each as a readable text. */
async function olderProcesses(client: pg.ClientBase, release: string): Promise<string[]> {
  const known = await client.query(`SELECT to_regclass('public.process') IS NOT NULL AS known`);
  if (!known.rows[0].known) return [];
  const { rows } = await client.query<{ host: string; pid: number; release: string }>(
    `SELECT host, pid, release FROM public.process
     WHERE NOT ended AND seen_at > clock_timestamp() - make_interval(secs => $1) ORDER BY host, pid`,
    [ENDED_AFTER_SECONDS],
  );
  return rows
    .filter((process) => compareReleases(process.release, release) < 0)
    .map((process) => `process ${process.pid} on ${process.host} (release ${process.release})`);
}

/** Joins names in one line, however many there are. */
const spoken = (names: readonly string[]): string =>
  names.length === 1
    ? `Applied the migration ${names[0]}.`
    : `Applied ${names.length} migrations, ${names[0]} to ${names.at(-1)}.`;

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyOnce(client, migration);
    } catch (error) {
      const cause = (error as Error).cause as { code?: string } | undefined;
      if (cause?.code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
    }
  }
}

async function applyOnce(client: pg.Client, { version, name, sql, checksum, oldestRelease }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    // The files name tables without a schema; a search path of the role must not send them elsewhere.
    await client.query(`SET LOCAL search_path = public; SET LOCAL lock_timeout = '${LOCK_SECONDS}s'`);
    await client.query(sql);
    await client.query(
      'INSERT INTO public.schema_migration (version, name, checksum, oldest_release) VALUES ($1, $2, $3, $4)',
      [version, name, checksum, oldestRelease],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(
      `Migration ${name} failed and left nothing behind: ${(error as Error).message}${place(sql, error)}`,
      { cause: error },
    );
  }
}

/** Converts PostgreSQL's character position, which starts at 1, to a line number in the file. */
function place(sql: string, error: unknown): string {
  const { position } = error as { position?: string };
  return position ? ` (line ${sql.slice(0, Number(position) - 1).split('\n').length})` : '';
}

/** Reads the applied migrations, even of a database that predates a column: it must be readable to be refused. */
async function readApplied(client: pg.ClientBase): Promise<Applied[]> {
  return (
    await client.query<Applied>(
      `SELECT version, name, checksum, to_jsonb(applied) ->> 'oldest_release' AS oldest_release
       FROM public.schema_migration AS applied ORDER BY version`,
    )
  ).rows;
}

/** Returns why a release that does not know an applied migration cannot work with its schema; null if it can. */
export function tooOldFor(
  { name, oldest_release: oldest }: Pick<Applied, 'name' | 'oldest_release'>,
  release: string,
): string | null {
  if (oldest !== null && compareReleases(release, oldest) >= 0) return null;
  const needs = oldest === null ? '' : `, and needs every process at ${oldest} or later. This one is ${release}`;
  return `The database is newer than this release: it carries migration ${name}, unknown here${needs}. Remedy: run the newer release again. To go back, restore the backup that "rollcall update" made (DATA_DIR/backups) with this release, into an empty data folder or database: "rollcall restore FILE".`;
}

function pendingOf(migrations: Migration[], applied: Applied[], release: string): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const row of applied) {
    const here = known.get(row.version);
    if (!here) {
      const why = tooOldFor(row, release);
      if (why !== null) throw new Error(why);
    } else if (here.checksum !== row.checksum) {
      throw new Error(
        `Migration ${here.name} was changed after it had been applied: another version of Rollcall made this database${row.name === here.name ? '' : `, where it is called ${row.name}`}. Remedy: run the version that made it. A version from before the first release can’t be updated: start with an empty data folder (DATA_DIR) or database.`,
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
