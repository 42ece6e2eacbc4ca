/** Copies the rows of a business in one snapshot to the other end, and removes them again. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import copy from 'pg-copy-streams';
import type pg from 'pg';
import { AS_BUSINESS, lsnText, type End } from './ends.ts';
import { filledTables, type MovedTable } from './tables.ts';
import { IDS_OF_A_MONTH } from '../../../kernel/base/db/schema/months.ts';
import { quote } from '../../../kernel/base/db/quote.ts';

interface Copied {
  readonly tables: number;
  readonly rows: number;
}

/** Copies everything or nothing, with the log position of the snapshot. `onCopied` is called for each table. */
export async function copyRows(
  from: End,
  to: End,
  tables: readonly MovedTable[],
  { snapshot, at }: { readonly snapshot: string; readonly at: bigint },
  onCopied: (table: string, rows: number) => void,
): Promise<Copied> {
  const { business } = from;
  return from.transaction(async (source) => {
    await source.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
    await source.query(AS_BUSINESS(business));
    const filled = await filledTables(source, tables, business);
    return to.stored(async (target) => {
      let rows = 0;
      for (const table of filled) {
        const copied = await copyTable(source, target, table, business);
        rows += copied;
        onCopied(table.name, copied);
      }
      await target.query('RESET ROLE');
      await target.query('UPDATE public.cell_move SET reached = $2 WHERE provider_id = $1', [business, lsnText(at)]);
      return { tables: filled.length, rows };
    });
  }, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
}

/** Copies through a table without policies: COPY is not allowed under row-level security, which must see every row. */
async function copyTable(
  source: pg.Client,
  target: pg.Client,
  { name, columns }: MovedTable,
  business: number,
): Promise<number> {
  const list = columns.map(quote).join(', ');
  await target.query(
    `CREATE TEMP TABLE arriving ON COMMIT DROP AS SELECT ${list} FROM public.${quote(name)} WITH NO DATA`,
  );
  await pipe(
    source,
    target,
    `SELECT ${list} FROM public.${quote(name)} WHERE provider_id = ${business}`,
    'pg_temp.arriving',
  );
  const { rowCount } = await target.query(
    `INSERT INTO public.${quote(name)} (${list}) SELECT ${list} FROM pg_temp.arriving`,
  );
  await target.query('DROP TABLE pg_temp.arriving');
  return rowCount ?? 0;
}

/** Copies the rows of a query into a table with the same columns. */
export async function pipe(source: pg.Client, target: pg.Client, query: string, into: string): Promise<void> {
  const rows = source.query(copy.to(`COPY (${query}) TO STDOUT`));
  const stream = target.query(copy.from(`COPY ${into} FROM STDIN`));
  const done = finished(stream);
  // A refused row ends the stream during the write; the error is thrown below.
  done.catch(() => undefined);
  try {
    for await (const chunk of rows) if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  stream.end();
  await done;
}

/** Deletes every row of a business that does not live here, table by table; may be repeated. */
export async function removeRows(end: End, tables: readonly MovedTable[]): Promise<number> {
  let removed = 0;
  const filled = await end.within((client) => filledTables(client, tables, end.business));
  for (const { name } of filled.toReversed())
    removed += await end.stored(async (client) => {
      const { rowCount } = await client.query(`DELETE FROM public.${quote(name)} WHERE provider_id = ${end.business}`);
      return rowCount ?? 0;
    });
  return removed;
}

/** Returns a table with a row whose id another business of this cell has; null: there is none. */
export async function takenId(
  end: End,
  tables: readonly MovedTable[],
): Promise<{ readonly table: string; readonly id: string } | null> {
  return end.transaction(async (client) => {
    await client.query(`CREATE TEMP TABLE arrived (id bigint PRIMARY KEY) ON COMMIT DROP;
      GRANT SELECT, INSERT, TRUNCATE ON arrived TO rollcall_app, rollcall_across`);
    await client.query(AS_BUSINESS(end.business));
    const filled = await filledTables(
      client,
      tables.filter(({ numbered }) => numbered),
      end.business,
    );
    for (const { name } of filled) {
      await client.query(AS_BUSINESS(end.business));
      await client.query('TRUNCATE pg_temp.arrived');
      await client.query(`INSERT INTO pg_temp.arrived SELECT id FROM public.${quote(name)}`);
      await client.query('SET LOCAL ROLE rollcall_across');
      const { rows } = await client.query(
        `SELECT id::text FROM public.${quote(name)} JOIN pg_temp.arrived USING (id) WHERE provider_id <> $1 LIMIT 1`,
        [end.business],
      );
      if (rows[0]) return { table: name, id: rows[0].id };
      await client.query('RESET ROLE');
    }
    return null;
  });
}

/**
 * Advances the sequences of this cell past the ids of the business: ids from the time before cells can have any
 * remainder.
 */
export async function passIds(end: End, tables: readonly MovedTable[]): Promise<void> {
  const numbered = tables.filter((table) => table.numbered);
  const reached = await end.within(async (client) => {
    const filled = await filledTables(client, numbered, end.business);
    if (filled.length === 0) return [];
    const parts = filled.map(
      ({ name, monthly }) =>
        `(SELECT '${name}_id_seq' AS sequence, max(${monthly ? `id % ${IDS_OF_A_MONTH}` : 'id'})::text AS id FROM public.${quote(name)})`,
    );
    return (await client.query<{ sequence: string; id: string }>(parts.join(' UNION ALL '))).rows;
  });
  for (const { sequence, id } of [...reached, { sequence: 'provider_provider_id_seq', id: String(end.business) }])
    await end.client.query(
      `SELECT setval(s.seqrelid, n.last_value + s.seqincrement *
        ceil(($2::numeric - n.last_value) / s.seqincrement)::bigint)
       FROM pg_sequence s, public.${quote(sequence)} n WHERE s.seqrelid = $1::regclass AND n.last_value < $2::bigint`,
      [`public.${quote(sequence)}`, id],
    );
}
