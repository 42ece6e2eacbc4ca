import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chance, insisting, times } from '../../../../test/storm.ts';
import { CheckoutWorld } from '../test/world.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { expireCheckout } from '../expire.ts';
import { inTurns } from '../../../../test/rare.ts';
import { newCustomers } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { StoreWorld } from '../../store/test/world.ts';

let world: World;
let c: CheckoutWorld;
let s: StoreWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  s = await StoreWorld.of(world);
});
after(async () => {
  await s.owner.end();
  await c.close();
});

const insist = (method: string, path: string, body?: object) =>
  insisting([world.url], world.machine)(0, method, path, body);

test('if 200 buyers pay for the last 10 items, exactly 10 get one, and nobody else is charged', async () => {
  const [{ variant }, customers] = [await s.product({ stock: 10 }), await newCustomers(world, 200)];
  const outcomes = await times(200, async (i) => {
    const { body: opened } = await insist('POST', '/checkouts', { customer: customers[i] });
    const added = await insist('POST', `/checkouts/${opened.id}/add_item`, { store_product_variant: variant });
    if (added.status !== 200) return added.body.code;
    const paid = await insist('POST', `/checkouts/${opened.id}/pay`, { payment_processor: c.sandbox });
    return c.outcome(opened.id, paid.body);
  });
  const tally = Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([what, all]) => [what, all.length]));
  assert.deepEqual(tally, { completed: 10, out_of_stock: 190 });
  assert.deepEqual(await s.stock(variant), { stock: 0, held: 0 });
  const { rows } = await c.owner.query(
    `SELECT count(*)::int AS n FROM payment WHERE provider_id = $1 AND status = 'succeeded' AND customer_id = ANY($2)`,
    [world.harbour, customers],
  );
  assert.equal(rows[0].n, 10);
  await s.counted();
  await c.balanced();
});

test('buyers who add the same variants in opposite orders never deadlock', async () => {
  const variants = [(await s.product({ stock: 100 })).variant, (await s.product({ stock: 100 })).variant];
  const event = await c.event({ max_occupancy: null });
  const customers = await newCustomers(world, 16);
  const before = await s.deadlocks();
  const became = await times(16, async (i) => {
    const [one, other] = i % 2 === 0 ? variants : variants.toReversed();
    const { body: opened } = await insist('POST', '/checkouts', { customer: customers[i] });
    const path = `/checkouts/${opened.id}`;
    await insist('POST', `${path}/add_item`, { store_product_variant: one });
    await insist('POST', `${path}/add_item`, { item_type: 'CLASS_DRP', event });
    const { body } = await insist('POST', `${path}/add_item`, { store_product_variant: other, quantity: 2 });
    await insist('POST', `${path}/items/${body.checkout_items[0].id}/quantity`, { quantity: 3 });
    await insist('DELETE', `${path}/items/${body.checkout_items[1].id}`);
    return c.outcome(opened.id, (await insist('POST', `${path}/pay`, { payment_processor: c.sandbox })).body);
  });
  assert.deepEqual([...new Set(became)], ['completed']);
  assert.equal(await s.deadlocks(), before);
  await s.counted();
  await c.balanced();
});

/** The actions on an order, which can happen in any order. */
const HAPPENS = [
  'add',
  'checkout',
  'checkout',
  'pay',
  'pay',
  'cancel',
  'expire',
  'succeed',
  'fail',
  'deliver',
  'return',
  'adjust',
] as const;
const SCENARIOS = ['success', 'success', 'declined', 'extra_step', 'late', 'unheard'];

