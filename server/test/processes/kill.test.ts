/** The state after processes are killed outright: real processes on a durable PostgreSQL. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { beside, times, until } from '../storm.ts';
import { bookingStorm, checkBooks, postTo } from './booking-storm.ts';
import { everything, inTurn, rare } from '../rare.ts';
import { serveHere } from './serve-here.ts';
import { fill, installDurable, serve, type Durable, type Served } from './durable.ts';

let here: Durable;
const running: Served[] = [];
before(async () => {
  here = await installDurable();
});
after(async () => {
  for (const { process } of running)
    if (process.exitCode === null && process.signalCode === null) process.kill('SIGKILL');
  await here.remove();
});

/** For processes that nobody kills. */
const alongside = (role: string) => serveHere(here.url, { ROLE: role });

const start = async (env?: Record<string, string>): Promise<Served> => {
  const served = await serve(here.url, env);
  running.push(served);
  return served;
};

const headers = () => ({ authorization: `Bearer ${here.token}`, 'content-type': 'application/json' });
const post = (base: string, path: string, body: unknown) => postTo(base, here.token, path, body);
const storm = (base: () => string, made: { customers: number[]; events: number[] }, holding: number[] = []) =>
  bookingStorm(base, here.token, made, holding);

inTurn(0, 2)(
  'a server that is killed during bookings loses no acknowledged booking and no held seat, and leaves no partial booking',
  async () => {
    const made = await fill(here, 300, { n: 40, places: 8 });
    const doomed = await start();
    let { url } = doomed;
    const s = storm(() => url, made, made.customers.slice(-30));
    await until('bookings are made, and seats held', async () => s.booked.length >= 60 && s.held.length >= 3);
    await doomed.end('SIGKILL');
    const server = await alongside('server');
    ({ url } = server);
    await until('bookings go on', async () => s.booked.length >= 160);
    await s.stop();
    assert.ok(s.lost > 0, 'the kill hit requests under way');
    const client = await beside(here.url);
    await checkBooks(client, s);
    await client.end();
    await server.close();
  },
);

inTurn(1, 2)(
  'PostgreSQL is briefly unavailable after a backend or the whole server is killed, and the service recovers automatically',
  async () => {
    const made = await fill(here, 3000, { n: 40, places: null });
    const server = await alongside('server');
    const s = storm(() => server.url, made);
    const recovers = async (kill: () => Promise<void> | void) => {
      const before = s.booked.length;
      await until('bookings are made', async () => s.booked.length >= before + 50);
      await kill();
      await until('the outage is felt', async () => (s.statuses['503 unavailable'] ?? 0) > 0);
      const felt = s.booked.length;
      await until('bookings go on', async () => s.booked.length >= felt + 100);
      s.statuses['503 unavailable'] = 0;
    };
    await recovers(async () => {
      const client = await beside(here.url);
      const { rows } = await client.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = 'rollcall' AND backend_type = 'client backend'
          AND pid <> pg_backend_pid() LIMIT 1`,
      );
      process.kill(rows[0].pid, 'SIGKILL');
      await client.end().catch(() => {});
    });
    await recovers(() => void process.kill(here.postgres.pid, 'SIGKILL'));
    await s.stop();
    assert.deepEqual(
      Object.keys(s.statuses).filter((what) => !['done', '503 unavailable'].includes(what)),
      [],
    );
    assert.equal(s.lost, 0, 'every request was answered');
    const client = await beside(here.url);
    await checkBooks(client, s);
    await client.end();
    await server.close();
  },
);

rare('a job whose worker is killed is taken over by another and acts once', async () => {
  const { events } = await fill(here, 1, { n: 60, places: null });
  const [doomed, server] = [await start({ ROLE: 'worker' }), await start()];
  const client = await beside(here.url);
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM event WHERE id = $1 FOR UPDATE', [events[40]]);
  const action = (await post(server.url, '/events/bulk_cancel', { events: { ids: events } })).body;
  const eye = await beside(here.url);
  await until(
    'the job waits for the event in its second portion',
    async () =>
      (await eye.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FROM event%'`))
        .rowCount,
  );
  await doomed.end('SIGKILL');
  const heir = await start({ ROLE: 'worker' });
  await client.query('COMMIT');
  await until(
    'all are cancelled',
    async () =>
      (
        await eye.query(`SELECT 1 FROM bulk_action_result WHERE bulk_action_id = $1 AND status <> 'success'`, [
          action.id,
        ])
      ).rowCount === 0,
  );
  const { rows } = await eye.query(
    `SELECT count(*)::int AS told, count(DISTINCT object_id)::int AS events FROM feed_item
      WHERE kind = 'event.cancelled' AND object_id = ANY($1)`,
    [events],
  );
  assert.deepEqual(rows[0], { told: 60, events: 60 });
  assert.equal(
    (await eye.query('SELECT complete_items FROM job WHERE id = $1', [action.job])).rows[0].complete_items,
    60,
  );
  await Promise.all([client.end(), eye.end()]);
  assert.deepEqual(await Promise.all([heir.end('SIGTERM'), server.end('SIGTERM')]), [0, 0]);
});

