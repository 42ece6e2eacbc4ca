/** Rows as lines of JSON in a compressed file, verified by reading it again. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, type Gunzip, type Gzip } from 'node:zlib';
import copy from 'pg-copy-streams';
import type pg from 'pg';
import { AS_LINES } from '../../base/db/backups/backup-copy.ts';
import { quote } from '../../base/db/quote.ts';
import type { FileStore } from '../../base/files/file-store.ts';

export interface Written {
  readonly rows: number;
  /** hash of the uncompressed lines */
  readonly sha256: string;
}

/**
 * Writes an archive. `from`: a table, optionally with a condition, as SQL that the program wrote.
 * @throws Error if the file, read again, differs from what was written
 */
export async function writeArchive(
  client: pg.ClientBase,
  files: FileStore,
  { file, columns, from }: { readonly file: string; readonly columns: readonly string[]; readonly from: string },
): Promise<Written> {
  const hash = createHash('sha256');
  let rows = 0;
  const chosen = `SELECT ${columns.map(quote).join(', ')} FROM ${from} ORDER BY provider_id, id`;
  const stream = client.query(copy.to(`COPY (SELECT row_to_json(r) FROM (${chosen}) r) TO STDOUT ${AS_LINES}`));
  const counted = async function* () {
    for await (const piece of stream) {
      hash.update(piece);
      rows += newlinesIn(piece);
      yield piece;
    }
  };
  await squeezed(counted(), createGzip(), (parts) => files.putParts(file, parts));
  const written = { rows, sha256: hash.digest('hex') };
  const found = await readBack(files, file);
  if (found.rows !== written.rows || found.sha256 !== written.sha256)
    throw new Error(`${file} is not what was written: ${found.rows} lines instead of ${written.rows}`);
  return written;
}

async function readBack(files: FileStore, file: string): Promise<Written> {
  const stored = await files.read(file);
  if (!stored) throw new Error(`${file} was written and is not there`);
  const hash = createHash('sha256');
  let rows = 0;
  await squeezed(stored, createGunzip(), async (parts) => {
    for await (const piece of parts) {
      hash.update(piece);
      rows += newlinesIn(piece);
    }
  });
  return { rows, sha256: hash.digest('hex') };
}

/** Compresses the lines. The first failure fails everything. */
async function squeezed(
  from: AsyncIterable<Uint8Array>,
  through: Gzip | Gunzip,
  take: (parts: AsyncIterable<Buffer>) => Promise<unknown>,
): Promise<void> {
  const filling = pipeline(from, through);
  // Reported below; until then it must not count as unhandled.
  filling.catch(() => undefined);
  await take(through);
  await filling;
}

/** Counts newlines: JSON has none inside a line. */
function newlinesIn(piece: Buffer): number {
  let n = 0;
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) n++;
  return n;
}
