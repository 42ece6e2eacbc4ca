/** A primary that is killed and a standby that takes over, without a proxy in between: the service knows both. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { beside, until } from '../storm.ts';
import { bookingStorm, checkBooks } from './booking-storm.ts';
import { fill, makeBusiness } from './durable.ts';
import { serveHere } from './serve-here.ts';
import { Hosts } from '../../kernel/base/db/connections/hosts.ts';
import { Pair } from './pair.ts';

/** Accepts connections and sends nothing, like a machine that hangs. */
const silent = (t: TestContext): Promise<number> => listen(t, () => {});

async function listen(t: TestContext, taken: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    taken(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

let pair: Pair;
let token: string;
let made: { customers: number[]; events: number[] };
before(async () => {
  pair = await Pair.start(async (url) => {
    const business = await makeBusiness(url);
    token = business.token;
    made = await fill({ url, harbour: business.harbour }, 2000, { n: 40, places: null });
  });
});
after(() => pair?.remove());

test('a promoted standby is found before a server that does not respond times out', async (t) => {
  const { primary, standby } = pair;
  let connections = 0;
  // A standby at the first attempt, writable from then on.
  const promoted = await listen(t, (socket) => {
    const to = connect(connections++ === 0 ? standby.port : primary.port, '127.0.0.1').on('error', () => {});
    socket.pipe(to).pipe(socket);
  });
  const hosts = new Hosts(`postgresql://postgres@127.0.0.1:${await silent(t)},127.0.0.1:${promoted}/postgres`);
  assert.deepEqual(await hosts.find(), { host: '127.0.0.1', port: promoted });
  assert.equal(connections, 2);
});

// Guards against: A change that is reported as saved and then lost, or saved twice, because the database went away
test('when the primary is killed, bookings continue on the promoted standby, and no acknowledged booking is lost', async (t) => {
  const server = await serveHere(pair.url, { ROLE: 'all' });
  t.after(() => server.close());
  const s = bookingStorm(() => server.url, token, made);
  await until('bookings are made', async () => s.booked.length >= 100);
  await pair.primary.end('SIGKILL');
  await until('the outage is felt', async () => (s.statuses['503 unavailable'] ?? 0) > 0);
  await pair.promote();
  const promoted = performance.now();
  const before = s.booked.length;
  await until('bookings go on', async () => s.booked.length > before);
  t.diagnostic(`the first booking was acknowledged ${Math.round(s.lastAt - promoted)} ms after the promotion`);
  await until('many bookings go on', async () => s.booked.length >= before + 100);
  await s.stop();
  assert.deepEqual(
    Object.keys(s.statuses).filter((what) => !['done', '503 unavailable'].includes(what)),
    [],
  );
  assert.equal(s.lost, 0, 'every request was answered');
  const client = await beside(pair.standby.url.replace(/postgres$/, 'rollcall'));
  await until(
    'the feed is numbered by the same process',
    async () => (await client.query('SELECT 1 FROM feed_item WHERE seq IS NULL')).rowCount === 0,
  );
  await checkBooks(client, s);
  await client.end();
});

test('a connection string lists its hosts as in libpq, and requires a server that accepts writes', async () => {
  const { host, port } = (await new Hosts(pair.url).find())!;
  assert.deepEqual([host, port], ['127.0.0.1', pair.standby.port]);
  const one = new Hosts('postgresql://u:p%40ss@[::1]:6000/db?target_session_attrs=read-write&sslmode=disable');
  assert.deepEqual(
    [one.url, one.wantsWrites, await one.find()],
    ['postgresql://u:p%40ss@[::1]:6000/db?sslmode=disable', true, null],
  );
  const plain = 'postgresql://postgres@localhost:5432/x?host=%2Ftmp%2Frun';
  assert.deepEqual([new Hosts(plain).url, new Hosts(plain).wantsWrites], [plain, false]);
  assert.throws(() => new Hosts('postgres://a,b/db?target_session_attrs=read-only'), /Remedy/);
  assert.throws(() => new Hosts('postgres://a,b:x/db'), /the host "b:x".*Remedy/);
  await assert.rejects(new Hosts('postgres://127.0.0.1:1,127.0.0.1:2/db').find(), { code: '57P03' });
});
