/**
 * Writes ZIP files while their content arrives, regardless of its length: sizes and checksums follow each entry.
 * Without the extension for large files, which not every reader supports: each entry, and the whole file, must stay
 * below 4 GB.
 */
import { crc32, createDeflateRaw } from 'node:zlib';
import { pipeline } from 'node:stream';

export interface Entry {
  readonly name: string;
  readonly parts: AsyncIterable<string>;
}

/** Sizes and offsets have four bytes. */
const MAX_ROWS = 0xffff_ffff;

/** Names are UTF-8; in a file that is written as it arrives, size and checksum follow the content. */
const FLAGS = { known: 0x0800, following: 0x0808 } as const;
const METHODS = { stored: 0, deflated: 8 } as const;
const VERSION = 20;
/** 1 January 1980: a file does not reveal when it was written. */
const DAY = 0x21;

/** Fast rather than small: the files are read once or twice. */
const LEVEL = 2;
/** Bytes that are passed on together: each chunk needs a switch to another thread, and a write. */
const CHUNK = 65_536;

interface Written {
  readonly name: Buffer;
  readonly at: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly method: keyof typeof METHODS;
}

/** Returns the fields of an entry that its header and the directory at the end of the file share. */
function described({ name, crc, packed, size, method }: Omit<Written, 'at'>): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(VERSION, 0);
  bytes.writeUInt16LE(method === 'stored' ? FLAGS.known : FLAGS.following, 2);
  bytes.writeUInt16LE(METHODS[method], 4);
  bytes.writeUInt16LE(DAY, 8);
  bytes.writeUInt32LE(crc, 10);
  bytes.writeUInt32LE(packed, 14);
  bytes.writeUInt32LE(size, 18);
  bytes.writeUInt16LE(name.length, 22);
  return bytes;
}

function uint32s(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [n, number] of numbers.entries()) bytes.writeUInt32LE(number, n * 4);
  return bytes;
}

const localHeader = (of: Omit<Written, 'at'>): Buffer => Buffer.concat([uint32s(0x0403_4b50), described(of), of.name]);

function directoryEntry(of: Written): Buffer {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(of.at, 10);
  return Buffer.concat([uint32s(0x0201_4b50), Buffer.from([VERSION, 0]), described(of), rest, of.name]);
}

function directoryEnd(entries: number, size: number, at: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x0605_4b50, 0);
  bytes.writeUInt16LE(entries, 8);
  bytes.writeUInt16LE(entries, 10);
  bytes.writeUInt32LE(size, 12);
  bytes.writeUInt32LE(at, 16);
  return bytes;
}

/** Yields the bytes of a ZIP file with these entries, in order. */
export async function* zip(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  const written: Written[] = [];
  let at = 0;
  for await (const { name: text, parts } of entries) {
    const name = Buffer.from(text);
    const header = localHeader({ name, crc: 0, packed: 0, size: 0, method: 'deflated' });
    yield header;
    let [crc, packed, size] = [0, 0, 0];
    async function* bytesOf() {
      for await (const part of parts) {
        const bytes = Buffer.from(part);
        crc = crc32(bytes, crc);
        size += bytes.length;
        yield bytes;
      }
    }
    // A failure of the parts ends the loop below with the same error.
    const deflated = pipeline(bytesOf, createDeflateRaw({ level: LEVEL, chunkSize: CHUNK }), () => {});
    for await (const chunk of deflated as AsyncIterable<Buffer>) {
      packed += chunk.length;
      yield chunk;
    }
    written.push({ name, at, crc, packed, size, method: 'deflated' });
    at += header.length + packed + 16;
    if (size > MAX_ROWS || at > MAX_ROWS) throw new RangeError('The file gets too large: a ZIP file can have 4 GB.');
    yield uint32s(0x0807_4b50, crc, packed, size);
  }
  yield directoryOf(written, at);
}

function directoryOf(written: readonly Written[], at: number): Buffer {
  const directory = Buffer.concat(written.map(directoryEntry));
  return Buffer.concat([directory, directoryEnd(written.length, directory.length, at)]);
}

/** Returns a small, uncompressed ZIP file: sizes precede the content, so the simplest reader can open it. */
export function storedZip(files: ReadonlyMap<string, Buffer>): Buffer {
  const written: Written[] = [];
  const parts: Buffer[] = [];
  let at = 0;
  for (const [name, bytes] of files) {
    const size = bytes.length;
    const one: Written = { name: Buffer.from(name), at, crc: crc32(bytes), packed: size, size, method: 'stored' };
    const header = localHeader(one);
    written.push(one);
    parts.push(header, bytes);
    at += header.length + size;
  }
  return Buffer.concat([...parts, directoryOf(written, at)]);
}
