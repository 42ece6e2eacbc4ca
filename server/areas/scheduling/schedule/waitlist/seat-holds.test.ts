import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bookHeld, extendHolds, holdSeats, releaseHolds, type HoldAsked } from './seat-holds.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  seats,
  type Place,
} from '../../../../test/schedule-world.ts';
import { expirePlaces } from './waiting.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { viewer } from '../../../../kernel/work/access/viewer.ts';
import { Work } from '../../../../kernel/work/unit/work.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

let items = 0;
/** Returns a checkout item, as far as the schedule knows one. */
const item = () => ({ object: 'checkout_item', id: ++items });
const hold = (event: number, customer: number, over: Partial<HoldAsked> = {}) =>
  world.work(world.harbour, (work) =>
    holdSeats(work, [{ event, customer, until: world.now + 15 * MINUTE, by: item(), ...over }]),
  );
/** Holds a seat on behalf of the customer themselves. */
const holdAs = (me: number, event: number, customer = me) =>
  world.work(world.harbour, ({ tx, registry, tenant, now }) => {
    const mine = viewer({
      mode: 'customer',
      providerId: world.harbour,
      customerId: me,
      staffId: null,
      permissions: new Set(),
      venues: null,
      actor: 'test',
    });
    const work = new Work({ tx, registry, tenant, viewer: mine, now, requestId: 'test' });
    return holdSeats(work, [{ event, customer, until: now + 15 * MINUTE, by: item() }]);
  });
const release = (by: { object: string; id: number }) =>
  world.work(world.harbour, (work) => releaseHolds(work, { object: by.object, ids: [by.id] }));
const bookIt = (event: number, customer: number) =>
  world.work(world.harbour, (work) => bookHeld(work, { event, customer, payer: null }));
const sweep = (event: number) => world.work(world.harbour, (work) => expirePlaces(work, event));
const join = (event: number, customer: number) =>
  world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer } });
const unregister = (event: number, customer: number) =>
  world.post(`/events/${event}/unregister`, { as: world.machine, body: { customer } });
const policy = (action: string) =>
  world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action, claim_minutes: 30 }] } },
  });
const counts = async (event: number) => {
  const { attending, held, waiting } = await seats(world, event);
  return [attending, held, waiting];
};
const refusedWith = (code: string) => (error: { code?: string }) => error.code === code;
const spotOf = async (event: number, customer: number): Promise<any> =>
  (await world.get(`/waitlist_spots?event=${event}&customer=${customer}`, { as: world.machine })).body.results[0];

test('a held seat is nobody else’s until it is released, and its customer books it without taking a second one', async () => {
  const [mine, other, late] = await newCustomers(world, 3);
  const { id } = await newEvent(world, place, { max_occupancy: 2 });
  const by = item();
  await hold(id, mine, { by });
  assert.deepEqual(await counts(id), [0, 1, 0]);
  assert.equal((await book(world, id, other)).status, 200);
  assert.equal((await book(world, id, late)).body.code, 'event_full');
  await assert.rejects(hold(id, late), refusedWith('event_full'));
  await bookIt(id, mine);
  assert.deepEqual(await counts(id), [2, 0, 0]);
  await release(by);
  assert.deepEqual(await counts(id), [2, 0, 0]);
});

test('a customer with a hold who books in any other way has one seat', async () => {
  const [mine] = await newCustomers(world, 1);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await hold(id, mine);
  assert.equal((await book(world, id, mine)).status, 200);
  assert.deepEqual(await counts(id), [1, 0, 0]);
  await assert.rejects(bookIt(id, mine), refusedWith('already_registered'));
  await assert.rejects(hold(id, mine), refusedWith('already_registered'));
});

test('a hold is refused by the rules of booking except payment, and customers hold seats for those they may book for', async () => {
  const [me, stranger] = await newCustomers(world, 2);
  const young = await newOffering(world, { max_allowed_age: 12 });
  const forMembers = await newOffering(world, { allows_dropins: false });
  const refusals: [code: string, event: any, customer: number][] = [
    ['age_unknown', await newEvent(world, { ...place, offering: young }), me],
    ['event_started', await newEvent(world, place, { in: -0.5 }), me],
    ['not_found', { id: 999_999_999 }, me],
    ['not_found', await newEvent(world, place), stranger],
  ];
  for (const [code, event, customer] of refusals)
    await assert.rejects(holdAs(me, event.id, customer), refusedWith(code), code);
  const members = await newEvent(world, { ...place, offering: forMembers });
  await holdAs(me, members.id);
  const cancelled = await newEvent(world, place);
  await world.post(`/events/${cancelled.id}/cancel`, { as: world.machine, body: {} });
  await assert.rejects(hold(cancelled.id, me), refusedWith('event_cancelled'));
});

