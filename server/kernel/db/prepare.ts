/** Brings a database to what this version of the program needs: the queue's tables, then ours. */
import { connectTo } from './connect.ts';
import { installQueue } from '../jobs/install-queue.ts';
import { migrate } from './migrate.ts';

export async function prepareDatabase(url: string, log?: (line: string) => void): Promise<string[]> {
  const client = await connectTo(url);
  try {
    const { applied } = await migrate(client, { log: log as never });
    await installQueue(url);
    return applied;
  } finally {
    await client.end();
  }
}
