/**
 * A database as one SQL script: the migrations of its release and of its queue as they were, and every row as an
 * INSERT. It needs nothing of the release that replays it, and two of them can be compared as texts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import {
  foreignKeys,
  inForeignKeyOrder,
  sequenceStates,
  settle,
  storedTables,
} from '../../kernel/base/db/backups/backup-catalog.ts';
import { qualified, quote } from '../../kernel/base/db/quote.ts';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';

/** Separates the parts, each of which is one transaction. */
const PART = '\n-- part: ';

const QUEUE = 'graphile_worker';
const queueFile = (id: number): URL => {
  const entry = import.meta.resolve('graphile-worker');
  return new URL(`../sql/${String(id).padStart(6, '0')}.sql`, entry);
};

/** Writes the script, compressed. Nothing may be using the database. */
export async function writeDump(url: string, file: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await settle(client);
    const parts = [...(await schemaParts(client)), ['rows', await rowsScript(client)] as const];
    const script = parts.map(([name, text]) => `${PART}${name}\n${text}`).join('\n');
    writeFileSync(file, gzipSync(script, { level: 9 }));
  } finally {
    await client.end();
  }
}

type NamedPart = readonly [name: string, text: string];

async function schemaParts(client: pg.Client): Promise<NamedPart[]> {
  const { rows: queue } = await client.query<{ id: number }>(`SELECT id FROM ${QUEUE}.migrations ORDER BY id`);
  const { rows } = await client.query<{ newest: number }>('SELECT newest_month() AS newest');
  return [
    ...readMigrations(MIGRATIONS_DIR).map(({ name, sql }) => [name, sql] as const),
    [
      'queue',
      `CREATE SCHEMA ${QUEUE}; CREATE TABLE ${QUEUE}.migrations (id int PRIMARY KEY,
      ts timestamptz DEFAULT now() NOT NULL, breaking boolean NOT NULL DEFAULT false);`,
    ],
    ...queue.map(
      ({ id }) =>
        [`queue ${id}`, readFileSync(queueFile(id), 'utf8').replaceAll(/:GRAPHILE_WORKER_SCHEMA\b/g, QUEUE)] as const,
    ),
    ['months', `CALL make_months_until(${rows[0].newest});`],
  ];
}

/** Returns the rows of every table, and the positions of the sequences. */
async function rowsScript(client: pg.Client): Promise<string> {
  const records = ['public.schema_migration', `${QUEUE}.migrations`];
  const tables = inForeignKeyOrder(await storedTables(client), await foreignKeys(client));
  const names = tables.map(qualified);
  const lines = [
    // The rows already have the effects of triggers, and may refer to later ones.
    'SET LOCAL session_replication_role = replica;',
    ...names.map((name) => `DELETE FROM ${name};`),
    `CREATE TABLE public.schema_migration (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
      oldest_release text, applied_at timestamptz NOT NULL DEFAULT now());`,
  ];
  for (const [at, name] of [...names, ...records].entries()) {
    const columns = tables[at]?.columns ?? (await columnsOf(client, name));
    const values = columns.map((column) => `quote_nullable(${quote(column)}::text)`).join(`, ', ', `);
    const { rows } = await client.query<{ row: string }>(`SELECT concat(${values}) AS row FROM ${name} ORDER BY 1`);
    const into = `INSERT INTO ${name} (${columns.map(quote).join(', ')}) OVERRIDING SYSTEM VALUE VALUES`;
    lines.push(...rows.map(({ row }) => `${into} (${row});`));
  }
  for (const sequence of await sequenceStates(client))
    lines.push(`ALTER SEQUENCE ${qualified(sequence)} RESTART WITH ${sequence.next};`);
  return lines.join('\n');
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Replays the script in a new, empty database. */
export async function replayDump(url: string, file: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await settle(client);
    for (const part of gunzipSync(readFileSync(file)).toString().split(PART).slice(1)) {
      const text = part.slice(part.indexOf('\n') + 1);
      await client.query(`BEGIN; ${text}\n; COMMIT`);
    }
  } finally {
    await client.end();
  }
}
