import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { after, test } from 'node:test';
import { once } from 'node:events';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../../test/outside/hooks-certificate.ts';
import { NameNotFound } from './resolve.ts';
import { Outbound, OutboundFailure, OutboundRefused, type OutboundOptions } from './outbound.ts';

const closing: (() => void)[] = [];
after(() => closing.forEach((close) => close()));

const LOOPBACK = ['127.0.0.1/32'];

function outbound(options: OutboundOptions = { allow: LOOPBACK }): Outbound {
  const made = new Outbound(options);
  closing.push(() => made.close());
  return made;
}

const toLoopback = (): Outbound => outbound({ allow: LOOPBACK, resolve: async () => ['127.0.0.1'] });

async function listening(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    if ('closeAllConnections' in server) (server as http.Server).closeAllConnections();
    server.close();
  });
  return (server.address() as net.AddressInfo).port;
}

/** Starts a server with these responses; returns its port, and the number of requests. */
async function sink(
  answer: http.RequestListener,
): Promise<{ port: number; asked: () => number; connections: () => number }> {
  let asked = 0;
  let connections = 0;
  const server = http.createServer((request, response) => {
    asked++;
    answer(request, response);
  });
  server.on('connection', () => connections++);
  return { port: await listening(server), asked: () => asked, connections: () => connections };
}

const send = (out: Outbound, url: string, more: { timeoutMs?: number; body?: string; mostRead?: number } = {}) =>
  out.send({ url, headers: {}, body: '{}', ...more });
const refused = (message: RegExp) => (error: Error) => error instanceof OutboundRefused && message.test(error.message);

// Guards against: A business makes the service call addresses inside the network
test('internal addresses are refused, in any numeric form and by name, and nothing connects', async () => {
  const { port, asked, connections } = await sink((_, response) => void response.end());
  const out = outbound({ resolve: async () => ['127.0.0.1'] });
  const inside = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    'hooks.example.com',
  ];
  for (const host of inside) {
    await assert.rejects(send(out, `https://${host}:${port}/`), refused(/not on the public internet/), host);
    await assert.rejects(send(out, `http://${host}:${port}/`), refused(/not on the public internet/), host);
    assert.match((await out.problem(`https://${host}:${port}/`))!, /not on the public internet/);
  }
  assert.equal(asked() + connections(), 0);
});

test('localhost is this machine, without a look-up', async () => {
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'db.localhost'])
    assert.match((await outbound({}).problem(`https://${host}/`))!, /not on the public internet/);
});

test('one internal address is enough to refuse a name', async () => {
  const out = outbound({ resolve: async () => ['93.184.216.34', '10.0.0.1'] });
  await assert.rejects(send(out, 'https://hooks.example.com/'), refused(/not on the public internet/));
});

// Guards against: A business makes the service call addresses inside the network
test('a name that resolves differently the second time gains nothing: the connection goes to a checked address', async () => {
  const { port, asked } = await sink((_, response) => void response.end('judged'));
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  let looked = 0;
  const out = outbound({ allow: LOOPBACK, resolve: async () => answers[looked++] ?? ['127.0.0.2'] });
  assert.equal((await send(out, `http://hooks.example.com:${port}/`)).body, 'judged');
  assert.equal(looked, 1, 'it was looked up once for the connection');
  assert.equal((await send(out, `http://hooks.example.com:${port}/`)).body, 'judged');
  assert.equal(looked, 1, 'the connection that was judged is used again');
  const later = outbound({ allow: LOOPBACK, resolve: async () => answers[1] });
  await assert.rejects(send(later, `http://hooks.example.com:${port}/`), refused(/not on the public internet/));
  assert.equal(asked(), 2);
});

test('plain http goes only to ranges that the operator allows', async () => {
  const out = outbound({ allow: LOOPBACK, resolve: async () => ['93.184.216.34'] });
  assert.match((await out.problem('http://hooks.example.com/'))!, /must start with https/);
  assert.equal(await out.problem('https://hooks.example.com/'), null);
  assert.equal(await out.problem('http://127.0.0.1:9000/'), null);
  await assert.rejects(send(out, 'http://hooks.example.com/'), refused(/must start with https/));
});

test("an unknown name is a problem; one that can't be resolved right now passes, and fails when it is called", async () => {
  const unknown = outbound({ resolve: async (host) => Promise.reject(new NameNotFound(host, true)) });
  assert.match((await unknown.problem('https://nowhere.example.com/'))!, /nowhere.example.com doesn’t exist/);
  const silent = outbound({ resolve: async (host) => Promise.reject(new NameNotFound(host, false)) });
  assert.equal(await silent.problem('https://somewhere.example.com/'), null);
  await assert.rejects(
    send(silent, 'https://somewhere.example.com/'),
    (error: Error) => error instanceof OutboundFailure && /could not be looked up/.test(error.message),
  );
});

// Guards against: A business makes the service call addresses inside the network
test('a redirect is returned and not followed', async () => {
  const target = await sink((_, response) => void response.end());
  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await sink(
      (_, response) => void response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    assert.equal((await send(outbound(), `http://127.0.0.1:${port}/`)).status, status);
  }
  assert.equal(target.asked(), 0);
});

