/**
 * The reader for the table of an uploaded file, which doesn't block anything else in this process, even if the file is
 * malicious.
 */
import { invalid } from '../../../kernel/base/problem.ts';
import { inThread, ThreadEnded } from '../../../kernel/base/apart/thread.ts';
import { OneAtATime, type Whose } from '../../../kernel/base/apart/one-at-a-time.ts';
import type { CsvRow, Dialect, Rejection } from '../../../kernel/base/csv/read-csv.ts';

export const MAX_BYTES = 16 * 1024 * 1024;
export const MAX_ROWS = 50_000;
/** Characters. */
export const LONGEST_CELL = 10_000;

const BOUNDS = { withinMs: 60_000, memoryMb: 384 };
const turns = new OneAtATime({ ofOne: 2, bytes: 128 * 1024 * 1024, what: 'files are being uploaded' });

/** null for a workbook */
export interface Beginning {
  readonly written: Dialect | null;
  readonly heading: readonly string[];
  /** line of the heading, counted from 1 */
  readonly line: number;
}

export interface Portion {
  readonly rows: readonly CsvRow[];
  /** lines that could not be read as rows */
  readonly rejected: readonly Rejection[];
}

/** Where the table is in its file, as somebody says; otherwise it is found. */
export interface Place {
  /** name of a sheet of a workbook; absent: the first one */
  readonly sheet?: string;
  /** line of the heading, counted from 1 */
  readonly heading?: number;
}

/** The beginning of a file as it is, for a person who looks for its heading. */
export interface FirstRows {
  readonly format: 'csv' | 'xlsx';
  /** names of the sheets of a workbook */
  readonly sheets: readonly string[];
  /** line that is taken for the heading; null if there is none */
  readonly heading: number | null;
  readonly first: readonly CsvRow[];
}

/** Data of the thread. `looks`: only the first rows are wanted */
export interface Given {
  readonly bytes: Uint8Array;
  readonly place: Place;
  readonly looks: boolean;
}

/** Messages of the thread. */
export type Told = Beginning | Portion | FirstRows | { readonly refused: string };

/** @throws Problem that says what is wrong with the file, or the error of one of `takes` */
export const readTable = (
  { bytes, place }: { readonly bytes: Buffer; readonly place: Place },
  whose: Whose,
  takes: { readonly begins: (table: Beginning) => void; readonly goesOn: (portion: Portion) => void },
): Promise<void> =>
  inTurn({ bytes, place, looks: false }, whose, (message) => {
    if ('rows' in message) takes.goesOn(message);
    else if ('line' in message) takes.begins(message);
  });

/** @throws Problem that says what is wrong with the file */
export async function readFirstRows(bytes: Buffer, whose: Whose, sheet: string | undefined): Promise<FirstRows> {
  let found: FirstRows | undefined;
  await inTurn({ bytes, place: { sheet }, looks: true }, whose, (message) => {
    if ('first' in message) found = message;
  });
  return found!;
}

const inTurn = (
  given: Given,
  whose: Whose,
  take: (message: Exclude<Told, { readonly refused: string }>) => void,
): Promise<void> =>
  turns.run(whose, given.bytes.length, async () => {
    const bounds = { ...BOUNDS, gone: whose.gone };
    try {
      for await (const message of inThread<Told>(new URL('./table-thread.ts', import.meta.url), given, bounds)) {
        if ('refused' in message) throw invalid('file', message.refused);
        take(message);
      }
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw invalid('file', 'The file takes too much time or memory to read. Save its table as CSV, in several files.');
    }
  });