test('several seats are held together or not at all, one for each customer', async () => {
  const [a, b, c] = await newCustomers(world, 3);
  const [roomy, small] = [await newEvent(world, place), await newEvent(world, place, { max_occupancy: 1 })];
  const all = (...which: [number, number][]) =>
    world.work(world.harbour, (work) =>
      holdSeats(
        work,
        which.map(([event, customer]) => ({ event, customer, until: world.now + MINUTE, by: item() })),
      ),
    );
  await assert.rejects(all([roomy.id, a], [small.id, a], [small.id, b]), refusedWith('event_full'));
  await assert.rejects(all([roomy.id, a], [roomy.id, a]), refusedWith('already_registered'));
  assert.deepEqual(
    [await counts(roomy.id), await counts(small.id)],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  await all([small.id, a], [roomy.id, b], [roomy.id, c]);
  assert.deepEqual(
    [await counts(roomy.id), await counts(small.id)],
    [
      [0, 2, 0],
      [0, 1, 0],
    ],
  );
});

test('a hold expires: the job gives the seat to the next customer on the waitlist', async () => {
  await policy('auto_promote');
  const [mine, next] = await newCustomers(world, 2);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await hold(id, mine);
  assert.equal((await join(id, next)).status, 200);
  await sweep(id);
  assert.deepEqual(await counts(id), [0, 1, 1]);
  world.setNow(world.now + 16 * MINUTE);
  try {
    const from = await feedEnd(world);
    await sweep(id);
    assert.deepEqual(await counts(id), [1, 0, 0]);
    assert.ok((await feedSince(world, from)).some((i) => i.kind === 'waitlist.promoted'));
    await assert.rejects(bookIt(id, mine), refusedWith('event_full'));
  } finally {
    world.resetNow();
  }
});

test('an extended hold outlives its first expiry, and holds that no longer exist are reported', async () => {
  const [mine] = await newCustomers(world, 1);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  const [by, gone] = [item(), item()];
  await hold(id, mine, { by });
  const extended = (until: number) =>
    world.work(world.harbour, (work) =>
      extendHolds(work, { object: 'checkout_item', ids: [by.id, gone.id] }, { until }),
    );
  assert.deepEqual(await extended(world.now + 2 * HOUR), [gone.id]);
  // Never shorter than promised.
  assert.deepEqual(await extended(world.now + MINUTE), [gone.id]);
  world.setNow(world.now + HOUR);
  try {
    await sweep(id);
    assert.deepEqual(await counts(id), [0, 1, 0]);
    await hold(id, mine, { by, until: world.now + 3 * HOUR });
    world.setNow(world.now + 2 * HOUR);
    await sweep(id);
    assert.deepEqual(await counts(id), [0, 1, 0]);
  } finally {
    world.resetNow();
  }
});

test('another checkout takes the hold over, except while it is being paid for', async () => {
  const [mine] = await newCustomers(world, 1);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  const [first, second] = [item(), item()];
  await hold(id, mine, { by: first });
  await hold(id, mine, { by: second });
  assert.deepEqual(await counts(id), [0, 1, 0]);
  await release(first);
  assert.deepEqual(await counts(id), [0, 1, 0]);
  await hold(id, mine, { by: second, paying: true });
  await assert.rejects(hold(id, mine, { by: first }), refusedWith('already_registered'));
  await world.work(world.harbour, (work) =>
    extendHolds(work, { object: 'checkout_item', ids: [second.id] }, { until: world.now + MINUTE, paying: false }),
  );
  await hold(id, mine, { by: first });
  await release(first);
  assert.deepEqual(await counts(id), [0, 0, 0]);
});

test('a released seat goes to the next customer on the waitlist, and never to one who already holds a seat', async () => {
  await policy('broadcast');
  const [mine, booked, next] = await newCustomers(world, 3);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, id, booked);
  await join(id, mine);
  await join(id, next);
  await unregister(id, booked);
  const by = item();
  await hold(id, mine, { by });
  assert.deepEqual(await counts(id), [0, 1, 2]);
  await policy('auto_promote');
  await world.patch(`/events/${id}`, { as: world.machine, body: { max_occupancy: 2 } });
  assert.deepEqual(await counts(id), [1, 1, 1]);
  assert.equal((await spotOf(id, mine)).status, 'on_waitlist');
  assert.equal(await spotOf(id, next), undefined);
  await release(by);
  assert.deepEqual(await counts(id), [2, 0, 0]);
});

