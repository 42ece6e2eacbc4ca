/**
 * Limits on everything that callers could request without end: connections, slow bodies, headers, response shapes,
 * pages.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { anotherServer, times, until } from '../storm.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../world.ts';

let world: World;
before(async () => {
  world = await startWorld({ own: true });
  await world.newCustomer();
});
after(() => world.close());

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Returns the status line of the next response on the socket. */
async function status(socket: Socket): Promise<string> {
  let text = '';
  for await (const data of socket) {
    text += data;
    if (text.includes('\r\n\r\n')) break;
  }
  return text.slice(9, 12);
}

const request = (path: string, more = '') =>
  `GET /api/v2${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${world.machine}\r\nconnection: close\r\n${more}\r\n`;

test('2,000 concurrent connections are all served', async () => {
  const sockets = await times(2000, open);
  const answers = sockets.map(status);
  for (const socket of sockets) socket.write(request('/customers?fields=id'));
  const counts = Object.groupBy(await Promise.all(answers), (s) => s);
  assert.deepEqual(
    Object.entries(counts).map(([s, list]) => [s, list!.length]),
    [['200', 2000]],
  );
  assert.ok(world.app.db.load.total <= 8, `${world.app.db.load.total} connections to the database`);
});

test('callers with slow bodies delay nobody else, and are served when their bodies are complete', async () => {
  const body = JSON.stringify({ first_name: 'Slow', last_name: 'Loris', email: 'x' });
  const head = `POST /api/v2/customers HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${world.machine}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  const slow = await times(300, open);
  for (const socket of slow) socket.write(head + body.slice(0, 10));
  const quick = await times(20, () => world.get('/customers', { as: world.machine }));
  assert.ok(quick.every((a) => a.status === 200));
  assert.equal(world.app.db.load.waiting, 0);
  const answers = slow.map(status);
  for (const socket of slow) socket.write(body.slice(10));
  assert.deepEqual([...new Set(await Promise.all(answers))], ['400']);
});

test('a flood of headers is refused, and a body above the limit is refused before it has arrived', async () => {
  const flood = await open();
  flood.write(request('/customers', Array.from({ length: 1000 }, (_, i) => `x-${i}: ${'y'.repeat(40)}\r\n`).join('')));
  assert.equal(await status(flood), '431');
  const large = await open();
  large.write(
    `POST /api/v2/customers HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${world.machine}\r\ncontent-type: application/json\r\ncontent-length: 900000000\r\n\r\n{`,
  );
  assert.equal(await status(large), '413');
});

// Guards against: Exhausting the service
test('no body is read for callers without a credential, with a wrong one, or above the rate limit', async () => {
  const limited = await anotherServer(world, { RATE_LIMIT: 'on' });
  const { hostname, port } = new URL(limited.url);
  /** Returns the response to a request whose body never arrives. */
  const answer = async (authorization: string): Promise<string> => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST /api/v2/customers HTTP/1.1\r\nhost: localhost\r\n${authorization}content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`,
    );
    return status(socket);
  };
  assert.equal(await answer(''), '401');
  assert.equal(await answer('authorization: Bearer nobody\r\n'), '401');
  let last = '';
  for (let at = 0; at < 400 && last !== '429'; at++) last = await answer('authorization: Bearer nobody\r\n');
  assert.equal(last, '429');
  await limited.close();
});

test('a body that arrives too slowly is refused after the configured time, and its connection is closed', async () => {
  const strict = await anotherServer(world, {}, { arriveMs: 200 });
  const { hostname, port } = new URL(strict.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST /api/v2/customers HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${world.machine}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
  );
  assert.equal(await status(socket), '408');
  await strict.close();
});

/** Returns the prepared statements on each database connection. */
const prepared = () =>
  times(8, () =>
    world.app.db.transaction(world.harbour, async (tx) => {
      const row = await tx.one<{ pid: number; n: number }>(
        sql`SELECT pg_backend_pid() AS pid, count(*)::int AS n, pg_sleep(0.01) FROM pg_prepared_statements`,
      );
      return [row!.pid, row!.n] as const;
    }),
  ).then((rows) => new Map(rows));

const mostPrepared = async () => Math.max(...(await prepared()).values());

test('a thousand response shapes are served without keeping a prepared statement for each', async () => {
  const names = Object.keys((await world.get('/customers', { as: world.machine })).body.results[0]);
  const shapes = Array.from({ length: 1100 }, (_, n) =>
    ['id', ...names.filter((_name, i) => ((n + 1) >> i) & 1)].join(),
  );
  assert.ok(new Set(shapes).size > 1000 && names.length >= 11);
  for (let at = 0; at < shapes.length; at += 50) {
    const answers = await Promise.all(
      shapes
        .slice(at, at + 50)
        .map((fields) => world.get(`/customers?fields=${fields}&page_size=1`, { as: world.machine })),
    );
    assert.deepEqual([...new Set(answers.map((a) => a.status))], [200]);
  }
  for (const [pid, n] of await prepared()) assert.ok(n <= 400, `backend ${pid} keeps ${n}`);
});

test('unknown names create no prepared statements of their own', async () => {
  await times(16, () => world.get('/venues?fields=id&page_size=1', { as: world.machine }));
  const before = await mostPrepared();
  for (let at = 0; at < 1000; at += 50)
    await times(50, (i) =>
      world.get(`/venues?fields=id,made_up_${at + i}&page_size=1&nonsense_${at + i}=1`, { as: world.machine }),
    );
  // The counting statements themselves run on connections that had not prepared them yet.
  assert.ok((await mostPrepared()) - before <= 8, `${await mostPrepared()} after ${before}`);
});

test('pages far beyond the end are empty, and absurdly large page numbers are refused', async () => {
  const far = await world.get('/customers?page=1000000&page_size=100', { as: world.machine });
  assert.deepEqual([far.status, far.body.results, far.body.next], [200, [], null]);
  for (const page of ['9007199254740993', '1e9', '-1', '0', '99999999999999999999999', 'Infinity', '0x10']) {
    const answer = await world.get(`/customers?page=${page}`, { as: world.machine });
    assert.equal(answer.body.code, 'parameter_invalid', `page=${page}`);
  }
  assert.equal((await world.get('/customers?page_size=1000000', { as: world.machine })).status, 200);
  assert.equal((await world.get(`/customers/${'9'.repeat(30)}`, { as: world.machine })).status, 404);
});

test('pages cover the first 100,000 entries; deeper pages say how to get the rest, and those after the end are empty', async () => {
  const entries = 100_150;
  await world.app.db.transaction(world.meadow, (tx) =>
    tx.run(
      sql`INSERT INTO customer_label (provider_id, name, slug) SELECT ${world.meadow}, 'Label ' || n, 'label_' || n
        FROM generate_series(1, ${entries}::int) n`,
    ),
  );
  const page = (n: number) =>
    world.get(`/customer_labels?fields=id&page_size=100&page=${n}`, { as: world.meadowMachine });
  const last = await page(1000);
  assert.deepEqual([last.status, last.body.results.length, last.body.count], [200, 100, entries]);
  const deeper = await page(1001);
  assert.deepEqual([deeper.status, deeper.body.code], [400, 'parameter_invalid']);
  assert.match(deeper.body.field_errors.page[0], /first 100,000 entries.*has 100,150.*filters/);
  const behind = await page(1003);
  assert.deepEqual([behind.status, behind.body.results, behind.body.count], [200, [], entries]);
});

test('after all this, the service still responds promptly', async () => {
  await until('no request waits for the database', async () => world.app.db.load.waiting === 0);
  assert.equal((await world.get('/customers', { as: world.machine })).status, 200);
});
