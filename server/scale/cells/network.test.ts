/** Questions between cells, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import fastify, { type FastifyInstance } from 'fastify';
import { CellAway } from '../../kernel/work/unit/other-cells.ts';
import { CellNetwork, type Answering } from './network.ts';
import { MARK, markOf, readMark } from './mark.ts';
import { SecretBox } from '../../kernel/base/secret-box.ts';
import { START } from '../../test/clock.ts';

const KEY = randomBytes(32);
const QUESTION = { name: 'echo', answer: async ({ from }: { from: number }, asked: unknown) => ({ from, asked }) };
const CLOCK = {
  name: 'clock',
  answer: async ({ now }: { now: number }) => now,
};
/** The current time of each cell's service, which differs from the time for marks. */
const AT_THE_SERVICE = START + 86_400_000;
const BROKEN = {
  name: 'broken',
  answer: async (): Promise<unknown> => {
    throw new Error('no');
  },
};
const servers: FastifyInstance[] = [];
const addresses = new Map<number, string>();

const ringOf = (own: number, secret: Buffer = KEY, now = () => START): CellNetwork =>
  new CellNetwork({ own, addresses }, new SecretBox([secret]), { now });

before(async () => {
  for (const own of [1, 2]) {
    const http = fastify();
    http.removeAllContentTypeParsers();
    http.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    servers.push(http);
    // The answers here don't use the database.
    const means = { now: () => AT_THE_SERVICE };
    ringOf(own).mount(http, {
      questions: [QUESTION, CLOCK, BROKEN],
      means,
      log: pino({ enabled: false }),
    } as unknown as Answering);
    addresses.set(own, await http.listen({ host: '127.0.0.1', port: 0 }));
  }
  // Nothing listens on the port of a server that has closed.
  const gone = fastify();
  addresses.set(3, await gone.listen({ host: '127.0.0.1', port: 0 }));
  await gone.close();
});
after(() => Promise.all(servers.map((http) => http.close())));

test('a cell answers another one that has their shared secret key', async () => {
  assert.deepEqual(await ringOf(1).ask(2, 'echo', { n: 1 }), { from: 1, asked: { n: 1 } });
  assert.deepEqual(ringOf(1).others, [2, 3]);
});

test('a cell answers by the clock of its service', async () => {
  assert.equal(await ringOf(1).ask(2, 'clock', {}), AT_THE_SERVICE);
});

// Guards against: Pretending to be another cell, or the caller of a request that a cell carries
test('everybody else gets "not found": without the key, without a mark, or with one that is old or for another request', async () => {
  const refused = { name: 'CellAway', cell: 2, message: /it answers 404/ };
  await assert.rejects(ringOf(1, randomBytes(32)).ask(2, 'echo', {}), refused);
  await assert.rejects(ringOf(1, KEY, () => START - 60_000).ask(2, 'echo', {}), refused);
  const plain = await fetch(`${addresses.get(2)}/.cells/questions/echo`, { method: 'POST', body: '{}' });
  assert.equal(plain.status, 404);
  const box = new SecretBox([KEY]);
  const mine = { from: 1, to: 2, method: 'POST', url: '/a', rest: 'x' };
  const value = markOf(box, mine, 1000);
  assert.equal(readMark(box, value, mine, 2000), 1);
  for (const other of [{ to: 3 }, { url: '/b' }, { method: 'GET' }, { rest: 'y' }])
    assert.equal(readMark(box, value, { ...mine, ...other }, 2000), null);
  assert.equal(readMark(box, value.replace('1.', '3.'), mine, 2000), null);
  for (const broken of ['', 'x', undefined, [value, value]]) assert.equal(readMark(box, broken, mine, 2000), null);
  const headers = { [MARK]: value };
  const second = ringOf(2, KEY, () => 2000);
  const sender = () => second.senderOf({ headers, method: 'POST', url: '/a' }, 'x');
  assert.deepEqual([sender(), sender()], [1, null], 'a mark is good once');
  assert.notEqual(markOf(box, mine, 1000), value, 'the same request has another one');
});

test('a cell that is unreachable, or can’t answer, is reported as down', async () => {
  await assert.rejects(ringOf(1).ask(3, 'echo', {}), { name: 'CellAway', cell: 3 });
  await assert.rejects(ringOf(1).ask(2, 'broken', {}), { name: 'CellAway', message: /it answers 503/ });
  await assert.rejects(ringOf(1).askAll('echo', {}), CellAway);
});
