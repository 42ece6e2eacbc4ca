/** The number of statements of a sale, so that nobody increases it without noticing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createApp, type App } from '../../../app.ts';
import { CounterWorld } from './test/counter-world.ts';
import { readConfig } from '../../../config.ts';
import { SECRET_KEY } from '../../../test/secret-key.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WATER } from './test/quick.ts';

let statements = 0;
let world: World;
let at: CounterWorld;
let app: App;
before(async () => {
  world = await startWorld();
  at = await CounterWorld.of(world);
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
    observe: (commands) => void (statements += commands.length),
  });
  await app.listen();
  await at.open('0.00');
});
after(async () => {
  await app.close();
  await at.close();
});

/** Counts the statements of one sale with this many items and these payments, after a first sale of each kind. */
async function count(items: number, payments: object[]): Promise<number> {
  const sell = async () => {
    const answer = await fetch(`${app.listeningAt}/api/v2/counter/sales`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.machine}`, 'content-type': 'application/json' },
      body: JSON.stringify({ items: Array.from({ length: items }, () => WATER), payments }),
    });
    assert.equal(answer.status, 201, await answer.text());
  };
  await sell();
  // Concurrent changes of other processes may cost an extra statement, but never save one.
  const counts: number[] = [];
  for (let n = 0; n < 3; n++) {
    const before = statements;
    await sell();
    counts.push(statements - before);
  }
  return Math.min(...counts);
}

test('a sale of an item takes at most 49 statements, each further item at most 6, and each further payment at most 12', async () => {
  const card = { payment_processor: at.terminal };
  const cash = { payment_processor: at.drawer, amount: '1.00' };
  const one = await count(1, [card]);
  const six = await count(6, [card]);
  const split = await count(1, [cash, card]);
  const [item, payment] = [(six - one) / 5, split - one];
  assert.ok(one <= 49 && item <= 6 && payment <= 12, JSON.stringify({ one, item, payment }));
});
