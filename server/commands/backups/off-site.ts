/** Copies of daily backups in a bucket away from the machine, sealed with the secret key of the installation. */
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BucketStore } from '../../kernel/base/files/bucket-store.ts';
import { DATABASE, IMAGES } from './folder.ts';
import { existingSecretBox, type SecretBox } from '../../kernel/base/secret-box.ts';
import { openSealedFile, sealFile } from '../../kernel/base/db/backups/sealed-file.ts';
import type { Config } from '../../config.ts';
import type { FileStore } from '../../kernel/base/files/file-store.ts';

export interface OffSite {
  readonly store: FileStore;
  readonly box: SecretBox;
}

/** Folder of the databases in the bucket. */
const BACKUPS = 'backups';
const SEALED = '.sealed';
/** The names of the images that belong to a database. */
const LISTED = '.images';

/** Opens the bucket of BACKUP_BUCKET_URL; null: none is set, or there is no secret key yet. */
export function openOffSite(config: Config): OffSite | null {
  const box = existingSecretBox(config);
  return config.backupBucket && box ? { store: new BucketStore(config.backupBucket), box } : null;
}

interface Copied {
  readonly folder: string;
  readonly name: string;
  /** how many databases the bucket keeps */
  readonly kept: number;
}

/**
 * Copies a daily backup: the images that the bucket lacks, the list of all of them, and the database. Removes the
 * oldest databases.
 */
export async function copyAway({ store, box }: OffSite, { folder, name, kept }: Copied): Promise<void> {
  const images: string[] = [];
  for (const { name: within, path, files } of foldersOf(join(folder, IMAGES))) {
    const there = new Set((await store.list(`${IMAGES}/${within}`)).map((file) => file.name));
    for (const file of files) {
      images.push(`${IMAGES}/${within}/${file}`);
      if (!there.has(file)) await store.putParts(images.at(-1)!, sealFile(join(path, file), box));
    }
  }
  await store.put(`${BACKUPS}/${name}${LISTED}`, Buffer.from(JSON.stringify(images)));
  // Last: a database in the bucket has everything that it needs.
  await store.putParts(`${BACKUPS}/${name}${SEALED}`, sealFile(join(folder, DATABASE), box));
  for (const old of (await offSiteBackups(store)).slice(0, -kept))
    for (const ending of [SEALED, LISTED]) await store.remove(`${BACKUPS}/${old}${ending}`);
}

/** Returns the names of the backups in the bucket, oldest first. */
export const offSiteBackups = async (store: FileStore): Promise<string[]> =>
  (await store.list(BACKUPS))
    .map(({ name }) => name)
    .filter((name) => name.endsWith(SEALED))
    .map((name) => name.slice(0, -SEALED.length))
    .toSorted();

/** Returns the folders with files below a folder, by their relative names. */
function foldersOf(root: string): { name: string; path: string; files: string[] }[] {
  if (!existsSync(root)) return [];
  const byFolder = Map.groupBy(
    readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    ({ parentPath }) => parentPath,
  );
  return [...byFolder].map(([path, files]) => ({
    name: relative(root, path),
    path,
    files: files.map((file) => file.name),
  }));
}

/**
 * Brings the newest backup of the bucket, or the named one, and all images into a folder, opened.
 * @throws Error with the remedy if the bucket has no backup
 */
export async function fetchBackup(
  { store, box }: OffSite,
  into: string,
  wanted?: string,
): Promise<{ readonly database: string; readonly images: number }> {
  const names = await offSiteBackups(store);
  const name = wanted ?? names.at(-1);
  if (name === undefined || !names.includes(name))
    throw new Error(
      `The bucket has no backup${wanted === undefined ? '' : ` ${wanted}`}. Remedy: check BACKUP_BUCKET_URL${names.length === 0 ? '' : `, or choose one of these: ${names.join(', ')}`}.`,
    );
  const database = join(into, DATABASE);
  await bring(store, box, `${BACKUPS}/${name}${SEALED}`, database);
  const list = await store.get(`${BACKUPS}/${name}${LISTED}`);
  const images: string[] = list ? JSON.parse(list.toString()) : [];
  for (const image of images) await bring(store, box, image, join(into, image));
  return { database, images: images.length };
}

async function bring(store: FileStore, box: SecretBox, name: string, file: string): Promise<void> {
  mkdirSync(dirname(resolve(file)), { recursive: true, mode: 0o700 });
  const sealed = `${file}.part`;
  try {
    const content = await store.read(name);
    if (content === null) throw new Error(`${name} is no longer in the bucket. Remedy: fetch again.`);
    await pipeline(content, createWriteStream(sealed, { mode: 0o600 }));
    await openSealedFile(sealed, file, box);
  } finally {
    rmSync(sealed, { force: true });
  }
}
