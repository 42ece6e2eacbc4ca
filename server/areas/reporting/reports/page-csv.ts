/** A page of a report as a table, by the keys of its columns. */
import { csvLine } from '../../../kernel/base/csv/write-csv.ts';
import { csvText } from './exports/formats.ts';

interface Page {
  readonly column_headers: readonly { readonly key: string }[];
  readonly rows: readonly Record<string, any>[];
}

/** Returns the value at a key, whose dots separate the names of nested objects. */
const valueAt = (row: Record<string, any>, key: string): unknown =>
  key.split('.').reduce<any>((value, name) => value?.[name], row);

export function pageCsv({ column_headers: headers, rows }: Page): string {
  const keys = headers.map(({ key }) => key);
  const lines = rows.map((row) => `${keys.map((key) => csvText(valueAt(row, key))).join(',')}\r\n`);
  // The byte order mark for UTF-8, as in exports.
  return `\uFEFF${csvLine(keys)}${lines.join('')}`;
}
