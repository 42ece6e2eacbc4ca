/**
 * Reads a sheet of a workbook (Office Open XML) row by row, each cell as the text that a CSV file would have in
 * its place. Nothing is unpacked beyond the size limit: the directory of the archive declares the sizes, and the reader
 * stops if an entry exceeds its declared size. Reading keeps a processor busy, so it runs in a thread.
 */
import { streamXlsxRows } from 'hucre/xlsx';
import { strFromU8, unzipSync } from 'fflate';
import { headingRow, SEARCHED } from './heading.ts';
import type { FirstRows, Place } from './table.ts';
import type { CsvRow, Rejection } from '../../../kernel/base/csv/records.ts';

/** A sheet as a table: the names of its columns, and the rows below them. */
export interface Sheet {
  readonly heading: readonly string[];
  /** line of the heading, counted from 1 */
  readonly line: number;
  readonly rows: AsyncIterable<CsvRow>;
}

/** The file is not a workbook, is damaged, or is too large when unpacked. */
export class WorkbookUnreadable extends Error {
  override name = 'WorkbookUnreadable';
}

const MEGABYTE = 1024 * 1024;
/** Limit for any workbook. Packing makes sheets of text some twenty times smaller. */
const MAX_UNPACKED_BYTES = 128 * MEGABYTE;
const MAX_SMALL_BYTES = 8 * MEGABYTE;
const MAX_RATIO = 60;
/** A text that is stored once may be repeated in every cell. */
const MAX_CHARACTERS = 64 * MEGABYTE;
const MAX_ENTRIES = 2000;

const DIRECTORY_END = Buffer.from('PK\x05\x06');
const ENTRY = Buffer.from('PK\x01\x02');
const END_BYTES = 22;
const ENTRY_BYTES = 46;
/** Even an entry without content has an end marker. */
const EMPTY_PACKED = 2;

export interface Most {
  readonly rows: number;
  /** maximum characters of a cell; a longer one is cut one character after the limit */
  readonly cell: number;
  readonly place: Place;
}

const isEmpty = (cell: string): boolean => cell === '';

/**
 * Opens the sheet. The row that names the columns may have titles above it; empty rows are skipped.
 * @param onRejected called for rows with cells beyond the columns
 * @throws WorkbookUnreadable
 */
export async function openSheet(bytes: Buffer, most: Most, onRejected: (rejection: Rejection) => void): Promise<Sheet> {
  const rows = readRows(bytes, most);
  const first = await firstOf(rows);
  const { heading } = most.place;
  const at =
    heading === undefined
      ? headingRow(first.map(({ cells }) => cells))
      : first.findIndex(({ line }) => line === heading);
  if (at < 0)
    throw new WorkbookUnreadable(`Row ${heading} of the sheet is empty. Choose the row that names the columns.`);
  const width = (first[at]?.cells.findLastIndex((cell) => !isEmpty(cell)) ?? -1) + 1;
  async function* rest(): AsyncGenerator<CsvRow> {
    yield* first.slice(at + 1);
    yield* rows;
  }
  if (width > 0)
    return { heading: first[at].cells.slice(0, width), line: first[at].line, rows: below(rest(), width, onRejected) };
  throw new WorkbookUnreadable('The sheet is empty. One of its first rows must name the columns.');
}

async function firstOf(rows: AsyncGenerator<CsvRow>): Promise<CsvRow[]> {
  const first: CsvRow[] = [];
  while (first.length < SEARCHED) {
    const next = await rows.next();
    if (next.done) break;
    first.push(next.value);
  }
  return first;
}

/**
 * Returns the first rows of the sheet as they are, and the names of all sheets.
 * @throws WorkbookUnreadable
 */
export async function firstRowsOf(bytes: Buffer, most: Most): Promise<Omit<FirstRows, 'format'>> {
  const rows = readRows(bytes, most);
  const first = (await firstOf(rows)).filter(({ cells }) => !cells.every(isEmpty));
  await rows.return(undefined);
  const heading = first[headingRow(first.map(({ cells }) => cells))]?.line ?? null;
  return { sheets: sheetNames(bytes), heading, first };
}

