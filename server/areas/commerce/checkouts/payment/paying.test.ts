import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Busy } from '../../../../kernel/base/db/sharing/gate.ts';
import { CheckoutWorld } from '../test/world.ts';
import { expireCheckout } from '../expire.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { newEvent, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

/** Opens a checkout with one place at an event with this capacity; the drop-in is 15.00. */
async function place(over: { places?: number; body?: object } = {}) {
  const [event, customer] = [await c.event({ max_occupancy: over.places ?? 4 }), await world.newCustomer()];
  const id = await c.open(customer, over.body as never);
  await c.add(id, { item_type: 'CLASS_DRP', event });
  return { id, event, customer };
}

test('a declined card leaves the checkout open with the reason, and another payment completes it', async () => {
  const { id, event } = await place();
  const declined = await c.pay(id, { payment_processor: c.sandbox, scenario: 'declined' });
  assert.deepEqual([declined.status, /declined/.test(declined.payment_error)], ['open', true]);
  assert.deepEqual(await c.seats(event), { attending: 0, held: 1 });
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.payment_error], ['completed', null]);
  assert.deepEqual(await c.seats(event), { attending: 1, held: 0 });
});

test('the checkout shows what the payer has to do, and is completed once they have done it', async () => {
  const { id, event } = await place();
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  assert.deepEqual([waiting.status, waiting.next_action.type], ['pending', 'redirect']);
  assert.match(waiting.next_action.url, /^http/);
  assert.equal((await c.refused('PATCH', `/checkouts/${id}`, { use_account_credit: true })).code, 'checkout_not_open');
  assert.equal(
    (await c.refused('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox })).code,
    'checkout_not_open',
  );
  await c.play(waiting.payment, 'succeed');
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['completed', { attending: 1, held: 0 }]);
});

test('cancelling a checkout whose payment is running stops the payment and releases the place', async () => {
  const { id, event } = await place();
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  assert.equal((await c.ask('DELETE', `/checkouts/${id}`)).status, 204);
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['cancelled', { attending: 0, held: 0 }]);
  assert.equal((await c.read(`/payments/${waiting.payment}`)).status, 'failed');
  assert.equal((await c.refused('DELETE', `/checkouts/${id}`)).code, 'checkout_not_open');
});

test('a cancellation that comes too late reports that it was paid, and everything was bought', async () => {
  const { id, event } = await place();
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'late' });
  await c.play(waiting.payment, 'succeed', 'lost');
  assert.equal((await c.get(id)).status, 'pending', 'nobody has told us');
  assert.equal((await c.refused('DELETE', `/checkouts/${id}`)).code, 'already_paid');
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['completed', { attending: 1, held: 0 }]);
});

