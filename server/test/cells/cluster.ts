import { constants, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { checkLockOrder } from '../lock-order.ts';
import { followClocks, keepMonth, startClocks } from '../clock.ts';
import { lockDataDir } from '../../kernel/base/db/embedded/data-dir-lock.ts';
import { LOGGING } from '../runner/deadlocks.ts';
import { ensureDatabase, startEmbedded } from '../../kernel/base/db/embedded/embedded.ts';
import { migrate } from '../../kernel/base/db/schema/migrate.ts';
import { installQueue } from '../../kernel/base/db/schema/install-queue.ts';

const PREFIX = 'rollcall-test-';
const IN_MEMORY = '/dev/shm';
/**
 * Settings as for installations whose businesses move between cells; all files of a run together open many times the
 * connections of one service. No autovacuum: it would change query plans at random times. A test that needs statistics
 * creates them. A statement is planned once for each connection: most run only a few times on one, and planning each
 * time anew takes a fifth of PostgreSQL's processor time.
 */
const SETTINGS = {
  wal_level: 'logical',
  max_connections: '400',
  autovacuum: 'off',
  plan_cache_mode: 'force_generic_plan',
  ...LOGGING,
};
/** More than all databases of a run need together. */
const ENOUGH = 8 * 2 ** 30;

export interface TestCluster {
  /** connection string of the superuser for the database `postgres` */
  url: string;
  /** Process id of its postmaster. */
  pid: number;
  /** folder for other files of tests, removed with the cluster */
  folder: string;
  /** the log of PostgreSQL */
  log: string;
  /** Stops PostgreSQL and resolves to the folder with its data. */
  stop(): Promise<string>;
  /** Stops PostgreSQL and removes its folder. */
  remove(): Promise<void>;
}

/**
 * Returns a file system in memory if the machine has one: short-lived databases are created and dropped faster there.
 */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Starts a throw-away PostgreSQL, not safe against power loss, in a temporary folder.
 * @param from data of a stopped PostgreSQL to start with a copy of
 */
export async function startCluster(from?: string): Promise<TestCluster> {
  const parent = roomiest();
  await removeLeftOvers(parent);
  const dataDir = mkdtempSync(join(parent, PREFIX));
  const log = {
    info() {},
    warn: (message: string) => console.error(message),
    error: (message: string) => console.error(message),
  };
  try {
    const postgres = join(dataDir, 'postgres');
    const tests = join(dataDir, 'tests');
    startClocks(tests);
    if (from) cpSync(from, postgres, { recursive: true, mode: constants.COPYFILE_FICLONE });
    const database = await startEmbedded({ dataDir, durable: false, settings: SETTINGS, log });
    const remove = async () => {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    const stop = async () => {
      await database.stop();
      return postgres;
    };
    return { url: database.url, pid: database.pid, folder: tests, log: join(dataDir, 'postgres.log'), stop, remove };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Creates and migrates a database that follows the clocks of its run. Returns its connection string. */
export async function createMigrated(clusterUrl: string, name: string): Promise<string> {
  const url = await ensureDatabase(clusterUrl, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await followClocks(client);
    await migrate(client);
    await keepMonth(client);
    await checkLockOrder(client);
    await installQueue(url);
  } finally {
    await client.end();
  }
  return url;
}

/**
 * Removes folders of killed runs, which could not clean up: their lock is free, but their PostgreSQL did not shut down
 * cleanly. That distinguishes such a folder from one in use and from one whose data is being copied.
 */
async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(parent, name);
    if (!existsSync(join(folder, 'postgres', 'postmaster.pid'))) continue;
    try {
      const lock = await lockDataDir(folder);
      rmSync(folder, { recursive: true, force: true });
      lock.release();
    } catch {
      // In use, or owned by another user, so it is not removed.
    }
  }
}
