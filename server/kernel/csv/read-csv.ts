/** Reads a CSV file row by row: memory does not grow with the file. UTF-8, with or without a byte order mark. */
import { createReadStream, statSync } from 'node:fs';
import { parse } from 'csv-parse';

export interface CsvRow {
  /** of the file, counted from 1; the heading is line 1 */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What could not be understood in a row, for whoever mends the file. */
export interface Rejection {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

export interface CsvFile {
  readonly heading: readonly string[];
  readonly rows: AsyncIterable<CsvRow>;
  /** part of the file that was read, 0 to 1 */
  progress(): number;
}

const LONGEST_ROW = 1_000_000;

/**
 * @param onRejected told of rows that are no rows: quotes that never close, cells too many or too few
 * @throws Error where the file has no heading, or cannot be read
 */
export async function readCsv(file: string, onRejected: (rejection: Rejection) => void): Promise<CsvFile> {
  const size = statSync(file).size;
  const input = createReadStream(file);
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) onRejected({ line: Number(error.lines ?? 0), column: '', value: '', reason: `is no row: ${error.message}` });
    },
  });
  input.on('error', (error) => parser.destroy(error));
  const records = input.pipe(parser)[Symbol.asyncIterator]() as AsyncIterator<{ record: string[]; info: { lines: number } }>;
  const first = await records.next();
  if (first.done) throw new Error(`${file} is empty. Remedy: the first line must name the columns.`);
  const heading = first.value.record;
  const twice = heading.find((name, i) => name !== '' && heading.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`${file} has two columns named "${twice}". Remedy: give each its own name in the first line.`);

  async function* rows(): AsyncGenerator<CsvRow> {
    try {
      for (let next = await records.next(); !next.done; next = await records.next()) {
        const { record: cells, info } = next.value;
        // The parser counts the line on which a row ends; a quoted cell may hold line breaks.
        const line = info.lines - cells.reduce((n, cell) => n + cell.split('\n').length - 1, 0);
        if (cells.length !== heading.length) {
          onRejected({ line, column: '', value: String(cells.length), reason: `has ${cells.length} cells, the heading has ${heading.length}` });
        } else if (cells.some((cell) => cell.includes('\uFFFD'))) {
          const bad = cells.findIndex((cell) => cell.includes('\uFFFD'));
          onRejected({ line, column: heading[bad], value: cells[bad], reason: 'is not UTF-8' });
        } else {
          yield { line, cells };
        }
      }
    } finally {
      input.destroy();
    }
  }
  return { heading, rows: rows(), progress: () => (size === 0 ? 1 : input.bytesRead / size) };
}

/** Groups of `size` rows, the last one smaller. */
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
