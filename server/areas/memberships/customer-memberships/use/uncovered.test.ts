import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, contradictions } from '../../../../test/storm.ts';
import { book, feedEnd, feedSince, newCustomers, newEvent, seats } from '../../../../test/schedule-world.ts';
import { limit, MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { lockUncovered, settleUncovered, type CoverageLoss } from './uncovered.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import type { Effect } from '../../../../kernel/work/unit/work.ts';
import type { Settling } from '../../../scheduling/schedule/index.ts';

const NOON = Date.parse('2026-06-10T16:00Z');
const HOUR = 3_600_000;

let world: World;
let m: MembershipWorld;
let owner: pg.Client;
before(async () => {
  world = await startWorld();
  m = await MembershipWorld.of(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const setting = async (bookings_without_membership: string) => {
  const answer = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { membership_settings: { bookings_without_membership } },
  });
  assert.equal(answer.status, 200, answer.text);
};

/** Creates a customer with a pack of five. */
async function holder(): Promise<{ customer: number; owned: number }> {
  world.setNow(NOON);
  const [customer] = await newCustomers(world, 1);
  return { customer, owned: (await m.give(customer, await m.pack(5))).id };
}

const settle = (which: CoverageLoss[], how: Settling = {}): Promise<readonly Effect[]> =>
  world.work(world.harbour, async (work) => {
    const locked = await lockUncovered(work, which);
    await settleUncovered(work, locked, how);
    return work.effects;
  });

const statusOf = async (attendance: number) =>
  (await owner.query('SELECT status FROM attendance WHERE id = $1', [attendance])).rows[0].status;
/** Reads the statuses one after the other, because the requests share a connection. */
async function statusesOf(bookings: readonly { readonly attendance: number }[]): Promise<string[]> {
  const found: string[] = [];
  for (const { attendance } of bookings) found.push(await statusOf(attendance));
  return found;
}
const payerOf = async (attendance: number) =>
  (
    await owner.query(
      'SELECT customer_membership_id::int AS id FROM entitlement_entry WHERE attendance_id = $1 AND open',
      [attendance],
    )
  ).rows[0]?.id ?? null;

/** Books events a number of days ahead and returns the attendances. */
async function booked(
  customer: number,
  days: readonly number[],
  over: object = {},
): Promise<{ event: number; attendance: number }[]> {
  const made = [];
  for (const day of days) {
    const { id: event } = await newEvent(world, m.place, { in: day * 24, ...over });
    const answer = await book(world, event, customer);
    assert.equal(answer.status, 200, answer.text);
    made.push({ event, attendance: answer.body.attendance });
  }
  return made;
}

test('bookings on the days are cancelled in time, both days included, and the uses are credited; others are unchanged', async () => {
  const { customer, owned } = await holder();
  const made = await booked(customer, [1, 2, 3, 4]);
  const since = await feedEnd(world);
  const effects = await settle([{ customerMembership: owned, from: '2026-06-12', to: '2026-06-13' }]);
  assert.deepEqual(await statusesOf(made), ['registered', 'not_registered', 'not_registered', 'registered']);
  assert.equal(await m.used(owned), 2);
  const feedItems = (await feedSince(world, since)).map((f) => [f.kind, f.payload.attendance, f.payload.reason]);
  const [, second, third] = made;
  assert.deepEqual(
    feedItems.filter(([kind]) => kind === 'event_registration.cancelled'),
    [second, third].map((b) => ['event_registration.cancelled', b.attendance, 'staff']),
  );
  assert.equal(
    feedItems.filter(([kind, , reason]) => kind === 'customer_membership.credited' && reason === 'cancelled_in_time')
      .length,
    2,
  );
  assert.deepEqual(
    effects.filter((e) => e.effect === 'booking_cancelled').map((e) => [e.id, e.detail]),
    [
      [second, '2026-06-12'],
      [third, '2026-06-13'],
    ].map(([b, date]: any) => [
      b.attendance,
      { attendance: b.attendance, event: b.event, customer, customer_membership: owned, date },
    ]),
  );
});

test('without an end all future bookings are uncovered, but none of events that have begun', async () => {
  const { customer, owned } = await holder();
  const made = await booked(customer, [1, 30]);
  world.setNow(NOON + 25 * HOUR);
  await settle([{ customerMembership: owned, from: '2026-06-01', to: null }]);
  assert.deepEqual(await statusesOf(made), ['registered', 'not_registered']);
});

test('if the business keeps them, bookings and uses stay and are reported', async (t) => {
  const { customer, owned } = await holder();
  const [one] = await booked(customer, [1]);
  await setting('keep');
  t.after(() => setting('cancel'));
  const effects = await settle([{ customerMembership: owned, from: '2026-06-11', to: null }]);
  assert.deepEqual(
    [await statusOf(one.attendance), await m.used(owned), effects.map((e) => [e.effect, e.id])],
    ['registered', 1, [['booking_kept', one.attendance]]],
  );
});

test('a released place goes to the next customer on the waitlist, in the same transaction', async () => {
  const { customer, owned } = await holder();
  const next = await holder();
  const [{ event }] = await booked(customer, [2], { max_occupancy: 1 });
  assert.equal(
    (await world.post(`/events/${event}/join_waitlist`, { as: world.machine, body: { customer: next.customer } }))
      .status,
    200,
  );
  const effects = await settle([{ customerMembership: owned, from: '2026-06-11', to: null }]);
  assert.deepEqual(
    effects.map((e) => e.effect),
    ['booking_cancelled', 'membership_credited', 'waitlist_promoted', 'membership_used'],
  );
  assert.deepEqual(
    [await seats(world, event), await m.used(owned), await m.used(next.owned)],
    [{ attending: 1, held: 0, waiting: 0, booked: 1 }, 0, 1],
  );
  assert.deepEqual(await contradictions(owner, world), []);
});

test('another membership pays as long as it has uses, for the earliest bookings first; the rest is handled as set by the business', async () => {
  const { customer, owned } = await holder();
  const made = await booked(customer, [3, 1, 2]);
  const other = (await m.give(customer, await m.pack(2))).id;
  const effects = await settle([{ customerMembership: owned, from: '2026-06-11', to: null }], { payWith: other });
  const [third, first, second] = made;
  assert.deepEqual(
    [await payerOf(first.attendance), await payerOf(second.attendance), await payerOf(third.attendance)],
    [other, other, null],
  );
  assert.deepEqual(
    [await m.used(owned), await m.used(other), await statusOf(third.attendance)],
    [0, 2, 'not_registered'],
  );
  assert.deepEqual(
    effects.filter((e) => e.effect.startsWith('booking_')).map((e) => [e.effect, e.id, e.detail.customer_membership]),
    [
      ['booking_kept', first.attendance, other],
      ['booking_kept', second.attendance, other],
      ['booking_cancelled', third.attendance, owned],
    ],
  );
});

test('when only one customer’s bookings are uncovered, those of others who share the membership stay', async () => {
  const { customer, owned } = await holder();
  const [friend] = await newCustomers(world, 1);
  await m.share(owned, friend);
  const [mine, theirs] = [(await booked(customer, [1]))[0], (await booked(friend, [1]))[0]];
  await settle([{ customerMembership: owned, from: '2026-06-10', to: null, customer: friend }]);
  assert.deepEqual(
    [await statusOf(mine.attendance), await statusOf(theirs.attendance)],
    ['registered', 'not_registered'],
  );
});

test('a booking that is made in between causes a retry', async () => {
  const { customer, owned } = await holder();
  let tries = 0;
  await world.work(world.harbour, async (work) => {
    tries++;
    // The locks are from before the booking, as if it had committed while this transaction waited for the membership.
    const locked =
      tries === 1
        ? { which: [{ customerMembership: owned, from: '2026-06-10', to: null }], events: new Set<number>() }
        : await lockUncovered(work, [{ customerMembership: owned, from: '2026-06-10', to: null }]);
    if (tries === 1) await booked(customer, [1]);
    await settleUncovered(work, locked);
  });
  assert.deepEqual([tries, await m.used(owned)], [2, 0]);
});

test('memberships with different limits are uncovered together, each on its own days', async () => {
  world.setNow(NOON);
  const [customer] = await newCustomers(world, 1);
  const club = await m.recurring([limit('week', 1)]);
  const [a, b] = [(await m.give(customer, club.membership)).id, (await m.give(customer, club.membership)).id];
  const made = await booked(customer, [1, 2]);
  assert.deepEqual(await Promise.all(made.map((x) => payerOf(x.attendance))), [a, b]);
  await settle([
    { customerMembership: a, from: '2026-06-12', to: null },
    { customerMembership: b, from: '2026-06-11', to: '2026-06-12' },
  ]);
  assert.deepEqual(await statusesOf(made), ['registered', 'not_registered']);
});
