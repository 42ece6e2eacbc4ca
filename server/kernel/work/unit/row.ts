/** Plain writes of one row, so that areas write SQL by hand only where it matters. */
import { instant, join, raw, sql, type Sql } from '../../base/db/sql.ts';
import type { Work } from './work.ts';

type Values = Record<string, unknown>;

type Row = Record<string, any> & { readonly id: number };

const isColumn = (name: string) => /^[a-z_]+$/.test(name);

function columns(values: Values): [string, unknown][] {
  const entries = Object.entries(values).filter(([, v]) => v !== undefined);
  for (const [name] of entries) if (!isColumn(name)) throw new Error(`"${name}" is not a column`);
  return entries;
}

/** Inserts a row of the business and returns its id. Keys are columns; undefined ones get their default. */
export const insertRow = async (work: Work, table: string, values: Values): Promise<number> =>
  (await insert(work, table, values, 'id')).id;

/** Inserts a row and returns it as it is stored. */
export const insertWhole = <T extends Row = Row>(work: Work, table: string, values: Values): Promise<T> =>
  insert(work, table, values, '*') as Promise<T>;

/**
 * Reserves an id for a row that is inserted later, so that references to it need no round trip of their own. An unused
 * id leaves a permanent gap, so it must not be a number that people count.
 */
export const takeId = async ({ tx }: Pick<Work, 'tx'>, table: string): Promise<number> =>
  (await tx.one<{ id: number }>(sql`SELECT nextval(${raw(`'${table}_id_seq'`)}) AS id`))!.id;

/** Reserves several ids, in order. */
export async function takeIds({ tx }: Pick<Work, 'tx'>, table: string, n: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    sql`SELECT nextval(${raw(`'${table}_id_seq'`)}) AS id FROM generate_series(1, ${n}::int)`,
  );
  return rows.map(({ id }) => id);
}

async function insert(work: Work, table: string, values: Values, returning: 'id' | '*'): Promise<Row> {
  const entries = columns({ ...values, created_at: instant(work.now), updated_at: instant(work.now) });
  const names = raw(['provider_id', ...entries.map(([name]) => name)].join(', '));
  const given = join([sql`${work.providerId}`, ...entries.map(([, v]) => sql`${v}`)], ', ');
  const row = await work.tx.one<Row>(
    sql`INSERT INTO ${raw(table)} (${names}) VALUES (${given}) RETURNING ${raw(returning)}`,
  );
  work.touch(table, row!.id, null);
  return row!;
}

/**
 * Changes columns of one row of the business; undefined ones stay unchanged. Returns true if there was anything to
 * change.
 */
export async function updateRow(work: Work, table: string, id: number, values: Values): Promise<boolean> {
  const update = updateOf(work, table, id, values);
  if (update !== null) await work.tx.run(update);
  return update !== null;
}

/** Changes the columns together with the next statement: an error of the database is thrown there. */
export function updateRowLater(work: Work, table: string, id: number, values: Values): void {
  const update = updateOf(work, table, id, values);
  if (update !== null) work.tx.later(update);
}

function updateOf(work: Work, table: string, id: number, values: Values): Sql | null {
  const entries = columns(values);
  if (entries.length === 0) return null;
  work.change(table, id);
  const assignments: Sql[] = entries.map(([name, v]) => sql`${raw(name)} = ${v}`);
  return sql`UPDATE ${raw(table)} SET ${join(assignments, ', ')}, updated_at = ${instant(work.now)}
    WHERE provider_id = ${work.providerId} AND id = ${id}`;
}

/**
 * Deletes a row of the business. The caller says what it was, with \`touch\`, unless the path of the request names it.
 */
export const deleteRow = (work: Work, table: string, id: number): Promise<unknown> =>
  work.tx.run(sql`DELETE FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND id = ${id}`);

export type Strength = 'UPDATE' | 'NO KEY UPDATE' | 'KEY SHARE';

/**
 * Returns a condition for rows by id; a single id is compared directly. PostgreSQL estimates ten rows for a list of ids
 * unless the list is known, so it would plan the statement again each time, which takes longer than finding one row.
 */
export const hasId = (column: string, ids: readonly number[]): Sql =>
  ids.length === 1 ? sql`${raw(column)} = ${ids[0]}::bigint` : sql`${raw(column)} = ANY(${ids}::bigint[])`;

/**
 * Locks rows of the business in the order of their ids, so that two transactions that lock the same rows cannot
 * deadlock, and returns them as they are. Only the owner of a table calls it, and offers a function named after the
 * rows that it locks.
 */
export const lockRows = <T extends Row = Row>(
  work: Work,
  table: string,
  ids: readonly number[],
  strength: Strength = 'NO KEY UPDATE',
): Promise<T[]> =>
  work.tx.rows<T>(
    sql`SELECT * FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${hasId('id', ids)}
      ORDER BY id FOR ${raw(strength)}`,
  );

/**
 * Replaces the links of a row with exactly these: `table (provider_id, parent, child)`; the column of the parent is
 * named after its table. `order`: a column that numbers them from 1. The conflict target is named, because otherwise a
 * violated exclusion constraint of the table would be ignored too.
 */
export async function replaceLinks(
  work: Work,
  table: string,
  parent: { column: string; id: number },
  child: { column: string; ids: readonly number[]; order?: string },
): Promise<void> {
  const [p, c] = [raw(parent.column), raw(child.column)];
  const place = child.order === undefined ? undefined : raw(child.order);
  const ids = [...new Set(child.ids)];
  const [before] = await work.tx.all([
    sql`SELECT ${c} AS id FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${p} = ${parent.id}
      ORDER BY ${place ?? c}`,
    sql`DELETE FROM ${raw(table)} WHERE provider_id = ${work.providerId} AND ${p} = ${parent.id}
      AND ${c} <> ALL(${ids}::bigint[])`,
    place === undefined
      ? sql`INSERT INTO ${raw(table)} (provider_id, ${p}, ${c}) SELECT ${work.providerId}, ${parent.id}, c
        FROM unnest(${ids}::bigint[]) c
        ON CONFLICT (provider_id, ${p}, ${c}) DO NOTHING`
      : sql`INSERT INTO ${raw(table)} (provider_id, ${p}, ${c}, ${place})
        SELECT ${work.providerId}, ${parent.id}, c, nth FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS n (c, nth)
        ON CONFLICT (provider_id, ${p}, ${c}) DO UPDATE SET ${place} = excluded.${place}`,
  ]);
  work.touchLinks(parent.column.replace(/_id$/, ''), parent.id, {
    name: `${child.column}s`,
    before: before.map((row) => row.id),
    after: ids,
    ordered: place !== undefined,
  });
}

/** Returns a condition: a row of the table refers to the row under the alias by this column. */
export const isNamedIn = (table: string, column: string, row: string): Sql =>
  sql`EXISTS (SELECT FROM ${raw(table)} named WHERE named.provider_id = ${raw(row)}.provider_id
    AND named.${raw(column)} = ${raw(row)}.id)`;

/** Returns the keys to which a change gives a value, null included: the names in a feed item. */
export const changedNames = (values: Values | object): string[] =>
  Object.entries(values)
    .filter(([, v]) => v !== undefined)
    .map(([name]) => name);
