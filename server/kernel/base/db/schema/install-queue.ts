import { Logger, runMigrations } from 'graphile-worker';
import { openPool } from '../connections/connect.ts';
import { UNHURRIED } from '../connections/patience.ts';

const quiet = new Logger(() => () => {});

/** Creates the queue's own tables, as part of preparing a database. */
export async function installQueue(url: string): Promise<void> {
  const pool = openPool({ url, size: 1, patience: UNHURRIED, onError: () => {} });
  try {
    await runMigrations({ pgPool: pool, logger: quiet });
  } finally {
    await pool.end();
  }
}
