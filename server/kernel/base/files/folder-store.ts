/** Files in a folder of this machine, or one that all machines of the installation share. */
import { mkdir, open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isFileName, type FileStore, type Stored } from './file-store.ts';

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/** A partial file that has not grown for this long belongs to a process that was killed: nobody continues it. */
const ABANDONED_MS = 86_400_000;

export class FolderStore implements FileStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#write(name, (file) => file.writeFile(bytes));
  }

  async putParts(name: string, parts: AsyncIterable<string | Uint8Array>): Promise<number> {
    let written = 0;
    await removeAbandoned(dirname(this.#path(name)));
    await this.#write(name, async (file) => {
      for await (const part of parts) {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part;
        await file.appendFile(bytes);
        written += bytes.length;
      }
    });
    return written;
  }

  async #write(name: string, fill: (file: FileHandle) => Promise<void>): Promise<void> {
    const path = this.#path(name);
    await mkdir(dirname(path), { recursive: true });
    // Under another name until it is complete and on disk: a reader sees all of it or nothing.
    const partial = join(dirname(path), `.${randomUUID()}`);
    try {
      const file = await open(partial, 'wx');
      try {
        await fill(file);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  async get(name: string): Promise<Buffer | null> {
    try {
      return await readFile(this.#path(name));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async read(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      return (await open(this.#path(name))).createReadStream();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { recursive: true, force: true });
  }

  async list(folder: string): Promise<Stored[]> {
    const path = this.#path(folder);
    const names = await readdir(path).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const found = await Promise.all(
      names
        .filter((name) => !name.startsWith('.'))
        .map(async (name) => {
          const known = await stat(join(path, name)).catch(() => null);
          return known && { name, at: known.mtimeMs };
        }),
    );
    return found.filter((one) => one !== null);
  }

  #path(name: string): string {
    if (!isFileName(name)) throw new RangeError(`Not the name of a file: ${JSON.stringify(name)}`);
    return join(this.#root, name);
  }
}

/** Removes parts of large files, which a killed process may leave behind. */
async function removeAbandoned(folder: string): Promise<void> {
  const before = Date.now() - ABANDONED_MS;
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => name.startsWith('.')).map((name) => join(folder, name))) {
    const known = await stat(path).catch(() => null);
    if (known && known.mtimeMs < before) await rm(path, { force: true });
  }
}
