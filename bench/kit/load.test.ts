import assert from 'node:assert/strict';
import { type IncomingMessage, type RequestListener, createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { burst, load, prepare } from './load.ts';

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Starts a server that responds with exactly these bytes, one write per array entry, and then closes the connection if
 * `closes` is set.
 */
async function serveBytes(t: TestContext, writes: string[], closes = false): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', async () => {
      for (const text of writes) await new Promise((sent) => socket.write(text, 'latin1', () => setImmediate(sent)));
      if (closes) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

const get = (path: string) => ({ method: 'GET', path });
const next = () => get('/');

test('a run sends exactly the requested number of requests and counts every status', async (t) => {
  const seen: string[] = [];
  const url = await serve(t, (request, response) => {
    seen.push(request.url!);
    response.writeHead(request.url!.endsWith('3') ? 404 : 200).end('x'.repeat(5000));
  });
  const result = await load({ url, connections: 4, requests: 40, next: (i) => get(`/${i}`) });
  assert.equal(result.requests, 40);
  assert.equal(result.errors, 0);
  assert.deepEqual(result.statuses, { 200: 36, 404: 4 });
  assert.deepEqual(seen.toSorted(), Array.from({ length: 40 }, (_, i) => `/${i}`).toSorted());
  assert.ok(result.p50 > 0 && result.p50 <= result.p95 && result.p95 <= result.p99 && result.p99 <= result.max);
  assert.ok(Math.abs(result.perSecond * result.seconds - 40) < 1e-6);
});

test('a timed run ends automatically', async (t) => {
  const url = await serve(t, (_, response) => response.end('ok'));
  const request = prepare(get('/'));
  const result = await load({ url, connections: 2, seconds: 1, next: () => request });
  assert.ok(result.seconds >= 1 && result.seconds < 60);
  assert.ok(result.requests > 10);
});

test('bodies arrive complete and with their request, however the server frames them', async (t) => {
  const url = await serve(t, async (request, response) => {
    const text = await textOf(request);
    if (request.url === '/chunked') {
      response.write('ä'.repeat(40_000));
      response.write(text);
      response.end();
    } else response.end(text);
  });
  const bodies: string[] = [];
  await load({
    url,
    connections: 3,
    requests: 30,
    next: (i) => ({ method: 'POST', path: i % 2 ? '/chunked' : '/plain', body: { i } }),
    collect: ({ i, body }) => (bodies[i] = body.toString()),
  });
  assert.deepEqual(
    bodies,
    Array.from({ length: 30 }, (_, i) => (i % 2 ? 'ä'.repeat(40_000) : '') + JSON.stringify({ i })),
  );
});

test('a response split at any byte is parsed the same', async (t) => {
  const texts = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"abc"',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n"a\r\n3;x=y\r\nbc"\r\n0\r\nTrailer: t\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length:5\r\n\r\n"abc"',
  ];
  for (const text of texts) {
    for (const writes of [[text], Array.from(text), [text.slice(0, 30), text.slice(30)]]) {
      const url = await serveBytes(t, writes);
      const answers = await burst([get('/'), get('/')], { url, connections: 1 });
      for (const { status, body, error } of answers)
        assert.deepEqual({ status, body, error }, { status: 200, body: 'abc', error: null });
      assert.equal(answers.length, 2);
    }
  }
});

test('a connection that the server closes after each response is reopened', async (t) => {
  const closing = await serve(t, (_, response) => response.setHeader('connection', 'close').end('"x"'));
  assert.deepEqual((await load({ url: closing, connections: 2, requests: 20, next: () => get('/') })).statuses, {
    200: 20,
  });
  const unmeasured = await serveBytes(t, ['HTTP/1.1 200 OK\r\n\r\n', '"until', ' close"'], true);
  const answers = await burst([get('/'), get('/'), get('/')], { url: unmeasured, connections: 1 });
  assert.deepEqual(
    answers.map((answer) => answer.body),
    Array(3).fill('until close'),
  );
});

test('a HEAD response and 204 have no body and delay nothing', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.method === 'HEAD') response.setHeader('content-length', 100).end();
    else response.writeHead(204).end();
  });
  const answers = await burst(
    [
      { method: 'HEAD', path: '/' },
      { method: 'DELETE', path: '/' },
      { method: 'HEAD', path: '/' },
    ],
    { url, connections: 1 },
  );
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [200, null],
      [204, null],
      [200, null],
    ],
  );
});

test('all requests of a burst are in flight together, and responses are in the order of the requests', async (t) => {
  const waiting: (() => void)[] = [];
  const url = await serve(t, (request, response) => {
    waiting.push(() => response.writeHead(request.url === '/7' ? 409 : 201).end(JSON.stringify({ path: request.url })));
    if (waiting.length === 20) for (const answer of waiting.toReversed()) answer(); // responds once all 20 are here
  });
  const answers = await burst(
    Array.from({ length: 20 }, (_, i) => get(`/${i}`)),
    { url },
  );
  assert.deepEqual(
    answers.map((answer) => answer.body),
    Array.from({ length: 20 }, (_, i) => ({ path: `/${i}` })),
  );
  assert.deepEqual(
    answers.map((answer) => answer.status).filter((status) => status === 409),
    [409],
  );
  assert.ok(answers.every((answer) => answer.ms > 0));
});

test('a lost connection fails only its own request', async (t) => {
  const url = await serve(t, (request, response) =>
    request.url === '/1' ? request.socket.destroy() : response.end('{}'),
  );
  const answers = await burst([get('/0'), get('/1'), get('/2')], { url, connections: 1 });
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 0, 200],
  );
  assert.match(answers[1].error!, /closed|reset/i);
  const result = await load({ url, connections: 2, requests: 9, next: (i) => get(`/${i}`) });
  assert.deepEqual([result.requests, result.errors], [8, 1]);
});

test('a request without a response counts as an error after the timeout', async (t) => {
  const url = await serve(t, (request, response) => (request.url === '/0' ? undefined : response.end()));
  const result = await load({ url, connections: 1, requests: 2, timeout: 2000, next: (i) => get(`/${i}`) });
  assert.deepEqual([result.requests, result.errors], [1, 1]);
});

test('a server that is gone ends the run with an error', async (t) => {
  const url = await serve(t, (request) => request.socket.destroy());
  await assert.rejects(load({ url, connections: 2, seconds: 30, next: () => get('/') }), /failures in a row/);
  await assert.rejects(
    load({ url: 'http://127.0.0.1:9', connections: 1, requests: 1, next: () => get('/') }),
    /ECONNREFUSED/,
  );
});

test('a host other than 127.0.0.1, an unbounded run and a smuggled line break are refused', async () => {
  for (const url of [
    'http://example.com',
    'http://localhost:3000',
    'http://127.0.0.2:80',
    'https://127.0.0.1',
    'http://127.0.0.1.example.com',
  ]) {
    await assert.rejects(load({ url, connections: 1, requests: 1, next }), /127\.0\.0\.1 only/);
    await assert.rejects(burst([get('/')], { url }), /127\.0\.0\.1 only/);
  }
  await assert.rejects(load({ url: 'http://127.0.0.1:9', connections: 1, next }), /number of requests or of seconds/);
  await assert.rejects(load({ url: 'http://127.0.0.1:9', connections: 1, seconds: 1e6, next }), RangeError);
  await assert.rejects(load({ url: 'http://127.0.0.1:9', connections: 1e6, seconds: 1, next }), RangeError);
  assert.throws(() => prepare({ method: 'GET', path: '/', headers: { a: 'b\r\nc: d' } }), /line break/);
  assert.throws(() => prepare(get('/a b')), /not a request path/);
});
