/** Unknown tokens cost next to nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Socket } from 'node:net';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { makeSecret } from './opaque-secret.ts';
import { pino } from 'pino';
import { createApp, type App } from '../../../../app.ts';
import { readConfig } from '../../../../config.ts';
import { SECRET_KEY } from '../../../../test/secret-key.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { beside, times, until } from '../../../../test/storm.ts';

let world: World;
let app: App;
let url: string;
/** statements that were sent to the database, one line for each write */
const sent: string[] = [];
before(async () => {
  world = await startWorld();
  const config = readConfig({
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    SECRET_KEY,
    ROLE: 'server',
    PUBLIC_URL: world.url,
  });
  app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: world.databaseUrl,
    log: pino({ level: 'silent' }),
    drainMs: 0,
    observe: (commands) => sent.push(commands.map((c) => c.statement.text).join('; ')),
  });
  await app.listen();
  url = app.listeningAt;
});
after(async () => {
  await app.close();
  await world.close();
});

const ask = async (token: string): Promise<number> => {
  const answer = await fetch(`${url}/api/v2/venues`, { headers: { authorization: `Bearer ${token}` } });
  await answer.text();
  return answer.status;
};

// Guards against: A flood of made-up tokens
test('unknown tokens are looked up together, in single statements without a transaction', async () => {
  assert.equal(await ask(world.machine), 200);
  sent.length = 0;
  let came = 0;
  const { port } = new URL(url);
  const count = (message: unknown) =>
    void (String((message as { socket: Socket }).socket.localPort) === port && came++);
  subscribe('http.server.request.start', count);
  // The first lookups are blocked until all have arrived.
  const owner = await beside(world.databaseUrl);
  try {
    await owner.query('BEGIN');
    await owner.query('LOCK TABLE machine_token, operator_token IN ACCESS EXCLUSIVE MODE');
    const asked = times(200, (i) => ask(makeSecret(i % 2 ? 'rcm_' : 'rco_').secret));
    await until('all are here', async () => came === 200);
    await owner.query('COMMIT');
    assert.deepEqual([...new Set(await asked)], [401]);
  } finally {
    unsubscribe('http.server.request.start', count);
    await owner.end();
  }
  assert.ok(sent.length > 0 && sent.length < 50, `${sent.length} writes to the database`);
  assert.ok(
    sent.every((line) => /token_hash = ANY/.test(line) && !/BEGIN|COMMIT/.test(line)),
    sent.join('\n'),
  );
});

test('a malformed token is refused without a query', async () => {
  assert.equal(await ask(world.machine), 200);
  sent.length = 0;
  const mistyped = `${world.machine.slice(0, -1)}${world.machine.endsWith('A') ? 'B' : 'A'}`;
  for (const token of [mistyped, 'nonsense', 'rcm_', 'a.b.c', 'x'.repeat(5000)]) assert.equal(await ask(token), 401);
  assert.deepEqual(sent, []);
});

test('a valid token is found among unknown ones', async () => {
  const all = Array.from({ length: 50 }, () => makeSecret('rcm_').secret);
  const statuses = await Promise.all([...all, world.meadowMachine, ...all].map((token) => ask(token)));
  assert.deepEqual([statuses[50], statuses.filter((s) => s === 200).length], [200, 1]);
});
