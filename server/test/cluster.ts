import { constants, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { followClocks, keepMonth, startClocks } from './clock.ts';
import { lockDataDir } from '../kernel/base/db/data-dir-lock.ts';
import { ensureDatabase, startEmbedded } from '../kernel/base/db/embedded.ts';
import { migrate } from '../kernel/base/db/migrate.ts';
import { installQueue } from '../kernel/base/db/install-queue.ts';

const PREFIX = 'rollcall-test-';
const IN_MEMORY = '/dev/shm';
/**
 * As where businesses move between cells; and all files of a run open many times what a service opens. No autovacuum:
 * it would change the plans of statements whenever it happens to come by. A test that needs statistics makes them.
 */
const SETTINGS = { wal_level: 'logical', max_connections: '400', autovacuum: 'off' };
/** More than all databases of a run take together. */
const ENOUGH = 8 * 2 ** 30;

export interface TestCluster {
  /** Superuser, database `postgres`. */
  url: string;
  /** Process id of its postmaster. */
  pid: number;
  /** A folder for what tests keep besides; it goes with the cluster. */
  folder: string;
  /** Ends PostgreSQL; its data is in the folder that this resolves to. */
  stop(): Promise<string>;
  /** Ends PostgreSQL and removes its folder. */
  remove(): Promise<void>;
}

/** Memory, where the machine keeps some as a file system: databases that live for seconds are made and dropped faster. */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * A throw-away PostgreSQL, not safe against power loss, in a temporary folder.
 * @param from data of a PostgreSQL that was stopped, to begin with a copy of
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
    return { url: database.url, pid: database.pid, folder: tests, stop, remove };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Creates and migrates a database that goes by the clocks of its run; returns its connection string. */
export async function createMigrated(clusterUrl: string, name: string): Promise<string> {
  const url = await ensureDatabase(clusterUrl, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await followClocks(client);
    await migrate(client);
    await keepMonth(client);
    await installQueue(url);
  } finally {
    await client.end();
  }
  return url;
}

/**
 * A run that was killed outright could not clean up: its lock is free, but its PostgreSQL has not ended, which tells its
 * folder from one in use, and from one whose data is being copied.
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
      // In use, or another user's: not ours to remove.
    }
  }
}
