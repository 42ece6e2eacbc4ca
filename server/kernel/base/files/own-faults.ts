/** A store that marks its errors as its own: a full disk, or an unreachable bucket, is not a lost database. */
import type { FileStore } from './file-store.ts';

/** A file could not be stored, read or removed. */
export class FilesFailed extends Error {
  override name = 'FilesFailed';
  /** there is no space left */
  readonly full: boolean;

  constructor(cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(`a file could not be kept or read: ${message}`, { cause });
    this.full = code === 'ENOSPC' || code === 'EDQUOT';
  }
}

/** Wraps an error as one of the store. An invalid name is a bug in the program instead. */
const faultOf = (error: unknown): unknown =>
  error instanceof RangeError || error instanceof FilesFailed ? error : new FilesFailed(error);

const withFault = async <T>(act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    throw faultOf(error);
  }
};

export class OwnFaults implements FileStore {
  readonly #store: FileStore;

  constructor(store: FileStore) {
    this.#store = store;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    return withFault(() => this.#store.put(name, bytes));
  }

  async putParts(name: string, parts: AsyncIterable<string | Uint8Array>): Promise<number> {
    // The source of the parts has errors of its own.
    let theirs: { readonly error: unknown } | null = null;
    async function* watched(): AsyncGenerator<string | Uint8Array> {
      try {
        yield* parts;
      } catch (error) {
        theirs = { error };
        throw error;
      }
    }
    try {
      return await this.#store.putParts(name, watched());
    } catch (error) {
      throw theirs === null ? faultOf(error) : error;
    }
  }

  get(name: string): Promise<Buffer | null> {
    return withFault(() => this.#store.get(name));
  }

  read(name: string): Promise<AsyncIterable<Uint8Array> | null> {
    return withFault(() => this.#store.read(name));
  }

  remove(name: string): Promise<void> {
    return withFault(() => this.#store.remove(name));
  }

  list(folder: string) {
    return withFault(() => this.#store.list(folder));
  }
}
