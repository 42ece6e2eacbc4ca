/**
 * Storage for files outside the database. Names are paths of plain segments (`images/7/abc/640.webp`). One
 * implementation uses a folder, the other a bucket.
 */
export interface FileStore {
  /** Stores the file completely or not at all, replacing one with the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Stores a file of any size from its parts; returns the number of bytes. */
  putParts(name: string, parts: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** Returns the file; null: there is none. */
  get(name: string): Promise<Buffer | null>;
  /** Returns the file in parts; null: there is none. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes the file, or the folder and everything in it; does nothing if there is none. */
  remove(name: string): Promise<void>;
  /** Returns the direct entries of the folder, and when each was stored, epoch ms. */
  list(folder: string): Promise<readonly Stored[]>;
}

export interface Stored {
  readonly name: string;
  readonly at: number;
}

const NAME = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*(?:\.[a-z0-9]{1,8})?$/;

/** Returns true for a valid name: it cannot lead out of the store. */
export const isFileName = (name: string): boolean => name.length <= 200 && NAME.test(name);
