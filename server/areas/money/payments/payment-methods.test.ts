import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PaymentWorld } from './test/payment-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

let p: PaymentWorld;
before(async () => {
  p = await PaymentWorld.start();
});
after(() => p.close());

const methods = async (query: string, as = p.world.machine) =>
  (await p.world.get(`/payment_methods?${query}`, { as })).body.results;

test('a method is saved once if the customer asked for it, and described in words', async () => {
  // The expiry of the card depends on the current year.
  p.world.stopNow();
  const { payer } = await p.paid({ saveMethod: true });
  const [card, ...more] = await methods(`customer=${payer}`);
  const year = new Date(p.world.now).getUTCFullYear() + 3;
  assert.deepEqual(
    [card.type, card.short_description, card.long_description, card.can_delete, more],
    ['credit_card', 'Sandbox card 4242', `Sandbox card ending in 4242, valid until 12/${year}`, true, []],
  );
  assert.deepEqual([card.bank_name, card.account_holder_name, card.email], [null, null, null]);
  assert.match(card.profile.name, /^Test /);
  const { payer: other } = await p.paid();
  assert.deepEqual(await methods(`customer=${other}`), []);
});

test('a saved method pays again, and cannot be deleted while a payment with it is in progress', async () => {
  const { payer } = await p.paid({ saveMethod: true });
  const [{ id: method }] = await methods(`customer=${payer}`);
  const { id } = await p.paid({ payer, method, scenario: 'late' });
  assert.equal((await p.payment(id)).payment_method, method);
  const busy = await p.world.delete(`/payment_methods/${method}`, { as: p.world.machine });
  assert.deepEqual([busy.status, (await methods(`customer=${payer}`))[0].can_delete], [409, false]);
  await p.play(id, 'succeed');
  assert.equal((await p.world.delete(`/payment_methods/${method}`, { as: p.world.machine })).status, 204);
  assert.deepEqual(await methods(`customer=${payer}`), []);
  await assert.rejects(p.start({ payer, method }), /no such payment method/);
  await p.settle();
  const [{ forgotten_at }] = await p.rows<{ forgotten_at: number }>(
    sql`SELECT forgotten_at FROM payment_method WHERE id = ${method}`,
  );
  assert.ok(forgotten_at, 'the processor was asked to delete it');
});

// Guards against: Paying with somebody else's saved card
test('customers see and delete only their own methods, and nobody pays with the method of another customer', async () => {
  const { payer } = await p.paid({ saveMethod: true });
  const { payer: other } = await p.paid({ saveMethod: true });
  const [mine, theirs] = [p.world.customer(payer), p.world.customer(other)];
  const [{ id: method }] = await methods('', mine);
  assert.deepEqual((await methods('', theirs)).length, 1);
  assert.equal((await p.world.get(`/payment_methods/${method}`, { as: theirs })).status, 404);
  assert.equal((await p.world.delete(`/payment_methods/${method}`, { as: theirs })).status, 404);
  await assert.rejects(p.start({ payer: other, method }), /no such payment method/);
  assert.equal((await p.world.delete(`/payment_methods/${method}`, { as: mine })).status, 204);
});

test('staff without the permission see no payment methods and no payments', async () => {
  const as = p.world.staff(['customers']);
  for (const path of ['/payment_methods', '/payments', '/payment_refunds', '/payment_disputes'])
    assert.equal((await p.world.get(path, { as })).status, 403, path);
});

test('when two records of a person are merged, payments and saved methods move along', async () => {
  const { id, payer } = await p.paid({ saveMethod: true });
  const kept = await p.world.newCustomer();
  const merged = await p.world.post(`/customers/${kept}/merge`, { as: p.world.machine, body: { from: payer } });
  assert.equal(merged.status, 200, merged.text);
  assert.equal((await p.payment(id)).customer, kept);
  assert.equal((await methods(`customer=${kept}`)).length, 1);
  const body = { reason: 'You were ill.' };
  const refund = await p.world.post(`/payments/${id}/refund`, { as: p.world.machine, body });
  assert.equal(refund.status, 201, refund.text);
});
