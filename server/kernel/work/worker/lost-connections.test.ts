/** Jobs while their database connections are cut. The process of this file is the worker's: it must not end. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../../test/storm.ts';
import { HASTY } from '../../../test/hasty.ts';
import { newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { Proxy } from '../../../test/outside/proxy.ts';
import { startReaders } from '../../../test/worlds/feed-readers.ts';
import { startWorld, type World } from '../../../test/world.ts';

let proxy: Proxy;
let world: World;
let place: Place;
let owner: pg.Client;
before(async () => {
  world = await startWorld({
    worker: true,
    patience: HASTY,
    through: async (url) => (proxy = await Proxy.to(url)).url,
  });
  place = await newPlace(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
  await proxy.close();
});

const count = async (from: string, values: unknown[] = []): Promise<number> =>
  (await owner.query(`SELECT count(*)::int AS n FROM ${from}`, values)).rows[0].n;
const JOBS = 'graphile_worker._private_jobs';
/** A failed job waits longer each time: runs it now. */
const hurry = () => owner.query(`UPDATE ${JOBS} SET run_at = now() WHERE locked_at IS NULL AND run_at > now()`);
const ready = async (): Promise<{ code: number; body: any }> => {
  const answer = await fetch(`${world.url}/readyz`);
  return { code: answer.status, body: await answer.json() };
};

/** Opens other connections of the owner while `act` runs: their locks are released afterwards, however it ended. */
async function besides(act: (holder: pg.Client, locker: pg.Client) => Promise<void>): Promise<void> {
  const clients = [await beside(world.databaseUrl), await beside(world.databaseUrl)];
  try {
    await act(clients[0], clients[1]);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const newEvents = async (n: number): Promise<number[]> => {
  const events: number[] = [];
  for (let i = 0; i < n; i++) events.push((await newEvent(world, place)).id);
  return events;
};

/** Cancels each event, with one job each; the request is retried until it is accepted. */
async function cancelEach(events: number[]): Promise<{ events: number[]; actions: number[] }> {
  const actions = await Promise.all(
    events.map(
      async (id) =>
        await until('it is accepted', async () => {
          const answer = await world.post('/events/bulk_cancel', {
            as: world.machine,
            body: { events: { ids: [id] } },
          });
          return answer.status === 200 ? (answer.body.id as number) : null;
        }),
    ),
  );
  return { events, actions };
}

const eachOnce = async ({ events, actions }: { events: number[]; actions: number[] }) => {
  await until('all jobs are done', async () => {
    await hurry();
    return (await count(`bulk_action_result WHERE bulk_action_id = ANY($1) AND status <> 'success'`, [actions])) === 0;
  });
  assert.equal(
    await count(`feed_item WHERE kind = 'event.cancelled' AND object_id = ANY($1)`, [events]),
    events.length,
  );
};

// Guards against: A failing network or database takes the service down with it
test('jobs whose connections the database keeps ending are all done and act once', async () => {
  const made = await cancelEach(await newEvents(30));
  for (let round = 0; round < 12; round++) {
    await until(
      'a job is done or under way',
      async () => (
        await hurry(),
        (await count(`${JOBS} WHERE locked_at IS NOT NULL`)) > 0 || (await count(JOBS)) === 0
      ),
    );
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
        AND pid <> pg_backend_pid()`,
    );
  }
  await eachOnce(made);
});

test('a connection that is lost just when the queue records the end of a job ends neither the process nor its jobs', async () => {
  const [event, next] = await newEvents(2);
  let first: Awaited<ReturnType<typeof cancelEach>>;
  await besides(async (holder, locker) => {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM event WHERE id = $1 FOR UPDATE', [event]);
    first = await cancelEach([event]);
    await until('the job runs', async () => count(`${JOBS} WHERE locked_by IS NOT NULL`));
    // The queue removes a job that is done: now it cannot.
    await locker.query('BEGIN');
    await locker.query(`SELECT 1 FROM ${JOBS} FOR UPDATE`);
    await holder.query('COMMIT');
    await until(
      'the connection that would note it is lost',
      async () =>
        (
          await owner.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE wait_event_type = 'Lock' AND query ILIKE '%delete from%_private_jobs%'
                AND datname = current_database()`,
          )
        ).rowCount,
    );
  });
  await eachOnce(first!);
  await eachOnce(await cancelEach([next]));
});

test('jobs continue when a network that reset every connection works again', async () => {
  const made = await cancelEach(await newEvents(10));
  proxy.reset();
  try {
    await until(
      'nothing is connected',
      async () =>
        (await count(
          `pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
        )) === 0,
    );
    assert.equal((await ready()).code, 503);
  } finally {
    proxy.pass();
  }
  await eachOnce(made);
  await until('it is ready again', async () => (await ready()).code === 200);
});

test('jobs continue when the connections of the queue are dead', async () => {
  const events = await newEvents(4);
  proxy.vanish();
  try {
    await eachOnce(await cancelEach(events));
  } finally {
    proxy.bury();
  }
});

test('a process whose jobs do not run is not ready, even if its database responds', async () => {
  await besides(async (locker) => {
    await locker.query('BEGIN');
    await locker.query(`LOCK TABLE ${JOBS} IN ACCESS EXCLUSIVE MODE`);
    await until('it is told', async () => (await ready()).body.status === 'jobs do not run');
  });
  await until('they run again', async () => (await ready()).code === 200);
});

const locked = async () =>
  (
    await owner.query(
      `SELECT locked_by, locked_at < now() - interval '2 seconds' AS old FROM ${JOBS} j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE locked_by IS NOT NULL AND t.identifier = 'bulk_cancel_events'`,
    )
  ).rows[0];

test('a long-running job is not taken from a live worker', async () => {
  const [event] = await newEvents(1);
  await besides(async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM event WHERE id = $1 FOR UPDATE', [event]);
    assert.equal(
      (await world.post('/events/bulk_cancel', { as: world.machine, body: { events: { ids: [event] } } })).status,
      200,
    );
    const { locked_by: first } = await until('a worker has it', locked);
    // Another worker checks for jobs of dead workers, ten times a second.
    const reaper = await startReaders(world.databaseUrl, [], { reapMs: 100 });
    try {
      await until('it has had the job for long', async () => (await locked())?.old);
      assert.equal((await locked()).locked_by, first);
      assert.ok(!reaper.told.some((line) => line.includes('released the jobs')), reaper.told.join());
      await holder.query('COMMIT');
      await until(
        'it is done',
        async () => (await count(`feed_item WHERE kind = 'event.cancelled' AND object_id = $1`, [event])) === 1,
      );
    } finally {
      await reaper.stop();
    }
  });
});
