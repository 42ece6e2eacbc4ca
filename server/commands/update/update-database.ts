/**
 * Updates a database to this release. Everything happens on a copy, which takes the place of the database in one
 * transaction at the end: an update that fails or is killed at any moment leaves the database of the old release as it
 * was.
 */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from '../../kernel/base/db/backups/backup.ts';
import { recordBackup } from '../../kernel/base/db/backups/backup-record.ts';
import { CommandFailure } from '../command.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { copyDatabase, dropCopy, useCopy } from './copy-database.ts';
import { audit, newlyWrong } from './audit.ts';
import { forgetProcesses, pendingMigrations, type MigrateOptions } from '../../kernel/base/db/schema/migrate.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';
import type { Config } from '../../config.ts';

/** Space that PostgreSQL and the machine need besides the copy and the backup. */
const SPARE_BYTES = 500_000_000;

export interface Updating {
  /** connection string of the owner of the database */
  readonly url: string;
  readonly config: Config;
  /** the backup to write first */
  readonly backupFile: string;
  /** another set of migrations, for tests */
  readonly schema?: Pick<MigrateOptions, 'dir' | 'release'>;
  /** starts this release on a database and ends it again; throws if it doesn't answer */
  readonly tryStart: (url: string) => Promise<void>;
  readonly say: (line: string) => void;
  /** returns the free bytes where a folder is */
  readonly freeBytes?: (folder: string) => number;
}

export interface Updated {
  /** names of the migrations, in order; empty: there was nothing to do */
  readonly applied: readonly string[];
}

const freeAt = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Checks, backs up, migrates, audits and tries to start.
 * @throws Error with the remedy; the database is unchanged then
 */
export async function updateDatabase(updating: Updating): Promise<Updated> {
  const { url, config, backupFile, schema, say } = updating;
  const { pending, bytes } = await check(updating);
  if (pending.length === 0) return { applied: [] };
  say(`${pending.length} migrations to apply to ${megabytes(bytes)} MB. Writing a backup first: ${backupFile}`);
  try {
    await inStep('the backup', backup(url, backupFile));
    await recordBackup(url, backupFile);
    const before = await inStep('the audit of the old state', audit(url, config, { earlier: true }));
    say('Migrating a copy of the database.');
    const copy = await inStep('copying the database', copyDatabase(url));
    await inStep('clearing the copy', forgetProcesses(copy));
    const applied = await inStep('the migrations', prepareDatabase(copy, undefined, schema));
    say('Checking the copy.');
    const wrong = newlyWrong(before, await inStep('the audit', audit(copy, config)));
    if (wrong.length > 0) throw new StepFailed(`The audit after the migrations found: ${wrong.join(' ')}`);
    await inStep('starting this release', updating.tryStart(copy));
    await inStep('replacing the database', useCopy(url));
    return { applied };
  } catch (error) {
    await dropCopy(url).catch(() => undefined);
    throw failure(error, backupFile);
  }
}

/** A step of the update failed. `message` names it, with the reason. */
class StepFailed extends Error {
  override name = 'StepFailed';
}

async function inStep<T>(step: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new StepFailed(`The update failed at ${step}: ${(error as Error).message}`, { cause: error });
  }
}

const failure = (error: unknown, backupFile: string): unknown =>
  error instanceof StepFailed
    ? new CommandFailure(
        `${error.message}\nThe database is unchanged: start the release that you had before. Remedy: report this with these lines. The backup is ${backupFile}.`,
      )
    : error;

/** Checks everything that an update needs, before anything is written. */
async function check({
  url,
  config,
  backupFile,
  schema = {},
  freeBytes = freeAt,
}: Updating): Promise<{ pending: readonly string[]; bytes: number }> {
  const client = await connectTo(url);
  try {
    const pending = await pendingMigrations(client, schema);
    const { rows } = await client.query(
      `SELECT pg_database_size(current_database())::text AS bytes,
         (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND backend_type = 'client backend') AS others,
         (SELECT count(*)::int FROM pg_replication_slots WHERE database = current_database()) AS slots,
         (SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user) AS may_copy`,
    );
    const [{ others, slots, may_copy: mayCopy }] = rows;
    const bytes = Number(rows[0].bytes);
    if (pending.length === 0) return { pending, bytes };
    if (others > 0)
      throw new CommandFailure(
        `${others} connections are using the database. Remedy: stop the service and other programs that use it, then update. To update several processes while they serve, replace them one after the other instead (docs/operations.md).`,
      );
    if (slots > 0)
      throw new CommandFailure(
        'A business is being moved to another cell, and the database keeps its log for that. Remedy: finish or cancel the move ("rollcall move"), then update.',
      );
    if (!mayCopy)
      throw new CommandFailure(
        'The login of DATABASE_URL may not create databases, and the update works on a copy. Remedy: run ALTER ROLE … CREATEDB for it as a superuser, or write a backup and start this release, which migrates the database itself.',
      );
    // A backup is compressed; it is never larger than the database. The copy is where an embedded database is.
    const needed = (config.databaseUrl ? 1 : 2) * bytes + SPARE_BYTES;
    const free = freeBytes(dirname(backupFile));
    if (free < needed)
      throw new CommandFailure(
        `The update needs ${megabytes(needed)} MB for a backup and a copy of the database, and ${megabytes(free)} MB are free in ${dirname(backupFile)}. Remedy: free up space, then update again. Nothing was changed.`,
      );
    return { pending, bytes };
  } finally {
    await client.end();
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
