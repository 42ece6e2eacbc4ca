/**
 * A rolling upgrade of several processes while customers book: the previous release continues next to the new one, on
 * the schema of the new one.
 */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { RELEASE } from '../../kernel/base/release.ts';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { beside, until } from '../storm.ts';
import { bookingStorm, checkBooks } from './booking-storm.ts';
import { fill, install, serve, type Installed, type Served } from './durable.ts';
import { Installation } from '../installation.ts';
import { prepareDatabase } from '../../kernel/base/db/schema/prepare.ts';
import { serveHere, type ServedHere } from './serve-here.ts';
import { rare } from '../rare.ts';

/** As in production: open connections may still bring requests. */
const DRAIN_MS = 500;
const NEXT = '99.0.0';
const newest = readMigrations(MIGRATIONS_DIR).at(-1)!.version;
const named = (n: number, what: string) => `${String(newest + n).padStart(4, '0')}_${what}`;
const [EXPANDS, CONTRACTS] = [named(1, 'adds_a_note'), named(2, 'takes_it_away')];

let here: Installed;
let eye: pg.Client;
const nextMigrations = mkdtempSync(join(tmpdir(), 'rollcall-next-'));
const running = new Set<Served>();
before(async () => {
  cpSync(MIGRATIONS_DIR, nextMigrations, { recursive: true });
  writeFileSync(
    join(nextMigrations, `${EXPANDS}.sql`),
    `-- expand
     ALTER TABLE event ADD note_of_next_release text NOT NULL DEFAULT 'none';
     CREATE TABLE note_of_next_release (id integer PRIMARY KEY);
     CREATE INDEX event_note_of_next_release ON event (provider_id, note_of_next_release);`,
  );
  writeFileSync(
    join(nextMigrations, `${CONTRACTS}.sql`),
    `-- contract: needs every process at ${NEXT}\nDROP TABLE note_of_next_release;`,
  );
  here = await install();
  eye = await beside(here.url);
});
after(async () => {
  for (const { process } of running)
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
  await eye?.end();
  await here?.remove();
  rmSync(nextMigrations, { recursive: true, force: true });
});

async function start(role: string, release: string): Promise<Served> {
  const served = await serve(here.url, {
    ROLE: role,
    TEST_RELEASE: release,
    TEST_MIGRATIONS: release === NEXT ? nextMigrations : MIGRATIONS_DIR,
  });
  running.add(served);
  return served;
}

/** Starts the service of a given release in this process: it shares only the database with the others. */
async function alongside(role: string, release: string): Promise<ServedHere> {
  const dir = release === NEXT ? nextMigrations : MIGRATIONS_DIR;
  await prepareDatabase(here.url, undefined, { release, dir });
  return serveHere(here.url, { ROLE: role }, { schema: { release, dir }, drainMs: DRAIN_MS });
}

const isApplied = async (name: string): Promise<boolean> =>
  (await eye.query('SELECT 1 FROM schema_migration WHERE name = $1', [name])).rowCount === 1;

test('processes are replaced one after another while customers book: nobody is refused, the feed has no gap, and contracting migrations wait for the last process', async () => {
  const made = await fill(here, 2000, { n: 40, places: null });
  const serving = [await alongside('server', RELEASE), await alongside('all', RELEASE)];
  let turn = 0;
  const s = bookingStorm(() => serving[turn++ % serving.length].url, here.token, made);
  const more = (what: string) => {
    const had = s.booked.length;
    return until(what, async () => s.booked.length >= had + 30);
  };
  await more('the release before takes bookings');

  serving.push(await alongside('all', NEXT));
  assert.deepEqual([await isApplied(EXPANDS), await isApplied(CONTRACTS)], [true, false]);
  await more('both releases take bookings');

  // A process of the previous release that restarts finds a newer schema and works with it.
  serving.push(await alongside('server', RELEASE));
  await more('both releases take bookings, whichever began first');

  for (const old of serving.filter((_, i) => i !== 2)) {
    serving.splice(serving.indexOf(old), 1);
    assert.equal(await isApplied(CONTRACTS), false, 'a process of the release before runs');
    await old.close();
  }
  await until('what contracts is applied by the process that runs', () => isApplied(CONTRACTS));
  await more('the next release takes bookings on the schema that is its own');
  await s.stop();

  assert.deepEqual([Object.keys(s.statuses), s.lost], [['done'], 0]);
  await until(
    'the feed is numbered',
    async () => (await eye.query('SELECT 1 FROM feed_item WHERE seq IS NULL')).rowCount === 0,
  );
  const { rows } = await eye.query(
    `SELECT count(*)::int AS n, count(DISTINCT seq)::int AS numbers, max(seq)::int AS last FROM feed_item
      WHERE provider_id = $1`,
    [here.harbour],
  );
  assert.deepEqual([rows[0].numbers, rows[0].last], [rows[0].n, rows[0].n]);
  await checkBooks(eye, s);
  await serving[0].close();
  await assert.rejects(
    alongside('server', RELEASE),
    /The database is newer than this release/,
    'the release before cannot start any more',
  );
});

test('a process ends cleanly when the schema changes in a way that it cannot work with', async () => {
  const served = await start('server', NEXT);
  await eye.query(
    `INSERT INTO schema_migration (version, name, checksum, oldest_release)
      VALUES (9999, '9999_later', 'x', '100.0.0')`,
  );
  const [code] = served.process.exitCode === null ? await once(served.process, 'exit') : [served.process.exitCode];
  assert.equal(code, 3);
});

rare(
  'a process that is ending when the schema becomes too new for it still answers all accepted requests',
  async (t) => {
    const other = await install();
    const command = new Installation({ DATABASE_URL: other.url });
    const [lock, look] = [await beside(other.url), await beside(other.url)];
    t.after(async () => {
      await command.remove();
      await Promise.all([lock.end(), look.end()]);
      await other.remove();
    });
    const { base, child, ended } = await command.start(['--no-demo']);
    let log = '';
    child.stderr!.on('data', (piece) => (log += piece));
    await lock.query('BEGIN; LOCK TABLE customer IN ACCESS EXCLUSIVE MODE');
    const answered = fetch(`${base}/api/v2/customers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${other.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ first_name: 'Late', last_name: 'Comer', email: 'late@example.org' }),
    }).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    const found = async (text: string, values: unknown[] = []) => (await look.query(text, values)).rowCount! > 0;
    await until('the request waits', () =>
      found(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'customer'::regclass`),
    );
    const { rows } = await look.query('SELECT clock_timestamp()::text AS at');
    child.kill('SIGTERM');
    // A second signal soon after the first would count as the same one.
    await until('it has been ending for more than a second', () =>
      found(`SELECT FROM process WHERE seen_at > $1::timestamptz + interval '1.5 s'`, [rows[0].at]),
    );
    await look.query(
      `INSERT INTO schema_migration (version, name, checksum, oldest_release)
        VALUES (9999, '9999_later', 'x', '100.0.0')`,
    );
    await until('it has seen that', async () => log.includes('9999_later') || child.exitCode !== null);
    await lock.query('COMMIT');
    assert.equal(await answered, 201, log);
    assert.equal((await ended).code, 0);
  },
);
