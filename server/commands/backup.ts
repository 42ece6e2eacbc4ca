import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup } from '../kernel/base/db/backups/backup.ts';
import { recordBackup } from '../kernel/base/db/backups/backup-record.ts';
import { CommandFailure, say, type Command } from './command.ts';
import { withDatabaseUrl } from './installation.ts';
import { keyPlace, WITHOUT_KEY } from './sealed.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write the whole database to one file, while the server runs',
  positionals: ['FILE'],
  options: {
    force: { type: 'boolean', description: 'overwrite the file if it exists' },
    'made-elsewhere': {
      type: 'boolean',
      description: 'write nothing: note that another tool made a backup called FILE',
    },
  },
  details: [
    'The file holds everything, hashed passwords included: keep it as safe as the database. It appears only when it is complete.',
    'It does not contain the secret key: keep a copy of that in a different place.',
  ].join('\n'),
  async run({ positionals, options }) {
    if (options['made-elsewhere']) {
      await withDatabaseUrl((url) => recordBackup(url, positionals[0]));
      say(`Noted the backup ${positionals[0]}.`);
      return 0;
    }
    const file = resolve(positionals[0]);
    if (!options.force && existsSync(file))
      throw new CommandFailure(`${file} already exists. Remedy: choose another name, or overwrite it with --force.`);
    const began = performance.now();
    console.error(`Writing ${file} ...`);
    const { tables, rows } = await withDatabaseUrl(async (url, config) => {
      const written = await backup(url, file);
      // The file matters more than the record.
      await recordBackup(url, file).catch((error: Error) =>
        console.error(`"rollcall doctor" won’t know of this backup, because it can’t be noted: ${error.message}`),
      );
      console.error(
        `The backup does not contain the secret key: keep a copy of ${keyPlace(config)} in a different place. ${WITHOUT_KEY}`,
      );
      return written;
    });
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    say(
      `Wrote ${rows} rows of ${tables} tables, ${megabytes} MB, in ${((performance.now() - began) / 1000).toFixed(1)} s: ${file}`,
    );
    return 0;
  },
};
