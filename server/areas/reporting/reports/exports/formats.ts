/** File formats for the rows of a report. */
import { csvCell, csvLine, type Figure } from '../../../../kernel/base/csv/write-csv.ts';
import { nester } from '../names.ts';
import { xlsx, type Cell } from './write-xlsx.ts';
import type { Field } from '../../../../kernel/base/fields/field.ts';
import type { ColumnCells } from '../read-report.ts';

export const FORMATS = ['csv', 'json', 'jsonl', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** Meaning of a text: a day, a time, or plain text. */
type Kind = 'date' | 'instant' | 'plain';

export interface TableColumn extends ColumnCells {
  readonly key: string;
  readonly kind: Kind;
}

/** A row as the database sent it. */
export type Cells = readonly (string | null)[];

/** The content to write, in batches of rows. */
export interface Table {
  /** name of the report; spreadsheets show it */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly portions: AsyncIterable<readonly Cells[]>;
}

interface Written {
  readonly type: string;
  readonly write: (table: Table) => AsyncIterable<string | Uint8Array>;
}

export function kindOf({ spec: { schema } }: Field<any>): Kind {
  if (schema.format === 'date') return 'date';
  return schema.format === 'date-time' ? 'instant' : 'plain';
}

type Plain = string | number | boolean | Figure | null;

/** Converts a value to one cell: an amount to its number, a list to the names in it. */
function plainOf(value: any): Plain {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(spoken).join('; ');
  return typeof value.iso_currency_code === 'string' ? { figure: value.string } : spoken(value);
}

/** Converts a value to a cell of a format with days and times. */
function cellOf(value: unknown, kind: Kind): Cell {
  if (kind === 'plain' || typeof value !== 'string') return plainOf(value);
  return kind === 'date' ? { date: value } : { wall: value };
}

const spoken = (value: any): string =>
  typeof value !== 'object' || value === null
    ? String(value)
    : (value.name ?? value.membership?.name ?? JSON.stringify(value));

const keysOf = ({ columns }: Table): string[] => columns.map(({ key }) => key);

/**
 * Converts rows column by column while they are written. Consecutive rows often have equal values, like a venue, a
 * status or a day: then the previous result is reused. The returned list is shared by all rows, and valid until the
 * next one.
 */
function madeOf<T>({ columns }: Table, of: (value: unknown, column: TableColumn) => T): (cells: Cells) => readonly T[] {
  const made: T[] = [];
  let before: Cells = [];
  return (cells) => {
    for (let n = 0; n < columns.length; n++) {
      const { from, to, make } = columns[n];
      let same = n < made.length;
      for (let at = from; same && at < to; at++) same = cells[at] === before[at];
      if (!same) made[n] = of(make(cells.slice(from, to)), columns[n]);
    }
    before = cells;
    return made;
  };
}

const valuesOf = (table: Table): ((cells: Cells) => readonly unknown[]) => madeOf(table, (value) => value);

export function csvText(value: unknown): string {
  const cell = plainOf(value);
  return csvCell(typeof cell === 'boolean' ? String(cell) : cell);
}

/**
 * Number of characters joined before they are written. V8 would keep a longer text in the memory that it collects last.
 */
const PIECE = 50_000;

/** Returns the rows as texts, in pieces. */
async function* pieces({ portions }: Table, textOf: (cells: Cells) => string): AsyncGenerator<string> {
  let piece = '';
  for await (const rows of portions)
    for (const cells of rows) {
      piece += textOf(cells);
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  yield piece;
}

async function* csv(table: Table): AsyncGenerator<string> {
  // The byte order mark for UTF-8: without it, spreadsheets assume the legacy encoding of their country.
  yield `\uFEFF${csvLine(keysOf(table))}`;
  const texts = madeOf(table, csvText);
  yield* pieces(table, (cells) => `${texts(cells).join(',')}\r\n`);
}

async function* json(table: Table): AsyncGenerator<string> {
  const [nest, values] = [nester(keysOf(table)), valuesOf(table)];
  let before = '[\n';
  yield* pieces(table, (cells) => {
    const text = before + JSON.stringify(nest(values(cells)));
    before = ',\n';
    return text;
  });
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* jsonLines(table: Table): AsyncGenerator<string> {
  const [nest, values] = [nester(keysOf(table)), valuesOf(table)];
  yield* pieces(table, (cells) => `${JSON.stringify(nest(values(cells)))}\n`);
}

/** Column widths of a spreadsheet, in characters. */
const WIDTH: Readonly<Record<Kind, number>> = { date: 12, instant: 20, plain: 16 };

const workbook = (table: Table): AsyncIterable<Uint8Array> => {
  const { name, columns, portions } = table;
  return xlsx({
    name,
    headings: keysOf(table),
    widths: columns.map(({ kind }) => WIDTH[kind]),
    portions,
    cells: madeOf(table, (value, { kind }) => cellOf(value, kind)),
  });
};

export const WRITTEN: Readonly<Record<Format, Written>> = {
  csv: { type: 'text/csv', write: csv },
  json: { type: 'application/json', write: json },
  jsonl: { type: 'application/jsonl', write: jsonLines },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: workbook },
};
