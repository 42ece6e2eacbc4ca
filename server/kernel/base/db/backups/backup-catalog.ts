import type pg from 'pg';
import { qualified } from '../quote.ts';
import type { BackupTable, SequenceState } from './backup-file.ts';

/**
 * Contents of a backup: all tables of the project and the waiting jobs, without the record of migrations and the
 * unlogged tables, which are only temporary. A partitioned table counts as one.
 */
const STORED = `c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence = 'p'
  AND n.nspname IN ('public', 'graphile_worker')
  AND (n.nspname, c.relname) NOT IN (('public', 'schema_migration'), ('graphile_worker', 'migrations'))
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

interface ForeignKey {
  schema: string;
  table: string;
  name: string;
  /** The referenced table. */
  target: { schema: string; name: string };
  deferrable: boolean;
}

interface UserTrigger {
  schema: string;
  table: string;
  name: string;
  /** Values of pg_trigger.tgenabled: O ordinary, A always, R replica, D disabled. */
  enabled: 'O' | 'A' | 'R' | 'D';
}

/**
 * Pattern of the suffix of a monthly partition's name. A month that is not a partition waits for its archive, and only
 * the owner may touch it.
 */
export const MONTH = '_[0-9]{4}_[0-9]{2}$';

/**
 * Makes the text form of every value independent of the settings of role and database, and makes a read fail instead of
 * returning only part of a table.
 */
export async function settle(client: pg.ClientBase): Promise<void> {
  await client.query(`SET client_encoding = 'UTF8'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';
    SET extra_float_digits = 1;
    SET bytea_output = 'hex'; SET TimeZone = 'UTC'; SET row_security = off; SET statement_timeout = 0;
    SET lock_timeout = 0;
    SET idle_in_transaction_session_timeout = 0; SET search_path = public`);
}

/** Returns tables by name with their stored columns; generated columns are computed. */
export async function storedTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(`
    SELECT n.nspname::text AS schema, c.relname::text AS name,
      array_agg(a.attname::text ORDER BY a.attname::text) AS columns,
      (SELECT min(p.relname::text) FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
       WHERE i.inhparent = c.oid AND c.relkind = 'p' AND p.relname ~ '${MONTH}') AS oldest
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE ${STORED} AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY 1, 2, c.oid, c.relkind ORDER BY 1, 2`);
  return rows;
}

export async function foreignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    SELECT n.nspname::text AS schema, c.relname::text AS table, k.conname::text AS name, k.condeferrable AS deferrable,
      json_build_object('schema', tn.nspname, 'name', t.relname) AS target
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_class t ON t.oid = k.confrelid JOIN pg_namespace tn ON tn.oid = t.relnamespace
    WHERE k.contype = 'f' AND k.conparentid = 0 AND ${STORED} ORDER BY 1, 2, 3`);
  return rows;
}

export async function userTriggers(client: pg.ClientBase): Promise<UserTrigger[]> {
  const { rows } = await client.query<UserTrigger>(`
    SELECT n.nspname::text AS schema, c.relname::text AS table, t.tgname::text AS name, t.tgenabled::text AS enabled
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT t.tgisinternal AND ${STORED} ORDER BY 1, 2, 3`);
  return rows;
}

/** Returns every sequence with the next number that it will return. */
export async function sequenceStates(client: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<{ schema: string; name: string; step: string }>(`
    SELECT n.nspname::text AS schema, c.relname::text AS name, s.seqincrement::text AS step
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'graphile_worker') ORDER BY 1, 2`);
  const states: SequenceState[] = [];
  for (const { schema, name, step } of rows) {
    const {
      rows: [state],
    } = await client.query(`SELECT last_value::text AS last, is_called FROM ${qualified({ schema, name })}`);
    states.push({ schema, name, next: String(BigInt(state.last) + (state.is_called ? BigInt(step) : 0n)) });
  }
  return states;
}

/**
 * Sorts referenced tables first. In a cycle of references, one of them has to come too early: see earlyReferences().
 */
export function inForeignKeyOrder(tables: BackupTable[], keys: ForeignKey[]): BackupTable[] {
  const byName = new Map(tables.map((table) => [qualified(table), table]));
  const ordered = new Set<BackupTable>();
  const entered = new Set<string>();
  const visit = (name: string) => {
    const table = byName.get(name);
    if (!table || entered.has(name)) return;
    entered.add(name);
    for (const key of keys)
      if (qualified({ schema: key.schema, name: key.table }) === name) visit(qualified(key.target));
    ordered.add(table);
  };
  for (const name of byName.keys()) visit(name);
  return [...ordered];
}

/**
 * Returns foreign keys whose rows come before the rows that they refer to; a reference within one table is checked
 * after its COPY anyway.
 */
export function earlyReferences(ordered: BackupTable[], keys: ForeignKey[]): ForeignKey[] {
  const place = new Map(ordered.map((table, i) => [qualified(table), i]));
  return keys.filter(
    (key) =>
      (place.get(qualified(key.target)) ?? -1) > (place.get(qualified({ schema: key.schema, name: key.table })) ?? -1),
  );
}
