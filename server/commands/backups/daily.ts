/**
 * The daily backup that a service makes of itself: a folder with the database, the images, and a list of what it
 * contains. The newest 14 are kept. With a bucket, an encrypted copy leaves the machine.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { backup } from '../../kernel/base/db/backups/backup.ts';
import { connectTo } from '../../kernel/base/db/connections/connect.ts';
import { copyAway, type OffSite } from './off-site.ts';
import { existingSecretBox } from '../../kernel/base/secret-box.ts';
import { DATABASE, fileStamp, IMAGES, makeBackupsFolder } from './folder.ts';
import { lookForSealed } from '../sealed.ts';
import { recordBackup } from '../../kernel/base/db/backups/backup-record.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { verifyBackup } from './verify-backup.ts';
import type { Config } from '../../config.ts';

const KEPT = 14;
const DAY_MS = 86_400_000;
/** A restore is tested this often; the doctor reports one that is older than 30 days. */
const TEST_EVERY_MS = 7 * DAY_MS;
/** Space that PostgreSQL and the machine need besides the backup. */
const SPARE_BYTES = 500_000_000;

export interface Daily {
  /** connection string of the owner of the database */
  readonly url: string;
  readonly config: Config;
  readonly now: number;
  readonly offSite: OffSite | null;
}

/** The contents of a daily backup, as `contents.json` in its folder. */
export interface Contents {
  readonly release: string;
  readonly made_at: string;
  readonly tables: number;
  readonly rows: number;
  readonly images: number;
  /** what is sealed with a key that this installation doesn't have, such as "3 second factors" */
  readonly cannot_be_opened: string | null;
  /** sealed values in it need the secret key, which is in no backup */
  readonly needs_secret_key: true;
}

export const dailyFolder = (config: Pick<Config, 'dataDir'>): string => join(makeBackupsFolder(config), 'daily');

/** Returns the names of the daily backups, oldest first. */
export function dailyBackups(config: Pick<Config, 'dataDir'>): string[] {
  const folder = dailyFolder(config);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^\d{8}-\d{6}$/.test(name))
        .toSorted()
    : [];
}

/** Returns true if the last daily backup is a day old, or there is none. */
export function isBackupDue({ config, now }: Pick<Daily, 'config' | 'now'>): boolean {
  const last = dailyBackups(config).at(-1);
  return last === undefined || last <= fileStamp(now - DAY_MS);
}

/**
 * Makes a daily backup, removes the oldest, sends a copy away, and tests a restore once a week. Returns its folder.
 * @throws Error with the remedy; what was made before stays
 */
export async function backUpDaily(daily: Daily): Promise<string> {
  const { url, config, now, offSite } = daily;
  const name = fileStamp(now);
  const folder = join(dailyFolder(config), name);
  const unfinished = `${folder}.part`;
  await checkSpace(daily);
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  try {
    // The database first: images that its rows name exist already.
    const { tables, rows } = await backup(url, join(unfinished, DATABASE));
    const images = config.bucket ? 0 : linkAll(join(resolve(config.dataDir), IMAGES), join(unfinished, IMAGES));
    const contents: Contents = {
      release: RELEASE,
      made_at: new Date(now).toISOString(),
      tables,
      rows,
      images,
      cannot_be_opened: await lookForSealed(url, existingSecretBox(config)),
      needs_secret_key: true,
    };
    writeFileSync(join(unfinished, 'contents.json'), `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  await recordBackup(url, folder);
  for (const old of dailyBackups(config).slice(0, -KEPT))
    rmSync(join(dailyFolder(config), old), { recursive: true, force: true });
  if (offSite) await copyAway(offSite, { folder, name, kept: KEPT });
  if (await isTestDue(url, now)) await verifyBackup(url, config, join(folder, DATABASE));
  return folder;
}

/**
 * Links the files of a folder into another, which takes no space: files of images never change. Where links are
 * impossible, it copies them.
 */
function linkAll(from: string, to: string): number {
  if (!existsSync(from)) return 0;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  let count = 0;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) count += linkAll(source, target);
    // Partial files begin with a dot.
    else if (!entry.name.startsWith('.') && placed(source, target)) count++;
  }
  return count;
}

/** Returns false if the image was removed meanwhile. */
function placed(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    copyFileSync(source, target);
    return true;
  }
}

async function checkSpace({ url, config }: Daily): Promise<void> {
  const client = await connectTo(url);
  try {
    const { rows } = await client.query('SELECT pg_database_size(current_database())::text AS bytes');
    const folder = makeBackupsFolder(config);
    const { bavail, bsize } = statfsSync(folder);
    const last = dailyBackups(config).at(-1);
    const file = last === undefined ? null : join(dailyFolder(config), last, DATABASE);
    // The first backup is smaller than the database, and each later one about as large as the one before.
    const expected = file !== null && existsSync(file) ? 2 * statSync(file).size : Number(rows[0].bytes);
    if (bavail * bsize < expected + SPARE_BYTES)
      throw new Error(
        `No daily backup was made: ${Math.round((bavail * bsize) / 1e6)} MB are free in ${folder}, and it needs ${Math.round((expected + SPARE_BYTES) / 1e6)} MB. Remedy: free up space.`,
      );
  } finally {
    await client.end();
  }
}

/** Returns true if no restore was tested for a week, and this login can test one. */
async function isTestDue(url: string, now: number): Promise<boolean> {
  const client = await connectTo(url);
  try {
    const { rows } = await client.query(
      `SELECT (SELECT extract(epoch FROM max(at))::float8 * 1000 FROM public.restore_test) AS last,
         (SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user) AS may`,
    );
    return rows[0].may && (rows[0].last === null || rows[0].last <= now - TEST_EVERY_MS);
  } finally {
    await client.end();
  }
}
