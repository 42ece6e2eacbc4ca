import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bill } from '../../../test/worlds/billed.ts';
import { CheckoutWorld } from './test/world.ts';
import { OPEN_MS } from './reservations/times.ts';
import { sweepCheckouts } from './expire.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

test('a pack and a place at an event are paid together, and the customer gets both', async () => {
  const [event, customer] = [await c.event({ price: '15.00' }), await world.newCustomer()];
  const membership = await c.m.pack(5);
  const id = await c.open(customer);
  await c.add(id, { membership });
  const shown = await c.add(id, { event });
  assert.deepEqual(
    shown.checkout_items.map((item: any) => [item.item_type, item.unit_price.string, item.total_price.string]),
    [
      ['MEM_PK', '120.00', '120.00'],
      ['CLASS_DRP', '15.00', '15.00'],
    ],
  );
  assert.equal(shown.total_price.string, '135.00');
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual(
    [shown, paid].map(({ status, total_price, amount_due }) => [status, total_price.string, amount_due.string]),
    [
      ['open', '135.00', '135.00'],
      ['completed', '135.00', '0.00'],
    ],
  );
});

test('an ended checkout shows nothing to pay, and a later payment is due on its invoice', async () => {
  const [later, given] = [await c.open(await world.newCustomer()), await c.open(await world.newCustomer())];
  for (const id of [later, given]) await c.add(id, { event: await c.event({ price: '15.00' }) });
  const paid = await c.pay(later, { pay_later: true });
  const invoice = await c.read(`/invoices/${paid.invoice}`);
  assert.deepEqual(
    [paid.status, paid.amount_due.string, invoice.outstanding_amount.string],
    ['completed', '0.00', '15.00'],
  );
  assert.equal((await c.ask('DELETE', `/checkouts/${given}`)).status, 204);
  const cancelled = await c.get(given);
  assert.deepEqual([cancelled.total_price.string, cancelled.amount_due.string], ['15.00', '0.00']);
});

test('a pack of a single use is a drop-in membership, and books an event of the same checkout', async () => {
  const [customer, event] = [await world.newCustomer(), await c.memberEvent()];
  const [single, pack] = [await c.m.pack(1), await c.m.pack(5)];
  const id = await c.open(customer);
  const refused = await c.refused('POST', `/checkouts/${id}/add_item`, { item_type: 'MEM_DRP', membership: pack });
  assert.deepEqual([refused.status, Object.keys(refused.field_errors)], [400, ['membership']]);
  assert.match(refused.message, /more than one use. Add it with the item_type MEM_PK/);
  const recurring = await c.m.recurring();
  const other = await c.refused('POST', `/checkouts/${id}/add_item`, {
    item_type: 'MEM_DRP',
    membership: recurring.membership,
  });
  assert.match(other.message, /Add it with the item_type MEM_RECUR/);

  const { checkout_items: items } = await c.add(id, { membership: single });
  assert.equal(items[0].item_type, 'MEM_DRP');
  await c.add(id, { event, customer_membership_checkout_item: items[0].id });
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual(
    paid.checkout_items.map((item: any) => [item.item_type, item.result.object]),
    [
      ['MEM_DRP', 'customermembership'],
      ['CLASS_MEM', 'attendance'],
    ],
  );
  const [owned, listed] = [
    await c.read(`/customer_memberships/${paid.checkout_items[0].result.id}`),
    await c.read('/memberships?is_dropin=true'),
  ];
  assert.equal(owned.membership, single);
  assert.ok(listed.results.some((one: any) => one.id === single));
  assert.ok(!listed.results.some((one: any) => one.id === pack));
  // Staff may also name it as a pack, which it is as well.
  const named = await c.add(await c.open(await world.newCustomer()), { item_type: 'MEM_PK', membership: single });
  assert.equal(named.checkout_items[0].item_type, 'MEM_PK');
});

test('a recurring plan comes with its joining fee, and the first billing period is paid', async () => {
  const { membership, plan } = await c.m.recurring();
  await c.joiningFee(plan, '25.00');
  const customer = await world.newCustomer();
  const id = await c.open(customer);
  const shown = await c.add(id, { item_type: 'MEM_RECUR', membership, plan });
  const [bought, fee] = shown.checkout_items;
  assert.deepEqual(
    [bought.unit_price.string, bought.recurring_price.string, fee.item_type, fee.unit_price.string],
    ['40.00', '40.00', 'JOINING_FEE', '25.00'],
  );
  assert.deepEqual(
    [bought.associated_checkout_items, fee.associated_checkout_items],
    [[{ id: fee.id }], [{ id: bought.id }]],
  );
  const alone = await c.refused('DELETE', `/checkouts/${id}/items/${fee.id}`, undefined, world.staff(['pos']));
  assert.equal(alone.code, 'permission_denied');
  await c.ask('DELETE', `/checkouts/${id}/items/${bought.id}`);
  assert.deepEqual((await c.get(id)).checkout_items, []);
  await c.add(id, { item_type: 'MEM_RECUR', membership, plan });
  const paid = await c.pay(id, { payment_processor: c.desk });
  assert.deepEqual([paid.status, paid.total_price.string], ['completed', '65.00']);
  const owned = await c.read(`/customer_memberships/${paid.checkout_items[0].result.id}`);
  assert.deepEqual([owned.customer, owned.status], [customer, 'active']);
});

