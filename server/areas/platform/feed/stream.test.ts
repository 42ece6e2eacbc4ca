import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { after, afterEach, before, test } from 'node:test';
import type pg from 'pg';
import { pino } from 'pino';
import { beside, times, until } from '../../../test/storm.ts';
import { createApp, type App } from '../../../app.ts';
import { createMachineToken } from '../../people/identity/index.ts';
import { openStream, type EventClient } from '../../../test/outside/event-stream.ts';
import { readConfig } from '../../../config.ts';
import { SECRET_KEY } from '../../../test/secret-key.ts';
import { grantOf, type Authenticator } from '../../../kernel/work/access/grant.ts';
import type { StaffPermission } from '../../people/staff/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

/** The worker is a separate process from the servers, as far as they can tell. */
let world: World;
let owner: pg.Client;
let worker: App;
const clients: EventClient[] = [];
const servers: App[] = [];
const bounds = { heartbeatMs: 100, slowMs: 500, perCaller: 4, perBusiness: 5, perProcess: 7 };

const app = (role: string, authenticators: readonly Authenticator[] = []): App => {
  const { dataDir: DATA_DIR } = world;
  const config = readConfig({
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    SECRET_KEY,
    ROLE: role,
    DATA_DIR,
  });
  return createApp({
    config: { ...config, port: 0 },
    databaseUrl: world.databaseUrl,
    log: pino({ level: 'silent' }),
    now: () => world.now,
    drainMs: 0,
    streams: bounds,
    authenticators,
  });
};
const newServer = async (...authenticators: Authenticator[]): Promise<string> => {
  const server = app('server', authenticators);
  servers.push(server);
  await server.listen();
  return server.listeningAt;
};