test('host and server name are those of the URL, and the certificate must match', async () => {
  let name: string | false | undefined;
  let host: string | undefined;
  const server = https.createServer(
    { cert: CERTIFICATE, key: CERTIFICATE_KEY, SNICallback: (given, done) => ((name = given), done(null)) },
    (request, response) => {
      host = request.headers.host;
      response.end('secure');
    },
  );
  const port = await listening(server);
  await assert.rejects(send(toLoopback(), `https://hooks.example.com:${port}/`), /The certificate is self-signed/);
  const known = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...known, CERTIFICATE]);
  try {
    assert.equal((await send(toLoopback(), `https://hooks.example.com:${port}/`)).body, 'secure');
    assert.deepEqual([name, host], ['hooks.example.com', `hooks.example.com:${port}`]);
    await assert.rejects(
      send(toLoopback(), `https://other.example.com:${port}/`),
      /The certificate is for a different name/,
    );
  } finally {
    tls.setDefaultCACertificates(known);
  }
});

// Guards against: A receiver that is slow, endless or hostile
test('a missing or incomplete response takes no longer than the time limit', async () => {
  const silent = await sink(() => {});
  // A request with the usual time limit would end after this one.
  let waitedForAll = false;
  const patient = send(outbound(), `http://127.0.0.1:${silent.port}/`).catch(() => (waitedForAll = true));
  await assert.rejects(
    send(outbound(), `http://127.0.0.1:${silent.port}/`, { timeoutMs: 150 }),
    /There was no response in time/,
  );
  const dripping = await sink((_, response) => {
    response.writeHead(200).flushHeaders();
    const drip = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(drip));
  });
  // Long enough for its headers to arrive on a busy machine.
  const { status, body } = await send(outbound(), `http://127.0.0.1:${dripping.port}/`, { timeoutMs: 2000 });
  assert.equal(status, 200);
  assert.match(body, /^\.*$/);
  const slowLookup = outbound({ allow: LOOPBACK, resolve: () => new Promise(() => {}) });
  await assert.rejects(
    send(slowLookup, 'http://hooks.example.com:9000/', { timeoutMs: 150 }),
    /There was no response in time/,
  );
  assert.equal(waitedForAll, false);
  void patient;
});

// Guards against: A receiver that is slow, endless or hostile
test('only a bounded part of an endless response is read, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const { port } = await sink((_, response) => {
    response.on('close', () => closed.resolve());
    const pour = () => {
      while (response.write('x'.repeat(65_536)));
      response.once('drain', pour);
    };
    pour();
  });
  const { body } = await send(outbound(), `http://127.0.0.1:${port}/`);
  assert.equal(body.length, 16_384);
  const more = await send(outbound(), `http://127.0.0.1:${port}/`, { mostRead: 100_000 });
  assert.equal(more.body.length, 100_000, 'as much as was asked for');
  await closed.promise;
});

test('invalid HTTP, another protocol, and a lost connection are failures whose text names no address', async () => {
  const port = await listening(
    net.createServer((socket) => void socket.on('error', () => {}).end('220 mail.example.com ESMTP\r\n')),
  );
  await assert.rejects(send(outbound(), `http://127.0.0.1:${port}/`), /^OutboundFailure: The response was not HTTP\.$/);
  const upgrading = await listening(
    net.createServer(
      (socket) =>
        void socket
          .on('error', () => {})
          .write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    ),
  );
  await assert.rejects(send(outbound(), `http://127.0.0.1:${upgrading}/`), /a different protocol/);
  const ending = await listening(
    net.createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end())),
  );
  await assert.rejects(send(outbound(), `http://127.0.0.1:${ending}/`), /closed without a response/);
  const free = net.createServer();
  const nobody = await listening(free);
  await new Promise((done) => free.close(done));
  await assert.rejects(
    send(outbound(), `http://127.0.0.1:${nobody}/`),
    (error: Error) => error.message === 'The connection was refused.',
  );
});

test('connections are reused, and one that the other side closed in the meantime costs nothing', async () => {
  const { port, asked, connections } = await sink((_, response) => void response.end());
  const out = outbound();
  for (let i = 0; i < 5; i++) await send(out, `http://127.0.0.1:${port}/`);
  assert.deepEqual([asked(), connections()], [5, 1]);
  // Responds once on each connection and closes it as the next request arrives.
  let served = 0;
  const closes = await listening(
    net.createServer((socket) => {
      let used = false;
      socket
        .on('error', () => {})
        .on('data', () => {
          if (used) return socket.resetAndDestroy();
          used = true;
          served++;
          return socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        });
    }),
  );
  for (let i = 0; i < 3; i++) assert.equal((await send(out, `http://127.0.0.1:${closes}/`)).status, 200);
  assert.equal(served, 3);
});

test('a name with an internal address gets the same response as one that doesn’t exist', async () => {
  const none = outbound({
    resolve: async (host) => {
      throw new NameNotFound(host, true);
    },
  });
  const inside = outbound({ resolve: async () => ['10.0.0.7'] });
  for (const url of ['https://db.internal.example/', 'http://db.internal.example/']) {
    assert.equal(await inside.problem(url), await none.problem(url));
    const said = (out: Outbound) =>
      send(out, url).catch((error: Error) => [error instanceof OutboundFailure, error.message]);
    assert.deepEqual(await said(inside), await said(none));
  }
});
