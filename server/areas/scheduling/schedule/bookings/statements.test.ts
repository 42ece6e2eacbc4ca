/**
 * Tests of the number of database requests of a cancellation: exact numbers, so that nobody adds a round trip without
 * noticing.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newCustomers, newEvent, newOffering, newPlace, row } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { StatementCount, type Spent } from '../../../../test/statement-count.ts';

const counted = new StatementCount();
let world: World;
let m: MembershipWorld;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
  const policy = [{ until_minutes_before: null, action: 'auto_promote' }];
  const settings = { waitlist_settings: { waitlist_policy: policy } };
  const { status } = await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings });
  assert.equal(status, 200);
});
after(async () => {
  counted.stop();
  await world.close();
});

interface Booked {
  readonly event: number;
  readonly customer: number;
}

/** Returns the minimum for cancelling such a booking: a request sometimes also looks its credential up. */
const cancelling = (booked: () => Promise<Booked>, more: object = {}): Promise<Spent> =>
  leastOf('unregister', booked, more);

async function leastOf(
  action: 'register' | 'unregister',
  before: () => Promise<Booked>,
  more: object = {},
): Promise<Spent> {
  const all: Spent[] = [];
  for (let n = 0; n < 4; n++) {
    const { event, customer } = await before();
    const ask = async () => {
      const body = { customer, ...more };
      const { status, text } = await world.post(`/events/${event}/${action}`, { as: world.machine, body });
      assert.equal(status, 200, text);
    };
    all.push(await counted.spent(ask));
  }
  const least = (of: keyof Spent) => Math.min(...all.map((one) => one[of]));
  return { exchanges: least('exchanges'), statements: least('statements') };
}

async function bookedAt(event: { id: number }, customer: number): Promise<Booked> {
  assert.equal((await book(world, event.id, customer)).status, 200);
  return { event: event.id, customer };
}

async function free(): Promise<Booked> {
  const [customer] = await newCustomers(world, 1);
  return bookedAt(await newEvent(world, await newPlace(world), { max_occupancy: 1 }), customer);
}

async function holder(): Promise<number> {
  const [customer] = await newCustomers(world, 1);
  await m.give(customer, await m.pack(3));
  return customer;
}

const paid = async (): Promise<Booked> =>
  bookedAt(await newEvent(world, m.place, { max_occupancy: 1 }), await holder());

async function awaited(booked: () => Promise<Booked>): Promise<Booked> {
  const made = await booked();
  const body = { customer: await holder() };
  const { status } = await world.post(`/events/${made.event}/join_waitlist`, { as: world.machine, body });
  assert.equal(status, 200);
  return made;
}

/** Creates a booking whose cut-off depends on the customer. */
async function early(): Promise<Booked> {
  const made = await paid();
  const timeline = await row(world, 'registration_timeline', { name: 'Members', audience_type: 'membership_holders' });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`INSERT INTO event_registration_timeline (provider_id, event_id, registration_timeline_id)
        VALUES (${world.harbour}, ${made.event}, ${timeline})`,
    ),
  );
  return made;
}

test('a cancellation takes four exchanges with the database, for every payer of the booking', async () => {
  assert.deepEqual(await cancelling(free), { exchanges: 4, statements: 13 });
  assert.deepEqual(await cancelling(paid), { exchanges: 4, statements: 13 });
  assert.deepEqual(await cancelling(paid, { is_late_cancel: true }), { exchanges: 4, statements: 11 });
});

test('it takes one more if the place goes to the waitlist, and if the cut-off depends on the customer', async () => {
  assert.deepEqual(await cancelling(() => awaited(free)), { exchanges: 5, statements: 19 });
  assert.deepEqual(await cancelling(() => awaited(paid)), { exchanges: 5, statements: 20 });
  assert.deepEqual(await cancelling(early), { exchanges: 5, statements: 14 });
});

/** An event that costs something, and somebody whom nothing pays for. */
async function priced(): Promise<Booked> {
  const [customer] = await newCustomers(world, 1);
  const offering = await newOffering(world, { dropin_price_minor: 2200 });
  return { event: (await newEvent(world, { ...(await newPlace(world)), offering })).id, customer };
}

test('a booking takes more only where its price is charged to an account, and so does its cancellation', async () => {
  const charged = async () => {
    const made = await priced();
    return bookedAt({ id: made.event }, made.customer);
  };
  assert.deepEqual(await leastOf('register', priced, { comped: true }), { exchanges: 2, statements: 10 });
  assert.deepEqual(await leastOf('register', priced), { exchanges: 8, statements: 18 });
  assert.deepEqual(await cancelling(charged), { exchanges: 9, statements: 19 });
});
