import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { plansOf } from '../../discount-codes/index.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

test('a recurring plan keeps its own part of the discount it was bought with, and a class keeps nothing', async () => {
  const { membership, plan } = await c.m.recurring();
  const code = await c.code({
    discount_type: 'flat',
    discount_percent: null,
    discount_minor: 1100,
    applicable_billing_cycles: 3,
  });
  const id = await c.open(await world.newCustomer());
  await c.add(id, { item_type: 'MEM_RECUR', membership, plan });
  await c.add(id, { item_type: 'CLASS_DRP', event: await c.event() });
  // 11.00 off 40.00 and 15.00, in proportion.
  const shown = await c.patch(id, { discount_code: code });
  assert.deepEqual(
    shown.checkout_items.map((item: any) => item.discount.string),
    ['8.00', '3.00'],
  );
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  const owned = paid.checkout_items[0].result.id as number;
  const { discount_code } = await c.read(`/customer_memberships/${owned}?expand=discount_code`);
  assert.deepEqual([paid.status, discount_code.code, discount_code.uses], ['completed', code, 1]);
  const plans = await world.work(world.harbour, (work) => plansOf(work, [owned]));
  assert.deepEqual(
    [...plans],
    [[owned, { code: discount_code.id, discount: { type: 'flat', amount: 800 }, cycles: 3 }]],
  );
});
