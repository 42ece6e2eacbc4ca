/** Words cost no extra statement: they are read with the business. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StatementCount } from '../../../test/statement-count.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WORDS } from '../../../kernel/base/values/words.ts';

const count = new StatementCount();
let world: World;
before(async () => {
  world = await startWorld();
});
after(async () => {
  count.stop();
  await world.close();
});

test('a page and a refusal take as many statements with words as without', async () => {
  const page = async () => (await fetch(`${world.url}/account/${world.harbour}/sign-up`)).text();
  const token = world.customer(await world.newCustomer());
  const refusal = () => world.get('/events/987654321/explain', { as: token });
  const list = () => world.get('/providers', { as: token });
  const counted = async () => [await count.fewest(page), await count.fewest(refusal), await count.fewest(list)];
  const without = await counted();
  for (const word of WORDS)
    await world.patch(`/terminologies/${word}`, {
      as: world.machine,
      body: { singular: `own ${word.replace('_', ' ')}`, plural: 'own' },
    });
  assert.ok(without.every((n) => n > 0));
  // Other data that is refreshed now and then may have cost an extra one before.
  const withWords = await counted();
  assert.ok(
    withWords.every((n, at) => n <= without[at]),
    `${withWords.join()} with words, ${without.join()} without`,
  );
});

test('the next request sees a change', async () => {
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
