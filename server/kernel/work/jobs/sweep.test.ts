/** Jobs that a sweep of all businesses enqueues, with as many statements for many of them as for one. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { beside } from '../../../test/storm.ts';
import { onTheirDays, queueForEach, queueOnceADay, type OnDay } from './sweep.ts';
import { startWorld, type World } from '../../../test/world.ts';

const TASK = 'remind_of_invoices';

let world: World;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
});
beforeEach(() => owner.query('DELETE FROM graphile_worker._private_jobs'));
after(async () => {
  await owner?.end();
  await world?.close();
});

/** In Toronto it is four hours earlier in June. */
const both = (at: string): OnDay[] =>
  onTheirDays(
    [
      { id: world.harbour, zone: 'America/Toronto' },
      { id: world.meadow, zone: 'UTC' },
    ],
    Date.parse(at),
  );
const sweep = (at: string) => ({
  task: TASK,
  now: Date.parse(at),
  urgency: 'last' as const,
  key: ({ today }: OnDay) => `look:${today}`,
  payload: ({ today }: OnDay) => ({ day: today }),
});

async function queued() {
  const { rows } = await owner.query(
    `SELECT key, payload, priority, run_at FROM graphile_worker._private_jobs ORDER BY key`,
  );
  return rows;
}

test('each business has its own day, and its job names it', async () => {
  const at = '2026-06-10T01:30:00Z';
  await world.app.db.acrossTenants('a test sweeps', (tx) => queueForEach(tx, sweep(at), both(at)));
  const job = (id: number, day: string) => ({
    key: `${id}:look:${day}`,
    payload: { provider_id: id, day },
    priority: 1,
    run_at: new Date(at),
  });
  assert.deepEqual(await queued(), [job(world.harbour, '2026-06-09'), job(world.meadow, '2026-06-10')]);
  assert.deepEqual(
    both(at).map(({ time }) => time),
    ['21:30:00', '01:30:00'],
  );
});

test('a job that already waits isn’t enqueued a second time', async () => {
  const at = '2026-06-10T01:30:00Z';
  for (let n = 0; n < 2; n++)
    await world.app.db.acrossTenants('a test sweeps', (tx) => queueForEach(tx, sweep(at), both(at)));
  assert.equal((await queued()).length, 2);
});

test('a daily job is enqueued once a day, even if it is already done', async () => {
  const look = async (at: string) => {
    await world.app.db.acrossTenants('a test sweeps', (tx) => queueOnceADay(tx, sweep(at), both(at)));
    const keys = (await queued()).map(({ key }) => key);
    await owner.query('DELETE FROM graphile_worker._private_jobs');
    return keys;
  };
  const [harbour, meadow] = [world.harbour, world.meadow];
  assert.deepEqual(await look('2026-06-12T01:30:00Z'), [`${harbour}:look:2026-06-11`, `${meadow}:look:2026-06-12`]);
  assert.deepEqual(await look('2026-06-12T03:50:00Z'), []);
  assert.deepEqual(await look('2026-06-12T04:00:00Z'), [`${harbour}:look:2026-06-12`], 'its day has begun');
  assert.deepEqual(await look('2026-06-13T00:00:00Z'), [`${meadow}:look:2026-06-13`]);
});

test('a sweep that fails has enqueued nothing, and the next one does', async () => {
  const at = '2026-06-20T12:00:00Z';
  const fails = world.app.db.acrossTenants('a test sweeps', async (tx) => {
    await queueOnceADay(tx, sweep(at), both(at));
    throw new Error('the database went away');
  });
  await assert.rejects(fails, /went away/);
  assert.deepEqual(await queued(), []);
  await world.app.db.acrossTenants('a test sweeps', (tx) => queueOnceADay(tx, sweep(at), both(at)));
  assert.equal((await queued()).length, 2);
});

test('ten thousand businesses cost as many statements as two', async () => {
  const counts = await Promise.all(
    [2, 10_000].map(async (many) => {
      let statements = 0;
      await world.app.db.acrossTenants('a test sweeps', async (tx) => {
        const counting = new Proxy(tx, {
          get: (of, name) => {
            const found = Reflect.get(of, name) as unknown;
            if (typeof found !== 'function') return found;
            if (name === 'run' || name === 'rows') statements++;
            return found.bind(of);
          },
        });
        const all = Array.from({ length: many }, (_, n) => ({ id: 1_000_000 + n, zone: 'UTC' }));
        await queueForEach(counting, { task: TASK, now: 0, key: () => 'look' }, onTheirDays(all, 0));
      });
      return statements;
    }),
  );
  assert.deepEqual(counts, [1, 1]);
});
