import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { backup, restore } from '../../base/db/backups/backup.ts';
import { readCatalog } from '../../base/archive/catalog.ts';
import { storedTables } from '../../base/db/backups/backup-catalog.ts';
import { beginWith, makeAhead, monthsBefore, partitionsOf } from '../../base/db/schema/partitions.ts';
import { FolderStore } from '../../base/files/folder-store.ts';
import { freshDatabase } from '../../../test/database.ts';
import { IDS_OF_A_MONTH, nameOfMonth, partitionOf } from '../../base/db/schema/months.ts';
import { keepMonths, type Keeping } from './keep.ts';
import { keptTables } from './kept-table.ts';
import { until } from '../../../test/storm.ts';
import type { FileStore } from '../../base/files/file-store.ts';
import { clockFile, followClock } from '../../../test/clock.ts';

const TABLE = 'audit_entry';
const root = mkdtempSync(join(tmpdir(), 'rollcall-retention-'));
const databases: { drop(): Promise<void> }[] = [];
let url: string;
let client: pg.Client;
let now: number;
let folders = 0;
before(async () => {
  ({ url } = await fresh());
  client = await connected(url);
  now = (await client.query('SELECT month_number(now()) AS n')).rows[0].n;
});
after(async () => {
  await client?.end();
  for (const { drop } of databases) await drop();
  rmSync(root, { recursive: true, force: true });
});

async function fresh() {
  const made = await freshDatabase();
  databases.push(made);
  return made;
}

/** Creates a database without migrations. */
async function empty(what = 'empty'): Promise<string> {
  const name = `retention_${what}_${process.pid}`;
  await client.query(`CREATE DATABASE ${name}`);
  databases.unshift({
    drop: async () => {
      const owner = await connected(url);
      await owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await owner.end();
    },
  });
  const there = new URL(url);
  there.pathname = `/${name}`;
  const made = await connected(there.href);
  await followClock(made, clockFile(there.href));
  await made.end();
  return there.href;
}

async function connected(to: string): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: to });
  await one.connect();
  return one;
}

const store = () => new FolderStore(join(root, String(++folders)));

/** Runs as the worker does, in the month that the test sets. */
const keep = (over: Partial<Keeping> = {}) =>
  keepMonths({
    url,
    files: store(),
    retention: { auditMonths: 1, feedMonths: null },
    log: { info: () => undefined, warn: () => undefined },
    ...over,
  });

let numbers = 0;
/** Inserts entries of a month, for two businesses; returns their ids. */
async function entries(month: number, n = 3, on = client): Promise<number[]> {
  const first = month * IDS_OF_A_MONTH + (numbers += 1000);
  await on.query(
    `INSERT INTO audit_entry (provider_id, id, at, request_id, actor, mode, action, object, object_id, before, after)
     SELECT 1 + k % 2, $1::bigint + k, now(), 'r', 'staff:1', 'provider', 'PATCH /customers/{id}', 'customer', k, '{"first_name": "Ada"}', '{"first_name": "Bo"}'
     FROM generate_series(0, $2::int - 1) k`,
    [first, n],
  );
  return Array.from({ length: n }, (_, k) => first + k);
}

const left = async (ids: readonly number[]): Promise<number[]> =>
  (await client.query('SELECT id::float8 AS id FROM audit_entry WHERE id = ANY($1) ORDER BY id', [ids])).rows.map(
    (r) => r.id,
  );

async function lines(files: FileStore, month: number, part = ''): Promise<any[]> {
  const stored = await files.get(`archives/${TABLE}/${nameOfMonth(month)}${part}.gz`);
  return stored === null
    ? []
    : gunzipSync(stored)
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
}

const idsIn = async (files: FileStore, month: number, part = '') =>
  (await lines(files, month, part)).map((line) => line.id).toSorted((a, b) => a - b);

/** Creates a database whose partitions begin ten months ago. */
async function old(months = 10): Promise<void> {
  await client.query('BEGIN; TRUNCATE audit_entry, archived_month');
  await beginWith(client, TABLE, now - months);
  await client.query('COMMIT');
}