before(async () => {
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
  worker = app('worker');
  await worker.listen();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.leave();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
after(async () => {
  await worker.close();
  await owner.end();
  await world.close();
});

const listen = async (
  server: string,
  query = '',
  { as = world.machine, lastEventId }: { as?: string; lastEventId?: string } = {},
): Promise<EventClient> => {
  const client = await openStream(`${server}/api/v2/feed_items/stream?${query}`, {
    authorization: `Bearer ${as}`,
    ...(lastEventId && { 'last-event-id': lastEventId }),
  });
  clients.push(client);
  return client;
};
const happen = (n: number, { kind = 'venue.updated', payload = {} }: { kind?: string; payload?: object } = {}) =>
  world.app.db.transaction(world.harbour, (tx) =>
    tx.run(sql`INSERT INTO feed_item (provider_id, kind, object, object_id, payload, occurred_at)
               SELECT ${world.harbour}::bigint, ${kind}::text, 'venue', n, ${JSON.stringify(payload)}::jsonb, now()
               FROM generate_series(1, ${n}::int) n`),
  );
/** Returns true if many items have no number yet. */
const isBehind = async (): Promise<boolean> => {
  const behind = await world.app.db.transaction(world.harbour, (tx) =>
    tx.one<{ many: boolean }>(
      sql`SELECT EXISTS (
        SELECT FROM feed_item WHERE provider_id = ${world.harbour} AND seq IS NULL OFFSET 500) AS many`,
    ),
  );
  return behind!.many;
};
const numbered = () => until('the worker has caught up', async () => !(await isBehind()));
const end = (): Promise<number> =>
  until('everything has its number', async () => {
    const {
      rows: [row],
    } = await owner.query(
      'SELECT count(*)::int AS all, count(seq)::int AS numbered FROM feed_item WHERE provider_id = $1',
      [world.harbour],
    );
    return row.all === row.numbered ? { n: row.all as number } : null;
  }).then((found) => found.n);
const ids = (client: EventClient): number[] => client.events.map((e) => Number(e.id));
const from = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

test('items arrive as they happen, on a server that is not the worker, in the form of the list', async () => {
  const server = await newServer();
  await happen(2);
  const before = await end();
  const client = await listen(server, `after=${before - 1}`);
  assert.deepEqual(
    [client.status, client.headers['content-type'], client.headers['cache-control']],
    [200, 'text/event-stream; charset=utf-8', 'no-store'],
  );
  await until('what was there arrives', async () => client.events.length === 1);
  const waits: number[] = [];
  for (let round = 1; round <= 5; round++) {
    const began = performance.now();
    await happen(3);
    await until('what happens arrives', async () => client.events.length === 1 + 3 * round);
    waits.push(performance.now() - began);
  }
  // Notified by the worker: polling alone would take two seconds. Other load on the machine only increases the time.
  assert.ok(Math.min(...waits) < 1900, `${waits}`);
  assert.deepEqual(ids(client), from(before, before + 15));
  const { body } = await world.get(`/feed_items/${before + 15}`, { as: world.machine });
  assert.deepEqual(JSON.parse(client.events.at(-1)!.data), body);
});

test('types narrow the stream, and its position advances although nothing is sent', async () => {
  const server = await newServer();
  const before = await end();
  const client = await listen(server, `after=${before}&types=venue.created`);
  await happen(250);
  await until('its place has moved', async () => Number(client.lastEventId) >= before + 100);
  await happen(1, { kind: 'venue.created' });
  await until('the one arrives', async () => client.events.length === 1);
  assert.deepEqual(ids(client), [await end()]);
});

test('clients that reconnect again and again, on two servers, see every item once while many write', async () => {
  const two = [await newServer(), await newServer()];
  const before = await end();
  const clock = { over: false };
  const writing = times(4, async (n) => {
    // On a busy machine, they write faster than the worker numbers.
    while (!clock.over)
      if (await isBehind()) await numbered();
      else await happen(1 + n);
  });
  const follow = async (k: number): Promise<number[]> => {
    const seen: number[] = [];
    for (let turn = 0, lastEventId = ''; turn < 8; turn++) {
      const client = await listen(two[(turn + k) % 2], `after=${before}`, { lastEventId });
      const enough = 20 + ((turn * 37 + k * 11) % 90);
      await until('some arrive', async () => client.events.length >= enough);
      client.leave();
      await client.ended;
      seen.push(...ids(client));
      lastEventId = client.lastEventId;
    }
    return seen;
  };
  const all = await Promise.all([follow(0), follow(1)]).finally(() => (clock.over = true));
  await writing;
  const last = await end();
  for (const seen of all) {
    const client = await listen(two[0], `after=${before}`, { lastEventId: String(seen.at(-1)) });
    await until('the rest arrives', async () => seen.length + client.events.length >= last - before);
    assert.deepEqual([...seen, ...ids(client)], from(before + 1, last));
  }
});

const listeners = () =>
  owner.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN rollcall_feed%'`,
  );

test('losing the connection for notifications from the worker loses no item', async () => {
  const client = await listen(await newServer(), `after=${await end()}`);
  const { rows } = await until('it listens', async () => {
    const found = await listeners();
    return found.rows.length > 0 ? found : null;
  });
  for (const { pid } of rows) await owner.query('SELECT pg_terminate_backend($1)', [pid]);
  await happen(5);
  await until('they arrive', async () => client.events.length === 5);
  await until('it listens again', async () =>
    (await listeners()).rows.some((r) => !rows.some((was: { pid: number }) => was.pid === r.pid)),
  );
});

// Guards against: Staying connected with a credential that has ended
test('a stream ends shortly after its token, with the reason, and the same token opens no other', async () => {
  const server = await newServer();
  const token = async (values: object): Promise<{ id: number; token: string }> =>
    (await world.post('/machine_tokens', { as: world.machine, body: { name: 'Follower', ...values } })).body;
  const [revoked, expiring, kept] = [
    await token({}),
    await token({ expires_at: new Date(world.now + 3_600_000).toISOString() }),
    await token({}),
  ];
  const open = await Promise.all(
    [revoked, expiring, kept].map((t) => listen(server, `after=${10 ** 9}`, { as: t.token })),
  );
  assert.deepEqual(
    open.map((c) => c.status),
    [200, 200, 200],
  );
  // Three seconds measured by the server's heartbeat, which slows down with the machine.
  const began = open[2].comments;
  assert.equal((await world.post(`/machine_tokens/${revoked.id}/revoke`, { as: world.machine })).status, 200);
  await open[0].ended;
  assert.ok((open[2].comments - began) * bounds.heartbeatMs < 3000);
  assert.deepEqual(
    [open[0].events.at(-1)!.event, JSON.parse(open[0].events.at(-1)!.data).code],
    ['problem', 'authentication_failed'],
  );
  const now = world.now;
  world.setNow(now + 2 * 3_600_000);
  await open[1].ended;
  assert.equal(JSON.parse(open[1].events.at(-1)!.data).code, 'authentication_failed');
  world.setNow(now);
  assert.equal((await listen(server, '', { as: revoked.token })).status, 401);
  const comments = open[2].comments;
  await until('the third goes on', async () => open[2].comments > comments);
});

test('a client that may no longer follow is disconnected with the reason, and a change without effect on its access ends nothing', async () => {
  const allowed = { permissions: ['developer'] as StaffPermission[] };
  const server = await newServer(async (token) => {
    if (token !== 'person') return null;
    const profiles = [
      {
        mode: 'provider' as const,
        providerId: world.harbour,
        staffId: 1,
        permissions: [...allowed.permissions],
        venues: null,
      },
    ];
    return {
      grant: grantOf({ credential: 'user:77', kind: 'person', profiles }),
      subjects: ['user:77'],
      until: Infinity,
    };
  });
  const change = async (permissions: StaffPermission[]) => {
    allowed.permissions = permissions;
    await owner.query(
      `WITH next AS (UPDATE access_epoch SET value = value + 1 RETURNING value)
        INSERT INTO access_change (epoch, subject) SELECT value, 'user:77' FROM next`,
    );
  };
  const following = () => listen(server, `after=${10 ** 9}`, { as: 'person' });
  const client = await following();
  await change(['developer']);
  const comments = client.comments;
  // Longer than the interval of the checks.
  await until('it goes on', async () => client.comments >= comments + 15);
  await change(['developer', 'pos']);
  await client.ended;
  assert.equal(JSON.parse(client.events.at(-1)!.data).code, 'unavailable');
  const again = await following();
  assert.equal(again.status, 200);
  await change(['pos']);
  await again.ended;
  assert.equal(JSON.parse(again.events.at(-1)!.data).code, 'permission_denied');
  assert.equal((await following()).status, 403);
});

test('a quiet stream is kept open by comments', async () => {
  const client = await listen(await newServer(), `after=${await end()}`);
  await until('some come', async () => client.comments >= 3);
  assert.deepEqual(client.events, []);
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const held = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/** Returns the bytes that are really in use, after a garbage collection; a small value needs none. */
function inUse(little = 0): number {
  const now = held();
  if (now < little) return now;
  collect();
  return held();
}

const MUCH = 40e6;

// Guards against: Exhausting the service with streams
test('a client that stops reading is disconnected, and its buffer stays small', async () => {
  const server = await newServer();
  const before = await end();
  await happen(4000, { payload: { text: 'x'.repeat(20_000) } });
  await end();
  const brisk = await listen(server, `after=${before + 3990}`);
  const client = await listen(server, `after=${before}`);
  client.pause();
  const start = inUse();
  const most = { bytes: 0 };
  const watching = setInterval(() => (most.bytes = Math.max(most.bytes, inUse(start + MUCH))), 50);
  const open = () =>
    fetch(`${server}/metrics`)
      .then((r) => r.text())
      .then((t) => Number(/rollcall_streams_open (\d+)/.exec(t)![1]));
  await until('the server has let it go', async () => (await open()) === 1);
  clearInterval(watching);
  // 80 MB wait in the database, and hardly any of it in the process.
  assert.ok(most.bytes > 0 && most.bytes - start < MUCH, `${(most.bytes - start) / 1e6} MB`);
  client.resume();
  await client.ended;
  assert.ok(client.events.length < 4000);
  await until('others get theirs', async () => brisk.events.length === 10);
  const again = await listen(server, '', { lastEventId: String(before + 3995) });
  await until('it goes on where it was', async () => again.events.length === 5);
});

test('streams are limited for each business, whatever credentials its callers have', async () => {
  const server = await newServer();
  const at = `after=${10 ** 9}`;
  const another = await world.app.db.transaction(world.harbour, (tx) =>
    createMachineToken(tx, world.harbour, { name: 'another' }),
  );
  const open = await times(bounds.perCaller, () => listen(server, at));
  open.push(await listen(server, at, { as: another.token }));
  assert.deepEqual(
    open.map((c) => c.status),
    open.map(() => 200),
  );
  assert.equal((await listen(server, at, { as: another.token })).status, 429);
  assert.equal((await listen(server, at, { as: world.meadowMachine })).status, 200);
});

// Guards against: Exhausting the service with streams
test('streams are limited for each caller and for the process, and closed ones free their slots', async () => {
  const server = await newServer();
  const at = `after=${10 ** 9}`;
  const mine = await times(bounds.perCaller, () => listen(server, at));
  assert.deepEqual(
    mine.map((c) => c.status),
    mine.map(() => 200),
  );
  const refused = await listen(server, at);
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '30']);
  const others = await times(bounds.perProcess - bounds.perCaller, () =>
    listen(server, at, { as: world.meadowMachine }),
  );
  assert.deepEqual(
    others.map((c) => c.status),
    others.map(() => 200),
  );
  assert.equal((await listen(server, at, { as: world.meadowMachine })).status, 429);
  mine[0].leave();
  await until('there is room again', async () => (await listen(server, at)).status === 200);
});

test('when the server shuts down its streams end, and it does not wait for them', async () => {
  const server = await newServer();
  const open = await times(3, () => listen(server, `after=${10 ** 9}`));
  // A stream has no natural end to wait for.
  await servers.pop()!.close();
  await Promise.all(open.map((c) => c.ended));
});

test('an invalid Last-Event-ID and an unsupported format are refused before anything is sent', async () => {
  const server = await newServer();
  assert.equal((await listen(server, '', { lastEventId: 'x' })).status, 400);
  assert.equal((await listen(server, 'after=-1')).status, 400);
  const image = await fetch(`${server}/api/v2/feed_items/stream`, {
    headers: { authorization: `Bearer ${world.machine}`, accept: 'image/png' },
  });
  assert.equal(image.status, 406);
  const head = await fetch(`${server}/api/v2/feed_items/stream`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${world.machine}` },
  });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream; charset=utf-8']);
});
