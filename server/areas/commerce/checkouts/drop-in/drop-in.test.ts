import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addItem } from '../items/change-items.ts';
import { openCheckout } from '../change.ts';
import { beside, contradictions, until } from '../../../../test/storm.ts';
import {
  book,
  iso,
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  row,
  seats,
  type Place,
} from '../../../../test/schedule-world.ts';
import { bookHeld, lockToBook } from '../../../scheduling/schedule/index.ts';
import { complete } from '../complete.ts';
import { creditOf } from '../../../money/ledger/index.ts';
import { giveCredit } from '../../../money/account-entries/index.ts';
import { itemsOf, lockCheckout } from '../rows.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { seed } from '../../../../test/seeds.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import type { Work } from '../../../../kernel/work/unit/work.ts';

const HOUR = 3_600_000;

let world: World;
let place: Place;
let priced: Place;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
  priced = { ...place, offering: await newOffering(world, { dropin_price_minor: 2200 }) };
  await row(world, 'purchase_fee', {
    name: 'HST',
    kind: 'tax',
    type: 'percent',
    percentage: '13',
    is_taxable: false,
    purchase_types: ['event'],
  });
});
after(() => world.close());

const act = <T>(what: (work: Work) => Promise<T>): Promise<T> => world.work(world.harbour, what);
const register = (event: number, body: object, query = '', as = world.machine) =>
  world.post(`/events/${event}/register${query}`, { as, body });
const unregister = (event: number, customer: number, body: object = {}, query = '') =>
  world.post(`/events/${event}/unregister${query}`, { as: world.machine, body: { customer, ...body } });

/** Pays for a place at an event with account credit, and returns the attendance. */
async function drop(event: number, customer: number, amount = 2486): Promise<number> {
  await act((work) => giveCredit(work, { customer, amount, explanation: 'A present' }));
  await act(async (work) => {
    const id = await openCheckout(work, { customer, use_account_credit: true });
    await addItem(work, await lockCheckout(work, id), {
      item_type: 'CLASS_DRP',
      customer_id: customer,
      event_id: event,
    });
    await complete(work, await lockCheckout(work, id), await itemsOf(work, id), { payment: null });
  });
  return (await world.get(`/attendances?event=${event}&customer=${customer}`, { as: world.machine })).body.results[0]
    .id;
}

/** Returns the credit that the customer can spend, in minor units. */
const credit = (customer: number): Promise<number> => act((work) => creditOf(work, customer));

test('a paid event is booked by paying or comped by staff, and a free event stays free', async () => {
  const [me, friend] = await newCustomers(world, 2);
  const event = await newEvent(world, priced);
  const mine = await register(event.id, {}, '', world.customer(me));
  assert.equal(mine.body.message, 'This class costs $24.86, fees and taxes included. Pay on its page.');
  // Only a checkout can pay with a checkout item.
  assert.ok((await register(event.id, { customer: me, checkout_item: 1 })).body.field_errors.checkout_item);
  assert.equal((await register(event.id, { customer: friend, comped: true })).status, 200);
  assert.equal((await book(world, (await newEvent(world, place)).id, me)).status, 200);
  await drop(event.id, me);
  assert.deepEqual(await seats(world, event.id), { attending: 2, held: 0, waiting: 0, booked: 2 });
  assert.equal(await credit(me), 0);
});

test('explain shows the price and its reason, and the status says that a place is available for a payment', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const explained = async (as: string) => {
    const { body } = await world.get(`/events/${event.id}/explain?customer=${me}`, { as });
    const rule = body.rules.find((r: any) => r.code === 'payment_required');
    return {
      can: body.can_book,
      next: body.suggested_action,
      passed: rule.passed,
      facts: rule.facts,
      says: rule.message,
    };
  };
  const facts = { dropin_price: '$22.00', total_price: '$24.86', total_amount: '24.86', currency: 'CAD' };
  const { says, ...mine } = await explained(world.customer(me));
  assert.deepEqual(mine, { can: false, next: 'register', passed: false, facts });
  assert.equal(says, 'This class costs $24.86, fees and taxes included. Pay on its page.');
  assert.deepEqual(await explained(world.machine), {
    can: true,
    next: 'register',
    passed: true,
    facts: { ...facts, charged_to_account: true },
    says: 'Nothing pays for it yet. The price is charged to the account.',
  });
  const seen = await world.get(`/events/${event.id}?fields=active_registration_status`, { as: world.customer(me) });
  assert.deepEqual(seen.body.active_registration_status.restriction_codes, ['payment_required']);
});

