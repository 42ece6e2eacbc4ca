import type pg from 'pg';
import { connectTo } from '../connections/connect.ts';
import { installQueue } from '../schema/install-queue.ts';
import { loadAsStored } from './bulk-load.ts';
import { settle, storedTables } from './backup-catalog.ts';
import { qualified } from '../quote.ts';
import { explain, readTable } from './backup-copy.ts';
import type { BackupResult } from './backup-copy.ts';
import { BackupDamaged, readFrames } from './backup-file.ts';
import type { BackupManifest, BackupTable, Frame, SequenceState } from './backup-file.ts';
import { beginWith } from '../schema/partitions.ts';
import { migrate } from '../schema/migrate.ts';
import { MIGRATIONS_DIR, readMigrations } from '../schema/migration-files.ts';
import { monthOf } from '../schema/months.ts';
import { RELEASE } from '../../release.ts';
import type { MigrateOptions } from '../schema/migrate.ts';

/**
 * Loads a backup of this or an earlier release into an empty database. A new database first gets the tables as they
 * were when the backup was made, and the later migrations after its rows. All rows are loaded in one transaction: if
 * that fails, the database stays empty. If a later migration fails, the rows stay, and the next start tries it again.
 * @param url connection string of the tables' owner, not subject to row-level security
 * @throws Error with the remedy if the database contains rows, or the backup is of a later release; BackupDamaged
 */
export async function restore(url: string, file: string, options: MigrateOptions = {}): Promise<BackupResult> {
  const frames = readFrames(file);
  let client: pg.Client | undefined;
  try {
    const manifest = await readManifest(frames);
    client = await connectTo(url);
    const fresh = await isUntouched(client);
    if (fresh) await migrate(client, { ...options, upTo: lastOf(manifest, options) });
    if (manifest.tables.some(({ schema }) => schema === 'graphile_worker')) await installQueue(url);
    await settle(client);
    await client.query('BEGIN');
    await checkVersion(client, manifest);
    await checkTables(client, withoutMonths(manifest.tables), fresh);
    await beginMonths(client, manifest.tables);
    const result = await load(client, manifest.tables, frames);
    await client.query('COMMIT');
    if (fresh) await migrate(client, options);
    return result;
  } catch (error) {
    if (error instanceof BackupDamaged)
      throw new BackupDamaged(`The backup ${file} cannot be restored: ${error.message}. Nothing was changed.`, {
        cause: error,
      });
    throw explain(error);
  } finally {
    await frames.return(undefined);
    // Ending the session rolls back a transaction that was not committed.
    await client?.end();
  }
}

async function readManifest(frames: AsyncGenerator<Frame>): Promise<BackupManifest> {
  const { value } = await frames.next();
  if (value?.kind !== 'manifest' || value.manifest.format !== 1)
    throw new BackupDamaged('it is no backup file, or one of a later release');
  return value.manifest;
}

async function isUntouched(client: pg.Client): Promise<boolean> {
  const known = await client.query(`SELECT to_regclass('public.schema_migration') IS NOT NULL AS migrated`);
  if (known.rows[0].migrated) return false;
  if ((await storedTables(client)).some(({ schema }) => schema === 'public')) {
    throw new Error('The database holds tables of something else. Remedy: restore into a new, empty database.');
  }
  return true;
}

/**
 * Returns the number of the last migration of the backup.
 * @throws Error if this release doesn't have the migrations of the backup
 */
function lastOf(manifest: BackupManifest, { dir = MIGRATIONS_DIR }: MigrateOptions): number {
  const here = readMigrations(dir);
  const unlike = manifest.migrations.find(({ name, checksum }, at) => {
    const known = here.at(at);
    return known?.name !== name || known.checksum !== checksum;
  });
  if (unlike) throw new Error(ofAnotherRelease(manifest, `its migration ${unlike.name} is not in release ${RELEASE}`));
  return manifest.migrations.at(-1)?.version ?? 0;
}

const ofAnotherRelease = ({ release }: BackupManifest, why: string): string =>
  `The backup was made by release ${release} of Rollcall, and ${why}. Remedy: restore it with release ${release}, then update.`;

