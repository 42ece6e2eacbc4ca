/**
 * The container of an archive: the part of POSIX tar that plain files in plain folders need. Equal content results in
 * equal bytes: no times, no owners, and no permissions but the reader's.
 */
const BLOCK = 512;
const ZEROS = Buffer.alloc(BLOCK);
/** limit of the size field in a header: eleven octal digits, 8 GiB */
const MAX_BYTES = 8 ** 11 - 1;

/** The archive is truncated, was altered, or is not an archive. `message` says which, and can be shown. */
export class ArchiveDamaged extends Error {
  override name = 'ArchiveDamaged';
}

/**
 * Returns the header of a file.
 * @throws Error if the name or the content is too long
 */
export function tarHeader(name: string, bytes: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive.`);
  if (bytes > MAX_BYTES) throw new Error(`${name} has ${bytes} bytes, more than fit into one part of an archive.`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${'0'.padStart(11, '0')}\0`, 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Returns the padding after the content of a file, up to the next whole block. */
export const tarPadding = (bytes: number): Buffer => ZEROS.subarray(0, (BLOCK - (bytes % BLOCK)) % BLOCK);

/** The end of an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** A file of an archive that is being read: its content must be read to its end before the next file. */
export interface TarFile {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

/**
 * Yields the files of a tar archive, in order. Refuses everything but plain files: no links, folders or extensions.
 * @throws ArchiveDamaged
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarFile> {
  const bytes = new Take(source);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header.equals(ZEROS)) break;
    const { name, size } = readHeader(header);
    let read = false;
    const content = async function* () {
      yield* bytes.upTo(size);
      await bytes.exactly(tarPadding(size).length);
      read = true;
    };
    yield { name, bytes: size, content: content() };
    if (!read) throw new Error(`${name} was not read to its end`);
  }
  if (!(await bytes.exactly(BLOCK)).equals(ZEROS) || !(await bytes.atEnd()))
    throw new ArchiveDamaged('something follows its end');
}

function readHeader(header: Buffer): { name: string; size: number } {
  const field = (from: number, length: number) => {
    const text = header.toString('utf8', from, from + length);
    return text.slice(0, (text.indexOf('\0') + 1 || text.length + 1) - 1).trim();
  };
  const size = field(124, 12);
  if (field(257, 5) !== 'ustar' || Number.parseInt(field(148, 8), 8) !== sumOf(header) || !/^[0-7]{1,11}$/.test(size))
    throw new ArchiveDamaged('it is not an archive of a business');
  const name = field(0, 100);
  if (header[156] !== '0'.charCodeAt(0) || header[345] !== 0 || name === '')
    throw new ArchiveDamaged(`it contains "${name}", which is not a plain file`);
  return { name, size: Number.parseInt(size, 8) };
}

/** Returns the checksum of a header: the sum of its bytes, with spaces in place of the checksum. */
const sumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/** A stream that is read by requested numbers of bytes. */
class Take {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async exactly(n: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.upTo(n)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *upTo(n: number): AsyncGenerator<Buffer> {
    for (let left = n; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new ArchiveDamaged('it is cut off');
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async atEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more());
  }

  async #more(): Promise<boolean> {
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done) return false;
      if (value.length === 0) continue;
      this.#rest = value;
      return true;
    }
  }
}