test('a membership that covers the event pays instead, and a customer without one, or without uses left, may drop in', async () => {
  const m = await MembershipWorld.of(world);
  await world.patch(`/offering_types/${m.place.offering}`, { as: world.machine, body: { dropin_price: '22.00' } });
  const [member, visitor] = await newCustomers(world, 2);
  const { id: customer_membership } = await m.give(member, await m.pack(1));
  const [first, second] = [await newEvent(world, m.place), await newEvent(world, m.place)];
  assert.equal((await register(first.id, { customer: member })).status, 200);
  assert.equal(await m.used(customer_membership), 1);
  assert.equal((await register(second.id, {}, '', world.customer(member))).body.code, 'payment_required');
  assert.equal((await register(second.id, {}, '', world.customer(visitor))).body.code, 'payment_required');
  const named = await register(second.id, { customer: member, customer_membership });
  assert.equal(named.body.code, 'allotment_used_up');
  await drop(second.id, member);
  assert.equal(await m.used(customer_membership), 1);
});

test('joining the waitlist costs nothing, and a customer who has to pay gets a reserved spot instead of a booking', async () => {
  const [booked, me] = await newCustomers(world, 2);
  const event = await newEvent(world, priced, { max_occupancy: 1 });
  await register(event.id, { customer: booked, comped: true });
  const joined = await world.post(`/events/${event.id}/join_waitlist`, { as: world.machine, body: { customer: me } });
  assert.equal(joined.status, 200, joined.text);
  await unregister(event.id, booked);
  assert.deepEqual(await seats(world, event.id), { attending: 0, held: 1, waiting: 0, booked: 0 });
  const seen = await world.get(`/events/${event.id}?fields=active_registration_status`, { as: world.customer(me) });
  assert.equal(seen.body.active_registration_status.suggested_action, 'claim_spot');
  await drop(event.id, me);
  assert.deepEqual(await seats(world, event.id), { attending: 1, held: 0, waiting: 0, booked: 1 });
});

test('a paid place moves to an event of the same price without a refund or another charge, and is refunded afterwards', async () => {
  const [me] = await newCustomers(world, 1);
  const [today, tomorrow] = [await newEvent(world, priced, { in: 0.25 }), await newEvent(world, priced)];
  const attendance = await drop(today.id, me);
  const moved = await world.post(`/attendances/${attendance}/move`, {
    as: world.machine,
    body: { event: tomorrow.id },
  });
  assert.equal(moved.status, 200, moved.text);
  const entries = (await world.get(`/account_entries?customer=${me}&kind=charge`, { as: world.machine })).body;
  assert.deepEqual([entries.count, await credit(me)], [0, 0]);
  await unregister(tomorrow.id, me, { is_late_cancel: false });
  await until('the price is given back', async () => (await credit(me)) === 2486);
});

test('a paid place that moves to an event of another price is refunded, and the other price is charged', async () => {
  const [me] = await newCustomers(world, 1);
  const offering = await newOffering(world, { dropin_price_minor: 3000 });
  const [today, dearer] = [await newEvent(world, priced), await newEvent(world, { ...place, offering })];
  const attendance = await drop(today.id, me);
  const body = { event: dearer.id };
  const preview = await world.post(`/attendances/${attendance}/move?dry_run=true`, { as: world.machine, body });
  const amounts = preview.body.effects.filter(
    ({ effect }: any) => effect === 'price_given_back' || effect === 'charge',
  );
  assert.deepEqual(
    amounts.map(({ effect, detail }: any) => [effect, detail.amount_minor]),
    [
      ['price_given_back', 2486],
      ['charge', 3390],
    ],
  );
  assert.equal((await world.post(`/attendances/${attendance}/move`, { as: world.machine, body })).status, 200);
  await until('the price is given back', async () => (await credit(me)) === 2486);
});