test('a payment that arrives after the checkout expired books the place if it is free, and is refunded otherwise', async () => {
  for (const free of [true, false]) {
    const { id, event } = await place({ places: 1 });
    const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
    await c.owner.query(`UPDATE checkout SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
    await driveAll(c.own());
    assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['expired', { attending: 0, held: 0 }]);
    if (!free) await c.book(event);
    await c.play(waiting.payment, 'succeed');
    const after = await c.get(id);
    const payment = await c.read(`/payments/${waiting.payment}?expand=refunds`);
    assert.deepEqual(
      [after.status, payment.status, payment.taken, payment.refunded_amount.string],
      free ? ['completed', 'succeeded', true, '0.00'] : ['expired', 'succeeded', false, '15.00'],
    );
    assert.deepEqual(await c.seats(event), { attending: 1, held: 0 });
  }
  await c.balanced();
});

test('staff record that a checkout was paid at the desk, or will be paid later', async () => {
  const [now, later] = [await place(), await place()];
  const paid = await c.pay(now.id, { payment_processor: c.desk });
  assert.deepEqual([paid.status, (await c.read(`/invoices/${paid.invoice}`)).status], ['completed', 'paid']);
  const owes = await c.pay(later.id, { pay_later: true });
  assert.deepEqual(
    [owes.status, owes.payment, (await c.read(`/invoices/${owes.invoice}`)).status],
    ['completed', null, 'pending_offline'],
  );
  const refused = await c.refused(
    'POST',
    `/checkouts/${(await place({ body: {} })).id}/pay`,
    { pay_later: true },
    world.customer(later.customer),
  );
  assert.ok([403, 404].includes(refused.status));
});

test('account credit pays as much as it can, is reserved while a payment runs, and is released if that fails', async () => {
  const { id, customer } = await place();
  await c.ask('POST', '/account_entries', { customer, kind: 'credit', amount: '10.00', explanation: 'Sorry.' });
  const shown = await c.patch(id, { use_account_credit: true });
  assert.deepEqual([shown.credit.string, shown.amount_due.string], ['10.00', '5.00']);
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  assert.deepEqual(await c.balances(customer), { credit: 0, credit_held: -1000 });
  await c.play(waiting.payment, 'fail');
  assert.deepEqual([(await c.get(id)).status, await c.balances(customer)], ['open', { credit: -1000, credit_held: 0 }]);
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, await c.balances(customer)], ['completed', { credit: 0, credit_held: 0 }]);
  assert.equal((await c.read(`/payments/${paid.payment}`)).amount.string, '5.00');
  await c.balanced();
});

test('a payment that the database is too busy to continue leaves the checkout pending, and a worker completes it', async (t) => {
  const { id, event } = await place();
  const busy = t.mock.method(world.app.db, 'reading', () => {
    throw new Busy();
  });
  const waiting = await c.pay(id, { payment_processor: c.sandbox });
  assert.ok(busy.mock.callCount() > 0);
  busy.mock.restore();
  assert.deepEqual([waiting.status, waiting.next_action], ['pending', null]);
  assert.equal(await c.payments(id), 1);
  assert.equal(await c.outcome(id, waiting), 'completed');
  assert.deepEqual(await c.seats(event), { attending: 1, held: 0 });
  assert.equal(await c.payments(id), 1);
});

test('a free checkout is completed without a payment', async () => {
  const event = await c.event({ price: '0.00' });
  const id = await c.open(await world.newCustomer());
  await c.add(id, { item_type: 'CLASS_DRP', event });
  const done = await c.pay(id);
  assert.deepEqual([done.status, done.payment, done.total_price.string], ['completed', null, '0.00']);
});

test('paying twice with one idempotency key pays once, and the second response equals the first', async () => {
  const { id } = await place();
  const ask = () =>
    world.post(`/checkouts/${id}/pay`, {
      as: world.machine,
      body: { payment_processor: c.sandbox },
      headers: { 'idempotency-key': `pay-${id}` },
    });
  const [first, second] = [await ask(), await ask()];
  assert.deepEqual([first.status, first.body.status, second.body], [200, 'completed', first.body]);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.equal(await c.payments(id), 1);
});

test('a changed price is refused once, and then paid', async () => {
  const { id, event } = await place();
  await c.owner.query(
    `UPDATE offering_type o SET dropin_price_minor = 1800 FROM event e WHERE e.id = $1 AND o.id = e.offering_type_id`,
    [event],
  );
  const refused = await c.refused('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox });
  assert.deepEqual([refused.status, refused.code], [409, 'price_changed']);
  assert.equal((await c.get(id)).total_price.string, '18.00');
  assert.equal(
    (await c.refused('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox, total: '15.00' })).code,
    'price_changed',
  );
  assert.equal((await c.pay(id, { payment_processor: c.sandbox, total: '18.00' })).status, 'completed');
});

test('a dry run of paying shows what will happen, and changes nothing', async () => {
  const { id, event } = await place();
  const preview = await c.ask('POST', `/checkouts/${id}/pay?dry_run=true`, { payment_processor: c.sandbox });
  assert.equal(preview.status, 200, preview.text);
  assert.equal(preview.body.status, 'completed');
  const effects = preview.body.effects.map((one: any) => one.effect);
  for (const effect of ['payment', 'booked', 'checkout_completed']) assert.ok(effects.includes(effect), effect);
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['open', { attending: 0, held: 1 }]);
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.total_price], ['completed', preview.body.total_price]);
});

test('after a checkout expires nothing is reserved, and it is never paid', async () => {
  const { id, event } = await place();
  world.setNow(world.now + 16 * 60_000);
  assert.equal(
    (await c.refused('POST', `/checkouts/${id}/pay`, { payment_processor: c.sandbox })).code,
    'checkout_expired',
  );
  await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['expired', { attending: 0, held: 0 }]);
  world.resetNow();
});

test('a payment refund reduces the billed amount', async () => {
  const { id } = await place();
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  const refund = await c.ask('POST', `/payments/${paid.payment}/refund`, { amount: '5.00', reason: 'It rained.' });
  assert.equal(refund.status, 201, refund.text);
  await driveAll(c.own());
  assert.equal((await c.read(`/payments/${paid.payment}`)).refunded_amount.string, '5.00');
  await c.balanced();
});

test('a discount code takes its part off, and one use of it is reserved until the checkout ends', async () => {
  const code = await c.code({ allowed_uses: 1 });
  const [one, two] = [await place(), await place()];
  const shown = await c.patch(one.id, { discount_code: code });
  assert.deepEqual([shown.discount.string, shown.total_price.string], ['3.00', '12.00']);
  assert.equal(
    (await c.refused('PATCH', `/checkouts/${two.id}`, { discount_code: code })).code,
    'discount_code_used_up',
  );
  await c.ask('DELETE', `/checkouts/${one.id}`);
  await c.patch(two.id, { discount_code: code });
  const paid = await c.pay(two.id, { payment_processor: c.sandbox });
  assert.deepEqual([paid.status, paid.discount.string], ['completed', '3.00']);
});

test('a checkout of a place online has its price and its capacity, releases it when it expires, and books it', async () => {
  const offering = await newOffering(world, { dropin_price_minor: 1500, online_dropin_price_minor: 600 });
  const online = await newVenue(world, { venue_type: 'online', name: 'Call' });
  const over = { max_occupancy: 1, online_venue: online, online_max_occupancy: 1 };
  const { id: event } = await newEvent(world, { ...c.m.place, offering }, over);
  const counts = async () =>
    (
      await c.owner.query(
        `SELECT attending_count, held_count, online_attending_count, online_held_count FROM event WHERE id = $1`,
        [event],
      )
    ).rows[0];
  const buy = async (place?: string) => {
    const customer = await world.newCustomer();
    const id = await c.open(customer);
    const { status, body } = await c.ask('POST', `/checkouts/${id}/add_item`, { item_type: 'CLASS_DRP', event, place });
    return { customer, id, status, body };
  };
  const first = await buy('online');
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal(first.body.total_price.string, '6.00');
  const { checkout_items: items } = await c.read(`/checkouts/${first.id}?expand=checkout_items`);
  assert.equal(items[0].place, 'online');
  assert.equal((await buy('online')).body.code, 'event_full');
  const there = await buy();
  assert.equal(there.body.total_price.string, '15.00', 'the place at the venue is still free');
  assert.deepEqual(Object.values(await counts()), [0, 1, 0, 1]);
  world.setNow(world.now + 3_600_000);
  for (const { id } of [first, there])
    await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
  assert.deepEqual(Object.values(await counts()), [0, 0, 0, 0]);
  const again = await buy('online');
  assert.equal((await c.pay(again.id, { payment_processor: c.sandbox })).status, 'completed');
  assert.deepEqual(Object.values(await counts()), [0, 0, 1, 0]);
  const [booked] = (await c.read(`/attendances?event=${event}&customer=${again.customer}&fields=id,place`)).results;
  assert.equal(booked.place, 'online');
  const to = { place: 'venue' };
  const own = await c.refused('POST', `/attendances/${booked.id}/switch_place`, to, world.customer(again.customer));
  assert.equal(own.code, 'other_price');
  const preview = await c.ask('POST', `/attendances/${booked.id}/switch_place?dry_run=true`, to);
  assert.deepEqual(
    preview.body.effects.find(({ effect }: any) => effect === 'price_given_back')?.detail.amount_minor,
    600,
    preview.text,
  );
  const waits = await world.newCustomer();
  await c.ask('POST', `/events/${event}/join_waitlist`, { customer: waits, place: 'online' });
  assert.equal((await c.ask('POST', `/attendances/${booked.id}/switch_place`, to)).status, 200);
  const claimed = await c.open(waits);
  const priced = await c.add(claimed, { item_type: 'CLASS_DRP', event });
  assert.equal(
    priced.total_price.string,
    '6.00',
    'a checkout without `place` is about the place that is kept for them',
  );
});
