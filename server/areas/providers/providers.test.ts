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
