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

test('a pack and a place at an event are paid together, and the customer has both', async () => {
  const [event, customer] = [await c.event({ price: '15.00' }), await world.newCustomer()];
  const membership = await c.m.pack(5);
  const id = await c.open(customer);
  await c.add(id, { item_type: 'MEM_PK', membership });
  const shown = await c.add(id, { item_type: 'CLASS_DRP', event });
  assert.deepEqual(
    shown.checkout_items.map((item: any) => [item.item_type, item.unit_price.string, item.total_price.string]),
    [
      ['MEM_PK', '120.00', '120.00'],
      ['CLASS_DRP', '15.00', '15.00'],
    ],
  );
  assert.equal(shown.total_price.string, '135.00');
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.amount_due.string], ['completed', '135.00']);
});
