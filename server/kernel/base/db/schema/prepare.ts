/** Migrates a database to the version of this program: the queue's tables, then ours. */
import { connectTo } from '../connections/connect.ts';
import { installQueue } from './install-queue.ts';
import { migrate, type MigrateOptions } from './migrate.ts';

export async function prepareDatabase(
  url: string,
  log?: (line: string) => void,
  schema: Pick<MigrateOptions, 'dir' | 'release'> = {},
): Promise<string[]> {
  const client = await connectTo(url);
  try {
    const { applied, waiting } = await migrate(client, { ...schema, log });
    if (waiting.length > 0)
      log?.(`Until the processes of older releases have ended, these migrations wait: ${waiting.join(', ')}.`);
    await installQueue(url);
    return applied;
  } finally {
    await client.end();
  }
}
