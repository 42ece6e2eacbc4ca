/** The source of a table's bytes, which can be read from the beginning repeatedly. */
import { createReadStream, statSync } from 'node:fs';

export interface Source {
  /** for messages */
  readonly name: string;
  readonly size: number;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/**
 * Returns the source for a file.
 * @throws Error with a remedy if there is no file that can be read twice
 */
export function sourceOfFile(path: string): Source {
  const stat = statSync(path);
  if (!stat.isFile()) throw new Error(`${path} is not a file. Remedy: name a CSV file.`);
  return {
    name: path,
    size: stat.size,
    // Opens when the first bytes are requested, and closes when reading ends.
    async *bytes() {
      yield* createReadStream(path) as AsyncIterable<Uint8Array>;
    },
  };
}

const CHUNK = 65_536;

export const sourceOfBytes = (name: string, all: Buffer): Source => ({
  name,
  size: all.length,
  async *bytes() {
    for (let at = 0; at < all.length; at += CHUNK) yield all.subarray(at, at + CHUNK);
  },
});
