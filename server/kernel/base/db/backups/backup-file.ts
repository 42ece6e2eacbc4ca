import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export interface BackupTable {
  schema: string;
  name: string;
  columns: string[];
  /** Name of the oldest month, for a table with monthly partitions. */
  oldest: string | null;
}

export interface BackupManifest {
  format: 1;
  createdAt: string;
  /** the release that made the backup */
  release: string;
  migrations: { version: number; name: string; checksum: string }[];
  /** In the order in which they are stored. */
  tables: BackupTable[];
}

export interface SequenceState {
  schema: string;
  name: string;
  /** The next number that it will return; text, because it may be too large for an exact number. */
  next: string;
}

/**
 * One frame of a backup file: the manifest, then for each table `data` frames in COPY's text format and a closing
 * `table` frame, then `sequences`. The file is gzip over frames of: kind (1 byte), length (4 bytes, big endian),
 * content; the last frame is the SHA-256 of all bytes before it.
 */
export type Frame =
  | { kind: 'manifest'; manifest: BackupManifest }
  | { kind: 'data'; data: Buffer }
  | { kind: 'table'; rows: number }
  | { kind: 'sequences'; sequences: SequenceState[] };

const KINDS = { manifest: 'M', data: 'D', table: 'T', sequences: 'S' } as const;
const CHECKSUM = 'Z'.charCodeAt(0);
const HEAD = 5;
/** Far above any real frame: a greater length means that this is not a backup file. */
const MAX_FRAME = 1 << 28;

export class BackupDamaged extends Error {
  override name = 'BackupDamaged';
}

export interface FrameWriter {
  /** Resolves when there is room for the next frame, which keeps memory flat. */
  write(frame: Frame): Promise<void>;
  /** Writes the checksum and resolves once the file is complete and on the disk. */
  end(): Promise<void>;
  destroy(): void;
}

/** Writes a backup file that only its owner can read: it contains all data that people entrusted to the business. */
export function writeFrames(file: string): FrameWriter {
  const gzip = createGzip();
  const hash = createHash('sha256');
  const written = pipeline(gzip, createWriteStream(file, { mode: 0o600, flush: true }));
  // Reported by end(); until then it must not count as unhandled.
  written.catch(() => undefined);
  const put = async (kind: number, content: Buffer) => {
    const head = Buffer.alloc(HEAD);
    head[0] = kind;
    head.writeUInt32BE(content.length, 1);
    if (kind !== CHECKSUM) hash.update(head).update(content);
    gzip.write(head);
    if (!gzip.write(content)) await Promise.race([once(gzip, 'drain'), written]);
  };
  return {
    write: (frame) => put(KINDS[frame.kind].charCodeAt(0), contentOf(frame)),
    end: async () => {
      await put(CHECKSUM, hash.digest());
      gzip.end();
      await written;
    },
    destroy: () => void gzip.destroy(),
  };
}

/**
 * Reads a backup file frame by frame. The sequence ends normally only if the checksum is right.
 * @throws BackupDamaged for a file that is truncated, altered, or not a backup
 */
export async function* readFrames(file: string): AsyncGenerator<Frame> {
  const source = createReadStream(file);
  await once(source, 'open');
  const gunzip = createGunzip();
  const piped = pipeline(source, gunzip);
  piped.catch(() => undefined);
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);
  let complete = false;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      rest = rest.length ? Buffer.concat([rest, chunk]) : chunk;
      for (let frame = cut(rest); frame; frame = cut(rest)) {
        rest = rest.subarray(frame.length);
        if (complete) throw new BackupDamaged('something follows its end');
        if (frame[0] === CHECKSUM) {
          if (!frame.subarray(HEAD).equals(hash.digest()))
            throw new BackupDamaged('its checksum does not fit its content');
          complete = true;
        } else {
          hash.update(frame);
          yield parse(frame);
        }
      }
    }
  } catch (error) {
    // gzip reports damage as an error of its own.
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? new BackupDamaged('it is cut off or was altered', { cause: error }) : error;
  } finally {
    source.destroy();
    gunzip.destroy();
    await finished(gunzip).catch(() => undefined);
  }
  if (!complete || rest.length > 0) throw new BackupDamaged('it is cut off');
}

function contentOf(frame: Frame): Buffer {
  switch (frame.kind) {
    case 'data':
      return frame.data;
    case 'manifest':
      return Buffer.from(JSON.stringify(frame.manifest));
    case 'table':
      return Buffer.from(JSON.stringify(frame.rows));
    case 'sequences':
      return Buffer.from(JSON.stringify(frame.sequences));
  }
}

/** Returns the first complete frame, including its header; undefined until it has arrived. */
function cut(bytes: Buffer): Buffer | undefined {
  if (bytes.length < HEAD) return undefined;
  const length = bytes.readUInt32BE(1);
  if (length > MAX_FRAME) throw new BackupDamaged('it is no backup file');
  return bytes.length < HEAD + length ? undefined : bytes.subarray(0, HEAD + length);
}

function parse(frame: Buffer): Frame {
  const content = frame.subarray(HEAD);
  switch (String.fromCharCode(frame[0])) {
    case KINDS.data:
      return { kind: 'data', data: content };
    case KINDS.manifest:
      return { kind: 'manifest', manifest: JSON.parse(content.toString()) };
    case KINDS.table:
      return { kind: 'table', rows: JSON.parse(content.toString()) };
    case KINDS.sequences:
      return { kind: 'sequences', sequences: JSON.parse(content.toString()) };
    default:
      throw new BackupDamaged('it is no backup file, or one of a later release');
  }
}