async function checkVersion(client: pg.Client, manifest: BackupManifest): Promise<void> {
  const { rows } = await client.query('SELECT version, name, checksum FROM public.schema_migration ORDER BY version');
  const here = JSON.stringify(rows.map(({ version, name, checksum }) => [version, name, checksum]));
  if (here === JSON.stringify(manifest.migrations.map(({ version, name, checksum }) => [version, name, checksum])))
    return;
  throw new Error(
    `The backup was made at migration ${manifest.migrations.at(-1)?.name ?? 'none'} by release ${manifest.release}, the database is at ${rows.at(-1)?.name ?? 'none'}. ` +
      'Remedy: restore into a new, empty database, which gets the tables of the backup first and is then migrated.',
  );
}

/**
 * Locks the tables, so that nobody else can write from here on. A database that was just migrated contains at most the
 * rows that its migrations inserted, which the backup contains too.
 */
async function checkTables(client: pg.Client, wanted: BackupTable[], fresh: boolean): Promise<void> {
  const here = await storedTables(client);
  const strange = shape(wanted).difference(shape(here));
  if (strange.size > 0)
    throw new Error(
      `The database has no table ${[...strange][0]}. Remedy: restore with the release that made the backup.`,
    );
  if (here.length === 0) return;
  const names = here.map(qualified);
  await client.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  if (fresh) {
    await client.query(`TRUNCATE ${names.join(', ')}`);
    return;
  }
  for (const name of names) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${name}) AS filled`);
    if (rows[0].filled)
      throw new Error(`The database is not empty: ${name} holds rows. Remedy: restore into a new, empty database.`);
  }
}

/**
 * Creates partitions for the rows of old months, including a month that was waiting for its archive: it is detached
 * again later.
 */
async function beginMonths(client: pg.Client, tables: BackupTable[]): Promise<void> {
  for (const { name, oldest } of tables) {
    if (oldest === null) continue;
    const months = [oldest, ...tables.map((table) => table.name)].map((partition) => monthOf(name, partition));
    await beginWith(client, name, Math.min(...months.filter((month) => month !== null)));
  }
}

/**
 * Drops the tables of detached months: a month that was waiting for its archive was a table of its own, and becomes a
 * partition.
 */
function withoutMonths(tables: BackupTable[]): BackupTable[] {
  const parents = tables.filter(({ oldest }) => oldest !== null);
  return tables.filter((table) => parents.every(({ name }) => monthOf(name, table.name) === null));
}

function shape(tables: BackupTable[]): Set<string> {
  return new Set(tables.map((table) => `${qualified(table)} (${table.columns.join(', ')})`));
}

async function load(client: pg.Client, tables: BackupTable[], frames: AsyncGenerator<Frame>): Promise<BackupResult> {
  let rows = 0;
  const sequences = await loadAsStored(client, tables, async () => {
    for (const table of tables) rows += await loadTable(client, table, frames);
    return readSequences(frames);
  });
  for (const { schema, name, next } of sequences)
    await client.query(`ALTER SEQUENCE ${qualified({ schema, name })} RESTART WITH ${BigInt(next)}`);
  return { tables: tables.length, rows };
}

async function loadTable(client: pg.Client, table: BackupTable, frames: AsyncGenerator<Frame>): Promise<number> {
  let announced = -1;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (;;) {
      const { value } = await frames.next();
      if (value?.kind === 'data') yield value.data;
      else if (value?.kind === 'table') return void (announced = value.rows);
      else throw new BackupDamaged(`its table ${qualified(table)} is incomplete`);
    }
  };
  const arrived = await readTable(client, table, chunks());
  if (arrived !== announced)
    throw new BackupDamaged(`${qualified(table)} should have ${announced} rows and has ${arrived}`);
  return arrived;
}

/** Reads to the very end, where the checksum is compared. */
async function readSequences(frames: AsyncGenerator<Frame>): Promise<SequenceState[]> {
  const { value } = await frames.next();
  if (value?.kind !== 'sequences') throw new BackupDamaged('its sequences are missing');
  if (!(await frames.next()).done) throw new BackupDamaged('it holds more than it announced');
  return value.sequences;
}
