/** How the rows of a report are written to a file. */
import { csvLine, type Cell } from '../../../../kernel/csv/write-csv.ts';

export const FORMATS = ['csv', 'json', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

/** What is written, a portion of rows after the other. */
export interface Table {
  /** keys of the columns */
  readonly keys: readonly string[];
  readonly portions: AsyncIterable<readonly Record<string, any>[]>;
}

interface Written {
  readonly type: string;
  readonly write: (table: Table) => AsyncIterable<string>;
}

/** Follows the dots of a key. */
const at = (row: any, key: string): unknown => key.split('.').reduce((inner, name) => inner?.[name], row);

/** A value as one cell: an amount as its number, a list as the names in it. */
export function cellOf(value: any): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(spoken).join('; ');
  if (typeof value.iso_currency_code === 'string') return { figure: value.string };
  return spoken(value);
}

const spoken = (value: any): string =>
  typeof value !== 'object' || value === null
    ? String(value)
    : (value.name ?? value.membership?.name ?? JSON.stringify(value));

async function* csv({ keys, portions }: Table): AsyncGenerator<string> {
  // The mark that says UTF-8: without it, spreadsheets take the file for what their country used before.
  yield `\uFEFF${csvLine(keys)}`;
  for await (const rows of portions) yield rows.map((row) => csvLine(keys.map((key) => cellOf(at(row, key))))).join('');
}

async function* json({ portions }: Table): AsyncGenerator<string> {
  let before = '[\n';
  for await (const rows of portions) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* jsonLines({ portions }: Table): AsyncGenerator<string> {
  for await (const rows of portions) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

export const WRITTEN: Readonly<Record<Format, Written>> = {
  csv: { type: 'text/csv', write: csv },
  json: { type: 'application/json', write: json },
  jsonl: { type: 'application/jsonl', write: jsonLines },
};
