/** The worker thread that reads one uploaded table. Its time and memory are limited from outside. */
import { linesAbove, SEARCHED, splitLine } from './heading.ts';
import { firstRowsOf, openSheet, WorkbookUnreadable } from './read-xlsx.ts';
import { firstLines, recogniseDialect } from '../../../kernel/base/csv/dialect.ts';
import { posting } from '../../../kernel/base/apart/posting.ts';
import {
  readCsv,
  sourceOfBytes,
  type CsvRow,
  type Dialect,
  type Rejection,
} from '../../../kernel/base/csv/read-csv.ts';
import { LONGEST_CELL, MAX_ROWS, type FirstRows, type Given, type Place, type Told } from './table.ts';

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

const MOST = { rows: MAX_ROWS, cell: LONGEST_CELL };

async function openTable(bytes: Buffer, place: Place, onRejected: (rejection: Rejection) => void): Promise<Table> {
  const { heading } = place;
  const above = heading === undefined ? linesAbove : () => heading - 1;
  if (!bytes.subarray(0, 2).equals(ARCHIVE))
    return readCsv(sourceOfBytes('The file', bytes), onRejected, above).catch((error: Error) => {
      throw error instanceof Enough ? error : new Refused(sentencesOf(error.message));
    });
  const sheet = await openSheet(bytes, { ...MOST, place }, onRejected);
  const twice = sheet.heading.find((name, i) => name !== '' && sheet.heading.indexOf(name) !== i);
  if (twice !== undefined) throw new Refused(`The file has two columns named "${twice}". Give each its own name.`);
  return { written: null, ...sheet };
}

/** Returns the first rows of a file as they are, whatever they contain. */
async function look(bytes: Buffer, place: Place): Promise<FirstRows> {
  if (bytes.subarray(0, 2).equals(ARCHIVE))
    return { format: 'xlsx', ...(await firstRowsOf(bytes, { ...MOST, place })) };
  const source = sourceOfBytes('The file', bytes);
  const { encoding, delimiter, skip } = await recogniseDialect(source, linesAbove);
  const lines = await firstLines(source, encoding, SEARCHED);
  const first = lines.flatMap((text, i) =>
    text.trim() === '' ? [] : [{ line: i + 1, cells: splitLine(text.slice(0, LONGEST_CELL), delimiter) }],
  );
  return { format: 'csv', sheets: [], heading: first.length === 0 ? null : skip + 1, first };
}

async function* read({ bytes: given, place, looks }: Given): AsyncGenerator<Told> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  let rejected: Rejection[] = [];
  let rows: CsvRow[] = [];
  let seen = 0;
  const count = (): void => {
    if (++seen > MAX_ROWS) throw new Enough();
  };
  try {
    if (looks) return yield await look(bytes, place);
    const table = await openTable(bytes, place, (one) => {
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