test('staff set a different price for the first payment and for later ones', async () => {
  const { membership, plan } = await c.m.recurring();
  const id = await c.open(await world.newCustomer());
  const [item] = (await c.add(id, { item_type: 'MEM_RECUR', membership, plan })).checkout_items;
  const path = `/checkouts/${id}/items/${item.id}/price`;
  const set = await c.ask('POST', path, { unit_price: '10.00', recurring_price: '30.00' });
  assert.deepEqual(
    [set.status, set.body.unit_price.string, set.body.standard_unit_price.string, set.body.recurring_price.string],
    [200, '10.00', '40.00', '30.00'],
    set.text,
  );
  assert.equal((await c.ask('POST', path, { unit_price: '1.00' }, world.staff(['pos']))).status, 403);
  const paid = await c.pay(id, { payment_processor: c.sandbox, total: '10.00' });
  const owned = await c.read(`/customer_memberships/${paid.checkout_items[0].result.id}`);
  assert.deepEqual([paid.status, owned.billed_price.string], ['completed', '30.00']);
});

test('an event is booked with a membership bought in the same checkout', async () => {
  const [event, customer, membership] = [await c.memberEvent(), await world.newCustomer(), await c.m.pack(5)];
  const id = await c.open(customer);
  const [pack] = (await c.add(id, { item_type: 'MEM_PK', membership })).checkout_items;
  await c.add(id, { item_type: 'CLASS_MEM', event, customer_membership_checkout_item: pack.id });
  assert.equal((await c.refused('DELETE', `/checkouts/${id}/items/${pack.id}`)).code, 'in_use');
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  const [owned, booked] = paid.checkout_items.map((item: any) => item.result.id);
  const attendance = await c.read(`/attendances/${booked}`);
  assert.deepEqual(
    [attendance.status, attendance.customer_membership, await c.m.used(owned)],
    ['registered', owned, 1],
  );
});

test('an upgrade deducts the remaining value of the old membership, and any excess stays on the account', async () => {
  const customer = await world.newCustomer();
  const { id: old } = await c.m.give(customer, await c.m.pack(4));
  await bill(world, old);
  const { membership, plan } = await c.m.recurring();
  const id = await c.open(customer);
  const shown = await c.add(id, {
    item_type: 'MEM_RECUR_UP',
    membership,
    plan,
    upgrade_from_customer_membership: old,
  });
  assert.deepEqual(
    [shown.total_price.string, shown.credit.string, shown.amount_due.string],
    ['40.00', '40.00', '0.00'],
  );
  const paid = await c.pay(id);
  assert.equal(paid.status, 'completed');
  assert.equal((await c.read(`/customer_memberships/${old}`)).cancellation_reason, 'upgraded');
  const { results } = await c.read(`/account_entries?customer=${customer}`);
  assert.deepEqual(results.map((one: any) => [one.kind, one.amount.string]).toSorted(), [
    ['credit', '40.00'],
    ['credit', '80.00'],
  ]);
});

test('a downgrade is paid now and begins when the old membership ends', async () => {
  const customer = await world.newCustomer();
  const club = await c.m.recurring([], { price: '80.00' });
  const { id: old } = await c.m.give(customer, club.membership);
  const { membership, plan } = await c.m.recurring();
  const id = await c.open(customer);
  await c.add(id, { item_type: 'MEM_RECUR_DOWN', membership, plan, downgrade_from_customer_membership: old });
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.total_price.string], ['completed', '40.00']);
  const next = await c.read(`/customer_memberships/${paid.checkout_items[0].result.id}`);
  assert.ok(next.start_date > (await c.read(`/customer_memberships/${old}`)).start_date);
});

test('account charges are paid together with the other items, once', async () => {
  const customer = await world.newCustomer();
  const charge = await c.ask('POST', '/account_entries', {
    customer,
    kind: 'charge',
    amount: '7.50',
    explanation: 'A lost key.',
  });
  assert.equal(charge.status, 201, charge.text);
  const body = { item_type: 'ACCT_ENTRY', account_entry: charge.body.id };
  const [one, two] = [await c.open(customer), await c.open(customer)];
  await c.add(one, body);
  await c.add(two, body);
  const paid = await c.pay(one, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.total_price.string], ['completed', '7.50']);
  assert.ok(
    (await c.refused('POST', `/checkouts/${two}/pay`, { payment_processor: c.sandbox })).field_errors.account_entry,
  );
});

test('checkouts whose jobs were lost are checked again once they are overdue', async () => {
  // All are overdue at the same time, however long it takes to open them.
  world.stopNow();
  const ids = [await c.open(await world.newCustomer()), await c.open(await world.newCustomer())];
  const keys = ids.map((id) => `${world.harbour}:checkout:${id}`);
  await c.owner.query('DELETE FROM graphile_worker._private_jobs WHERE key = ANY($1)', [keys]);
  const queuedAt = async (now: number) => {
    await world.app.db.acrossTenants('the test sweeps', (tx) => sweepCheckouts(tx, now));
    const { rows } = await c.owner.query(
      'SELECT key, payload FROM graphile_worker._private_jobs WHERE key = ANY($1) ORDER BY key',
      [keys],
    );
    return rows;
  };
  const overdue = world.now + OPEN_MS + 10 * 60_000;
  assert.deepEqual(await queuedAt(overdue - 1000), []);
  assert.deepEqual(
    await queuedAt(overdue + 1000),
    ids.map((id, n) => ({ key: keys[n], payload: { provider_id: world.harbour, checkout: Number(id) } })),
  );
});
