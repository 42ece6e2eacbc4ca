import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { followClocks, keepMonth } from './clock.ts';
import { lockDataDir } from '../kernel/db/data-dir-lock.ts';
import { ensureDatabase, startEmbedded } from '../kernel/db/embedded.ts';
import { migrate } from '../kernel/db/migrate.ts';
import { installQueue } from '../kernel/jobs/install-queue.ts';

const PREFIX = 'rollcall-test-';
const IN_MEMORY = '/dev/shm';
/** As where businesses move between cells; and all files of a run open many times what a service opens. */
const SETTINGS = { wal_level: 'logical', max_connections: '400' };
/** More than all databases of a run take together. */
const ENOUGH = 8 * 2 ** 30;

export interface TestCluster {
  /** Superuser, database `postgres`. */
  url: string;
  /** A folder for what tests keep besides; it goes with the cluster. */
  folder: string;
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

/** A throw-away PostgreSQL, not safe against power loss, in a temporary folder. */
export async function startCluster(): Promise<TestCluster> {
  const parent = roomiest();
  await removeLeftOvers(parent);
  const dataDir = mkdtempSync(join(parent, PREFIX));
  const log = {
    info() {},
    warn: (message: string) => console.error(message),
    error: (message: string) => console.error(message),
  };
  try {
    const database = await startEmbedded({ dataDir, durable: false, settings: SETTINGS, log });
    const remove = async () => {
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { url: database.url, folder: join(dataDir, 'tests'), remove };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** Creates and migrates a database that goes by the clocks of the run with this folder; returns its connection string. */
export async function createMigrated(clusterUrl: string, name: string, folder: string): Promise<string> {
  const url = await ensureDatabase(clusterUrl, name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await followClocks(client, folder);
    await migrate(client);
    await keepMonth(client);
    await installQueue(url);
  } finally {
    await client.end();
  }
  return url;
}

/** A run that was killed outright could not clean up; its lock is free, which tells its folder from one in use. */
async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(parent, name);
    try {
      const lock = await lockDataDir(folder);
      rmSync(folder, { recursive: true, force: true });
      lock.release();
    } catch {
      // In use, or another user's: not ours to remove.
    }
  }
}
