/** Storage that the tests of a run share: a PostgreSQL with a migrated template, if they need one, and a folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeadlockLog } from './deadlocks.ts';

export interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
  /** the process id of its PostgreSQL; null: it has none */
  readonly postgres: number | null;
  readonly deadlocks: DeadlockLog | null;
  remove(): Promise<void>;
}

export async function startPlace(database: boolean): Promise<Place> {
  if (!database) {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-tests-'));
    return {
      folder,
      env: { TEST_FOLDER: folder },
      postgres: null,
      deadlocks: null,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  // Loaded only when needed: it would be most of the startup time of a file without a database.
  const { startClusterOfRun } = await import('../cluster-of-run.ts');
  const { url, pid, folder, log, remove } = await startClusterOfRun();
  const env = { TEST_DATABASE_URL: url, TEST_FOLDER: folder };
  return { folder, env, postgres: pid, deadlocks: new DeadlockLog(log), remove };
}
