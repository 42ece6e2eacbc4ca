// The service without its support for several processes and cells. Test worlds run this way unless they have cells, so
// every other test also proves that nothing else needs that support.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { billed } from '../../areas/money/invoices/test/invoicing.ts';
import { book, newEvent, newPlace, row } from '../schedule-world.ts';
import { createApp } from '../../app.ts';
import { pino } from 'pino';
import { readConfig, type Config } from '../../config.ts';
import { SECRET_KEY } from '../secret-key.ts';
import { startWorld, type World } from '../world.ts';

let world: World;

before(async () => {
  world = await startWorld();
});

const startAlone = (config: Config) => () =>
  createApp({ config, databaseUrl: config.databaseUrl!, log: pino({ level: 'silent' }), scale: null });

test('a service on one machine works without the support for several processes', async () => {
  assert.equal(world.app.joined, null);
  const ready = await fetch(`${world.url}/readyz`);
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready' }]);
  const venue = { name: 'Hall', timezone: 'Europe/London', venue_type: 'online' };
  assert.equal((await world.post('/venues', { as: world.machine, body: venue })).status, 201);
});

test('every list and the pages of a service on one machine answer without that support', async () => {
  const lists = world.app.registry.endpoints.filter(({ acts, path }) => acts === 'list' && !path.includes('{'));
  assert.ok(lists.length > 50);
  for (const { path } of lists) {
    const { status } = await world.get(path, { as: world.machine });
    assert.ok(status === 200 || status === 403, `${path}: ${status}`);
  }
  const page = await fetch(`${world.url}/account/${world.harbour}`);
  assert.equal(page.status, 200);
});

test('customers book and pay at a service on one machine without that support', async () => {
  const customer = await world.newCustomer();
  const event = await newEvent(world, await newPlace(world));
  assert.equal((await book(world, event.id, customer)).status, 200);
  const { id } = await billed(world, customer);
  const processor = await row(world, 'payment_processor', { kind: 'offline', name: 'Cash' });
  const body = { payment_processor: processor };
  const { status, text } = await world.post(`/invoices/${id}/record_payment`, { as: world.machine, body });
  assert.equal(status, 200, text);
});

test('a service configured with several cells refuses to start without the support for them', () => {
  const config = readConfig({
    SECRET_KEY,
    DATABASE_URL: 'postgresql:///of-this-cell',
    PUBLIC_URL: 'https://one.example.net',
    CELL: '1',
    CELLS: '1=https://one.example.net,2=https://two.example.net',
  });
  assert.throws(startAlone(config), /CELLS is set, but this service has no support for several cells/);
});

test('a service configured with replicas refuses to start without the support for them', () => {
  const config = readConfig({
    SECRET_KEY,
    DATABASE_URL: 'postgresql:///of-this-installation',
    REPLICA_URL: 'postgresql://standby/of-this-installation',
  });
  assert.throws(startAlone(config), /REPLICA_URL is set, but this service has no support for replicas/);
});
