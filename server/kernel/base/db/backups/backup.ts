import { renameSync, rmSync } from 'node:fs';
import type pg from 'pg';
import { connectTo } from '../connections/connect.ts';
import { foreignKeys, inForeignKeyOrder, sequenceStates, settle, storedTables } from './backup-catalog.ts';
import { qualified } from '../quote.ts';
import { RELEASE } from '../../release.ts';
import { explain, writeTable } from './backup-copy.ts';
import type { BackupResult } from './backup-copy.ts';
import { writeFrames } from './backup-file.ts';
import type { FrameWriter } from './backup-file.ts';

export type { BackupResult } from './backup-copy.ts';
export { BackupDamaged } from './backup-file.ts';
export { restore } from './restore.ts';

/**
 * Writes a consistent snapshot of the whole database into one file while the server continues to work. The file gets
 * its name only when it is complete.
 * @param url connection string of a role that bypasses row-level security (superuser or BYPASSRLS)
 * @throws Error with the remedy if the role cannot see every row: never a partial backup
 */
export async function backup(url: string, file: string): Promise<BackupResult> {
  const client = await connectTo(url);
  const unfinished = `${file}.part`;
  const writer = writeFrames(unfinished);
  try {
    await settle(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await writeDatabase(client, writer);
    await client.query('COMMIT');
    await writer.end();
    renameSync(unfinished, file);
    return result;
  } catch (error) {
    writer.destroy();
    rmSync(unfinished, { force: true });
    throw explain(error);
  } finally {
    await client.end();
  }
}

async function writeDatabase(client: pg.Client, writer: FrameWriter): Promise<BackupResult> {
  const { rows: migrations } = await client.query(
    'SELECT version, name, checksum FROM public.schema_migration ORDER BY version',
  );
  const tables = inForeignKeyOrder(await storedTables(client), await foreignKeys(client));
  // From here on, no migration can invalidate the manifest.
  if (tables.length > 0) await client.query(`LOCK TABLE ${tables.map(qualified).join(', ')} IN ACCESS SHARE MODE`);
  await writer.write({
    kind: 'manifest',
    manifest: { format: 1, createdAt: new Date().toISOString(), release: RELEASE, migrations, tables },
  });
  let total = 0;
  for (const table of tables) {
    const rows = await writeTable(client, writer, table);
    await writer.write({ kind: 'table', rows });
    total += rows;
  }
  // Sequences are not part of the snapshot and only increase: read last, they are past every number stored above.
  await writer.write({ kind: 'sequences', sequences: await sequenceStates(client) });
  return { tables: tables.length, rows: total };
}
