/** A business that lives in another cell: its rows that are still in this cell's database cause no action. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { becomeCell } from '../../scale/cells/become.ts';
import { beside, until } from '../storm.ts';
import { BusinessElsewhere } from '../../kernel/base/db/elsewhere.ts';
import { Database } from '../../kernel/base/db/database.ts';
import { FENCE } from '../../scale/fence.ts';
import { namesOf } from '../../app.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { directoryOf, startCells, type Cells } from './cells-world.ts';
import type { World } from '../world.ts';

let all: Cells;
let world: World;
let owner: pg.Client;
before(async () => {
  all = await startCells({ worker: true });
  ({ world } = all.cell(1));
  owner = await beside(world.databaseUrl);
});
beforeEach(() => owner.query('DELETE FROM cell_business'));
after(async () => {
  await owner?.end();
  await all?.close();
});

const set = (state: string, business = world.harbour) =>
  owner.query(
    `INSERT INTO cell_business (provider_id, state, cell) VALUES ($1, $2, 2)
     ON CONFLICT (provider_id) DO UPDATE SET state = excluded.state`,
    [business, state],
  );
const elsewhere = (state: string) => (error: unknown) => {
  assert.ok(error instanceof BusinessElsewhere);
  assert.deepEqual({ state: error.state, cell: error.cell }, { state, cell: 2 });
  return true;
};

// Guards against: A business that lives in two cells while it moves
test('no transaction reads or writes a business that is moving, and nothing has changed if it stays', async () => {
  const { db } = world.app;
  for (const state of ['arriving', 'leaving', 'left']) {
    await set(state);
    await assert.rejects(
      db.transaction(world.harbour, (tx) => tx.run(sql`SELECT 1`)),
      elsewhere(state),
    );
    await assert.rejects(
      db.transaction(world.harbour, async (tx) => tx.later(sql`UPDATE provider SET description = 'written'`)),
      elsewhere(state),
    );
    await assert.rejects(
      db.looking(world.harbour, (tx) => tx.one(sql`SELECT 1`)),
      elsewhere(state),
    );
    await assert.rejects(db.reading(world.harbour).one(sql`SELECT 1`), elsewhere(state));
  }
  await owner.query('DELETE FROM cell_business');
  const { description } = (await world.get(`/providers/${world.harbour}`, { as: world.machine })).body;
  assert.notEqual(description, 'written');
});

test('a request while the business is moving is answered with a 503 and a retry after one second', async () => {
  await set('leaving');
  const body = { name: 'Hall', venue_type: 'online', timezone: 'UTC' };
  const ask = () => world.post('/venues', { as: world.machine, body });
  // A token that no process has cached can't be looked up during the move, and must not be taken for a wrong one.
  await until('the process has heard of it', async () => (await ask()).status === 503);
  const answer = await ask();
  assert.equal(answer.status, 503, answer.text);
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(answer.body.code, 'unavailable');
  const page = await fetch(`${world.url}/account/${world.harbour}/log-in`);
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '1');
  await page.arrayBuffer();
});

test('work across all businesses skips those that live elsewhere, and can’t write to them', async () => {
  const { db } = world.app;
  const businesses = () =>
    db.acrossTenants('a test looks at every business', (tx) =>
      tx.rows<{ id: number }>(sql`SELECT provider_id AS id FROM provider ORDER BY 1`),
    );
  assert.deepEqual(
    (await businesses()).map(({ id }) => id),
    [world.harbour, world.meadow],
  );
  await set('left');
  assert.deepEqual(
    (await businesses()).map(({ id }) => id),
    [world.meadow],
  );
  await assert.rejects(
    db.acrossTenants('a test writes', (tx) =>
      tx.run(sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${world.harbour}, 'Hall', 'UTC')`),
    ),
    { code: '42501' },
  );
  // A move writes rows of the one business that it moves.
  await db.acrossTenants('a test moves', async (tx) => {
    await tx.run(sql`SELECT set_config('rollcall.moving', ${String(world.harbour)}, true)`);
    await tx.run(sql`INSERT INTO venue (provider_id, name, timezone) VALUES (${world.harbour}, 'Hall', 'UTC')`);
  });
});

test('jobs of a business that is moving wait for it, use up no attempt, and act once', async () => {
  await set('leaving');
  const payload = JSON.stringify({ provider_id: world.harbour });
  await owner.query(`SELECT enqueue_job('remind_of_invoices', $1, NULL, now())`, [payload]);
  const waiting = async () =>
    (
      await owner.query(
        `SELECT attempts, key FROM graphile_worker._private_jobs WHERE payload::text = $1::json::text`,
        [payload],
      )
    ).rows;
  await until('it was put back', async () => {
    const jobs = await waiting();
    return jobs.length === 1 && jobs[0].attempts === 0 && jobs[0].key?.startsWith('elsewhere:');
  });
  await owner.query('DELETE FROM cell_business');
  await until('it is done', async () => (await waiting()).length === 0);
  const { rows } = await owner.query(
    `SELECT count(*)::int AS n FROM job_effect WHERE provider_id = $1 AND job_key LIKE 'remind_of_invoices:%'`,
    [world.harbour],
  );
  assert.equal(rows[0].n, 1);
});

/** Counts the statements of a write, of `looking`, and of a short read. */
async function counted(fenced: boolean): Promise<number> {
  let n = 0;
  const db = new Database({
    url: world.databaseUrl,
    size: 1,
    fence: fenced ? FENCE : null,
    observe: (commands) => void (n += commands.length),
  });
  await db.transaction(world.meadow, (tx) => tx.run(sql`SELECT 1`));
  await db.looking(world.meadow, (tx) => tx.run(sql`SELECT 1`));
  await db.reading(world.meadow).one(sql`SELECT 1`);
  await db.close();
  return n;
}