test('a booking that is cancelled in time is refunded as account credit, once, with a credit note', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  await drop(event.id, me);
  const preview = await unregister(event.id, me, {}, '?dry_run=true');
  assert.deepEqual(preview.body.effects.find((e: any) => e.effect === 'price_given_back')?.detail, {
    customer: me,
    amount_minor: 2486,
    reason: 'cancelled_in_time',
  });
  await unregister(event.id, me);
  await until('the credit is there', async () => (await credit(me)) === 2486);
  const { body } = await world.get('/invoices?fields=payer,number,reason', { as: world.machine });
  const mine = body.results.filter((invoice: any) => invoice.payer === me);
  assert.deepEqual(
    mine.map((invoice: any) => invoice.reason),
    [null, 'The booking was cancelled in time.'],
  );
  assert.equal((await register(event.id, {}, '', world.customer(me))).body.code, 'payment_required');
});

test('a late cancellation keeps the price, which pays for booking again and is refunded if the event is cancelled', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const attendance = await drop(event.id, me);
  await unregister(event.id, me, { is_late_cancel: true });
  assert.deepEqual((await register(event.id, { customer: me })).body, { attendance });
  await unregister(event.id, me, { is_late_cancel: true });
  await assert.rejects(
    act(async (work) => {
      const id = await openCheckout(work, { customer: me });
      await addItem(work, await lockCheckout(work, id), {
        item_type: 'CLASS_DRP',
        customer_id: me,
        event_id: event.id,
      });
    }),
    /that payment counts for this booking/,
  );
  // A second payment is refused, even if a seat was reserved in the meantime.
  await assert.rejects(
    act(async (work) => {
      await lockToBook(work, [{ event: event.id, customer: me }]);
      await bookHeld(work, { event: event.id, customer: me, payer: { subject: 'checkout_item', id: 1 } });
    }),
    { code: 'conflict' },
  );
  assert.equal(await credit(me), 0);
  await world.post(`/events/${event.id}/cancel`, { as: world.machine, body: {} });
  await until('the credit is there', async () => (await credit(me)) === 2486);
});

test('an event with many paid bookings refunds each of them', async () => {
  const customers = await newCustomers(world, 5);
  const event = await newEvent(world, priced, { max_occupancy: null });
  for (const customer of customers) await drop(event.id, customer);
  await world.post(`/events/${event.id}/cancel`, { as: world.machine, body: {} });
  await until('all have it', async () => {
    const credits = await Promise.all(customers.map(credit));
    return credits.every((one) => one === 2486);
  });
  const client = await beside(world.databaseUrl);
  assert.deepEqual(await contradictions(client, world), []);
  await client.end();
});

test('the business keeps the price of a missed booking', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const attendance = await drop(event.id, me);
  world.setNow(world.now + 30 * HOUR);
  try {
    const marked = await world.patch(`/attendances/${attendance}`, { as: world.machine, body: { status: 'no_show' } });
    assert.equal(marked.status, 200, marked.text);
  } finally {
    world.resetNow();
  }
  assert.equal(await credit(me), 0);
});

test('the database refuses two payments for one booking', async () => {
  const [me] = await newCustomers(world, 1);
  const attendance = await drop((await newEvent(world, priced)).id, me);
  const other = await seed(world, 'checkout_item');
  const at = iso(world.now);
  await assert.rejects(
    row(world, 'booking_payment', {
      checkout_item_id: other,
      attendance_id: attendance,
      created_at: at,
      updated_at: at,
    }),
    { constraint: 'booking_payment_one' },
  );
});

test('a drop-in whose event was cancelled is refunded, and is not booked for free when the event is restored', async () => {
  const [me] = await newCustomers(world, 1);
  const { id } = await newEvent(world, priced, { in: 60 });
  await drop(id, me);
  const ask = (what: string, query = '') =>
    world.post(`/events/${id}/${what}${query}`, { as: world.machine, body: {} });
  await ask('cancel');
  await until('the price is given back', async () => (await credit(me)) === 2486);
  const { effects } = (await ask('reopen', '?dry_run=true')).body;
  const why = effects.find((e: any) => e.effect === 'booking_not_restored').detail;
  assert.deepEqual([why.customer, why.reason], [me, 'paid_back']);
  assert.match(why.because, /given back to their account/);
  await ask('reopen');
  assert.deepEqual(await seats(world, id), { attending: 0, held: 0, waiting: 0, booked: 0 });
  assert.equal(await credit(me), 2486);
  await drop(id, me, 1);
  assert.equal(await credit(me), 1);
  assert.deepEqual(await seats(world, id), { attending: 1, held: 0, waiting: 0, booked: 1 });
});
