import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CounterWorld } from './test/counter-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { StoreWorld } from '../store/test/world.ts';

let world: World;
let at: CounterWorld;
let s: StoreWorld;
before(async () => {
  world = await startWorld();
  at = await CounterWorld.of(world);
  s = await StoreWorld.of(world);
});
after(async () => {
  await s.owner.end();
  await at.close();
});

test('the counter sells products from stock, also to walk-in customers, who take them along', async () => {
  const [one, two] = [await s.product({ stock: 5 }), await s.product({ price: '3.00', track_stock: false, stock: 0 })];
  const body = {
    items: [
      { item_type: 'STR_PRO', store_product_variant: one.variant, quantity: 3 },
      { store_product_variant: two.variant },
    ],
    payments: [{ payment_processor: at.terminal }],
  };
  await at.done('POST', '/counter/sales?dry_run=true', body);
  assert.deepEqual(await s.stock(one.variant), { stock: 5, held: 0 });
  const sale = await at.sell(body);
  assert.equal(sale.total_amount.string, '39.00');
  assert.deepEqual(await s.stock(one.variant), { stock: 2, held: 0 });
  const { results } = await s.done('GET', `/store/order_items?store_product_variant=${one.variant}`);
  const order = await s.done('GET', `/store/orders/${results[0].store_order}`);
  assert.deepEqual(
    [order.status, order.items.length, order.invoice, order.items.every((item: any) => item.delivered_at !== null)],
    ['fulfilled', 2, sale.invoice, true],
  );
  const refused = await world.post('/counter/sales', {
    as: world.machine,
    body: { ...body, items: [{ store_product_variant: one.variant, quantity: 3 }] },
  });
  assert.deepEqual([refused.status, refused.body.code], [409, 'out_of_stock']);
  assert.deepEqual(await s.stock(one.variant), { stock: 2, held: 0 });
  await s.counted();
  await at.c.balanced();
});

const sellOf = (variant: number, quantity: number) =>
  at.sell({
    items: [{ store_product_variant: variant, quantity }],
    payments: [{ payment_processor: at.terminal }],
  });

test('products are listed by how many were sold in the last 90 days', async () => {
  const [few, many, none] = [await s.product(), await s.product(), await s.product()];
  await sellOf(few.variant, 2);
  for (let n = 0; n < 2; n++) await sellOf(many.variant, 2);
  const ids = [none, few, many].map(({ variant }) => variant);
  const sold = async () =>
    (await s.done('GET', `/store/product_variants?ids=${ids.join()}&sort=-sold,id&fields=id`)).results.map(
      (one: any) => one.id,
    );
  assert.deepEqual(await sold(), [many.variant, few.variant, none.variant]);
});

test('a sale leaves no job behind to expire its checkout', async () => {
  const { variant } = await s.product();
  const jobs = async (id: number): Promise<number> =>
    (await s.owner.query(`SELECT FROM graphile_worker.jobs WHERE key = $1`, [`${world.harbour}:checkout:${id}`]))
      .rowCount!;
  const sale = await at.sell({
    items: [{ store_product_variant: variant }],
    payments: [{ payment_processor: at.terminal }],
  });
  const { rows } = await s.owner.query(
    `SELECT about_id::int AS checkout FROM invoice WHERE provider_id = $1 AND id = $2 AND about_object = 'checkout'`,
    [world.harbour, sale.invoice],
  );
  assert.equal(await jobs(rows[0].checkout), 0);
  const open = await s.done('POST', '/checkouts', { customer: await world.newCustomer() });
  assert.equal(await jobs(Number(open.id)), 1);
});

test('a whole order is sold by its items, not by its id', async () => {
  const { variant } = await s.product();
  const customer = await world.newCustomer();
  const order = await s.done('POST', '/store/orders', { customer, items: [{ store_product_variant: variant }] });
  const sell = (item: object) =>
    world.post('/counter/sales', {
      as: world.machine,
      body: { customer, items: [item], payments: [{ payment_processor: at.terminal }] },
    });
  const refused = await sell({ store_order: order.id });
  assert.deepEqual(Object.keys(refused.body.field_errors), ['items.0.store_order']);
  assert.equal((await sell({ store_order_item: order.items[0].id })).status, 201);
  assert.equal((await s.done('GET', `/store/orders/${order.id}`)).status, 'fulfilled');
});
