/**
 * Splits lines into rows. A quoted cell may contain separators, line breaks, and doubled quotation marks. A misplaced
 * quotation mark costs only its own line: the following text is read again from the next line.
 */
export interface CsvRow {
  /** line in the file, counted from 1; the heading is line 1 */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A part of a row that could not be read, for the person who corrects the file. */
export interface Rejection {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
  /** the row was read without this cell */
  readonly cellOnly?: boolean;
}

/** Maximum length of a row in characters, including line breaks. */
export const LONGEST_ROW = 1_000_000;
const MAX_LINES = 1000;
/**
 * This many separators where they would be if a cell contained whole rows are no coincidence: a quotation mark is
 * missing.
 */
const EVIDENCE = 6;
const MAX_SHOWN_LENGTH = 80;

/** The line with the column names cannot be read. */
export class HeadingUnreadable extends Error {
  override name = 'HeadingUnreadable';
}

export class Records {
  readonly #delimiter: string;
  readonly #onRejected: (rejection: Rejection) => void;
  readonly #cells: Cells;
  #line = 0;
  #heading: readonly string[] | null = null;
  /** the lines of an incomplete row, from line `#first` on */
  #held: string[] = [];
  #heldLength = 0;
  #first = 0;

  constructor(delimiter: string, onRejected: (rejection: Rejection) => void, skipped = 0) {
    this.#delimiter = delimiter;
    this.#onRejected = onRejected;
    this.#cells = new Cells(delimiter);
    this.#line = skipped;
  }

  /**
   * Adds the next line and returns the rows that it completes; the very first is the heading.
   * @throws HeadingUnreadable
   */
  take(text: string): CsvRow[] {
    const rows: CsvRow[] = [];
    this.#take(text, ++this.#line, rows);
    return rows;
  }

  /** Returns the rows after a quotation mark that was never closed. */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    while (this.#held.length > 0) this.#skipFirst(rows);
    return rows;
  }

  #take(text: string, line: number, rows: CsvRow[]): void {
    if (this.#held.length === 0) {
      if (text.trim() === '') return;
      this.#first = line;
      if (text.length > LONGEST_ROW) return this.#refuse(text, `is longer than ${LONGEST_ROW} characters`);
    }
    this.#held.push(text);
    this.#heldLength += text.length + 1;
    const cells = this.#cells.read(text);
    if (cells === 'more' && this.#held.length < MAX_LINES && this.#heldLength <= LONGEST_ROW) return;
    if (cells === 'more' || cells === 'broken' || (this.#held.length > 1 && this.#swallowed(cells)))
      return this.#skipFirst(rows);
    const row = this.#accepted(cells);
    this.#forget();
    if (row) rows.push(row);
  }

  /** Drops the first line of the row; the others are read again. */
  #skipFirst(rows: CsvRow[]): void {
    const [text, ...again] = this.#held;
    const from = this.#first + 1;
    this.#refuse(text, 'has a quotation mark that is not closed, or one inside a cell');
    this.#forget();
    again.forEach((line, i) => this.#take(line, from + i, rows));
  }

  #forget(): void {
    this.#cells.reset();
    this.#held = [];
    this.#heldLength = 0;
  }

  /** Returns true if a row of several lines is probably several rows, the first with an extra quotation mark. */
  #swallowed(cells: readonly string[]): boolean {
    const width = this.#heading?.length;
    if (width === undefined) return false;
    if (fitted(cells, width).length !== width) return true;
    const isRow = (text: string): boolean => text.split(this.#delimiter).length === width;
    const inner = this.#held.slice(1, -1);
    const enough = (lines: number): boolean => lines * (width - 1) >= EVIDENCE;
    return (enough(inner.length) && inner.every(isRow)) || (enough(this.#held.length - 1) && this.#held.every(isRow));
  }

  #accepted(cells: readonly string[]): CsvRow | null {
    // Excel writes rows of only separators for empty rows of a sheet.
    if (cells.every((cell) => cell === '')) return null;
    if (!this.#heading) {
      this.#heading = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1);
      return { line: this.#first, cells: this.#heading };
    }
    const row = fitted(cells, this.#heading.length);
    if (row.length !== this.#heading.length) {
      this.#reject(String(row.length), `has ${row.length} cells, the heading has ${this.#heading.length}`);
      return null;
    }
    const damaged = row.findIndex((cell) => cell.includes('\uFFFD'));
    if (damaged < 0) return { line: this.#first, cells: row };
    this.#reject(row[damaged], 'holds a character that could not be read', this.#heading[damaged]);
    return null;
  }

  /** Rejects a line, or the whole file if it is the heading: without column names, the rows mean nothing. */
  #refuse(text: string, reason: string): void {
    if (!this.#heading) throw new HeadingUnreadable(`line ${this.#first} ${reason}`);
    this.#reject(text, reason);
  }

  #reject(value: string, reason: string, column = ''): void {
    this.#onRejected({ line: this.#first, column, value: value.slice(0, MAX_SHOWN_LENGTH).toWellFormed(), reason });
  }
}

/** Drops empty cells beyond the heading. */
function fitted(cells: readonly string[], width: number): readonly string[] {
  const end = Math.max(width, cells.findLastIndex((cell) => cell !== '') + 1);
  return cells.length > end ? cells.slice(0, end) : cells;
}

/** The cells of one row, line by line. */
class Cells {
  readonly #delimiter: string;
  #done: string[] = [];
  /** content of the open quoted cell so far */
  #open: string | null = null;
  #lines = 0;
  /** a quotation mark inside an unquoted cell: fine in one line, suspicious in several */
  #stray = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  reset(): void {
    this.#done = [];
    this.#open = null;
    this.#lines = 0;
    this.#stray = false;
  }

  read(text: string): readonly string[] | 'more' | 'broken' {
    let at = 0;
    this.#lines++;
    if (this.#open !== null) this.#open += '\n';
    for (;;) {
      if (this.#open === null) {
        const quoted = this.#afterBlanks(text, at);
        if (text[quoted] === '"') {
          this.#open = '';
          at = quoted + 1;
          continue;
        }
        const end = text.indexOf(this.#delimiter, at);
        const cell = text.slice(at, end < 0 ? undefined : end);
        if (cell.includes('"')) this.#stray = true;
        this.#done.push(cell.trim());
        if (end < 0) return this.#whole();
        at = end + 1;
        continue;
      }
      const mark = text.indexOf('"', at);
      if (mark < 0) {
        this.#open += text.slice(at);
        return 'more';
      }
      this.#open += text.slice(at, mark);
      at = mark + 1;
      if (text[at] === '"') {
        this.#open += '"';
        at++;
        continue;
      }
      const next = this.#afterBlanks(text, at);
      if (next < text.length && text[next] !== this.#delimiter) return 'broken';
      this.#done.push(this.#open);
      this.#open = null;
      if (next >= text.length) return this.#whole();
      at = next + 1;
    }
  }

  #whole(): readonly string[] | 'broken' {
    return this.#stray && this.#lines > 1 ? 'broken' : this.#done;
  }

  #afterBlanks(text: string, at: number): number {
    let i = at;
    while (i < text.length && (text[i] === ' ' || text[i] === '\t') && text[i] !== this.#delimiter) i++;
    return i;
  }
}
