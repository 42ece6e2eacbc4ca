/**
 * The database of this installation, for every command but `start`: the external one, the embedded one of a running
 * server through its socket, or the embedded one, started for the duration of the command.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig, type Config } from '../config.ts';
import { checkIsCell, cellFence, otherCells } from '../scale/commands/database.ts';
import { connectTo } from '../kernel/base/db/connections/connect.ts';
import { Database } from '../kernel/base/db/database.ts';
import {
  DataDirInUse,
  ensureDatabase,
  startEmbedded,
  type Embedded,
  type Log,
} from '../kernel/base/db/embedded/embedded.ts';
import { pendingMigrations, waitingMigration } from '../kernel/base/db/schema/migrate.ts';
import { prepareDatabase } from '../kernel/base/db/schema/prepare.ts';
import { CommandFailure } from './command.ts';
import { commandTime } from './command-time.ts';
import { DATABASE_NAME } from './new-database.ts';
import type { AmongCells } from '../areas/people/identity/index.ts';

/** Returns the configuration of the environment; prints a plain message for an invalid value. */
export function configured(env: NodeJS.ProcessEnv = process.env): Config {
  try {
    return readConfig(env);
  } catch (error) {
    throw new CommandFailure(`${(error as Error).message}. Remedy: correct it, or unset it to use the default.`);
  }
}

const urlFile = (dataDir: string): string => join(resolve(dataDir), 'postgres.url');

/** Tells other commands the connection string of the running server's database. */
export function publishUrl(dataDir: string, url: string): void {
  const file = urlFile(dataDir);
  writeFileSync(`${file}.new`, `${url}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function withdrawUrl(dataDir: string): void {
  rmSync(urlFile(dataDir), { force: true });
}

/**
 * Opens the embedded database, creating the application's database in it.
 * @param fill creates what a new one begins with
 */
export async function openEmbedded(
  dataDir: string,
  log: Log,
  fill?: (url: string) => Promise<void>,
): Promise<{ embedded: Embedded; url: string }> {
  const embedded = await startEmbedded({ dataDir, log, fill });
  try {
    return { embedded, url: await ensureDatabase(embedded.url, DATABASE_NAME) };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

const QUIET: Log = { info() {}, warn: (m) => console.error(m), error: (m) => console.error(m) };

interface Found {
  url: string;
  /** no server is running on it, so nothing else uses it */
  alone: boolean;
  close(): Promise<void>;
}

async function find(config: Config, make: boolean): Promise<Found> {
  if (config.databaseUrl) return { url: config.databaseUrl, alone: false, close: async () => {} };
  if (!make && !existsSync(join(resolve(config.dataDir), 'postgres'))) {
    throw new CommandFailure(
      `There is no installation in ${resolve(config.dataDir)}. Remedy: start one there with "rollcall start", or set DATA_DIR (or DATABASE_URL) to the one that you mean.`,
    );
  }
  try {
    const { embedded, url } = await openEmbedded(config.dataDir, QUIET);
    return { url, alone: true, close: () => embedded.stop() };
  } catch (error) {
    if (!(error instanceof DataDirInUse)) throw error;
    // The lock is held, so an existing file was written by the holder.
    if (!existsSync(urlFile(config.dataDir)))
      throw new CommandFailure(
        `${error.message} (It is starting or stopping, or another command is using it. Wait until it is done.)`,
      );
    return { url: readFileSync(urlFile(config.dataDir), 'utf8').trim(), alone: false, close: async () => {} };
  }
}

interface DatabaseUse {
  /** create an installation if there is none */
  make?: boolean;
  /** leave the tables unchanged, even if they are missing or of another release */
  untouched?: boolean;
}

/** Runs `work` with the connection string of the database's owner. */
export async function withDatabaseUrl<T>(
  work: (url: string, config: Config) => Promise<T>,
  { make = false, untouched = false }: DatabaseUse = {},
): Promise<T> {
  const config = configured();
  const found = await find(config, make);
  try {
    if (!untouched) await prepare(found, config);
    return await work(found.url, config);
  } finally {
    await found.close();
  }
}

/**
 * Prepares the database. A running server's tables must not change, so with one, only an empty database is prepared.
 */
async function prepare({ url, alone }: Found, config: Config): Promise<void> {
  if (alone) return void (await prepareDatabase(url));
  const client = await connectTo(url);
  let pending: string[];
  let empty: boolean;
  try {
    const waiting = await waitingMigration(client);
    // Migrations that wait for processes of an older release are not needed by this command.
    pending = (await pendingMigrations(client)).filter((name) => waiting === null || name < waiting.name);
    empty = !(await client.query(`SELECT to_regclass('public.schema_migration') IS NOT NULL AS known`)).rows[0].known;
    await checkIsCell(client, config).catch((error: Error) => Promise.reject(new CommandFailure(error.message)));
  } finally {
    await client.end();
  }
  if (empty) await prepareDatabase(url);
  else if (pending.length > 0)
    throw new CommandFailure(
      `The database lacks the migrations ${pending.join(', ')} of this release. Remedy: start this release once ("rollcall start"); it applies them.`,
    );
}

/** Returns the other cells of the installation, for commands on objects that all cells share. */
export function amongCells(db: Database, config: Config): AmongCells {
  return { db, cells: otherCells(config), now: commandTime };
}

/** Runs `work` with access to the database. */
export function withDatabase<T>(work: (db: Database) => Promise<T>, use?: DatabaseUse): Promise<T> {
  return withDatabaseUrl(async (url, config) => {
    const db = new Database({ url, size: 2, fence: cellFence(config) });
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }, use);
}
