/** The client against a real service, and against connections that break. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import sharp from 'sharp';
import type { AddressInfo } from 'node:net';
import { Refused, Rollcall, Unreachable } from '../src/index.ts';
import { eventsOf } from '../src/stream.ts';
import { startWorld, type World } from '../../server/test/world.ts';

let world: World;
let rollcall: Rollcall;
before(async () => {
  world = await startWorld({ worker: true });
  rollcall = new Rollcall({ baseUrl: `${world.url}/`, token: () => world.machine });
});
after(() => world?.close());

const person = (last: string) => ({ first_name: 'Ada', last_name: last });
const named = async (last: string): Promise<number> =>
  (await rollcall.call('GET /customers', { query: { query: last } })).count;

/** Starts an HTTP server between the client and the service, which may respond in its place. */
async function between(
  answer: (request: IncomingMessage, response: ServerResponse, pass: () => Promise<Response>) => void | Promise<void>,
): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
    ) as Record<string, string>;
    await answer(request, response, () =>
      fetch(`${world.url}${request.url}`, { method: request.method!, headers, ...(body.length > 0 && { body }) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(() => {}).closeAllConnections(),
  };
}

test('only the named properties are returned, with related objects in place of their ids', async () => {
  const venue = await rollcall.call('POST /venues', {
    body: { name: 'Quay Hall', venue_type: 'online', timezone: 'Europe/Berlin' },
  });
  const { id } = await rollcall.call('POST /customers', { body: { ...person('Lovelace'), venue: venue.id } });
  assert.deepEqual(
    await rollcall.call('GET /customers/{id}', { params: { id }, fields: ['last_name', 'customer_venue.name'] }),
    { last_name: 'Lovelace', customer_venue: { name: 'Quay Hall' } },
  );
});

test('iterating a list reads every page, and each entry once', async () => {
  const made = new Set<number>();
  for (let n = 0; n < 5; n++) made.add((await rollcall.call('POST /customers', { body: person('Paging') })).id);
  const seen: number[] = [];
  for await (const { id } of rollcall.call('GET /customers', {
    query: { page_size: 2, query: 'Paging' },
    fields: ['id'],
  }))
    seen.push(id);
  assert.equal(seen.length, made.size);
  assert.deepEqual(new Set(seen), made);
});

test('a list is read from the configured address, even if a response names another one', async () => {
  const asked: string[] = [];
  const fake = new Rollcall({
    baseUrl: 'https://book.example',
    fetch: async (to) => {
      asked.push(String(to));
      const next = asked.length === 1 ? 'https://elsewhere.example/api/v2/customers?page=2' : null;
      return Response.json({ count: 2, next, previous: null, results: [{ id: asked.length }] });
    },
  });
  const ids: number[] = [];
  for await (const { id } of fake.call('GET /customers')) ids.push(id);
  assert.deepEqual(ids, [1, 2]);
  assert.deepEqual(asked, ['https://book.example/api/v2/customers', 'https://book.example/api/v2/customers?page=2']);
});

test('a refusal is a value or an error, with the message of the service', async () => {
  const call = () => rollcall.call('GET /customers/{id}', { params: { id: 999_999_999 } });
  const result = await call().result();
  assert.equal(result.ok, false);
  assert.equal(result.ok ? '' : result.problem.code, 'not_found');
  await assert.rejects(
    async () => await call(),
    (error) => {
      assert.ok(error instanceof Refused);
      assert.deepEqual([error.status, error.code], [404, 'not_found']);
      return true;
    },
  );
  const invalid = await rollcall
    .call('POST /customers', { body: { ...person('Wrong'), email: 'no address' } })
    .result();
  assert.ok(!invalid.ok && 'email' in invalid.problem.field_errors);
});

test('a dry run previews and changes nothing', async () => {
  const call = rollcall.call('POST /customers', { body: person('Trial') });
  const { effects } = await call.dryRun();
  assert.ok(
    effects.some(({ effect, object }) => effect === 'customer.created' && object === 'customer'),
    JSON.stringify(effects),
  );
  assert.equal(await named('Trial'), 0);
  await call;
  assert.equal(await named('Trial'), 1);
});

test('a call is sent once, however often it is awaited, and not before', async () => {
  const call = rollcall.call('POST /customers', { body: person('Once') });
  assert.equal(await named('Once'), 0);
  const [a, b] = await Promise.all([call, call]);
  assert.equal(a.id, b.id);
  assert.equal(await named('Once'), 1);
});

test('a write whose response is lost is retried and takes effect once', async () => {
  let lost = 0;
  const way = await between(async (_request, response, pass) => {
    const answer = await pass();
    if (lost++ === 0) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  const through = rollcall.with({ baseUrl: way.url });
  const { id } = await through.call('POST /customers', { body: person('Lost') });
  way.close();
  assert.ok(id > 0 && lost >= 2);
  assert.equal(await named('Lost'), 1);
});

test('a temporary failure is retried as requested, but not forever; a permanent one is not retried', async () => {
  const statuses: number[] = [];
  const answering = (status: number, body: object) =>
    new Rollcall({
      baseUrl: 'https://book.example',
      retries: 1,
      fetch: async () => {
        statuses.push(status);
        return Response.json(body, { status });
      },
    });
  const problem = { code: 'unavailable', message: 'Later.', type: 'unavailable', field_errors: {}, request_id: '1' };
  await assert.rejects(async () => await answering(503, problem).call('GET /customers'), /Later/);
  await assert.rejects(
    async () => await answering(422, { ...problem, code: 'conflict' }).call('GET /customers'),
    /conflict/,
  );
  assert.deepEqual(statuses, [503, 503, 422]);
  const gone = rollcall.with({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
  await assert.rejects(async () => await gone.call('GET /customers'), Unreachable);
});

test('a response of a proxy is not mistaken for one of the service', async () => {
  const proxy = new Rollcall({
    baseUrl: 'https://book.example',
    fetch: async () => new Response('<h1>Forbidden</h1>', { status: 403 }),
  });
  const result = await proxy.call('GET /customers').result();
  assert.equal(result.ok ? '' : result.problem.code, 'unexpected_answer');
});

test('a write based on an outdated version is refused', async () => {
  const { value, etag } = await rollcall.call('POST /customers', { body: person('Version') }).answer();
  const change = (last_name: string) =>
    rollcall.call('PATCH /customers/{id}', { params: { id: value.id }, body: { last_name }, ifMatch: etag! }).result();
  assert.equal((await change('Newer')).ok, true);
  const second = await change('Other');
  assert.equal(second.ok ? '' : second.problem.code, 'version_mismatch');
});

test('a file is uploaded as a file', async () => {
  const png = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const image = await rollcall.call('POST /images', { body: { image: new Blob([new Uint8Array(png)]) } });
  assert.ok(image.id > 0);
});

test('an interrupted stream resumes after the last event, and ends when it is left or aborted', async () => {
  let connections = 0;
  const way = await between(async (_request, response, pass) => {
    const answer = await pass();
    response.writeHead(answer.status, { 'content-type': 'text/event-stream' });
    const broken = connections++ === 0;
    for await (const { id, data } of eventsOf(answer.body!)) {
      response.write(`id: ${id}\ndata: ${data}\n\n`);
      if (broken && data !== '') return void setImmediate(() => response.destroy());
    }
  });
  const over = new AbortController();
  const { id: first } = await rollcall.call('POST /customers', { body: person('Stream') });
  const { id: second } = await rollcall.call('POST /customers', { body: person('Stream') });
  const seen: number[] = [];
  const follow = async () => {
    for await (const item of rollcall.with({ baseUrl: way.url }).call('GET /feed_items/stream', {
      query: { types: ['customer.created'] },
      signal: over.signal,
    })) {
      if (item.type !== 'customer.created') continue;
      if (item.payload.customer === first || item.payload.customer === second) seen.push(item.payload.customer);
      if (seen.length === 2) over.abort(new Error('enough'));
    }
  };
  await assert.rejects(follow, /enough/);
  way.close();
  assert.deepEqual(seen, [first, second]);
  assert.ok(connections >= 2);
});
