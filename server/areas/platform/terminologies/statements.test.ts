/** Words cost no statement: they are read with the business. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Batch } from '../../../kernel/db/batch.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WORDS } from '../../../kernel/values/words.ts';

let statements = 0;
const complete = Batch.prototype.handleCommandComplete;
Batch.prototype.handleCommandComplete = function (message) {
  statements += 1;
  return complete.call(this, message);
};

let world: World;
before(async () => {
  world = await startWorld();
});
after(async () => {
  Batch.prototype.handleCommandComplete = complete;
  await world.close();
});

/** The fewest of several: what is remembered for a moment is read again at times. */
async function fewest(act: () => Promise<unknown>): Promise<number> {
  let found = Infinity;
  for (let i = 0; i < 6; i++) {
    const before = statements;
    await act();
    found = Math.min(found, statements - before);
  }
  return found;
}

test('a page and a refusal take no statement more with words than without', async () => {
  const page = async () => (await fetch(`${world.url}/account/${world.harbour}/sign-up`)).text();
  const token = world.customer(await world.newCustomer());
  const refusal = () => world.get('/events/987654321/explain', { as: token });
  const list = () => world.get('/providers', { as: token });
  const counted = async () => [await fewest(page), await fewest(refusal), await fewest(list)];
  const without = await counted();
  for (const word of WORDS)
    await world.patch(`/terminologies/${word}`, {
      as: world.machine,
      body: { singular: `own ${word.replace('_', ' ')}`, plural: 'own' },
    });
  assert.ok(without.every((n) => n > 0));
  assert.deepEqual(await counted(), without);
});

test('a change is read by the next request', async () => {
  const profile = async () => (await fetch(`${world.url}/account/${world.harbour}/gift-card`)).text();
  await world.patch('/terminologies/gift_card', { as: world.machine, body: { singular: null, plural: null } });
  await profile();
  const token = world.customer(await world.newCustomer());
  const refused = async () =>
    (await world.post('/gift_cards/redeem', { as: token, body: { code: 'ABCD-EFGH-JKMN-PQRS' } })).body.message;
  assert.match(await refused(), /for one gift card,/);
  for (const singular of ['present', 'voucher']) {
    await world.patch('/terminologies/gift_card', { as: world.machine, body: { singular, plural: `${singular}s` } });
    assert.match(await refused(), new RegExp(`for one ${singular},`));
  }
});
