/** The worker thread that reads one uploaded table. Its time and memory are limited from outside. */
import { linesAbove } from './heading.ts';
import { openSheet, WorkbookUnreadable } from './read-xlsx.ts';
import { posting } from '../../../kernel/base/apart/posting.ts';
import {
  readCsv,
  sourceOfBytes,
  type CsvRow,
  type Dialect,
  type Rejection,
} from '../../../kernel/base/csv/read-csv.ts';
import { LONGEST_CELL, MAX_ROWS, type Told } from './table.ts';

interface Table {
  /** null for a workbook */
  readonly written: Dialect | null;
  readonly heading: readonly string[];
  /** line of the heading, counted from 1; absent for a text, whose dialect has the lines above it */
  readonly line?: number;
  readonly rows: AsyncIterable<CsvRow>;
}

/** Thrown if the file isn't a readable table. */
class Refused extends Error {}
/** Thrown if the file has more rows than allowed, whatever the others contain. */
class Enough extends Error {}

const ARCHIVE = Buffer.from('PK');
/** Rows in one message. */
const PORTION = 500;

/** Splits "x is empty. Remedy: the first line …" into two sentences. */
const sentencesOf = (message: string): string =>
  message.replace(/ Remedy: (\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`);

async function openTable(bytes: Buffer, onRejected: (rejection: Rejection) => void): Promise<Table> {
  if (!bytes.subarray(0, 2).equals(ARCHIVE))
    return readCsv(sourceOfBytes('The file', bytes), onRejected, linesAbove).catch((error: Error) => {
      throw error instanceof Enough ? error : new Refused(sentencesOf(error.message));
    });
  const sheet = await openSheet(bytes, { rows: MAX_ROWS, cell: LONGEST_CELL }, onRejected);
  const twice = sheet.heading.find((name, i) => name !== '' && sheet.heading.indexOf(name) !== i);
  if (twice !== undefined) throw new Refused(`The file has two columns named "${twice}". Give each its own name.`);
  return { written: null, ...sheet };
}

async function* read(given: Uint8Array): AsyncGenerator<Told> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  let rejected: Rejection[] = [];
  let rows: CsvRow[] = [];
  let seen = 0;
  const count = (): void => {
    if (++seen > MAX_ROWS) throw new Enough();
  };
  try {
    const table = await openTable(bytes, (one) => {
      rejected.push(one);
      count();
    });
    yield { heading: table.heading, written: table.written, line: table.line ?? (table.written?.skip ?? 0) + 1 };
    for await (const row of table.rows) {
      rows.push(row);
      count();
      if (rows.length + rejected.length < PORTION) continue;
      yield { rows, rejected };
      [rows, rejected] = [[], []];
    }
  } catch (error) {
    if (error instanceof Refused || error instanceof WorkbookUnreadable) return yield { refused: error.message };
    if (!(error instanceof Enough)) throw error;
  }
  yield { rows, rejected };
}

await posting(read);
