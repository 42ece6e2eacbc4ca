import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../test/world.ts';
import { Addresses } from './addresses.ts';

const addresses = new Addresses([
  { method: 'GET', path: '/events' },
  { method: 'POST', path: '/events' },
  { method: 'POST', path: '/events/bulk' },
  { method: 'GET', path: '/events/{id}' },
  { method: 'DELETE', path: '/events/{id}' },
  { method: 'GET', path: '/events/external_id:{external_id}' },
]);

test('an address lists the methods that it accepts, the most literal address first', () => {
  assert.equal(addresses.allow('/events'), 'GET, HEAD, POST');
  assert.equal(addresses.allow('/events/'), 'GET, HEAD, POST');
  assert.equal(addresses.allow('/events/bulk'), 'POST');
  assert.equal(addresses.allow('/events/7'), 'DELETE, GET, HEAD');
  assert.equal(addresses.allow('/events/7/more'), null);
  assert.equal(addresses.allow('/event'), null);
});

test('a method that would reach another address through a pattern is listed', () => {
  assert.deepEqual(
    addresses.covered().map(({ method, path, allow }) => `${method} ${path}: ${allow}`),
    ['GET /events/bulk: POST', 'DELETE /events/bulk: POST'],
  );
});

let world: World;
before(async () => (world = await startWorld()));
after(() => world?.close());

test('a method that an address does not accept is refused with those that it accepts, and OPTIONS lists them', async () => {
  const as = world.machine;
  for (const [method, path, allow] of [
    ['PUT', '/events', 'GET, HEAD, POST'],
    ['DELETE', '/venues/', 'GET, HEAD, POST'],
    ['GET', '/events/bulk_cancel', 'POST'],
    ['PATCH', '/events/bulk_cancel', 'POST'],
    ['POST', '/customers/1?fields=id', 'GET, HEAD, PATCH, PUT'],
  ] as const) {
    const answer = await world.ask(method, path, { as, body: method === 'GET' ? undefined : {} });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${path}`);
    assert.equal(answer.body.code, 'method_not_allowed');
    const options = await fetch(`${world.url}/api/v2${path}`, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.get('allow')], [204, allow], `OPTIONS ${path}`);
  }
});

test('an unknown address is not found, regardless of the method', async () => {
  for (const path of ['/nothing', '/events/1/nothing', '/eventss'])
    for (const method of ['GET', 'PUT', 'OPTIONS'])
      assert.equal((await fetch(`${world.url}/api/v2${path}`, { method })).status, 404, `${method} ${path}`);
});
