/** A runner that has ended must not leave a sign of life behind: nobody would take over its jobs. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../../test/storm.ts';
import { Proxy } from '../../../test/outside/proxy.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PATIENCE } from '../../base/db/connections/patience.ts';
import { Presence, PRESENCE_LOCK } from './presence.ts';

const PRESENT = 'presence of a test';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld();
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner?.end();
  await world?.close();
});

const lockers = async (name: string, isGranted: boolean): Promise<number[]> =>
  (
    await owner.query(
      `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
       WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = (hashtext($2)::bigint & 4294967295)::oid AND l.granted = $3`,
      [PRESENCE_LOCK, name, isGranted],
    )
  ).rows.map((row) => row.pid);
const granted = (name: string) => lockers(name, true);
const waiting = (name: string) => lockers(name, false);

const connections = async (): Promise<number> =>
  (
    await owner.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
      [PRESENT],
    )
  ).rows[0].n;

const end = (pid: number) => owner.query('SELECT pg_terminate_backend($1)', [pid]);

const presence = (at = world.databaseUrl) => {
  const url = new URL(at);
  url.searchParams.set('application_name', PRESENT);
  return Presence.begin({
    url: url.href,
    patience: PATIENCE,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    log: { warn: () => {} },
  });
};

test('a runner that repeatedly loses its connection is shown alive by one connection, until it ends', async () => {
  const shown = await presence();
  await shown.show('often lost');
  for (let round = 0; round < 10; round++) {
    const [pid] = await granted('often lost');
    await end(pid);
    await until('another connection shows it', async () => {
      const now = await granted('often lost');
      return now.length === 1 && now[0] !== pid;
    });
  }
  assert.equal(await connections(), 1);
  await shown.end();
  await until('nothing shows it any more', async () => (await connections()) === 0);
});

test('a runner that ends while it reconnects leaves no connection behind', async () => {
  for (let round = 0; round < 20; round++) {
    const name = `ends ${round}`;
    const shown = await presence();
    await shown.show(name);
    await end((await granted(name))[0]);
    // From before it has noticed the loss until after it has reconnected.
    for (let turn = 0; turn < round; turn++) await granted(name);
    await shown.end();
    await until('its connections are gone', async () => (await connections()) === 0);
    assert.deepEqual(await granted(name), []);
  }
});

test('a connection that is lost while it waits to show the runner is replaced by one, not by two', async () => {
  const name = 'waits';
  const wire = await Proxy.to(world.databaseUrl);
  const shown = await presence(wire.url);
  const other = await beside(world.databaseUrl);
  try {
    await other.query('SELECT pg_advisory_lock($1, hashtext($2))', [PRESENCE_LOCK, name]);
    const announced = shown.show(name).catch(() => {});
    for (let round = 0; round < 3; round++) {
      await until('it waits for its turn', async () => (await waiting(name)).length > 0);
      wire.reset();
      // A server that waits for a lock notices only then that its client has disconnected.
      for (const pid of await waiting(name)) await end(pid);
      await until('its connections are gone', async () => (await connections()) === 0);
      wire.pass();
    }
    await announced;
    await until('it waits again', async () => (await waiting(name)).length > 0);
    await other.query('SELECT pg_advisory_unlock_all()');
    await until('it is shown', async () => (await granted(name)).length === 1);
    assert.equal(await connections(), 1);
    await shown.end();
    await until('its connections are gone', async () => (await connections()) === 0);
  } finally {
    await other.end();
    await shown.end();
    await wire.close();
  }
});
