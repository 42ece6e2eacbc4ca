/** `rollcall backup fetch`: brings a copy back from the bucket of the daily backups. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure, say, textOption, type Command } from '../command.ts';
import { configured } from '../installation.ts';
import { fetchBackup, openOffSite } from './off-site.ts';

export const fetchCommand: Command = {
  name: 'backup fetch',
  summary: 'Bring the newest daily backup and the images from the bucket of BACKUP_BUCKET_URL',
  positionals: ['FOLDER'],
  options: { name: { type: 'string', value: 'NAME', description: 'another backup than the newest, by its name' } },
  details:
    'Needs the secret key of the installation that made the backup, in DATA_DIR/secret.key or SECRET_KEY. Restore FOLDER/database.backup with "rollcall restore", and put FOLDER/images into DATA_DIR.',
  async run(given) {
    const folder = resolve(given.positionals[0]);
    const offSite = openOffSite(configured());
    if (!offSite)
      throw new CommandFailure(
        'The bucket or the secret key is missing. Remedy: set BACKUP_BUCKET_URL, BACKUP_BUCKET_KEY_ID and BACKUP_BUCKET_SECRET, and put the secret key in DATA_DIR/secret.key or SECRET_KEY.',
      );
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw new CommandFailure(`${folder} is not empty. Remedy: name a new folder.`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { database, images } = await fetchBackup(offSite, folder, textOption(given, 'name'));
    say(`Fetched ${database} and ${images} files of images.`);
    return 0;
  },
};