test('an expired month is archived without the values of rows, and dropped; younger months stay', async () => {
  await old();
  const [gone, kept, current] = [await entries(now - 2), await entries(now - 1), await entries(now)];
  const files = store();
  await keep({ files, retention: { auditMonths: 1, feedMonths: null } });
  assert.deepEqual(await left([...gone, ...kept, ...current]), [...kept, ...current]);
  assert.deepEqual(await idsIn(files, now - 2), gone);
  const [line] = await lines(files, now - 2);
  assert.deepEqual(
    [line.provider_id, line.action, line.object, line.object_id],
    [1, 'PATCH /customers/{id}', 'customer', 0],
  );
  assert.ok(!('before' in line) && !('after' in line));
  assert.equal((await files.list(`archives/${TABLE}`)).length, 1, 'months without anything leave no file');
  const { attached, detached } = await partitionsOf(client, TABLE);
  assert.deepEqual([attached, detached], [[-1, 0, 1, 2, 3].map((n) => now + n), []]);
  const { rows } = await client.query('SELECT relation, month, part, rows::int FROM archived_month');
  assert.deepEqual(rows, [{ relation: TABLE, month: now - 2, part: 1, rows: 3 }]);
  await keep({ files });
  assert.equal((await files.list(`archives/${TABLE}`)).length, 1, 'once');
});

test('every column is archived, except for those about people', async () => {
  const left: Record<string, string[]> = {};
  for (const { name, archived } of keptTables({ auditMonths: null, feedMonths: null })) {
    const { rows } = await client.query(
      `SELECT attname::text AS name FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 1`,
      [name],
    );
    left[name] = rows.map((column) => column.name).filter((column) => !archived.includes(column));
  }
  assert.deepEqual(left, { audit_entry: ['after', 'before'], feed_item: [] });
});

test('months of imported rows are found, whichever business and however many rows', async () => {
  await old(2);
  assert.deepEqual(await monthsBefore(client, TABLE), []);
  await entries(now - 30, 5);
  await entries(now - 4, 1);
  await entries(now - 3, 5);
  await entries(now - 30, 2);
  assert.deepEqual(await monthsBefore(client, TABLE), [now - 30, now - 4, now - 3]);
});

test('a run that is stopped leaves months in the database', async () => {
  await old(2);
  const brought = await entries(now - 4);
  let asked = 0;
  const files = store();
  await keep({ files, stopped: () => asked++ > 0 });
  assert.deepEqual(await left(brought), brought);
  await keep({ files });
  assert.deepEqual([await left(brought), await idsIn(files, now - 4)], [[], brought]);
});

test('without a retention period nothing is removed, and the months ahead are still created', async () => {
  await old();
  const ids = await entries(now - 9);
  await client.query(`DROP TABLE ${partitionOf(TABLE, now + 3)}`);
  await newest(now + 2);
  await keep({ retention: { auditMonths: null, feedMonths: null }, thisMonth: now + 100 });
  assert.deepEqual(await left(ids), ids);
  assert.ok((await partitionsOf(client, TABLE)).attached.includes(now + 3));
  assert.equal(await makeAhead(client), false);
});

/** Returns a store that fails like a full disk, before or after the file exists, or that returns another content. */
function failing(files: FileStore, when: 'before' | 'after' | 'damaged'): FileStore {
  return {
    put: (...args) => files.put(...args),
    get: (...args) => files.get(...args),
    remove: (...args) => files.remove(...args),
    list: (...args) => files.list(...args),
    async putParts(name, parts) {
      if (when === 'before') throw new Error('the disk is full');
      const written = await files.putParts(name, parts);
      if (when === 'after') throw new Error('the connection was lost');
      return written;
    },
    async read(name) {
      const stored = await files.get(name);
      return (
        stored &&
        (async function* () {
          yield stored.subarray(0, stored.length - 12);
        })()
      );
    },
  };
}

