import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { anotherServer, beside, times, until } from '../../../test/storm.ts';
import { book, newCustomers, newEvent, newPlace, seats, type Place } from '../../../test/schedule-world.ts';
import { sql } from '../../base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { RELEASE } from '../../base/release.ts';

let world: World;
let place: Place;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const cancelAll = async (ids: number[]): Promise<number> => {
  const answer = await world.post('/events/bulk_cancel', { as: world.machine, body: { events: { ids } } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.id;
};
const count = async (text: string, values: unknown[] = []): Promise<number> =>
  (await owner.query(`SELECT count(*)::int AS n FROM ${text}`, values)).rows[0].n;
const feedItems = (ids: number[]) => count(`feed_item WHERE kind = 'event.cancelled' AND object_id = ANY($1)`, [ids]);
const done = (action: number) =>
  until(
    'the action is done',
    async () => (await count(`bulk_action_result WHERE bulk_action_id = $1 AND status = 'pending'`, [action])) === 0,
  );
/** Lets waiting jobs run now instead of at their time. */
const hurry = () =>
  owner.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL AND run_at > now()');
const JOBS = `graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = 'bulk_cancel_events'`;
const jobs = () => count(JOBS);
const expiries = () => count(`job_effect WHERE job_key LIKE 'expire_waitlist_spots:%'`);
const newEvents = (n: number) => times(n, async () => (await newEvent(world, place)).id as number);

test('a job that failed leaves nothing behind, runs again, and acts once', async () => {
  const events = await newEvents(3);
  await owner.query(
    `CREATE FUNCTION break_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'
      USING ERRCODE = 'XX000'; END $$`,
  );
  await owner.query(
    `CREATE TRIGGER break_down BEFORE UPDATE ON event FOR EACH ROW
      WHEN (OLD.id = ${events[2]}) EXECUTE FUNCTION break_down()`,
  );
  const action = await cancelAll(events);
  await until('it failed', async () =>
    count('graphile_worker._private_jobs WHERE attempts > 0 AND last_error IS NOT NULL AND locked_at IS NULL'),
  );
  assert.equal(await feedItems(events), 0);
  assert.equal(await count(`bulk_action_result WHERE bulk_action_id = $1 AND status = 'pending'`, [action]), 3);
  await owner.query('DROP TRIGGER break_down ON event');
  await hurry();
  await done(action);
  assert.equal(await feedItems(events), 3);
});

test('a job that two workers run at the same time acts once', async () => {
  const [event] = await newEvents(1);
  const locker = await beside(world.databaseUrl);
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM event WHERE id = $1 FOR UPDATE', [event]);
  const action = await cancelAll([event]);
  const holder = await until(
    'a worker holds it',
    async () => (await owner.query(`SELECT locked_by FROM ${JOBS} WHERE locked_by IS NOT NULL`)).rows[0]?.locked_by,
  );
  const other = await anotherServer(world, { ROLE: 'worker' });
  try {
    // The first worker may take it again, as often as it has a free slot.
    await until('another holds it too', async () => {
      await owner.query('SELECT graphile_worker.force_unlock_workers(ARRAY[$1])', [holder]);
      return count(`${JOBS} WHERE locked_by <> $1`, [holder]);
    });
    await until('and waits for the first', async () =>
      count(
        `pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%job_effect%' AND datname = current_database()`,
      ),
    );
    await locker.query('COMMIT');
    await done(action);
    await until(
      'no job is left',
      async () => (await count('graphile_worker._private_jobs WHERE locked_by IS NOT NULL')) === 0,
    );
    assert.equal(await feedItems([event]), 1);
  } finally {
    await locker.end();
    await other.close();
  }
});

test('two workers share the jobs and run each once', async () => {
  const other = await anotherServer(world, { ROLE: 'worker' });
  const events = await newEvents(30);
  const actions = await Promise.all(events.map((id) => cancelAll([id])));
  for (const action of actions) await done(action);
  assert.equal(await feedItems(events), 30);
  await other.close();
});

test('a worker with OPERATIONS_PORT reports its state there, and serves nothing else', async () => {
  const other = await anotherServer(world, { ROLE: 'worker', OPERATIONS_PORT: '0' });
  const ask = (path: string) => fetch(`${other.app.listeningAt}${path}`);
  await until('its jobs run', async () => (await ask('/readyz')).status === 200);
  assert.deepEqual(await (await ask('/healthz')).json(), { status: 'ok', version: RELEASE });
  assert.match(await (await ask('/metrics')).text(), /^# TYPE rollcall_jobs_total counter$/m);
  for (const path of ['/', '/docs', '/api/v2/providers', '/api/v2/openapi.json', '/dashboard'])
    assert.equal((await ask(path)).status, 404, path);
  await other.close();
  await assert.rejects(ask('/healthz'));
  for (const ROLE of ['server', 'all'])
    await assert.rejects(
      anotherServer(world, { ROLE, OPERATIONS_PORT: '0' }),
      /OPERATIONS_PORT is only for ROLE=worker/,
    );
});

test('a job of a transaction that was rolled back, or of a dry run, never exists', async () => {
  const [event] = await newEvents(1);
  const before = await jobs();
  const failing = world.work(world.harbour, async (work) => {
    await work.tx.run(sql`SELECT enqueue_job('bulk_cancel_events', '{}', NULL, now())`);
    throw new Error('rolled back');
  });
  await assert.rejects(failing, /rolled back/);
  const preview = await world.post('/events/bulk_cancel?dry_run=true', {
    as: world.machine,
    body: { events: { ids: [event] } },
  });
  assert.equal(preview.status, 200, preview.text);
  assert.equal(await jobs(), before);
  assert.equal(await feedItems([event]), 0);
});

test("a reserved place whose job runs early by the worker's clock is released at the right time", async () => {
  const policy = (action: object) =>
    world.patch(`/providers/${world.harbour}`, {
      as: world.machine,
      body: { waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, ...action }] } },
    });
  await policy({ action: 'reserve', claim_minutes: 30 });
  const [a, b, c] = await newCustomers(world, 3);
  const { id: event } = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, event, a);
  for (const customer of [b, c])
    await world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer } });
  await world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer: a } });
  const kept = () =>
    owner
      .query(
        `SELECT customer_id::int AS customer FROM waitlist_spot
          WHERE event_id = $1 AND ended_at IS NULL AND status = 'spot_reserved'`,
        [event],
      )
      .then((r) => r.rows[0]?.customer);
  assert.equal(await kept(), b);
  await hurry();
  await until('it came too early', async () => (await expiries()) === 1);
  assert.equal(await kept(), b);
  world.setNow(world.now + 31 * 60_000);
  await until('the next has the place', async () => {
    await hurry();
    return (await kept()) === c;
  });
  assert.deepEqual(await seats(world, event), { attending: 0, held: 1, waiting: 0, booked: 0 });
  await policy({ action: 'auto_promote' });
  world.resetNow();
});

// The last test: it ends this world's worker.
test('a worker that is asked to end finishes its running job', async () => {
  const [event] = await newEvents(1);
  const locker = await beside(world.databaseUrl);
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM event WHERE id = $1 FOR UPDATE', [event]);
  const action = await cancelAll([event]);
  await until('a worker waits for the event', async () =>
    count(
      `pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM event%' AND datname = current_database()`,
    ),
  );
  const ended = world.app.close();
  await locker.query('COMMIT');
  await ended;
  assert.equal(await feedItems([event]), 1);
  assert.equal(await count(`bulk_action_result WHERE bulk_action_id = $1 AND status = 'success'`, [action]), 1);
  await locker.end();
});
