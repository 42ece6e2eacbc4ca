/** The folder of the backups that the service and `rollcall update` make themselves. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../../config.ts';

/** Names in the folder of a daily backup. */
export const DATABASE = 'database.backup';
export const IMAGES = 'images';

const backupsFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(resolve(dataDir), 'backups');

/** Creates the folder, readable by its owner only. */
export function makeBackupsFolder(config: Pick<Config, 'dataDir'>): string {
  const folder = backupsFolder(config);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Returns a moment as part of a file name, in UTC. */
export const fileStamp = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
