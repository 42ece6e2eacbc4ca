import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createApp, type App } from '../app.ts';
import { readConfig } from '../config.ts';
import { SECRET_KEY } from './secret-key.ts';
import { startWorld, type World } from './world.ts';

const lines: string[] = [];
let world: World;
let app: App;
before(async () => {
  world = await startWorld();
  const config = readConfig({
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    ROLE: 'server',
    SECRET_KEY,
    PUBLIC_URL: world.url,
  });
  app = createApp({
    config: { ...config, port: 0 },
    databaseUrl: world.databaseUrl,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    drainMs: 0,
  });
  await app.listen();
});
after(async () => {
  await app.close();
  await world.close();
});

// Guards against: Attempts that go unnoticed, or logs that say too much
test('the log records which caller was refused what, without personal data', async () => {
  const ask = (path: string, { token, ...init }: RequestInit & { token?: string } = {}) =>
    fetch(`${app.listeningAt}/api/v2${path}`, {
      ...init,
      headers: {
        'service-provider-id': String(world.harbour),
        traceparent: 'ada@example.com',
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
  const body = JSON.stringify({ email: 'ada@example.com' });
  const answers = [
    await ask('/customers?query=ada@example.com'),
    await ask('/customers?query=ada@example.com', { token: 'ada@example.com' }),
    await ask('/applications/7/approve_direct_auth', { method: 'POST', body, token: world.machine }),
  ];
  const refused = lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'refused');
  assert.deepEqual(
    refused.map(({ route, status, code, caller }) => [route, status, code, caller]),
    [
      ['GET /customers', 401, 'not_authenticated', null],
      ['GET /customers', 401, 'authentication_failed', null],
      ['POST /applications/{id}/approve_direct_auth', 403, 'mode_not_allowed', refused[2].caller],
    ],
  );
  assert.match(refused[2].caller, /^machine_token:\d+$/);
  assert.deepEqual(
    refused.map((line) => line.request_id),
    answers.map((answer) => answer.headers.get('request-id')),
  );
  for (const line of lines)
    for (const personal of ['@', 'example.com', '127.0.0.1', '"req"', world.machine])
      assert.ok(!line.includes(personal) || line.includes('listening'), line);
});
