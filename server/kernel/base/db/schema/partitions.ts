/** Partitions of a table: lists them, creates them ahead, and repairs them after interruptions. */
import type pg from 'pg';
import { IDS_OF_A_MONTH, monthOf } from './months.ts';
import { quote } from '../quote.ts';

/** Number of months that are created ahead. */
const AHEAD = 3;

interface Partitions {
  /** oldest first */
  readonly attached: readonly number[];
  /** being removed: nobody sees their rows any more */
  readonly detached: readonly number[];
}

/** Creates missing partitions without blocking readers or writers. Returns true if any were missing. */
export async function makeAhead(client: pg.ClientBase): Promise<boolean> {
  const {
    rows: [{ newest, wanted }],
  } = await client.query('SELECT newest_month() AS newest, month_number(now()) + $1::int AS wanted', [AHEAD]);
  if (newest >= wanted) return false;
  await client.query('CALL make_months_until($1)', [wanted]);
  // Autovacuum doesn't analyze a partitioned table, and plans of joins need its statistics.
  const { rows: tables } = await client.query(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'p'`,
  );
  for (const { name } of tables) await client.query(`ANALYZE ${name}`);
  return true;
}

export async function partitionsOf(client: pg.ClientBase, table: string): Promise<Partitions> {
  const { rows } = await client.query<{ name: string; attached: boolean }>(
    `SELECT c.relname::text AS name, c.relispartition AS attached FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND starts_with(c.relname, $1) ORDER BY 1`,
    [`${table}_`],
  );
  const months = (attached: boolean): number[] =>
    rows
      .filter((row) => row.attached === attached)
      .map((row) => monthOf(table, row.name))
      .filter((month) => month !== null)
      .toSorted((a, b) => a - b);
  return { attached: months(true), detached: months(false) };
}

/**
 * Detaches a partition without blocking the table. Waits for transactions that began before, and can be interrupted:
 * `finishDetaching` completes it then.
 */
export async function detach(client: pg.ClientBase, table: string, partition: string): Promise<void> {
  await client.query(`ALTER TABLE ${quote(table)} DETACH PARTITION ${quote(partition)} CONCURRENTLY`);
}

export async function finishDetaching(client: pg.ClientBase, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = $1::regclass AND i.inhdetachpending`,
    [`public.${table}`],
  );
  for (const { name } of rows)
    await client.query(`ALTER TABLE ${quote(table)} DETACH PARTITION ${quote(name)} FINALIZE`);
}

/**
 * Returns the months with rows in the partition for older rows. Found by steps through the key, one for each business
 * and month: businesses that moved here fill that partition with years, and reading all of its rows would take long
 * each time.
 */
export async function monthsBefore(client: pg.ClientBase, table: string): Promise<number[]> {
  const found = `SELECT provider_id, id / ${IDS_OF_A_MONTH} AS month FROM ${quote(`${table}_before`)}`;
  const { rows } = await client.query<{ month: number }>(
    `WITH RECURSIVE step AS (
       (${found} ORDER BY provider_id, id LIMIT 1)
       UNION ALL
       SELECT next.* FROM step CROSS JOIN LATERAL (
         ${found} WHERE (provider_id, id) >= (step.provider_id, (step.month + 1) * ${IDS_OF_A_MONTH})
         ORDER BY provider_id, id LIMIT 1
       ) next
     )
     SELECT DISTINCT month::int AS month FROM step ORDER BY 1`,
  );
  return rows.map(({ month }) => month);
}

/**
 * Extends the partition for older rows up to the oldest remaining month, so that the old rows of a business that moves
 * here still have a place.
 */
export async function reachUp(client: pg.ClientBase, table: string): Promise<void> {
  const before = `${table}_before`;
  const { attached } = await partitionsOf(client, table);
  const {
    rows: [{ bound, rows: filled }],
  } = await client.query<{ bound: string | null; rows: boolean }>(
    `SELECT pg_get_expr(relpartbound, oid) AS bound, EXISTS (SELECT FROM ${quote(before)}) AS rows
     FROM pg_class WHERE oid = $1::regclass`,
    [`public.${before}`],
  );
  const end = String(attached[0] * IDS_OF_A_MONTH);
  if (bound?.includes(`('${end}')`)) return;
  if (bound !== null) {
    // Its rows must stay visible. Retried after that month is gone too.
    if (filled) return;
    await detach(client, table, before);
  }
  await attachBefore(client, table, attached[0]);
}

/**
 * Attaches the partition for older rows in one query, and so in one transaction. Detaching leaves a constraint with the
 * old bounds, which has to be dropped.
 */
async function attachBefore(client: pg.ClientBase, table: string, oldest: number): Promise<void> {
  const before = `${table}_before`;
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.conname::text AS name FROM pg_constraint c WHERE c.conrelid = $1::regclass AND c.contype = 'c'
       AND NOT EXISTS (SELECT FROM pg_constraint p WHERE p.conrelid = $2::regclass AND p.conname = c.conname)`,
    [`public.${before}`, `public.${table}`],
  );
  const values = `FROM (MINVALUE) TO (${oldest * IDS_OF_A_MONTH})`;
  await client.query(
    [
      ...rows.map(({ name }) => `ALTER TABLE ${quote(before)} DROP CONSTRAINT ${quote(name)}`),
      `ALTER TABLE ${quote(table)} ATTACH PARTITION ${quote(before)} FOR VALUES ${values}`,
    ].join('; '),
  );
}

/** Creates partitions from this month on, in an open transaction that locks out others. The table must be empty. */
export async function beginWith(client: pg.ClientBase, table: string, first: number): Promise<void> {
  const {
    attached: [oldest],
  } = await partitionsOf(client, table);
  if (first >= oldest) return;
  const before = quote(`${table}_before`);
  await client.query(`ALTER TABLE ${quote(table)} DETACH PARTITION ${before}`);
  await client.query('CALL make_months($1, $2, $3)', [table, first, oldest - 1]);
  await attachBefore(client, table, first);
}
