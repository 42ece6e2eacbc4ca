/** Where the bytes of a table come from: read from the beginning as often as somebody asks. */
import { createReadStream, statSync } from 'node:fs';

export interface Source {
  /** for messages */
  readonly name: string;
  readonly size: number;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** @throws Error with a remedy where there is no file that can be read twice */
export function sourceOfFile(path: string): Source {
  const stat = statSync(path);
  if (!stat.isFile()) throw new Error(`${path} is not a file. Remedy: name a CSV file.`);
  return {
    name: path,
    size: stat.size,
    // Opened when the first bytes are asked for, and closed when nobody asks any more.
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
