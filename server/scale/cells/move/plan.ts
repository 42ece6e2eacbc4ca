/** Estimates the size and duration of a move, without changing anything. */
import { filledTables, movedTables, type MovedTable } from './tables.ts';
import { obstacles } from './check.ts';
import { openEnds, refuseUnlessCells, whereIs, type Ends, type Place } from './where.ts';
import { pipe } from './copy.ts';
import { quote } from '../../../kernel/base/db/quote.ts';
import type { Around } from './context.ts';

/** Number of rows that are copied to measure the speed. */
const SAMPLE = 20_000;
/** Fixed cost of a table, in seconds, however few rows it has. */
const TABLE_SECONDS = 0.005;

export interface Plan {
  readonly place: Place;
  readonly against: readonly string[];
  readonly tables: number;
  readonly rows: number;
  readonly bytes: number;
  /** estimated duration of the copy; null: there is nothing to measure */
  readonly seconds: number | null;
}

interface Size {
  readonly table: MovedTable;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Plans a move.
 * @throws MoveRefused if it cannot begin
 */
export async function planMove(around: Around): Promise<Plan> {
  const ends = await openEnds(around);
  try {
    await refuseUnlessCells(around, ends);
    const place = await whereIs(around, ends);
    const tables = await movedTables(ends.from.client, around);
    const against =
      place === 'here' || place === 'begun' ? await obstacles(around, ends, tables, place === 'begun') : [];
    const sizes = await sizesOf(ends, tables);
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    const rate = against.length > 0 ? null : await rateOf(ends, sizes);
    return {
      place,
      against,
      tables: sizes.length,
      rows: sizes.reduce((sum, { rows }) => sum + rows, 0),
      bytes,
      seconds: rate === null ? null : bytes / rate + sizes.length * TABLE_SECONDS,
    };
  } finally {
    await ends.close();
  }
}

const sizesOf = ({ from }: Ends, tables: readonly MovedTable[]): Promise<Size[]> =>
  from.within(async (client) => {
    const sizes: Size[] = [];
    for (const table of await filledTables(client, tables, from.business)) {
      const { rows } = await client.query(
        `SELECT count(*) AS rows, sum(pg_column_size(t)) AS bytes FROM public.${quote(table.name)} t
          WHERE provider_id = ${from.business}`,
      );
      sizes.push({ table, rows: Number(rows[0].rows), bytes: Number(rows[0].bytes) });
    }
    return sizes;
  }, 'BEGIN READ ONLY');

/**
 * Returns bytes per second, measured by copying a sample of the largest table into a temporary one, which is dropped
 * with its transaction.
 */
async function rateOf({ from, to }: Ends, sizes: readonly Size[]): Promise<number | null> {
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  if (!largest) return null;
  const { table } = largest;
  const list = table.columns.map(quote).join(', ');
  const rows = Math.min(largest.rows, SAMPLE);
  return from.within(
    (source) =>
      to.transaction(async (target) => {
        await target.query(
          `CREATE TEMP TABLE arriving ON COMMIT DROP AS SELECT ${list} FROM public.${quote(table.name)} WITH NO DATA;
           CREATE TEMP TABLE arrived (LIKE public.${quote(table.name)} INCLUDING GENERATED INCLUDING INDEXES)
             ON COMMIT DROP`,
        );
        const began = performance.now();
        const some = `SELECT ${list} FROM public.${quote(table.name)}
          WHERE provider_id = ${from.business} LIMIT ${SAMPLE}`;
        await pipe(source, target, some, 'pg_temp.arriving');
        await target.query(`INSERT INTO pg_temp.arrived (${list}) SELECT ${list} FROM pg_temp.arriving`);
        return (largest.bytes / largest.rows) * rows * (1000 / (performance.now() - began));
      }),
    'BEGIN READ ONLY',
  );
}
