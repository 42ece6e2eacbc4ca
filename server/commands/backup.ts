import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup } from '../kernel/db/backup.ts';
import { say, type Command } from './command.ts';
import { withDatabaseUrl } from './installation.ts';

export const backupCommand: Command = {
  name: 'backup',
  summary: 'Write the whole database into one file, while the server goes on',
  positionals: ['FILE'],
  details: 'The file holds everything, passwords (hashed) included: keep it as safe as the database. It appears only when it is complete.',
  async run({ positionals }) {
    const file = resolve(positionals[0]);
    const began = performance.now();
    console.error(`Writing ${file} ...`);
    const { tables, rows } = await withDatabaseUrl((url) => backup(url, file));
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    say(`Wrote ${rows} rows of ${tables} tables, ${megabytes} MB, in ${((performance.now() - began) / 1000).toFixed(1)} s: ${file}`);
    return 0;
  },
};
