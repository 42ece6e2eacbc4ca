/** The rows of another file that rows refer to: a check writes them first, because nothing was imported before it. */
import { eventIdElsewhere } from '../kinds/event-id.ts';
import { sql, type Sql } from '../../../../kernel/base/db/sql.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';
import type { KindName } from '../columns/index.ts';
import type { StoredImport } from '../stored.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

interface Files {
  /** the file that was checked before */
  readonly other: StoredImport;
  readonly of: StoredImport;
}

/** Returns the position of the column of a property; null if the file has none. */
const columnOf = ({ columns }: StoredImport, property: string): number | null => {
  const at = columns.findIndex((column) => column.property === property);
  return at < 0 ? null : at;
};

/** Returns the different texts in the column of a property. */
function textsIn(file: StoredImport, property: string, rows: readonly CsvRow[]): string[] {
  const at = columnOf(file, property);
  if (at === null) return [];
  return [...new Set(rows.map(({ cells }) => cells[at]?.trim() ?? '').filter((text) => text !== ''))];
}

const lowered = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase());

/** Returns the names of customers that rows have, as `first last`. */
function namesIn(file: StoredImport, rows: readonly CsvRow[]): string[] {
  const [first, last] = [columnOf(file, 'customer_first_name'), columnOf(file, 'customer_last_name')];
  const whole = lowered(textsIn(file, 'customer_name', rows));
  const both = first === null || last === null ? [] : rows.map(({ cells }) => `${cells[first]} ${cells[last]}`.trim());
  return [...new Set([...whole, ...lowered(both)])];
}

/** Selects the name of a customer in a row, as `first last`; a name in one cell can also be `Last, First`. */
function nameOf(customers: StoredImport): Sql {
  const [first, last] = [columnOf(customers, 'first_name'), columnOf(customers, 'last_name')];
  if (first !== null && last !== null)
    return sql`lower(trim(r.cells->>${first}::int) || ' ' || trim(r.cells->>${last}::int))`;
  const whole = columnOf(customers, 'name');
  return sql`lower(regexp_replace(trim(r.cells->>${whole}::int), '^([^,]+), *(.+)$', '\\2 \\1'))`;
}

const CONDITIONS: { readonly [K in KindName]?: (files: Files, rows: readonly CsvRow[]) => Sql } = {
  customers: ({ other, of }, rows) => sql`r.own_key = ANY(${textsIn(of, 'customer_external_id', rows)}::text[])
    OR r.shared_key = ANY(${lowered(textsIn(of, 'customer_email', rows))}::text[])
    OR ${nameOf(other)} = ANY(${namesIn(of, rows)}::text[])`,
  schedule: ({ other, of }, rows) => {
    const ids = textsIn(of, 'event_external_id', rows).map((id) => eventIdElsewhere(other.source, id));
    return sql`r.own_key = ANY(${ids}::text[])
      OR trim(r.cells->>${columnOf(other, 'start_date')}::int) = ANY(${textsIn(of, 'start_date', rows)}::text[])`;
  },
};

export async function rowsNeeded(
  { tx, providerId }: Work,
  files: Files,
  rows: readonly CsvRow[],
): Promise<readonly CsvRow[]> {
  const condition = CONDITIONS[files.other.kind];
  if (!condition) return [];
  return tx.rows<CsvRow & Record<string, unknown>>(sql`SELECT r.line, r.cells FROM import_row r
    WHERE r.provider_id = ${providerId} AND r.import_id = ${files.other.id} AND r.fate <> 'rejected'
      AND (${condition(files, rows)})
    ORDER BY r.line`);
}
