/** Records that a backup was made or tested, so that `doctor` can warn if that stops. */
import { hostname } from 'node:os';
import { connectTo } from '../connections/connect.ts';

/**
 * Records a backup.
 * @param url connection string of the tables' owner
 */
export const recordBackup = (url: string, file: string): Promise<void> =>
  record(url, 'INSERT INTO public.backup_record (host, file) VALUES ($1, $2)', file);

/**
 * Records that a restore of a backup was tested.
 * @param url connection string of the tables' owner
 */
export const recordRestoreTest = (url: string, file: string): Promise<void> =>
  record(url, 'INSERT INTO public.restore_test (host, file) VALUES ($1, $2)', file);

async function record(url: string, text: string, file: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await client.query(text, [hostname(), file]);
  } finally {
    await client.end();
  }
}
