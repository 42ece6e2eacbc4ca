/** Buying appointments and room rentals: the time is reserved, booked, released, and booked again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { driveAll } from '../../../money/payments/engine.ts';
import { expireCheckout } from '../expire.ts';
import { newSchedule } from '../../../../test/worlds/hours-world.ts';
import { newPractice, newRoom, slotsOf, timesOf, type Practice } from '../../../../test/worlds/slot-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const MINUTE = 60_000;

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

const priced = (over: Record<string, unknown> = {}) => newPractice(world, { dropin_price_minor: 6000, ...over });
const slotAt = async (practice: Practice, time: string): Promise<string> => {
  const slots = await slotsOf(world, practice);
  return slots[timesOf(slots).indexOf(time)].id;
};
const isFree = async (practice: Practice, time: string): Promise<boolean> =>
  timesOf(await slotsOf(world, practice)).includes(time);

/** Opens a checkout of a new customer with the appointment at ten. */
async function chosen(practice: Practice, time = '10:00') {
  const customer = await world.newCustomer();
  const id = await c.open(customer);
  const checkout = await c.add(id, { appointment_slot: await slotAt(practice, time) });
  return { id, customer, checkout, item: checkout.checkout_items[0] };
}

const eventOf = (id: number) => c.read(`/events/${id}`);

test('adding a free time reserves it, and paying books it', async () => {
  const practice = await priced();
  const { id, customer, item } = await chosen(practice);
  assert.deepEqual([item.item_type, item.unit_price.string, item.quantity], ['APPT_DRP', '60.00', 1]);
  assert.match(item.appointment_slot, /^[0-9a-z-]+_/);
  assert.equal(item.room_rental_slot, null);
  assert.deepEqual(await c.seats(item.event), { attending: 0, held: 1 });
  assert.equal(await isFree(practice, '10:00'), false);
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.equal(paid.status, 'completed');
  assert.deepEqual(await c.seats(item.event), { attending: 1, held: 0 });
  const { results } = await c.read(`/attendances?customer=${customer}&event=${item.event}`);
  assert.equal(results[0].status, 'registered');
  const invoice = await c.read(`/invoices/${paid.invoice}?expand=line_items`);
  assert.deepEqual(
    invoice.line_items.map((line: any) => line.type),
    ['event_registration'],
  );
  await c.balanced();
});

test('a rental is reserved, paid and released like an appointment, together with its room', async () => {
  const practice = await priced({ instructors: 0, schedule_type: 'room_rental', dropin_price_minor: 4500 });
  const room = await newRoom(world, practice.venue);
  await newSchedule(world, { venue: practice.venue, daily: '09:00-17:00', offeringTypes: { [practice.offering]: [] } });
  const [slot] = await slotsOf(world, practice);
  const customer = await world.newCustomer();
  const id = await c.open(customer);
  const [item] = (await c.add(id, { room_rental_slot: slot.id })).checkout_items;
  assert.deepEqual([item.item_type, item.unit_price.string, item.appointment_slot], ['ROOM_RTL_DRP', '45.00', null]);
  assert.equal((await eventOf(item.event)).venue_room, room);
  assert.equal(await isFree(practice, '09:00'), false);
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.equal(paid.status, 'completed');
  assert.deepEqual(await c.seats(item.event), { attending: 1, held: 0 });
  const other = await c.open(await world.newCustomer());
  const refused = await c.refused('POST', `/checkouts/${other}/add_item`, { room_rental_slot: slot.id });
  assert.equal(refused.code, 'slot_taken');
  await c.ask('POST', `/events/${item.event}/unregister`, { customer });
  assert.equal(await isFree(practice, '09:00'), true);
  await c.balanced();
});

