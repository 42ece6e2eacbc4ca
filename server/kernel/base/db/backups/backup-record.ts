/** Records that a backup was made, so that `doctor` can warn if backups stop. */
import { hostname } from 'node:os';
import { connectTo } from '../connections/connect.ts';

/**
 * Records a backup.
 * @param url connection string of the tables' owner
 */
export async function recordBackup(url: string, file: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await client.query('INSERT INTO public.backup_record (host, file) VALUES ($1, $2)', [hostname(), file]);
  } finally {
    await client.end();
  }
}
