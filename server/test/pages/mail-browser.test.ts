/** Emails as people see them: light and dark, on a desktop and on a phone. */
import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { createApp, type App } from '../../app.ts';
import { listKept } from '../../kernel/base/mail/outbox.ts';
import { readConfig } from '../../config.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { startWorld, type World } from '../world.ts';
import { TestBrowser } from './browser.ts';
import { until } from '../storm.ts';

let world: World;
let app: App;
let browser: TestBrowser;
before(async () => {
  world = await startWorld({ worker: true });
  const env = { HOST: '127.0.0.1', ROLE: 'server', SECRET_KEY, RATE_LIMIT: 'off', PORT: '0', LOG_LEVEL: 'silent' };
  app = createApp({
    config: { ...readConfig(env), port: 0 },
    databaseUrl: world.databaseUrl,
    log: pino({ level: 'silent' }),
    drainMs: 0,
    development: true,
  });
  await app.listen();
  browser = await TestBrowser.start(app.listeningAt);
});
after(async () => {
  await browser?.close();
  await app?.close();
  await world?.close();
});

test('an email in the color of its business is readable on every screen, light or dark', async () => {
  const as = world.machine;
  const look = await world.patch(`/providers/${world.harbour}`, {
    as,
    body: {
      branding: { color: '#ffe100' },
      address: {
        street: '1 Pier',
        city: 'Toronto',
        street_secondary: null,
        region: 'Ontario',
        postal_code: 'M5J 1A7',
        country: 'CA',
      },
      contact_info: { phone_number: '+1 416 555 0100' },
    },
  });
  assert.equal(look.status, 200, JSON.stringify(look.body));
  const person = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    is_opted_into_broadcast_messages: true,
  };
  assert.equal((await world.post('/customers', { as, body: person })).status, 201);
  const kept = await until('the invitation is kept', async () =>
    (await listKept(world.app.db)).find((mail) => mail.recipient === person.email),
  );
  const visitor = await browser.visitor(app.listeningAt);
  await visitor.open(`/dev/mail/${kept.id}`);
  await visitor.checkAccessible('dev-mail');
  await visitor.open(`/dev/mail/${kept.id}/html`);
  const button = visitor.page.getByRole('link', { name: 'Accept the invitation' });
  assert.equal(
    await button.evaluate((e) => (globalThis as any).getComputedStyle(e).backgroundColor),
    'rgb(255, 225, 0)',
  );
  assert.match(await visitor.page.locator('body').innerText(), /1 Pier, M5J 1A7 Toronto, Ontario[^]*\+1 416 555 0100/);
  await visitor.checkAccessible('mail', { whole: false });
  await visitor.close();
});