test('removing the item, cancelling the checkout and letting it expire all release the time', async () => {
  const practice = await priced();
  const removed = await chosen(practice, '09:00');
  await c.ask('DELETE', `/checkouts/${removed.id}/items/${removed.item.id}`);
  const cancelled = await chosen(practice, '10:00');
  await c.ask('DELETE', `/checkouts/${cancelled.id}`);
  const expired = await chosen(practice, '11:00');
  assert.equal(await isFree(practice, '11:00'), false);
  world.setNow(world.now + 16 * MINUTE);
  try {
    await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(expired.id) }));
  } finally {
    world.resetNow();
  }
  assert.deepEqual(timesOf(await slotsOf(world, practice)).slice(0, 3), ['09:00', '10:00', '11:00']);
  for (const { item } of [removed, cancelled, expired]) assert.equal((await eventOf(item.event)).status, 'cancelled');
});

test('if two customers want the same time, one can pay, and the other is refused before paying and sees other free times', async () => {
  const practice = await priced();
  const slot = await slotAt(practice, '10:00');
  const customers = await Promise.all([1, 2, 3, 4].map(() => world.newCustomer()));
  const checkouts = await Promise.all(customers.map((customer) => c.open(customer)));
  const answers = await Promise.all(
    checkouts.map((id) =>
      c.ask('POST', `/checkouts/${id}/add_item`, { item_type: 'APPT_DRP', appointment_slot: slot }),
    ),
  );
  assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 'held' : body.code)).toSorted(), [
    'held',
    'slot_taken',
    'slot_taken',
    'slot_taken',
  ]);
  const refused = answers.find(({ status }) => status !== 200)!;
  assert.equal(refused.status, 409);
  assert.deepEqual(
    refused.body.alternatives
      .slice(0, 2)
      .map((one: any) => one.local_starts_at.slice(11, 16))
      .toSorted(),
    ['09:00', '11:00'],
  );
  assert.equal(await c.payments(checkouts[answers.indexOf(refused)]), 0);
});

