import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { restore } from '../kernel/base/db/backups/backup.ts';
import { CommandFailure, say, type Command } from './command.ts';
import { existingSecretBox } from '../kernel/base/secret-box.ts';
import { keyRemedy, lookForSealed } from './sealed.ts';
import { withDatabaseUrl } from './installation.ts';
import { withOpened } from './backups/verify-backup.ts';

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Load a backup into an empty installation',
  positionals: ['FILE'],
  details:
    'The installation must be new (no server started on it yet, or started with --no-demo and left empty). A restore that fails changes nothing. A backup of an earlier release is migrated to this one.\nThe secret key of the old installation is not in the backup: put it in DATA_DIR/secret.key, or set SECRET_KEY.',
  async run({ positionals }) {
    const file = resolve(positionals[0]);
    if (!existsSync(file))
      throw new CommandFailure(`There is no file ${file}. Remedy: choose a file that "rollcall backup" wrote.`);
    const began = performance.now();
    console.error(`Restoring ${file} ...`);
    // It migrates a new database on its own, and must be the one to find it empty.
    const {
      result: { tables, rows },
      sealed,
      config,
    } = await withDatabaseUrl(
      async (url, settings) => {
        const result = await withOpened(settings, file, (opened) => restore(url, opened));
        return { result, sealed: await lookForSealed(url, existingSecretBox(settings)), config: settings };
      },
      { make: true, untouched: true },
    );
    say(`Restored ${rows} rows of ${tables} tables in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
    if (sealed !== null)
      console.error(
        `The backup contains ${sealed} that this installation can’t open, because its secret key is a different one. Remedy: ${keyRemedy(config)}`,
      );
    return 0;
  },
};
