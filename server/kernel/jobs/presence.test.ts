/** A runner that has ended must leave nothing behind that says it lives: its jobs would be nobody's. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../test/storm.ts';
import { startWorld, type World } from '../../test/world.ts';
import { HASTY } from '../../test/hasty.ts';
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

const holders = async (name: string): Promise<number[]> =>
  (
    await owner.query(
      `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
       WHERE l.locktype = 'advisory' AND l.classid = $1 AND l.objid = (hashtext($2)::bigint & 4294967295)::oid`,
      [PRESENCE_LOCK, name],
    )
  ).rows.map((row) => row.pid);

const connections = async (): Promise<number> =>
  (
    await owner.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`,
      [PRESENT],
    )
  ).rows[0].n;

const end = (pid: number) => owner.query('SELECT pg_terminate_backend($1)', [pid]);

const presence = () => {
  const url = new URL(world.databaseUrl);
  url.searchParams.set('application_name', PRESENT);
  return Presence.begin({
    url: url.href,
    patience: HASTY,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    log: { warn: () => {} },
  });
};

test('a runner whose connection is lost again and again is shown alive by one connection, until it ends', async () => {
  const shown = await presence();
  await shown.show('often lost');
  for (let round = 0; round < 10; round++) {
    const [pid] = await holders('often lost');
    await end(pid);
    await until('another connection shows it', async () => {
      const now = await holders('often lost');
      return now.length === 1 && now[0] !== pid;
    });
  }
  assert.equal(await connections(), 1);
  await shown.end();
  await until('nothing shows it any more', async () => (await connections()) === 0);
});

test('a runner that ends while it connects again leaves no connection behind', async () => {
  for (let round = 0; round < 20; round++) {
    const name = `ends ${round}`;
    const shown = await presence();
    await shown.show(name);
    await end((await holders(name))[0]);
    // From before it has noticed the loss to after it has connected again.
    for (let turn = 0; turn < round; turn++) await holders(name);
    await shown.end();
    await until('its connections are gone', async () => (await connections()) === 0);
    assert.deepEqual(await holders(name), []);
  }
});
