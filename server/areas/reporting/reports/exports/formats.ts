/** How the rows of a report are written to a file. */
import { csvLine, type Figure } from '../../../../kernel/csv/write-csv.ts';
import { nester } from '../names.ts';
import { xlsx, type Cell } from '../../../../kernel/xlsx/write-xlsx.ts';
import type { Field } from '../../../../kernel/api/field.ts';

export const FORMATS = ['csv', 'json', 'jsonl', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** What a text means: the day, the time, or nothing but itself. */
type Kind = 'date' | 'instant' | 'plain';

export interface TableColumn {
  readonly key: string;
  readonly kind: Kind;
}

/** A row as the database sent it. */
export type Cells = readonly (string | null)[];

/** What is written, a portion of rows after the other. */
export interface Table {
  /** of the report; spreadsheets show it */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly portions: AsyncIterable<readonly Cells[]>;
  /** values of the columns, in their order. Asked for when the row is written: none of them lives longer than that */
  readonly values: (cells: Cells) => readonly unknown[];
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

/** A value as one cell: an amount as its number, a list as the names in it. */
function plainOf(value: any): Plain {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(spoken).join('; ');
  return typeof value.iso_currency_code === 'string' ? { figure: value.string } : spoken(value);
}

/** The same for those who know days and times. */
function cellOf(value: unknown, kind: Kind): Cell {
  if (kind === 'plain' || typeof value !== 'string') return plainOf(value);
  return kind === 'date' ? { date: value } : { wall: value };
}

const spoken = (value: any): string =>
  typeof value !== 'object' || value === null
    ? String(value)
    : (value.name ?? value.membership?.name ?? JSON.stringify(value));

const keysOf = ({ columns }: Table): string[] => columns.map(({ key }) => key);

const lineOf = (row: readonly unknown[]): string =>
  csvLine(
    row.map((value) => {
      const cell = plainOf(value);
      return typeof cell === 'boolean' ? String(cell) : cell;
    }),
  );

/** Letters that are put together before they are written. A longer text would be kept where V8 tidies up last. */
const PIECE = 50_000;

/** The rows as texts, in pieces. */
async function* pieces(
  { portions, values }: Table,
  textOf: (row: readonly unknown[]) => string,
): AsyncGenerator<string> {
  let piece = '';
  for await (const rows of portions)
    for (const cells of rows) {
      piece += textOf(values(cells));
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
  yield piece;
}

async function* csv(table: Table): AsyncGenerator<string> {
  // The mark that says UTF-8: without it, spreadsheets take the file for what their country used before.
  yield `\uFEFF${csvLine(keysOf(table))}`;
  yield* pieces(table, lineOf);
}

async function* json(table: Table): AsyncGenerator<string> {
  const nest = nester(keysOf(table));
  let before = '[\n';
  yield* pieces(table, (row) => {
    const text = before + JSON.stringify(nest(row));
    before = ',\n';
    return text;
  });
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* jsonLines(table: Table): AsyncGenerator<string> {
  const nest = nester(keysOf(table));
  yield* pieces(table, (row) => `${JSON.stringify(nest(row))}\n`);
}

/** Letters that the columns of a spreadsheet have room for. */
const WIDTH: Readonly<Record<Kind, number>> = { date: 12, instant: 20, plain: 16 };

const workbook = (table: Table): AsyncIterable<Uint8Array> => {
  const { name, columns, portions, values } = table;
  return xlsx({
    name,
    headings: keysOf(table),
    widths: columns.map(({ kind }) => WIDTH[kind]),
    portions,
    cells: (row) => {
      const all = values(row);
      return columns.map(({ kind }, n) => cellOf(all[n], kind));
    },
  });
};

export const WRITTEN: Readonly<Record<Format, Written>> = {
  csv: { type: 'text/csv', write: csv },
  json: { type: 'application/json', write: json },
  jsonl: { type: 'application/jsonl', write: jsonLines },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: workbook },
};