test('a late payment books the same time again if it is still free, and is refunded otherwise', async () => {
  for (const free of [true, false]) {
    const practice = await priced();
    const { id, item, customer } = await chosen(practice);
    const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
    await c.owner.query(`UPDATE checkout SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
    await driveAll(c.own());
    assert.deepEqual([(await c.get(id)).status, (await eventOf(item.event)).status], ['expired', 'cancelled']);
    if (!free) {
      const other = await chosen(practice);
      assert.equal((await c.pay(other.id, { payment_processor: c.sandbox })).status, 'completed');
    }
    await c.play(waiting.payment, 'succeed');
    const after = await c.get(id);
    const payment = await c.read(`/payments/${waiting.payment}`);
    assert.deepEqual(
      [after.status, payment.taken, payment.refunded_amount.string],
      free ? ['completed', true, '0.00'] : ['expired', false, '60.00'],
    );
    const { results } = await c.read(`/attendances?customer=${customer}&status=registered`);
    const [{ event }] = after.checkout_items;
    assert.deepEqual(
      results.map((one: any) => one.event),
      free ? [event] : [],
    );
    if (free) {
      assert.notEqual(event, item.event);
      assert.equal((await eventOf(event)).starts_at, (await eventOf(item.event)).starts_at);
    }
  }
  await c.balanced();
});

test('a time that the business cancelled before the payment arrived is not booked again', async () => {
  const practice = await priced();
  const { id, item } = await chosen(practice);
  const waiting = await c.pay(id, { payment_processor: c.sandbox, scenario: 'extra_step' });
  await c.ask('POST', `/events/${item.event}/cancel`, {});
  await c.play(waiting.payment, 'succeed');
  const payment = await c.read(`/payments/${waiting.payment}`);
  assert.deepEqual([payment.taken, payment.refunded_amount.string], [false, '60.00']);
  assert.notEqual((await c.get(id)).status, 'completed');
  await c.balanced();
});

test('a membership pays for an appointment: one that the customer has, or one in the same checkout', async () => {
  const practice = await priced();
  const pack = await c.m.pack(3);
  await c.ask('POST', '/membership_registration_grants', {
    membership: pack,
    registration_option: practice.offering,
    on_allotment_price: '0.00',
  });
  const [has, buys] = [await world.newCustomer(), await world.newCustomer()];
  const owned = await c.m.give(has, pack);
  const one = await c.open(has);
  const { checkout_items: first } = await c.add(one, {
    appointment_slot: await slotAt(practice, '10:00'),
    customer_membership: owned.id,
  });
  assert.deepEqual([first[0].item_type, first[0].total_price.string], ['APPT_MEM', '0.00']);
  assert.equal((await c.pay(one)).status, 'completed');
  assert.equal(await c.m.used(owned.id), 1);
  const two = await c.open(buys);
  const bought = await c.add(two, { item_type: 'MEM_PK', membership: pack });
  await c.add(two, {
    item_type: 'APPT_MEM',
    appointment_slot: await slotAt(practice, '11:00'),
    customer_membership_checkout_item: bought.checkout_items[0].id,
  });
  const done = await c.pay(two, { payment_processor: c.sandbox });
  assert.equal(done.status, 'completed');
  assert.deepEqual(await c.seats(done.checkout_items[1].event), { attending: 1, held: 0 });
  await c.balanced();
});

test('a dry run reserves no time, and an event that is not an appointment is refused by name', async () => {
  const practice = await priced();
  const slot = await slotAt(practice, '10:00');
  const id = await c.open(await world.newCustomer());
  const preview = await c.ask('POST', `/checkouts/${id}/add_item?dry_run=true`, { appointment_slot: slot });
  assert.equal(preview.status, 200, preview.text);
  assert.ok(preview.body.effects.some((one: any) => one.effect === 'event_created'));
  assert.ok(await isFree(practice, '10:00'));
  const refusedWith = async (body: object) => {
    const { status, code, field_errors } = await c.refused('POST', `/checkouts/${id}/add_item`, body as never);
    return [status, code, ...Object.keys(field_errors)];
  };
  assert.deepEqual(await refusedWith({ room_rental_slot: slot }), [400, 'parameter_invalid', 'room_rental_slot']);
  assert.deepEqual(await refusedWith({ item_type: 'APPT_DRP' }), [400, 'parameter_invalid', 'appointment_slot']);
  assert.deepEqual(await refusedWith({ item_type: 'APPT_DRP', event: await c.event() }), [
    400,
    'parameter_invalid',
    'event',
  ]);
  assert.deepEqual(await refusedWith({ appointment_slot: 'none' }), [400, 'parameter_invalid', 'appointment_slot']);
  assert.ok(await isFree(practice, '10:00'));
});

test('a checkout page can begin with a free time, and with a membership that pays for it', async () => {
  const practice = await priced();
  const customer = await world.newCustomer();
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { domains: ['shop.example.com'] } });
  const body = { customer, return_to: 'https://shop.example.com/thanks' };
  const slot = await slotAt(practice, '09:00');
  const page = await c.ask('POST', `/slots/${slot}/initiate_purchase`, body);
  assert.equal(page.status, 200, page.text);
  assert.match(page.body.next_url, /\/checkout/);
  assert.equal(await isFree(practice, '09:00'), false);
  const again = await c.refused('POST', `/slots/${slot}/initiate_purchase`, {
    ...body,
    customer: await world.newCustomer(),
  });
  assert.equal(again.code, 'slot_taken');
  const pack = await c.m.pack(2);
  const granted = await c.ask('POST', '/membership_registration_grants', {
    membership: pack,
    registration_option: practice.offering,
    on_allotment_price: '0.00',
  });
  assert.equal(granted.status, 201, granted.text);
  const both = await c.ask('POST', `/memberships/${pack}/initiate_purchase`, {
    ...body,
    appointment_slot: await slotAt(practice, '12:00'),
  });
  assert.equal(both.status, 200, both.text);
  assert.equal(await isFree(practice, '12:00'), false);
  const { results } = await c.read(`/checkouts?customer=${customer}`);
  const types = results.map((one: any) => one.checkout_items.map((item: any) => item.item_type));
  assert.deepEqual(types.toSorted(), [['APPT_DRP'], ['MEM_PK', 'APPT_MEM']]);
});