const WORKBOOK = 'xl/workbook.xml';
const MAX_SHEETS = 100;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the names of the sheets, in their order. The sizes of the archive have been checked. */
function sheetNames(bytes: Buffer): string[] {
  const entry = unzipSync(bytes, { filter: ({ name }) => name === WORKBOOK })[WORKBOOK];
  if (!entry) return [];
  const names = strFromU8(entry).matchAll(/<(?:\w+:)?sheet\s[^>]*?\bname="([^"]{1,255})"/g);
  return [...names]
    .slice(0, MAX_SHEETS)
    .map(([, name]) => name.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity]));
}

async function* below(
  rows: AsyncIterable<CsvRow>,
  width: number,
  onRejected: (rejection: Rejection) => void,
): AsyncGenerator<CsvRow> {
  for await (const { line, cells } of rows) {
    const used = cells.findLastIndex((cell) => !isEmpty(cell)) + 1;
    if (used > width)
      onRejected({ line, column: '', value: String(used), reason: `has ${used} cells, the heading has ${width}` });
    else if (used > 0) yield { line, cells: Array.from({ length: width }, (_, i) => cells[i] ?? '') };
  }
}

async function* readRows(bytes: Buffer, { rows: most, cell, place }: Most): AsyncGenerator<CsvRow> {
  checkSize(bytes);
  const { sheet = 0 } = place;
  if (sheet !== 0 && !sheetNames(bytes).includes(sheet))
    throw new WorkbookUnreadable(`The workbook has no sheet named "${sheet}".`);
  let characters = 0;
  try {
    // One row more than the limit plus the heading, so that the caller sees that there are too many.
    for await (const { index, values } of streamXlsxRows(bytes, { sheet, maxRows: most + 2 })) {
      const cells = values.map((value) => textOf(value, cell));
      characters += cells.reduce((sum, { length }) => sum + length, 0);
      if (characters > MAX_CHARACTERS) throw tooLarge();
      yield { line: index + 1, cells };
    }
  } catch (error) {
    if (error instanceof WorkbookUnreadable) throw error;
    // Any error of the reader is caused by the file.
    throw new WorkbookUnreadable('The workbook is damaged, encrypted, or has no sheet with cells.', { cause: error });
  }
}

function checkSize(bytes: Buffer): void {
  const end = bytes.lastIndexOf(DIRECTORY_END);
  if (end < 0 || end + END_BYTES > bytes.length) throw damaged();
  const entries = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  let size = 0;
  for (let n = 0; n < entries; n++) {
    if (at + ENTRY_BYTES > bytes.length || !bytes.subarray(at, at + 4).equals(ENTRY)) throw damaged();
    const [packed, unpacked] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    // An entry that hides its size could be of any size.
    if (unpacked === 0 && packed > EMPTY_PACKED) throw damaged();
    size += unpacked;
    at += ENTRY_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  const unpacked = Math.min(MAX_UNPACKED_BYTES, MAX_SMALL_BYTES + MAX_RATIO * bytes.length);
  if (entries > MAX_ENTRIES || size > unpacked) throw tooLarge();
}

const damaged = (): WorkbookUnreadable => new WorkbookUnreadable('The file is no workbook, or a damaged one.');

const tooLarge = (): WorkbookUnreadable =>
  new WorkbookUnreadable('The workbook is too large: unpacked, it comes to too much. Save its sheet as CSV.');

/** Returns a day, a moment, or, on the first day of spreadsheets, a time. */
function momentText(date: Date): string {
  const [day, time] = date.toISOString().slice(0, 16).split('T');
  if (date.getUTCFullYear() < 1901) return time;
  return time === '00:00' ? day : `${day}T${time}`;
}

const textOf = (value: string | number | boolean | Date | null | undefined, most: number): string => {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : momentText(value);
  return typeof value === 'string'
    ? value
        .slice(0, most + 1)
        .toWellFormed()
        .trim()
    : String(value);
};