rare('a worker continues with its jobs after PostgreSQL was killed', async () => {
  const { events } = await fill(here, 1, { n: 2, places: null });
  const [worker, server] = [await alongside('worker'), await alongside('server')];
  const cancelled = async (event: number) => {
    const action = await until('the service answers', async () => {
      const answer = await post(server.url, '/events/bulk_cancel', { events: { ids: [event] } });
      return answer.status === 200 ? answer.body : null;
    });
    const client = await beside(here.url);
    await until(
      'the event is cancelled',
      async () =>
        (
          await client.query(`SELECT 1 FROM bulk_action_result WHERE bulk_action_id = $1 AND status = 'success'`, [
            action.id,
          ])
        ).rowCount,
    );
    await until(
      'the feed is numbered',
      async () => (await client.query('SELECT 1 FROM feed_item WHERE seq IS NULL')).rowCount === 0,
    );
    await client.end();
  };
  await cancelled(events[0]);
  const old = here.postgres.pid;
  process.kill(old, 'SIGKILL');
  await until(
    'PostgreSQL runs again',
    async () =>
      here.postgres.pid !== old &&
      (await beside(here.url).then(
        (c) => c.end().then(() => true),
        () => false,
      )),
  );
  await cancelled(events[1]);
  await Promise.all([worker.close(), server.close()]);
});

/** Sends one booking on the agent's connection. Returns its status, or the error. */
function booking(agent: http.Agent, base: string, event: number, customer: number): Promise<number | string> {
  const body = JSON.stringify({ customer });
  return new Promise((resolve) => {
    const request = http.request(
      `${base}/api/v2/events/${event}/register`,
      { agent, method: 'POST', headers: { ...headers(), 'content-length': Buffer.byteLength(body) } },
      (response) => {
        response
          .resume()
          .on('end', () => resolve(response.statusCode!))
          .on('error', (e) => resolve(e.message));
      },
    );
    request.on('error', (e: Error & { code?: string }) => resolve(e.code === 'ECONNREFUSED' ? 'refused' : e.message));
    request.end(body);
  });
}

test('a server that is stopped answers every request already sent on an open connection, then ends', async () => {
  const { customers, events } = await fill(here, 2000, { n: 24, places: null });
  for (let round = 0; round < (everything ? 2 : 1); round++) {
    const server = await start();
    const outcomes: Record<string, number> = {};
    const done = times(24, async (n) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let i = 0; ; i++) {
        const outcome = await booking(agent, server.url, events[n], customers[(round * 600 + i) % customers.length]);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        if (outcome !== 200) break;
      }
      agent.destroy();
    });
    await until('bookings are made', async () => outcomes[200] > 150);
    assert.equal(await server.end('SIGTERM'), 0);
    await done;
    assert.deepEqual(Object.keys(outcomes).toSorted(), ['200', 'refused'], JSON.stringify(outcomes));
  }
});
