/** Processes that know about each other, in one test process: they share only the database. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { after, afterEach, before, test } from 'node:test';
import { pino } from 'pino';
import type pg from 'pg';
import { createApp, type App, type AppOptions } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { freshDatabase } from '../database.ts';
import { HASTY } from '../hasty.ts';
import { makeBusiness } from './durable.ts';
import { MIGRATIONS_DIR, readMigrations } from '../../kernel/base/db/schema/migration-files.ts';
import { Peers } from '../../scale/processes/peers.ts';
import { Proxy } from '../outside/proxy.ts';
import { RELEASE } from '../../kernel/base/release.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { SharedBuckets } from '../../scale/processes/shared-buckets.ts';
import { beside, until } from '../storm.ts';
import { START } from '../clock.ts';

let database: { url: string; drop(): Promise<void> };
let eye: pg.Client;
let token: string;
const open: App[] = [];
before(async () => {
  database = await freshDatabase();
  eye = await beside(database.url);
  ({ token } = await makeBusiness(database.url));
});
// A process that is left over would be counted by the next test.
afterEach(() => Promise.all(open.splice(0).map((app) => app.close())).then(() => {}));
after(async () => {
  await eye?.end();
  await database?.drop();
});

async function start(more: Partial<AppOptions> = {}, env: Record<string, string> = { DATABASE_URL: database.url }) {
  const config = readConfig({
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    SECRET_KEY,
    ROLE: 'server',
    ...env,
  });
  const log = pino({ level: 'silent' });
  const app = createApp({ config: { ...config, port: 0 }, databaseUrl: database.url, log, drainMs: 0, ...more });
  open.push(app);
  return { app, url: await app.listen() };
}

const alive = async (): Promise<{ id: string; servers: number; release: string }[]> =>
  (
    await eye.query(
      `SELECT id, servers, release FROM process WHERE NOT ended AND seen_at > clock_timestamp() - interval '5 s'`,
    )
  ).rows;

/** Returns true once two processes are listed and each knows about the other. */
const bothKnow = async (): Promise<boolean> => {
  const known = await alive();
  return known.length === 2 && known.every(({ servers }) => servers === 2);
};

const readiness = async (url: string): Promise<any> => (await fetch(`${url}/readyz`)).json();

test('releases that run in parallel for longer than an upgrade takes cause a warning until the older one has ended', async () => {
  const old = await start({ schema: { release: '0.9.0' } });
  const next = await start({ schema: { release: '0.10.0' } });
  await until('they know of one another', bothKnow);
  assert.deepEqual(await readiness(next.url), { status: 'ready' });
  await eye.query(`UPDATE process SET started_at = started_at - interval '11 minutes'`);
  // A process doesn't read its own age from the table, so the first two don't notice this change. The third one does,
  // and is new itself.
  const third = await start({ schema: { release: '0.10.0' } });
  await until('the warning', async () => (await readiness(third.url)).warnings !== undefined);
  assert.deepEqual(await readiness(third.url), {
    status: 'ready',
    warnings: ['processes of different releases are running: 0.9.0, 0.10.0'],
  });
  await old.app.close();
  await until('no warning', async () => (await readiness(third.url)).warnings === undefined);
  await Promise.all([next.app.close(), third.app.close()]);
  assert.deepEqual(await alive(), [], 'a process that ends takes itself off');
});

test('a request sends the database the same statements, whether or not processes know about each other', async () => {
  const sent = { n: 0 };
  const observe: AppOptions['observe'] = () => void sent.n++;
  const counted = async (url: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    const ask = () => fetch(`${url}/api/v2/venues`, { headers }).then((answer) => answer.arrayBuffer());
    const counts: number[] = [];
    // Some of the requests reload values that are cached briefly.
    for (let n = 0; n < 10; n++) {
      const had = sent.n;
      await ask();
      counts.push(sent.n - had);
    }
    return Math.min(...counts);
  };
  const alone = await start({ observe }, {});
  const [one, other] = [await start({ observe }), await start()];
  await until('they know of one another', bothKnow);
  const expected = await counted(alone.url);
  assert.ok(expected > 0);
  assert.equal(await counted(one.url), expected);
  await Promise.all([alone, one, other].map(({ app }) => app.close()));
});

test('a process whose connection is lost registers again', async () => {
  const wire = await Proxy.to(database.url);
  try {
    const [cut, other] = [await start({ databaseUrl: wire.url, patience: HASTY }), await start()];
    await until('they know of one another', bothKnow);
    wire.reset();
    await until('it is missed', async () => (await alive()).length === 1);
    assert.equal((await fetch(`${other.url}/healthz`)).status, 200);
    wire.pass();
    await until('it is back', bothKnow);
    await Promise.all([cut.app.close(), other.app.close()]);
  } finally {
    await wire.close();
  }
});

test('after a crash of the database, which empties unlogged tables, a process registers its streams and recent requests again', async () => {
  const wire = await Proxy.to(database.url);
  const buckets = new SharedBuckets();
  const peers = new Peers({
    url: wire.url,
    role: 'server',
    release: RELEASE,
    buckets,
    now: () => START,
    log: { warn: () => {} },
    patience: HASTY,
  });
  const saysStreams = async () =>
    (await eye.query(`SELECT FROM process WHERE id = $1 AND streams = '{"caller:7": 2}'`, [peers.self.id])).rowCount;
  try {
    await start();
    peers.share({ counts: { 'caller:7': 2 }, hear: () => {}, onBegin: () => {} });
    await peers.join();
    await until('it knows of the other', async () => buckets.sharers === 2 && (await saysStreams()));
    wire.reset();
    await eye.query('TRUNCATE process, process_report');
    buckets.take('person:7', { name: 'person', quota: 60, windowSeconds: 60 }, START);
    wire.pass();
    await until('its streams are known', saysStreams);
    const told = `SELECT FROM process_report WHERE process_id = $1 AND taken ? 'person:7'`;
    await until('what it took is known', async () => (await eye.query(told, [peers.self.id])).rowCount);
  } finally {
    await peers.close();
    await wire.close();
  }
});

test('unlogged rows may vanish at any time: each process registers again', async () => {
  const [one, other] = [await start(), await start()];
  await until('they know of one another', bothKnow);
  await eye.query('TRUNCATE process, process_report');
  await until('both are there again', bothKnow);
  await Promise.all([one.app.close(), other.app.close()]);
});

test('a process that ends does not wait for a migration that cannot lock its table', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rollcall-next-'));
  cpSync(MIGRATIONS_DIR, dir, { recursive: true });
  const name = `${String(readMigrations(dir).at(-1)!.version + 1).padStart(4, '0')}_next`;
  writeFileSync(join(dir, `${name}.sql`), '-- expand\nALTER TABLE event ADD next text;');
  const reader = await beside(database.url);
  try {
    await reader.query('BEGIN; SELECT FROM event');
    const { app } = await start({ schema: { dir } });
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'event'::regclass`;
    await until('the migration waits', async () => (await eye.query(waiting)).rowCount === 1);
    const begun = performance.now();
    await app.close();
    assert.ok(performance.now() - begun < 20_000, 'it would wait a minute for the table');
    await reader.query('COMMIT');
    await until('it is undone', async () => (await eye.query(waiting)).rowCount === 0);
    assert.equal((await eye.query('SELECT FROM schema_migration WHERE name = $1', [name])).rowCount, 0);
  } finally {
    await reader.end();
    rmSync(dir, { recursive: true, force: true });
  }
});
