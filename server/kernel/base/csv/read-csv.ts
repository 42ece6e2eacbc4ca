/** Reads a CSV file row by row: memory does not grow with the file. */
import { HeadingUnreadable, LONGEST_ROW, Records, type CsvRow, type Rejection } from './records.ts';
import { recogniseDialect, spokenDialect, type Dialect, type Encoding } from './dialect.ts';
import { sourceOfFile, type Source } from './source.ts';

export { spokenDialect, type Dialect } from './dialect.ts';
export { sourceOfBytes, type Source } from './source.ts';
export type { CsvRow, Rejection } from './records.ts';

export interface CsvFile {
  readonly heading: readonly string[];
  /** encoding and separator, such as "UTF-8, separated by commas" */
  readonly dialect: string;
  readonly written: Dialect;
  readonly rows: AsyncIterable<CsvRow>;
  /**
   * the same rows from the beginning, for callers that must read the whole file before the first row; reports no
   * rejections
   */
  again(): AsyncIterable<CsvRow>;
  /** part of the file that has been read, 0 to 1 */
  progress(): number;
}

/**
 * Reads a file.
 * @param onRejected called for unreadable rows: unclosed quotation marks, too many or too few cells
 * @param linesAbove returns the number of lines above the heading; if absent, the first line is the heading
 * @throws Error if the file has no heading, or cannot be read
 */
export async function readCsv(
  from: string | Source,
  onRejected: (rejection: Rejection) => void,
  linesAbove?: (lines: readonly string[]) => number,
): Promise<CsvFile> {
  const source = typeof from === 'string' ? sourceOfFile(from) : from;
  const { name: file, size } = source;
  const dialect = await recogniseDialect(source, linesAbove);
  const reading = read(source, dialect, onRejected);
  const first = await reading.rows.next().catch((error: Error) => {
    if (!(error instanceof HeadingUnreadable)) throw error;
    throw new Error(
      `The names of the columns of ${file} cannot be read: ${error.message}. Remedy: correct that line.`,
      {
        cause: error,
      },
    );
  });
  if (first.done) throw new Error(`${file} is empty. Remedy: the first line must name the columns.`);
  const heading = first.value.cells;
  const twice = heading.find((name, i) => name !== '' && heading.indexOf(name) !== i);
  if (twice !== undefined) {
    await reading.rows.return(undefined);
    throw new Error(`${file} has two columns named "${twice}". Remedy: give each its own name in the first line.`);
  }
  return {
    heading,
    dialect: spokenDialect(dialect),
    written: dialect,
    rows: reading.rows,
    async *again() {
      const { rows } = read(source, dialect, () => {});
      await rows.next();
      yield* rows;
    },
    progress: () => (size === 0 ? 1 : reading.bytesRead() / size),
  };
}

/** Reads the heading, then the rows. */
function read(source: Source, { encoding, delimiter, skip }: Dialect, onRejected: (rejection: Rejection) => void) {
  let bytesRead = 0;
  async function* input(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of source.bytes()) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  async function* rows(): AsyncGenerator<CsvRow, void> {
    const records = new Records(delimiter, onRejected, skip);
    let toSkip = skip;
    for await (const lines of linesOf(input(), encoding)) {
      for (const line of lines) if (toSkip-- <= 0) yield* records.take(line);
    }
    yield* records.end();
  }
  return { rows: rows(), bytesRead: () => bytesRead };
}

/**
 * Yields lines with any line end, some at a time. A line that is too long for a row is cut off, but stays longer than a
 * row may be.
 */
async function* linesOf(input: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string[], void> {
  const decoder = new TextDecoder(encoding);
  let rest = '';
  for await (const chunk of input) {
    rest += decoder.decode(chunk, { stream: true });
    // After a carriage return at the end, the line feed may still follow.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const lines = rest.slice(0, end).split(/\r\n|\n|\r/);
    rest = lines.pop()!.slice(0, LONGEST_ROW + 1) + rest.slice(end);
    yield lines;
  }
  yield (rest + decoder.decode()).split(/\r\n|\n|\r/);
}

/** Yields groups of `size` rows, the last one smaller. */
export async function* inGroups<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length === size) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
