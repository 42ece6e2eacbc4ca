import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { migrate, pendingMigrations, waitingMigration } from './migrate.ts';
import { ensureDatabase, startEmbedded } from '../embedded/embedded.ts';
import type { Embedded } from '../embedded/embedded.ts';

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
  assert.deepEqual(await migrate(client, { dir, log }), { applied: ['0001_start', '0002_seats'], waiting: [] });
  assert.deepEqual(await migrate(client, { dir, log }), { applied: [], waiting: [] });
  assert.deepEqual(lines, ['Applied 2 migrations, 0001_start to 0002_seats.'], 'in one line');
  assert.deepEqual(await pendingMigrations(client, { dir }), []);
  assert.deepEqual((await client.query('SELECT id, seats FROM room')).rows, [{ id: 1, seats: 4 }]);
});

test('two servers may migrate at the same moment, and each migration runs once', async () => {
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

test('a failing migration leaves nothing behind, names its line, and keeps the ones before it', async () => {
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

test('a database of an earlier version, which recorded less, is refused with a remedy', async () => {
  await migrate(client, { dir });
  await client.query('ALTER TABLE schema_migration DROP COLUMN oldest_release');
  write('0001_start', 'CREATE TABLE room (id bigint PRIMARY KEY);');
  const refusal =
    /another version of Rollcall made this database\. Remedy: run the version that made it\. .* can’t be updated: start with an empty/;
  for (const look of [migrate, pendingMigrations, waitingMigration])
    await assert.rejects(look(client, { dir }), refusal);
});

test('other line endings do not count as a changed migration', async () => {
  await migrate(client, { dir });
  write('0001_start', 'CREATE TABLE room (id integer PRIMARY KEY);\r\nINSERT INTO room VALUES (1);');
  assert.deepEqual(await migrate(client, { dir }), { applied: [], waiting: [] });
});

test('a database newer than the code is refused', async () => {
  write('0002_later', 'CREATE TABLE later (id integer);');
  await migrate(client, { dir });
  rmSync(join(dir, '0002_later.sql'));
  await assert.rejects(
    migrate(client, { dir }),
    /newer than this release.*0002_later.*Remedy: run the newer release again\. To go back, restore the backup/,
  );
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

const PROCESS = `CREATE TABLE process (host text, pid integer, release text, seen_at timestamptz,
  ended boolean DEFAULT false);`;
const process = (release: string, seen = 'clock_timestamp()') =>
  client.query(`INSERT INTO process VALUES ('booth', 7, '${release}', ${seen})`);

test('a release continues to work after migrations that expand, and after those that contract no further than it allows', async () => {
  write('0002_more', '-- expand\nCREATE TABLE more (id integer);');
  write('0003_less', '-- contract: needs every process at 0.3.0\nDROP TABLE room;');
  await migrate(client, { dir, release: '0.4.0' });
  for (const file of ['0002_more.sql', '0003_less.sql']) rmSync(join(dir, file));
  assert.deepEqual(await migrate(client, { dir, release: '0.3.0' }), { applied: [], waiting: [] });
  await assert.rejects(
    migrate(client, { dir, release: '0.2.9' }),
    /newer than this release.*0003_less.*needs every process at 0\.3\.0 or later\. This one is 0\.2\.9\. Remedy/,
  );
});

test('a contracting migration waits until no process of an older release runs, and lists those that do', async () => {
  write('0001_start', `${PROCESS} CREATE TABLE room (id integer);`);
  write('0002_less', '-- contract: needs every process at 0.3.0\nDROP TABLE room;');
  await migrate(client, { dir, release: '0.3.0' }).then(() => client.query('DROP TABLE process'));
  assert.deepEqual((await client.query(`SELECT to_regclass('room') AS room`)).rows, [{ room: null }], 'nobody lived');
  write('0003_also', '-- contract: needs every process at 0.4.0\nSELECT 1;');
  await client.query(PROCESS);
  await process('0.3.0');
  await process('0.5.0');
  assert.deepEqual(await migrate(client, { dir, release: '0.4.0' }), { applied: [], waiting: ['0003_also'] });
  assert.deepEqual(await waitingMigration(client, { dir, release: '0.4.0' }), {
    name: '0003_also',
    release: '0.4.0',
    older: ['process 7 on booth (release 0.3.0)'],
  });
  write('0004_next', '-- expand\nSELECT 1;');
  await assert.rejects(migrate(client, { dir, release: '0.4.0' }), /0004_next comes after 0003_also.*booth.*Remedy/);
  await client.query(`UPDATE process SET seen_at = clock_timestamp() - interval '31 s' WHERE release = '0.3.0'`);
  assert.deepEqual((await migrate(client, { dir, release: '0.4.0' })).applied, ['0003_also', '0004_next']);
  assert.equal(await waitingMigration(client, { dir, release: '0.4.0' }), null);
});

test('a migration that requires a later release than its own is refused', async () => {
  write('0002_less', '-- contract: needs every process at 9.0.0\nDROP TABLE room;');
  await assert.rejects(migrate(client, { dir, release: '0.4.0' }), /0002_less needs every process at 9\.0\.0.*Remedy/);
});

test('a migration gives up its place in the lock queue if a table is in use, so that nobody waits behind it for long, and retries', async () => {
  await migrate(client, { dir });
  const other = await connect();
  try {
    await other.query('BEGIN; SELECT * FROM room');
    write('0002_seats', '-- expand\nALTER TABLE room ADD seats integer;');
    const migrating = migrate(client, { dir });
    for (let waits = false; !waits;)
      waits =
        (await other.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`)).rowCount === 1;
    for (let waits = true; waits;)
      waits =
        (await other.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`)).rowCount === 1;
    await other.query('COMMIT');
    assert.deepEqual((await migrating).applied, ['0002_seats']);
  } finally {
    await other.end();
  }
});
