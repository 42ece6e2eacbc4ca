/** Tests a backup: restores it into a throw-away database on the same server, and audits that. */
import { rmSync } from 'node:fs';
import { audit, newlyWrong } from '../update/audit.ts';
import { CommandFailure } from '../command.ts';
import { databaseName, onServer, urlBeside } from '../update/copy-database.ts';
import { existingSecretBox } from '../../kernel/base/secret-box.ts';
import { isSealedFile, openSealedFile } from '../../kernel/base/db/backups/sealed-file.ts';
import { join } from 'node:path';
import { makeBackupsFolder } from './folder.ts';
import { quote } from '../../kernel/base/db/quote.ts';
import { recordRestoreTest } from '../../kernel/base/db/backups/backup-record.ts';
import { restore, type BackupResult } from '../../kernel/base/db/backups/backup.ts';
import type { Config } from '../../config.ts';

/**
 * Restores a backup into a database of its own, audits it, drops it, and records the test.
 * @throws CommandFailure for a backup that can't be restored, or in which something is wrong
 */
export async function verifyBackup(url: string, config: Config, file: string): Promise<BackupResult> {
  const name = `${databaseName(url)}_verify`;
  await onServer(url, async (client) => {
    const { rows } = await client.query(
      'SELECT rolsuper OR rolcreatedb AS may FROM pg_roles WHERE rolname = current_user',
    );
    if (!rows[0].may)
      throw new CommandFailure(
        'The login of DATABASE_URL may not create databases, so the backup can’t be restored beside yours. Remedy: run ALTER ROLE … CREATEDB for it as a superuser, or test the backup on another machine.',
      );
    await client.query(`DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${quote(name)}`);
  });
  try {
    const there = urlBeside(url, name);
    const result = await withOpened(config, file, (opened) => restore(there, opened));
    // What is wrong with the data in use is no fault of the backup.
    const wrong = newlyWrong(await audit(url, config), await audit(there, config));
    if (wrong.length > 0)
      throw new CommandFailure(`The backup ${file} can be restored, but the audit of it found:\n${wrong.join('\n')}`);
    await recordRestoreTest(url, file);
    return result;
  } finally {
    await onServer(url, (client) => client.query(`DROP DATABASE IF EXISTS ${quote(name)} WITH (FORCE)`));
  }
}

/** Runs `work` with a backup, which is opened first if it is sealed. */
export async function withOpened<T>(config: Config, file: string, work: (file: string) => Promise<T>): Promise<T> {
  if (!isSealedFile(file)) return work(file);
  const opened = join(makeBackupsFolder(config), `opened-${process.pid}.part`);
  try {
    await openSealedFile(file, opened, existingSecretBox(config));
    return await work(opened);
  } finally {
    rmSync(opened, { force: true });
  }
}
