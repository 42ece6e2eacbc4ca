import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from './test/world.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

const opened = async (body: object = {}): Promise<any> => {
  const answer = await c.ask('POST', '/checkouts', body as never);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};

/** Returns the properties that a request is refused for. */
const wrong = async (method: string, path: string, body: object, as?: string) =>
  Object.keys((await c.refused(method, path, body as never, as)).field_errors);

test('staff sell to a walk-in customer, and neither the checkout nor anything created from it names a customer', async () => {
  const { id, customer, status } = await opened();
  assert.deepEqual([customer, status], [null, 'open']);
  const shown = await c.add(id, {
    item_type: 'QUICK_ITEM',
    description: 'Water',
    unit_price: '3.00',
    purchase_type: 'store',
  });
  assert.equal(shown.checkout_items[0].customer, null);
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.customer, paid.total_price.string], ['completed', null, '3.00']);
  const { count } = (await c.ask('GET', '/customers?query=walk-in')).body;
  assert.equal(count, 0);
  await c.balanced();
});

test('things that belong to a person are not sold to a walk-in customer, who can neither owe nor save anything', async () => {
  const { id } = await opened();
  const event = await c.event();
  assert.deepEqual(await wrong('POST', `/checkouts/${id}/add_item`, { item_type: 'CLASS_DRP', event }), ['item_type']);
  assert.deepEqual(await wrong('POST', '/checkouts', { use_account_credit: true }), ['use_account_credit']);
  assert.deepEqual(await wrong('PATCH', `/checkouts/${id}`, { use_account_credit: true }), ['use_account_credit']);
  await c.add(id, { item_type: 'QUICK_ITEM', description: 'Water', unit_price: '3.00', purchase_type: 'store' });
  assert.deepEqual(await wrong('POST', `/checkouts/${id}/pay`, { pay_later: true }), ['pay_later']);
  assert.deepEqual(
    await wrong('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox, save_payment_method: true }),
    ['save_payment_method'],
  );
  assert.equal((await c.get(id)).status, 'open');
});

test('an empty checkout without a customer can be given one', async () => {
  const { id } = await opened();
  const me = await world.newCustomer();
  const changed = await c.ask('PATCH', `/checkouts/${id}`, { customer: me });
  assert.deepEqual([changed.status, changed.body.customer], [200, me], changed.text);
});

test('many can be open at the same time, and no customer sees them', async () => {
  for (let n = 0; n < 22; n++) await opened();
  const me = world.customer(await world.newCustomer());
  assert.deepEqual((await c.ask('GET', '/checkouts', undefined, me)).body.results, []);
});