test('a reserved spot provides the seat of a hold as long as the hold lasts, and keeps its own time afterwards', async () => {
  await policy('reserve');
  const [booked, mine] = await newCustomers(world, 2);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, id, booked);
  await join(id, mine);
  await unregister(id, booked);
  const [by, until] = [item(), Math.floor(world.now / MINUTE) * MINUTE + 2 * HOUR];
  await hold(id, mine, { by, until });
  assert.deepEqual(await counts(id), [0, 1, 0]);
  assert.equal(Date.parse((await spotOf(id, mine)).reserved_spot_expires_at), until);
  world.setNow(world.now + HOUR);
  try {
    await sweep(id);
    assert.deepEqual(await counts(id), [0, 1, 0]);
    await bookIt(id, mine);
    assert.deepEqual(await counts(id), [1, 0, 0]);
  } finally {
    world.resetNow();
  }
  const again = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, again.id, booked);
  await join(again.id, mine);
  await unregister(again.id, booked);
  const reservedUntil = (await spotOf(again.id, mine)).reserved_spot_expires_at;
  await hold(again.id, mine, { by, until });
  assert.notEqual((await spotOf(again.id, mine)).reserved_spot_expires_at, reservedUntil);
  await release(by);
  assert.equal((await spotOf(again.id, mine)).reserved_spot_expires_at, reservedUntil);
  assert.deepEqual(await counts(again.id), [0, 1, 0]);
});

test('a hold that ends after its reserved spot would have expired passes the seat on', async () => {
  await policy('reserve');
  const [booked, mine, next] = await newCustomers(world, 3);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, id, booked);
  await join(id, mine);
  await join(id, next);
  await unregister(id, booked);
  const by = item();
  await hold(id, mine, { by, until: world.now + 2 * HOUR });
  world.setNow(world.now + HOUR);
  try {
    await release(by);
    assert.deepEqual(await counts(id), [0, 1, 0]);
    assert.equal((await spotOf(id, next)).status, 'spot_reserved');
  } finally {
    world.resetNow();
  }
});

test('leaving the waitlist with a reserved spot releases the seat that is held through it', async () => {
  await policy('reserve');
  const [booked, mine] = await newCustomers(world, 2);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await book(world, id, booked);
  await join(id, mine);
  await unregister(id, booked);
  await hold(id, mine);
  await world.post(`/events/${id}/leave_waitlist`, { as: world.machine, body: { customer: mine } });
  assert.deepEqual(await counts(id), [0, 0, 0]);
  assert.equal((await book(world, id, booked)).status, 200);
});

test('a customer who held a seat in time books it after booking has closed; without the hold it is too late', async () => {
  const offering = await newOffering(world, { registrations_close_interval: 60 });
  const [mine, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, { ...place, offering }, { in: 2 });
  await holdAs(mine, id);
  const by = item();
  await hold(id, other, { by });
  world.setNow(world.now + 1.5 * HOUR);
  try {
    await release(by);
    await bookIt(id, mine);
    await assert.rejects(bookIt(id, other), refusedWith('registration_closed'));
  } finally {
    world.resetNow();
  }
});

test('a cancelled event holds no seats, and the capacity cannot go below the held seats', async () => {
  const [mine, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, place, { max_occupancy: 2 });
  await hold(id, mine);
  await book(world, id, other);
  const fewer = await world.patch(`/events/${id}`, { as: world.machine, body: { max_occupancy: 1 } });
  assert.equal(fewer.body.code, 'capacity_below_bookings');
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: {} });
  assert.deepEqual(await counts(id), [0, 0, 0]);
  await assert.rejects(bookIt(id, mine), refusedWith('event_cancelled'));
});

test('explain, the registration status and the waitlist count a held seat', async () => {
  const [mine, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  await hold(id, mine);
  const explained = async (customer: number) => {
    const { body } = await world.get(`/events/${id}/explain?customer=${customer}`, { as: world.machine });
    const { facts } = body.rules.find((r: any) => r.code === 'event_full');
    return [body.can_book, body.suggested_action, facts.held_count, facts.held_for_customer];
  };
  assert.deepEqual(await explained(mine), [true, 'register', 1, true]);
  assert.deepEqual(await explained(other), [false, 'join_waitlist', 1, false]);
  const seen = await world.get(`/events/${id}?fields=is_full,active_registration_status`, { as: world.customer(mine) });
  assert.equal(seen.body.is_full, true);
  assert.deepEqual(seen.body.active_registration_status.restriction_codes, []);
  assert.equal((await join(id, mine)).body.code, 'waitlist_not_needed');
});

test('the database itself refuses to hold one seat too many, and two for one customer', async () => {
  const [mine, other] = await newCustomers(world, 2);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  const put = (customer: number) =>
    world.work(world.harbour, ({ tx, providerId, now }) =>
      tx.run(
        sql`INSERT INTO seat_hold (provider_id, event_id, customer_id, held_for, held_for_id, expires_at)
            VALUES (${providerId}, ${id}, ${customer}, 'checkout_item', 1, ${new Date(now).toISOString()})`,
      ),
    );
  await put(mine);
  await assert.rejects(put(other), { constraint: 'event_capacity' });
  await world.patch(`/events/${id}`, { as: world.machine, body: { max_occupancy: 2 } });
  await assert.rejects(put(mine), { constraint: 'seat_hold_one' });
});
