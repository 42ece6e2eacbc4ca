/** Reads the date formats of files. */
import { addDays, parseDate } from '../values/zone.ts';
import type { CsvRow } from './records.ts';

/** Positions of year, month and day in the three numbers of a date. */
export const DATE_FORMATS = {
  'YYYY-MM-DD': [0, 1, 2],
  'DD/MM/YYYY': [2, 1, 0],
  'MM/DD/YYYY': [2, 0, 1],
} as const;
export type DateFormat = keyof typeof DATE_FORMATS;

const PARTS = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ].*)?$/;
/** A spreadsheet's day number, optionally with a time of day. */
const SERIAL = /^(\d{4,5})(?:\.\d+)?$/;
/** A smaller number is more likely a year. */
const MIN_SERIAL = 2200;
const SERIAL_ZERO = '1899-12-30';

/**
 * Returns a date as `YYYY-MM-DD`, or null if the text is not a date of that format. A date that begins with its year,
 * and the day number of a spreadsheet, mean the same in every format. A time after the date is dropped.
 * @param format null: unknown; then only dates that are the same in every format are read, or dates with dots, which
 * begin with the day
 */
export function readDate(text: string, format: DateFormat | null): string | null {
  const serial = SERIAL.exec(text);
  if (serial) return Number(serial[1]) < MIN_SERIAL ? null : addDays(SERIAL_ZERO, Number(serial[1]));
  const match = PARTS.exec(text);
  if (!match) return null;
  if (match[1].length === 4) return dateOf(match[1], match[3], match[4]);
  if (format === null && match[2] === '.') return inOrder(match, 'DD/MM/YYYY');
  if (format !== null) return format === 'YYYY-MM-DD' ? null : inOrder(match, format);
  const [dayFirst, monthFirst] = [inOrder(match, 'DD/MM/YYYY'), inOrder(match, 'MM/DD/YYYY')];
  return dayFirst === monthFirst ? dayFirst : null;
}

function inOrder(match: RegExpExecArray, format: DateFormat): string | null {
  const numbers = [match[1], match[3], match[4]];
  const [year, month, day] = DATE_FORMATS[format].map((i) => numbers[i]);
  return dateOf(year, month, day);
}

const dateOf = (year: string, month: string, day: string): string | null =>
  year.length === 4 && day.length <= 2 ? parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`) : null;

/** Day and month can't be distinguished. */
export class DatesUnclear extends Error {
  override name = 'DatesUnclear';
}

/** Collects the evidence of a file's dates about their order: 14/3/1988 can only begin with its day. */
export class DateEvidence {
  #dayFirst: string | null = null;
  #monthFirst: string | null = null;
  #either: string | null = null;

  see(text: string, line: number): void {
    const match = PARTS.exec(text);
    if (!match || match[1].length === 4 || match[2] === '.') return;
    const [day, month] = [inOrder(match, 'DD/MM/YYYY'), inOrder(match, 'MM/DD/YYYY')];
    const shown = `"${text}" (line ${line})`;
    if (day !== null && month === null) this.#dayFirst ??= shown;
    else if (month !== null && day === null) this.#monthFirst ??= shown;
    else if (day !== month) this.#either ??= shown;
  }

  /**
   * Returns the format; null: no date of the file needs it.
   * @throws DatesUnclear with a remedy if the dates can be read two ways, or some begin with the day and others with
   * the month
   */
  decide(): DateFormat | null {
    const remedy = 'Remedy: say --date-format DD/MM/YYYY or --date-format MM/DD/YYYY.';
    if (this.#dayFirst !== null && this.#monthFirst !== null) {
      const [day, month] = [this.#dayFirst, this.#monthFirst];
      throw new DatesUnclear(
        `Some dates of this file begin with the day, such as ${day}, others with the month, such as ${month}. ${remedy}`,
      );
    }
    if (this.#dayFirst !== null) return 'DD/MM/YYYY';
    if (this.#monthFirst !== null) return 'MM/DD/YYYY';
    if (this.#either === null) return null;
    throw new DatesUnclear(
      `The date ${this.#either} can begin with the day or with the month, and no date of the file says which. ${remedy}`,
    );
  }
}

/** Returns the format of the dates that `texts` returns for each row, from the evidence of the whole file. */
export async function dateFormatOf(
  rows: AsyncIterable<CsvRow>,
  texts: (row: CsvRow) => readonly (string | null)[],
): Promise<DateFormat | null> {
  const evidence = new DateEvidence();
  for await (const row of rows) for (const text of texts(row)) if (text !== null) evidence.see(text, row.line);
  return evidence.decide();
}
