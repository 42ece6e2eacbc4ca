/** Recognition of an uploaded file, which is read within limits. Nothing is written yet. */
import type { ColumnOf } from './column.ts';
import { isCalendar, readCalendarTable, type CalendarTable } from './calendar-table.ts';
import { COLUMNS, type KindName } from './columns/index.ts';
import { DateEvidence, DatesUnclear, type DateFormat } from '../../../kernel/base/csv/read-date.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { matchFile, type Matched } from './match.ts';
import { isNothing, shortened } from './cell.ts';
import { wordsIn, type Word } from './words/questions.ts';
import { isTotal } from './heading.ts';
import { readDay, withWholeYear } from './kinds/rules/day.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';
import { withoutMark } from './kinds/rules/text-mark.ts';
import { LONGEST_CELL, MAX_ROWS, readTable, type Place } from './table.ts';
import type { CsvRow, Dialect, Rejection } from '../../../kernel/base/csv/read-csv.ts';
import type { BusinessClock } from '../../../kernel/api/acting.ts';
import type { Whose } from '../../../kernel/base/apart/one-at-a-time.ts';

export { MAX_BYTES, MAX_ROWS } from './table.ts';

const MAX_COLUMNS = 200;
const SAMPLES = 3;

export interface Recognised extends Pick<Matched, 'kind' | 'unclear' | 'product'> {
  readonly format: 'csv' | 'xlsx' | 'ics';
  /** null unless it is a text table */
  readonly written: Dialect | null;
  readonly columns: readonly ColumnOf[];
  readonly dates: Dates;
  readonly words: readonly Word[];
  /** line of the heading, counted from 1 */
  readonly headingLine: number;
  readonly rows: readonly CsvRow[];
  /** lines that could not be read as rows */
  readonly unreadable: readonly Rejection[];
}

export interface Dates {
  /** null if no date depends on it, or it can't be determined */
  readonly format: DateFormat | null;
  readonly unclear: boolean;
}

/** Signatures of file formats that aren't text tables. */
const OTHERS: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old or an encrypted Excel workbook'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
];

const ARCHIVE = Buffer.from('PK');

const refused = (message: string): Problem => invalid('file', message);

/** @throws Problem if the file has a format that is never read */
export function refuseOtherFormats(bytes: Buffer): void {
  const other = OTHERS.find(([start]) => start.every((byte, i) => bytes[i] === byte));
  if (other) throw refused(`The file is ${other[1]}. Save it as CSV or as a current workbook (.xlsx) and upload that.`);
}

/** What somebody says about a file. */
interface Said {
  /** null: recognised by the names of the columns */
  readonly kind: KindName | null;
  readonly place?: Place;
}

/** @throws Problem that says what is wrong with the file */
export async function recognise(
  bytes: Buffer,
  { kind: given, place = {} }: Said,
  whose: Whose,
  clock: BusinessClock,
): Promise<Recognised> {
  refuseOtherFormats(bytes);
  const unreadable: Rejection[] = [];
  const rows: CsvRow[] = [];
  let headings: readonly string[] = [];
  let headingLine = 1;
  let written: Dialect | null = null;
  const take = ({ rows: more, rejected }: Pick<CalendarTable, 'rows' | 'rejected'>): void => {
    unreadable.push(...rejected);
    for (const row of more) {
      const fault = against(row, headings);
      if (fault) unreadable.push(fault);
      else rows.push(row);
    }
  };
  const format = isCalendar(bytes) ? 'ics' : bytes.subarray(0, 2).equals(ARCHIVE) ? 'xlsx' : 'csv';
  if (format === 'ics') {
    const table = await readCalendarTable(bytes, clock);
    headings = table.heading;
    take(table);
  } else
    await readTable({ bytes, place }, whose, {
      begins: (table) => {
        ({ heading: headings, written, line: headingLine } = table);
        checkHeadings(headings);
      },
      goesOn: take,
    });
  if (rows.length + unreadable.length > MAX_ROWS)
    throw refused(`The file has more than ${MAX_ROWS} rows. Split it into several files.`);
  if (rows.length === 0) throw refused('The file has no rows that can be read below the names of its columns.');
  const { kind, unclear: isForeign, product, properties } = matchRows(headings, rows, given, clock);
  // Calendars contain anything: nobody's private entries become classes unasked.
  const unclear = isForeign || (format === 'ics' && given === null);
  const columns = headings.map((heading, i) => ({
    heading,
    property: properties[i],
    samples: samplesOf(rows, i),
    value_count: rows.filter(({ cells }) => (cells[i] ?? '').trim() !== '').length,
  }));
  const dates = datesOf(kind, columns, rows);
  const words = wordsIn(kind, columns, rows);
  return { kind, unclear, product, format, written, columns, dates, words, headingLine, rows, unreadable };
}

/** Returns what the file is. Bookings whose days have all passed are visits: the names of the columns are the same. */
function matchRows(
  headings: readonly string[],
  rows: readonly CsvRow[],
  given: KindName | null,
  { now, zone }: BusinessClock,
): Matched {
  const found = matchFile(headings, given);
  if (given !== null || found.kind !== 'bookings') return found;
  const today = wallAt(now, zone).date;
  const at = found.properties.indexOf('start_date');
  const days = rows.flatMap(({ cells }) => {
    const text = withoutMark(cells[at]?.trim() ?? '');
    if (text === '' || isNothing(text)) return [];
    const either = [readDay(text, { order: 'DD/MM/YYYY' }), readDay(text, { order: 'MM/DD/YYYY' })];
    return either.flatMap((day) => day ?? []);
  });
  const isPast = days.length > 0 && days.every((day) => day < today);
  return isPast ? { ...matchFile(headings, 'visits'), unclear: found.unclear } : found;
}

function checkHeadings(headings: readonly string[]): void {
  if (headings.length > MAX_COLUMNS)
    throw refused(`The file has ${headings.length} columns. It can have ${MAX_COLUMNS}.`);
  if (headings.some((name) => name.length > 200 || name.includes('\0')))
    throw refused('The first line doesn’t name columns: a name is longer than 200 characters, or isn’t text.');
}

function against({ line, cells }: CsvRow, headings: readonly string[]): Rejection | null {
  if (isTotal(cells)) return { line, column: '', value: shortened(cells.find(Boolean)!), reason: 'is a total' };
  const at = cells.findIndex((cell) => cell.length > LONGEST_CELL || cell.includes('\0'));
  if (at < 0) return null;
  const reason = cells[at].includes('\0') ? 'isn’t text' : `is longer than ${LONGEST_CELL} characters`;
  return { line, column: headings[at], value: shortened(cells[at]).replaceAll('\0', ''), reason };
}

function samplesOf(rows: readonly CsvRow[], column: number): string[] {
  const found = new Set<string>();
  for (const { cells } of rows) {
    if (cells[column] !== '') found.add(shortened(cells[column]));
    if (found.size === SAMPLES) break;
  }
  return [...found];
}

/** Determines the order of day and month from all dates of the file. */
export function datesOf(kind: KindName, columns: readonly ColumnOf[], rows: Iterable<CsvRow>): Dates {
  const at = columns.flatMap(({ property }, i) =>
    property !== null && COLUMNS[kind].dates.includes(property) ? [i] : [],
  );
  const evidence = new DateEvidence();
  for (const { line, cells } of rows) for (const i of at) evidence.see(withWholeYear(cells[i] ?? ''), line);
  try {
    return { format: evidence.decide(), unclear: false };
  } catch (error) {
    if (!(error instanceof DatesUnclear)) throw error;
    return { format: null, unclear: true };
  }
}
