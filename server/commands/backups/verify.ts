/** `rollcall backup verify`: proves that a backup can be restored. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure, say, type Command } from '../command.ts';
import { recordRestoreTest } from '../../kernel/base/db/backups/backup-record.ts';
import { verifyBackup } from './verify-backup.ts';
import { withDatabaseUrl } from '../installation.ts';

export const verifyCommand: Command = {
  name: 'backup verify',
  summary: 'Restore a backup into a throw-away database, check it, and drop it again',
  positionals: ['FILE'],
  options: {
    'tested-elsewhere': {
      type: 'boolean',
      description: 'restore nothing: note that the backup called FILE was restored and checked in another way',
    },
  },
  details:
    'The data in use are neither read nor changed. The database is restored beside them, so the disk needs room for it. "rollcall doctor" reports if no restore was tested for 30 days.',
  async run({ positionals: [name], options }) {
    if (options['tested-elsewhere']) {
      await withDatabaseUrl((url) => recordRestoreTest(url, name));
      say(`Noted the test of ${name}.`);
      return 0;
    }
    const file = resolve(name);
    if (!existsSync(file))
      throw new CommandFailure(`There is no file ${file}. Remedy: choose a file that "rollcall backup" wrote.`);
    console.error(`Restoring ${file} into a throw-away database ...`);
    const began = performance.now();
    const { tables, rows } = await withDatabaseUrl((url, config) => verifyBackup(url, config, file));
    say(
      `The backup can be restored: ${rows} rows of ${tables} tables, and everything in it agrees. It took ${((performance.now() - began) / 1000).toFixed(1)} s.`,
    );
    return 0;
  },
};
