import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { row } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

/** Creates a manager with a child. */
async function family(): Promise<{ parent: number; child: number }> {
  const family_id = await row(world, 'family', {});
  return {
    parent: await world.newCustomer({ family_id, family_role: 'manager' } as never),
    child: await world.newCustomer({ family_id, family_role: 'child' } as never),
  };
}

test('customers check out for themselves and their children, and see nobody else’s checkouts', async () => {
  const { parent, child } = await family();
  const [me, other] = [world.customer(parent), world.customer(await world.newCustomer())];
  const event = await c.event();
  const opened = await c.ask('POST', '/checkouts', {}, me);
  assert.deepEqual([opened.status, opened.body.customer], [201, parent], opened.text);
  const { id } = opened.body;
  const shown = await c.add(id, { item_type: 'CLASS_DRP', event, customer: child }, me);
  assert.equal(shown.checkout_items[0].customer, child);
  assert.equal((await c.ask('GET', `/checkouts/${id}`, undefined, other)).status, 404);
  assert.equal((await c.ask('POST', `/checkouts/${id}/pay`, {}, other)).status, 404);
  assert.deepEqual((await c.ask('GET', '/checkouts', undefined, other)).body.results, []);
  const paid = await c.pay(id, { payment_processor: c.sandbox }, me);
  assert.equal(paid.status, 'completed');
  assert.equal((await c.read(`/attendances/${paid.checkout_items[0].result.id}`)).customer, child);
});

test('an item is for the payer or a member of their family, no matter who adds it', async () => {
  const [event, id] = [await c.event(), await c.open(await world.newCustomer())];
  const stranger = await world.newCustomer();
  const refused = await c.refused('POST', `/checkouts/${id}/add_item`, {
    item_type: 'CLASS_DRP',
    event,
    customer: stranger,
  });
  assert.match(refused.field_errors.customer[0], /not in the family/);
});

test('only staff at the front desk see and change all checkouts, and visitors see none', async () => {
  const id = await c.open(await world.newCustomer());
  assert.equal((await c.ask('GET', `/checkouts/${id}`, undefined, world.staff(['pos']))).status, 200);
  assert.equal((await c.ask('GET', `/checkouts/${id}`, undefined, world.staff(['attendances']))).status, 403);
  assert.equal((await world.get(`/checkouts/${id}`)).status, 401);
});

test('each item type accepts its own properties and no others', async () => {
  const [event, id] = [await c.event(), await c.open(await world.newCustomer())];
  const { membership } = await c.m.recurring();
  const wrong: [body: Record<string, unknown>, fields: string[]][] = [
    [{ item_type: 'CLASS_DRP' }, ['event']],
    [{ item_type: 'CLASS_DRP', event, membership }, ['membership']],
    [{ item_type: 'MEM_RECUR', membership }, ['plan']],
    [{ item_type: 'CLASS_MEM', event }, ['customer_membership']],
    [{ item_type: 'CLASS_MEM', event, customer_membership_checkout_item: '1' }, ['customer_membership_checkout_item']],
    [{ item_type: 'MEM_PK', membership }, ['membership']],
    [{ item_type: 'CRS_DRP', membership }, ['membership', 'course_date_series']],
    [{ item_type: 'CRS_XXL', membership }, ['item_type']],
  ];
  for (const [body, fields] of wrong) {
    const refused = await c.refused('POST', `/checkouts/${id}/add_item`, body);
    assert.deepEqual(Object.keys(refused.field_errors ?? {}), fields, JSON.stringify(body));
  }
  assert.deepEqual((await c.get(id)).checkout_items, []);
});

test('a browser is sent back only to sites of the business', async () => {
  const customer = await world.newCustomer();
  const refused = await c.refused('POST', '/checkouts', { customer, return_to: 'https://evil.example/' });
  assert.ok(refused.field_errors.return_to);
});

test('the price is explained amount by amount, and the amounts add up to the total', async () => {
  const [event, id] = [await c.event(), await c.open(await world.newCustomer(), { discount_code: await c.code() })];
  await c.add(id, { item_type: 'CLASS_DRP', event });
  const why = await c.read(`/checkouts/${id}/explain`);
  assert.deepEqual(
    why.items[0].amounts.map((one: any) => [one.name, one.amount.string]),
    [
      ['list_price', '15.00'],
      ['discount', '-3.00'],
    ],
  );
  assert.deepEqual(
    why.steps.map((one: any) => [one.name, one.amount.string]),
    [
      ['total_price', '12.00'],
      ['amount_due', '12.00'],
    ],
  );
  assert.match(why.discount_code.text, /20% of/);
});