test('if a file can’t be written or differs from what was written, nothing is lost, and nothing is duplicated after the next run', async () => {
  for (const [when, why] of [
    ['before', /the disk is full/],
    ['after', /the connection was lost/],
    ['damaged', /unexpected end of file/],
  ] as const) {
    await old();
    const ids = await entries(now - 4, 5000);
    const files = store();
    await assert.rejects(keep({ files: failing(files, when) }), why);
    const { rows } = await client.query(`SELECT count(*)::int AS n FROM ${partitionOf(TABLE, now - 4)}`);
    assert.equal(rows[0].n, 5000, when);
    assert.equal((await client.query('SELECT FROM archived_month')).rowCount, 0, when);
    await keep({ files });
    assert.deepEqual(await idsIn(files, now - 4), ids, when);
    assert.equal((await files.list(`archives/${TABLE}`)).length, 1, when);
    assert.deepEqual((await partitionsOf(client, TABLE)).detached, [], when);
  }
});

test('nobody waits while a month is detached, and if that is killed in the middle, the next run completes it', async () => {
  await old();
  const ids = await entries(now - 4);
  const reader = await connected(url);
  const files = store();
  try {
    await reader.query(`BEGIN; SELECT count(*) FROM audit_entry`);
    const keeping = keep({ files });
    keeping.catch(() => undefined);
    const pending = `SELECT FROM pg_inherits WHERE inhparent = 'audit_entry'::regclass AND inhdetachpending`;
    await until('the month waits for the reader', async () => (await client.query(pending)).rowCount === 1);
    // Both would fail, instead of wait, on a lock that keeps them out.
    await client.query(`SET lock_timeout = '1s'`);
    const written = await entries(now, 2);
    assert.deepEqual(await left(written), written);
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE query LIKE 'ALTER TABLE%DETACH%' AND datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await assert.rejects(keeping);
    assert.equal((await client.query(pending)).rowCount, 1);
    await reader.query('COMMIT');
    await keep({ files });
    assert.deepEqual(await idsIn(files, now - 4), ids);
    assert.deepEqual(await left([...ids, ...written]), written);
    assert.equal((await partitionsOf(client, TABLE)).attached[0], now - 1);
  } finally {
    await client.query('RESET lock_timeout');
    await reader.end();
  }
});

test('only one of two processes runs', async () => {
  await old();
  const ids = await entries(now - 4);
  const files = store();
  await Promise.all([keep({ files }), keep({ files }), keep({ files })]);
  assert.deepEqual(await idsIn(files, now - 4), ids);
  assert.equal((await client.query('SELECT FROM archived_month')).rowCount, 1);
});

test('imported rows of an old month are archived too, next to its earlier archive', async () => {
  await old();
  const files = store();
  const first = await entries(now - 4);
  await keep({ files });
  const second = await entries(now - 4, 4);
  assert.deepEqual(await left(second), second, 'there is a place for it');
  await assert.rejects(keep({ files: failing(files, 'after') }));
  assert.deepEqual(await left(second), second, 'it is deleted with the note of its file, or not at all');
  await keep({ files });
  assert.deepEqual(await left(second), []);
  assert.deepEqual([await idsIn(files, now - 4), await idsIn(files, now - 4, '-2')], [first, second]);
});

test('no role for requests can access a partition, attached or detached, and through the table it sees only its business', async () => {
  await old();
  await entries(now - 4);
  const ids = await entries(now);
  const tryTo = async (role: string, text: string) => {
    await client.query(`BEGIN; SET LOCAL ROLE ${role}; SET LOCAL rollcall.provider_id = '1'`);
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.query('ROLLBACK');
    }
  };
  const denied = async (partition: string) => {
    for (const role of ['rollcall_app', 'rollcall_across'])
      for (const text of [
        `SELECT FROM ${partition}`,
        `DELETE FROM ${partition}`,
        `INSERT INTO ${partition} SELECT * FROM audit_entry`,
      ])
        await assert.rejects(tryTo(role, text), /permission denied/, `${role}: ${text}`);
  };
  const { rows } = await client.query(
    `SELECT inhrelid::regclass::text AS name, relrowsecurity AS secured FROM pg_inherits
     JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = 'audit_entry'::regclass`,
  );
  assert.ok(rows.length >= 15);
  for (const { name, secured } of rows) {
    assert.ok(secured, name);
    await denied(name);
  }
  await assert.rejects(keep({ files: failing(store(), 'before') }));
  await denied(partitionOf(TABLE, now - 4));
  const seen = await tryTo('rollcall_app', 'SELECT id::float8 AS id, provider_id::int FROM audit_entry');
  assert.deepEqual(
    seen,
    ids.filter((_, k) => k % 2 === 0).map((id) => ({ id, provider_id: 1 })),
  );
  await keep();
});

