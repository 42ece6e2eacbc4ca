/** The customers that rows of other files refer to: by their external id, by their address, or else by their name. */
import { addressIn, issueOf, templateOf, textIn, type Issue, type Portion } from './portion.ts';
import { partOfName } from './names.ts';
import { recall } from '../remembered.ts';
import { raw, sql } from '../../../../kernel/base/db/sql.ts';
import type { CsvRow } from '../../../../kernel/base/csv/read-csv.ts';

const FULL_NAME = raw(
  `lower(regexp_replace(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), '\\s+', ' ', 'g'))`,
);

const wholeName = (first: string | null, last: string | null): string =>
  `${first ?? ''} ${last ?? ''}`.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns the function that reads the name of a row's customer; empty if it has none. */
function namesIn(portion: Portion): (row: CsvRow) => string {
  const at = (property: string) => templateOf(portion, property);
  const [first, last, whole] = ['customer_first_name', 'customer_last_name', 'customer_name'].map(at);
  return (row) => {
    if (first || last) return wholeName(textIn(first, row), textIn(last, row));
    if (!whole || textIn(whole, row) === null) return '';
    const part = (name: 'first_name' | 'last_name') => partOfName(whole, name).fill(row.cells);
    return wholeName(part('first_name'), part('last_name'));
  };
}

/** Returns by line the customer, or the reason why there is none. */
export async function customersOf(portion: Portion): Promise<Map<number, number | Issue>> {
  const { work, rows, source } = portion;
  const at = (property: string) => templateOf(portion, property);
  const [idColumn, mailColumn] = [at('customer_external_id'), at('customer_email')];
  const nameIn = namesIn(portion);
  const asked = rows.map((row) => ({
    row,
    id: textIn(idColumn, row),
    email: addressIn(mailColumn, row)?.toLowerCase() ?? null,
    name: nameIn(row),
  }));
  const known = await recall(
    work,
    'customer',
    source,
    asked.flatMap(({ id }) => id ?? []),
  );
  // A name finds somebody only if nothing better does.
  const named = [
    ...new Set(asked.flatMap(({ id, email, name }) => (id === null && email === null && name ? name : []))),
  ];
  const stored = await work.tx.rows<{ id: number; email: string | null; name: string }>(
    sql`SELECT id, lower(email) AS email,
        ${FULL_NAME} AS name
      FROM customer WHERE provider_id = ${work.providerId} AND deleted_at IS NULL AND NOT is_walk_in
          AND (id = ANY(${[...known.values()]}::bigint[])
            OR (lower(email) = ANY(${asked.flatMap(({ email }) => email ?? [])}::text[]) AND NOT is_guest)
            OR (NOT is_guest AND ${FULL_NAME} = ANY(${named}::text[])))`,
  );
  const here = new Set(stored.map(({ id }) => id));
  const byAddress = new Map(stored.flatMap(({ id, email }) => (email === null ? [] : [[email, id] as const])));
  const byName = Map.groupBy(stored, ({ name }) => name);
  return new Map(
    asked.map(({ row, id, email, name }): [number, number | Issue] => {
      const known_ = id === null ? undefined : known.get(id);
      const customer = known_ !== undefined && here.has(known_) ? known_ : byAddress.get(email ?? '');
      if (customer !== undefined) return [row.line, customer];
      const column = email === null ? (idColumn ?? mailColumn) : mailColumn;
      if (id !== null || email !== null)
        return [row.line, issueOf(column, row, 'is no customer here: import the customers first')];
      const nameColumn = at('customer_last_name') ?? at('customer_name') ?? column;
      const people = name === '' ? [] : (byName.get(name) ?? []);
      if (people.length === 1) return [row.line, people[0].id];
      if (name === '') return [row.line, issueOf(column ?? nameColumn, row, 'names no customer')];
      return [
        row.line,
        issueOf(
          nameColumn,
          row,
          people.length > 1
            ? 'is the name of several customers here: add their email address or id to the file'
            : 'is the name of no customer here: import the customers first',
        ),
      ];
    }),
  );
}