// One in turns from change to change, both in `npm run test:all`.
for (const seed of inTurns([3, 4], 2))
  test(`in whatever order stock is added, held, lost, paid and returned, it is the sum of its adjustments (${seed})`, async () => {
    const luck = chance(seed);
    const variants = [(await s.product({ stock: 8 })).variant, (await s.product({ stock: 5 })).variant];
    const customers = await newCustomers(world, 8);
    const checkouts = new Map<number, string>();
    const orders = new Map<number, number>();
    const act = async (customer: number, what: (typeof HAPPENS)[number]): Promise<number> => {
      const [variant, quantity, restock] = [luck.of(variants), 1 + luck.below(3), luck.below(2) === 0];
      const scenario = luck.of(SCENARIOS);
      const [id, order] = [checkouts.get(customer), orders.get(customer)];
      const open = id === undefined ? null : (await insist('GET', `/checkouts/${id}`)).body;
      const items = order === undefined ? [] : ((await insist('GET', `/store/orders/${order}`)).body.items ?? []);
      switch (what) {
        case 'add': {
          const added = await insist('POST', '/store/order_items', {
            customer,
            store_product_variant: variant,
            quantity,
          });
          if (added.status === 201) orders.set(customer, added.body.store_order);
          return added.status;
        }
        case 'checkout': {
          const made = await insist('POST', '/store/orders/checkout', { customer });
          if (made.status === 201) checkouts.set(customer, made.body.id);
          return made.status;
        }
        case 'pay':
          if (id === undefined) return 0;
          return (await insist('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox, scenario })).status;
        case 'cancel': {
          if (order === undefined) return 0;
          const { locked_at } = (await insist('GET', `/store/orders/${order}`)).body;
          return (await insist('POST', `/store/orders/${order}/cancel`, { locked_at })).status;
        }
        case 'expire':
          if (id === undefined) return 0;
          await c.owner.query(
            `UPDATE checkout SET expires_at = now() - interval '1 s'
              WHERE provider_id = $1 AND id = $2 AND status IN ('open', 'pending')`,
            [world.harbour, id],
          );
          await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
          return Number(await driveAll(c.own()));
        case 'succeed':
        case 'fail':
          if (!open?.payment) return 0;
          return (await insist('POST', `/sandbox/payments/${open.payment}`, { event: what, message: 'sent' })).status;
        case 'deliver':
          if (items.length === 0) return 0;
          return (await insist('POST', `/store/order_items/${items[0].id}/confirm_delivery`)).status;
        case 'return':
          if (items.length === 0) return 0;
          return (
            await insist('POST', `/store/order_items/${luck.of<any>(items).id}/return`, {
              quantity: 1,
              restock,
              reason: 'It came back.',
            })
          ).status;
        default:
          return (
            await insist('POST', '/store/inventory_adjustments', {
              store_product_variant: variant,
              quantity: restock ? quantity : -1,
              reason: restock ? 'received' : 'damaged',
            })
          ).status;
      }
    };
    const statuses = new Set<number>();
    for (let round = 0; round < 12; round++) {
      for (const status of await Promise.all(customers.map((one) => act(one, luck.of(HAPPENS))))) statuses.add(status);
      await s.counted();
    }
    assert.ok(![...statuses].some((status) => status >= 500), [...statuses].join());
    // Running payments end, and unpaid checkouts expire.
    for (const customer of customers) await act(customer, 'fail');
    for (let round = 0; round < 3; round++) {
      for (const customer of customers) await act(customer, 'expire');
      await c.owner.query(`UPDATE payment SET next_at = now() WHERE status NOT IN ('succeeded', 'failed')`);
      while (await driveAll(c.own())) {}
    }
    await s.counted();
    await c.balanced();
    const { rows } = await c.owner.query(
      `SELECT (SELECT sum(held_count)::int FROM store_product_variant WHERE provider_id = $1 AND id = ANY($2)) AS held,
        (SELECT count(*)::int FROM store_order WHERE provider_id = $1 AND locked_at IS NOT NULL) AS locked,
        (SELECT count(*)::int FROM store_order o WHERE o.provider_id = $1 AND o.status = 'open' AND EXISTS (
          SELECT FROM store_order_item i WHERE i.provider_id = o.provider_id AND i.store_order_id = o.id
            AND i.unit_price_minor IS NOT NULL)) AS torn`,
      [world.harbour, variants],
    );
    assert.deepEqual(rows[0], { held: 0, locked: 0, torn: 0 });
  });