/** As if no later partition had been created. */
const newest = (month: number) =>
  client.query(
    `CREATE OR REPLACE FUNCTION newest_month() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE RETURN ${month}`,
  );

/**
 * Returns the partition of an entry at this moment. Prepared, as in the service: its plan must not be cached for
 * longer.
 */
async function put(): Promise<string> {
  const { rows } = await client.query({
    name: 'put',
    text: `INSERT INTO audit_entry (provider_id, at, request_id, actor, mode, action, object)
      VALUES (1, now(), 'r', 'a', 'provider', 'x', 'y') RETURNING tableoid::regclass::text AS place`,
  });
  return rows[0].place;
}

test('an entry finds a partition at any time of the clock', async () => {
  await old();
  assert.equal(await put(), partitionOf(TABLE, now));
  await newest(now - 5);
  assert.equal(await put(), partitionOf(TABLE, now - 5), 'as where it is much later than the newest partition');
  await newest(0);
  assert.equal(await put(), `${TABLE}_before`);
  await newest(now + 3);
});

test('a backup restores the rows of each month into a partition of its own', async () => {
  await old();
  const ids = [...(await entries(now - 7)), ...(await entries(now))];
  const file = join(root, 'backup');
  await backup(url, file);
  const other = await empty();
  await restore(other, file);
  const there = await connected(other);
  try {
    const { rows } = await there.query(
      `SELECT tableoid::regclass::text AS place, array_agg(id::float8 ORDER BY id) AS ids FROM audit_entry GROUP BY 1 ORDER BY 1`,
    );
    assert.deepEqual(rows, [
      { place: partitionOf(TABLE, now - 7), ids: ids.slice(0, 3) },
      { place: partitionOf(TABLE, now), ids: ids.slice(3) },
    ]);
  } finally {
    await there.end();
  }
});

test('a backup that is made while a month waits for its archive restores that month, and it is archived there', async () => {
  await old();
  const ids = await entries(now - 4);
  const kept = await entries(now);
  await assert.rejects(keep({ files: failing(store(), 'before') }));
  assert.deepEqual((await partitionsOf(client, TABLE)).detached, [now - 4]);
  const file = join(root, 'backup-of-detached');
  await backup(url, file);
  const other = await empty('detached');
  await restore(other, file);
  const files = store();
  await keep({ url: other, files });
  assert.deepEqual(await idsIn(files, now - 4), ids);
  const there = await connected(other);
  try {
    const { rows } = await there.query('SELECT id::float8 AS id FROM audit_entry ORDER BY id');
    assert.deepEqual(
      rows.map(({ id }) => id),
      kept,
    );
  } finally {
    await there.end();
  }
  await keep();
});

test('a month that waits for its archive is not among the tables of a business that moves', async () => {
  await old();
  await entries(now - 4);
  const known = new Map((await storedTables(client)).map(({ name }) => [name, {}]));
  const moving = async () => {
    const { tables } = await readCatalog(client, { tables: known, accounts: { table: 'user_account' } });
    return tables.map(({ name }) => name);
  };
  const before = await moving();
  assert.ok(before.includes(TABLE));
  await assert.rejects(keep({ files: failing(store(), 'before') }));
  assert.deepEqual((await partitionsOf(client, TABLE)).detached, [now - 4]);
  assert.deepEqual(await moving(), before);
  await keep();
});