test('a cell sends the database no more statements than an installation without cells', async () => {
  assert.equal(await counted(true), await counted(false));
});

test('a name follows its business, regardless of who wrote the rows', async () => {
  const name = async () =>
    (
      await owner.query(`SELECT gone, changed_in::text AS at FROM cell_name WHERE name = $1`, [
        `business:${world.harbour}`,
      ])
    ).rows[0];
  const earlier = await name();
  await set('left');
  assert.ok(BigInt((await name()).at) > BigInt(earlier.at), 'other cells hear that it has left');
  await owner.query('DELETE FROM cell_name WHERE provider_id = $1', [world.harbour]);
  await owner.query('DELETE FROM cell_business');
  assert.equal((await name()).gone, false);
  await becomeCell(world.databaseUrl, { own: 1, addresses: new Map() }, namesOf());
  await until('it is known', async () => (await name()) !== undefined);
});

test('a request before the process knows that a business is leaving isn’t answered with not found', async () => {
  const body = { name: 'Newcomer' };
  const made = await world.post('/machine_tokens', { as: world.machine, body });
  assert.equal(made.status, 201, made.text);
  const page = `/account/${world.harbour}/log-in`;
  assert.equal((await fetch(world.url + page)).status, 200);
  // From here on, it receives no changes on its own.
  directoryOf(world.app).close();
  await set('leaving');
  const answer = await world.get('/venues', { as: made.body.token });
  assert.equal(answer.status, 503, answer.text);
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.equal(answer.headers.get('www-authenticate'), null);
  assert.equal(answer.body.code, 'unavailable');
  assert.equal(answer.body.request_id, answer.headers.get('request-id'));
  await set('left');
  const shown = await fetch(world.url + page, { headers: { accept: 'text/html' } });
  assert.equal(shown.status, 503);
  assert.match(await shown.text(), /Back in a moment/);
  assert.equal(shown.headers.get('content-type'), 'text/html; charset=utf-8');
  await directoryOf(world.app).hearOwn();
  assert.equal((await world.get('/venues', { as: 'rcm_nobody' })).status, 401);
  assert.equal((await fetch(`${world.url}/account/999999999/log-in`)).status, 404);
});
