import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import copy from 'pg-copy-streams';
import type pg from 'pg';
import { qualified, quote } from '../quote.ts';
import type { BackupTable, FrameWriter } from './backup-file.ts';

/** One value a line, without a quote or a separator that JSON could contain: the line is the value itself. */
export const AS_LINES = `(FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;

export interface BackupResult {
  tables: number;
  rows: number;
}

/** Streams the rows of a table, including its partitions, into the file, and returns their number. */
export async function writeTable(client: pg.Client, writer: FrameWriter, table: BackupTable): Promise<number> {
  const stream = client.query(
    copy.to(`COPY (SELECT ${table.columns.map(quote).join(', ')} FROM ${qualified(table)}) TO STDOUT`),
  );
  for await (const data of stream) await writer.write({ kind: 'data', data });
  return stream.rowCount;
}

/** Streams the rows of a table into the database and returns their number. */
export async function readTable(client: pg.Client, table: BackupTable, chunks: AsyncIterable<Buffer>): Promise<number> {
  const stream = client.query(
    copy.from(`COPY ${qualified(table)} (${table.columns.map(quote).join(', ')}) FROM STDIN`),
  );
  const done = finished(stream);
  // A refused row ends the stream during the write; the error is thrown below.
  done.catch(() => undefined);
  try {
    for await (const chunk of chunks) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  stream.end();
  await done;
  return stream.rowCount;
}

/** Adds a remedy to the error of a role that row-level security or ownership restricts. */
export function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message: string };
  if (code !== '42501' && code !== '0A000') return error;
  return new Error(
    `${message}. Remedy: use a connection string of a superuser or of a role with BYPASSRLS that owns the tables.`,
    { cause: error },
  );
}
