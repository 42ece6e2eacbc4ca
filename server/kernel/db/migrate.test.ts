import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { migrate, pendingMigrations } from './migrate.ts';
import { ensureDatabase, startEmbedded } from './embedded.ts';
import type { Embedded } from './embedded.ts';

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-migrate-'));
let database: Embedded;
let client: pg.Client;
let url: string;
let dir: string;
let count = 0;

before(async () => {
  database = await startEmbedded({ dataDir: scratch, durable: false, log: { info() {}, warn() {}, error() {} } });
});
after(async () => {
  await database.stop();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(async () => {
  count += 1;
  url = await ensureDatabase(database.url, `case_${count}`);
  client = await connect();
  dir = mkdtempSync(join(scratch, 'migrations-'));
  write('0001_start', 'CREATE TABLE room (id integer PRIMARY KEY);\nINSERT INTO room VALUES (1);');
});
afterEach(() => client.end());

async function connect(): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: url });
  await one.connect();
  return one;
}

function write(name: string, sql: string): void {
  writeFileSync(join(dir, `${name}.sql`), sql);
}

test('pending migrations are applied once, in order, and reported', async () => {
  write('0002_seats', 'ALTER TABLE room ADD seats integer NOT NULL DEFAULT 4;');
  assert.deepEqual(await pendingMigrations(client, { dir }), ['0001_start', '0002_seats']);
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  assert.deepEqual(await migrate(client, { dir, log }), { applied: ['0001_start', '0002_seats'] });
  assert.deepEqual(await migrate(client, { dir, log }), { applied: [] });
  assert.deepEqual(lines, ['Applied 2 migrations, 0001_start to 0002_seats.'], 'in one line');
  assert.deepEqual(await pendingMigrations(client, { dir }), []);
  assert.deepEqual((await client.query('SELECT id, seats FROM room')).rows, [{ id: 1, seats: 4 }]);
});

test('two servers may migrate at the same moment and each migration runs once', async () => {
  const other = await connect();
  try {
    const results = await Promise.all([migrate(client, { dir }), migrate(other, { dir })]);
    assert.deepEqual(
      results.flatMap(({ applied }) => applied),
      ['0001_start'],
    );
  } finally {
    await other.end();
  }
});

test('a failing migration leaves nothing behind, names its line and keeps the ones before it', async () => {
  write('0002_broken', 'CREATE TABLE half (id integer);\nSELECT nonsense;');
  await assert.rejects(migrate(client, { dir }), /0002_broken failed.*nonsense.*\(line 2\)/);
  assert.deepEqual((await client.query(`SELECT to_regclass('half') AS half, to_regclass('room')::text AS room`)).rows, [
    { half: null, room: 'room' },
  ]);
  assert.deepEqual(await pendingMigrations(client, { dir }), ['0002_broken']);
});

test('an applied migration that was changed is refused', async () => {
  await migrate(client, { dir });
  write('0001_start', 'CREATE TABLE room (id bigint PRIMARY KEY);');
  await assert.rejects(migrate(client, { dir }), /0001_start was changed.*Remedy/);
});

test('line ends of another system do not make a migration a changed one', async () => {
  await migrate(client, { dir });
  write('0001_start', 'CREATE TABLE room (id integer PRIMARY KEY);\r\nINSERT INTO room VALUES (1);');
  assert.deepEqual(await migrate(client, { dir }), { applied: [] });
});

test('a database newer than the code is refused', async () => {
  write('0002_later', 'CREATE TABLE later (id integer);');
  await migrate(client, { dir });
  rmSync(join(dir, '0002_later.sql'));
  await assert.rejects(migrate(client, { dir }), /newer than this release.*0002_later.*Remedy/);
  await assert.rejects(pendingMigrations(client, { dir }), /newer than this release/);
});

test('a migration numbered before an applied one, or twice, is refused', async () => {
  write('0003_third', 'CREATE TABLE third (id integer);');
  await migrate(client, { dir });
  write('0002_late', 'CREATE TABLE late (id integer);');
  await assert.rejects(migrate(client, { dir }), /0002_late comes before 0003_third/);
  write('0002_other', 'CREATE TABLE other (id integer);');
  await assert.rejects(migrate(client, { dir }), /Two migrations/);
});
