/**
 * What is kept as files beside the database. Names are paths of plain segments (`images/7/abc/640.webp`). One
 * implementation keeps them in a folder, the other in a bucket.
 */
export interface FileStore {
  /** Stores the file whole or not at all, in place of one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** The same with what comes in parts, however much it is; returns how many bytes there were. */
  putParts(name: string, parts: AsyncIterable<string | Uint8Array>): Promise<number>;
  /** Null: there is none. */
  get(name: string): Promise<Buffer | null>;
  /** The same in parts; null: there is none. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Removes the file, or the folder and everything in it; nothing happens if there is none. */
  remove(name: string): Promise<void>;
  /** What is directly in the folder, and when each was stored, epoch ms. */
  list(folder: string): Promise<readonly Stored[]>;
}

export interface Stored {
  readonly name: string;
  readonly at: number;
}

const NAME = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*(?:\.[a-z0-9]{1,8})?$/;

/** Whether it is a name: nothing in it leads out of the store. */
export const isFileName = (name: string): boolean => name.length <= 200 && NAME.test(name);
