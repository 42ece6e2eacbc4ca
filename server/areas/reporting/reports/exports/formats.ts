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

/** What is written, a portion of rows after the other. */
export interface Table {
  /** of the report; spreadsheets show it */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** values of the columns, in their order */
  readonly portions: AsyncIterable<readonly (readonly unknown[])[]>;
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

async function* csv(table: Table): AsyncGenerator<string> {
  // The mark that says UTF-8: without it, spreadsheets take the file for what their country used before.
  yield `\uFEFF${csvLine(keysOf(table))}`;
  for await (const rows of table.portions) yield rows.map(lineOf).join('');
}

async function* json(table: Table): AsyncGenerator<string> {
  const nest = nester(keysOf(table));
  let before = '[\n';
  for await (const rows of table.portions) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(nest(row))).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* jsonLines(table: Table): AsyncGenerator<string> {
  const nest = nester(keysOf(table));
  for await (const rows of table.portions) yield rows.map((row) => `${JSON.stringify(nest(row))}\n`).join('');
}

/** Letters that the columns of a spreadsheet have room for. */
const WIDTH: Readonly<Record<Kind, number>> = { date: 12, instant: 20, plain: 16 };

async function* cells({ columns, portions }: Table): AsyncGenerator<Cell[][]> {
  for await (const rows of portions) yield rows.map((row) => columns.map(({ kind }, n) => cellOf(row[n], kind)));
}

const workbook = (table: Table): AsyncIterable<Uint8Array> =>
  xlsx({
    name: table.name,
    headings: keysOf(table),
    widths: table.columns.map(({ kind }) => WIDTH[kind]),
    portions: cells(table),
  });

export const WRITTEN: Readonly<Record<Format, Written>> = {
  csv: { type: 'text/csv', write: csv },
  json: { type: 'application/json', write: json },
  jsonl: { type: 'application/jsonl', write: jsonLines },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: workbook },
};
