/** Brings a database to what this version of the program needs: the queue's tables, then ours. */
import pg from 'pg';
import { installQueue } from '../jobs/worker.ts';
import { migrate } from './migrate.ts';

export async function prepareDatabase(url: string, log?: (line: string) => void): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { applied } = await migrate(client, { log: log as never });
    await installQueue(url);
    return applied;
  } finally {
    await client.end();
  }
}
