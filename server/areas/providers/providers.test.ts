import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWorld, type World } from '../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

test('a business is shown to everybody, with its currency spelled out', async () => {
  const answer = await world.get(`/providers/${world.harbour}`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.currency, { iso_currency_code: 'cad', symbol: '$', position: 'before' });
});

test('a business chooses the colour of its pages, and takes it back', async () => {
  const path = `/providers/${world.harbour}`;
  const color = async () => (await world.get(`${path}?fields=branding`, { as: world.machine })).body.branding;
  assert.equal((await world.patch(path, { as: world.machine, body: { branding: { color: '#0F766E' } } })).status, 200);
  assert.deepEqual(await color(), { color: '#0f766e' });
  for (const wrong of ['0f766e', '#0f7', 'teal', '#0f766e}']) {
    const refused = await world.patch(path, { as: world.machine, body: { branding: { color: wrong } } });
    assert.equal(refused.status, 400, wrong);
    assert.deepEqual(Object.keys(refused.body.field_errors), ['branding.color']);
  }
  assert.equal((await world.patch(path, { as: world.machine, body: { branding: { color: null } } })).status, 200);
  assert.deepEqual(await color(), { color: null });
});

test('a business says whether its staff need a second factor', async () => {
  const path = `/providers/${world.harbour}`;
  const security = async () => (await world.get(`${path}?fields=security`, { as: world.machine })).body.security;
  assert.deepEqual(await security(), { second_factor_required: false });
  for (const second_factor_required of [true, false]) {
    assert.equal((await world.patch(path, { as: world.machine, body: { security: { second_factor_required } } })).status, 200);
    assert.deepEqual(await security(), { second_factor_required });
  }
});
