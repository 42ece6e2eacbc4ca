import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { until } from '../../../../test/storm.ts';
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
import { register } from '../bookings/register.ts';
import { viewer } from '../../../../kernel/work/access/viewer.ts';
import { Work } from '../../../../kernel/work/unit/work.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld({ worker: true });
  place = await newPlace(world);
});
after(() => world.close());

const as = () => world.machine;
const settings = (waitlist_settings: object) =>
  world.patch(`/providers/${world.harbour}`, { as: as(), body: { waitlist_settings } });
const policy = (...waitlist_policy: object[]) =>
  settings({ waitlist_policy, quiet_hours_start: null, quiet_hours_end: null, waitlist_max: null });
const step = (action: string, over: object = {}) => ({ until_minutes_before: null, action, ...over });

const join = (event: number, customer: number, who = as(), more: object = {}) =>
  world.post(`/events/${event}/join_waitlist?expand=position`, { as: who, body: { customer, ...more } });
const leave = (event: number, customer: number, who = as()) =>
  world.post(`/events/${event}/leave_waitlist`, { as: who, body: { customer } });
const unregister = (event: number, customer: number, query = '') =>
  world.post(`/events/${event}/unregister${query}`, { as: as(), body: { customer } });
const kinds = async (from: number) => (await feedSince(world, from)).map((i) => i.kind);
const explain = async (event: number, customer: number) =>
  (await world.get(`/events/${event}/explain?customer=${customer}`, { as: as() })).body;
/** Returns the newest spot of a customer, ended or not. */
async function lastSpot(event: number, customer: number): Promise<any> {
  const lists = await Promise.all(
    [true, false].map((active) =>
      world.get(`/waitlist_spots?event=${event}&customer=${customer}&active=${active}`, { as: as() }),
    ),
  );
  return lists.flatMap((l) => l.body.results).toSorted((a, b) => b.id - a.id)[0];
}

/** Creates an event that the first customers fill; the others join the waitlist in order. */
async function fullEvent(
  places: number,
  waiting: number,
  over: Record<string, any> = {},
  at = place,
): Promise<{ id: number; in: number[]; waits: number[] }> {
  const customers = await newCustomers(world, places + waiting);
  const { id } = await newEvent(world, at, { max_occupancy: places, ...over });
  for (const customer of customers.slice(0, places)) assert.equal((await book(world, id, customer)).status, 200);
  for (const customer of customers.slice(places)) assert.equal((await join(id, customer)).status, 200);
  return { id, in: customers.slice(0, places), waits: customers.slice(places) };
}

const bookedIn = async (event: number) =>
  (await world.get(`/attendances?event=${event}&status=registered&fields=customer`, { as: as() })).body.results
    .map((a: any) => a.customer)
    .toSorted((a: number, b: number) => a - b);

describe('joining', () => {
  before(() => policy(step('auto_promote')));

  test('a customer already on the waitlist keeps the same spot and position', async () => {
    const e = await fullEvent(1, 2);
    const from = await feedEnd(world);
    const again = await join(e.id, e.waits[0]);
    assert.deepEqual([again.status, again.body.position], [200, 1]);
    assert.equal((await join(e.id, e.waits[1])).body.position, 2);
    assert.deepEqual(await kinds(from), []);
    assert.equal((await seats(world, e.id)).waiting, 2);
  });

  test('joining is refused if a place is free, for a customer who is booked, and beyond the limit of the waitlist', async () => {
    const e = await fullEvent(1, 1, { waitlist_max_override: 1 });
    const [other] = await newCustomers(world, 1);
    assert.equal((await join(e.id, other)).body.code, 'waitlist_full');
    assert.equal((await join(e.id, e.in[0])).body.code, 'already_registered');
    const roomy = await newEvent(world, place);
    assert.equal((await join(roomy.id, other)).body.code, 'waitlist_not_needed');
    assert.equal((await leave(roomy.id, other)).body.code, 'not_on_waitlist');
  });

  test('the limit is the event’s, else the offering type’s, else the business’s', async () => {
    await settings({ waitlist_max: 2 });
    const offering = await newOffering(world, { waitlist_max: 1 });
    const room = async (at: Place, over = {}) => {
      const e = await fullEvent(1, 0, over, at);
      let n = 0;
      for (const customer of await newCustomers(world, 4)) if ((await join(e.id, customer)).status === 200) n++;
      return n;
    };
    assert.deepEqual(
      [
        await room(place),
        await room({ ...place, offering }),
        await room({ ...place, offering }, { waitlist_max_override: 3 }),
        await room(place, { waitlist_max_override: 0 }),
      ],
      [2, 1, 3, 0],
    );
    await settings({ waitlist_max: null });
  });

  test('customers join for themselves, see only their own spot, and cannot change that of another', async () => {
    const e = await fullEvent(1, 1);
    const [me] = await newCustomers(world, 1);
    const mine = world.customer(me);
    const joined = await join(e.id, me, mine);
    assert.equal(joined.body.position, 2);
    const list = await world.get(`/waitlist_spots?event=${e.id}`, { as: mine });
    assert.deepEqual(
      list.body.results.map((s: any) => s.id),
      [joined.body.id],
    );
    const other = (await world.get(`/waitlist_spots?event=${e.id}&customer=${e.waits[0]}`, { as: as() })).body
      .results[0];
    assert.equal((await world.get(`/waitlist_spots/${other.id}`, { as: mine })).status, 404);
    assert.ok((await leave(e.id, e.waits[0], mine)).body.field_errors.customer);
    assert.equal((await seats(world, e.id)).waiting, 2);
    assert.equal((await leave(e.id, me, mine)).status, 200);
  });

  test('a customer who cancelled may join again', async () => {
    const e = await fullEvent(1, 1);
    await unregister(e.id, e.in[0]);
    assert.deepEqual(await bookedIn(e.id), e.waits);
    assert.equal((await join(e.id, e.in[0])).status, 200);
    assert.deepEqual(await seats(world, e.id), { attending: 1, held: 0, waiting: 1, booked: 1 });
  });
});

describe('promoting', () => {
  before(() => policy(step('auto_promote')));

  test('several places that become free together go to the first customers on the waitlist, in its order', async () => {
    const e = await fullEvent(1, 4);
    const from = await feedEnd(world);
    await world.patch(`/events/${e.id}`, { as: as(), body: { max_occupancy: 3 } });
    assert.deepEqual(
      await bookedIn(e.id),
      [e.in[0], ...e.waits.slice(0, 2)].toSorted((a, b) => a - b),
    );
    const items = await feedSince(world, from);
    assert.deepEqual(
      items.map((i) => [i.kind, i.payload.customer]),
      [
        ['event.changed', undefined],
        ['waitlist.promoted', e.waits[0]],
        ['event_registration.created', e.waits[0]],
        ['waitlist.promoted', e.waits[1]],
        ['event_registration.created', e.waits[1]],
      ],
    );
    assert.equal((await join(e.id, e.waits[3])).body.position, 2);
  });

  test('a dry run of a cancellation shows who would be promoted, and changes nothing', async () => {
    const e = await fullEvent(1, 1);
    const from = await feedEnd(world);
    const { body } = await unregister(e.id, e.in[0], '?dry_run=true');
    assert.deepEqual(
      body.effects.map((x: any) => [x.effect, x.detail.customer ?? x.detail.type]),
      [
        ['booking_cancelled', e.in[0]],
        ['waitlist_promoted', e.waits[0]],
        ['message_sent', 'event_registration_cancelled'],
        ['message_sent', 'waitlist_promoted'],
      ],
    );
    assert.deepEqual(await kinds(from), []);
    assert.deepEqual(await bookedIn(e.id), e.in);
  });

  test('a customer who may no longer book is rejected and the next gets the place', async () => {
    const offering = await newOffering(world);
    const e = await fullEvent(1, 3, {}, { ...place, offering });
    await world.work(world.harbour, async ({ tx }) => {
      await tx.run(
        sql`UPDATE customer SET participating = false WHERE provider_id = ${world.harbour} AND id = ${e.waits[0]}`,
      );
      await tx.run(
        sql`UPDATE customer SET deleted_at = now() WHERE provider_id = ${world.harbour} AND id = ${e.waits[1]}`,
      );
    });
    const from = await feedEnd(world);
    await unregister(e.id, e.in[0]);
    assert.deepEqual(await bookedIn(e.id), [e.waits[2]]);
    assert.deepEqual(await kinds(from), [
      'event_registration.cancelled',
      'waitlist.rejected',
      'waitlist.rejected',
      'waitlist.promoted',
      'event_registration.created',
    ]);
    assert.equal((await lastSpot(e.id, e.waits[0])).status, 'rejected');
  });

  test('a customer who joined in time is promoted after booking has closed', async () => {
    const offering = await newOffering(world, { registrations_close_interval: 60 });
    const e = await fullEvent(1, 1, { in: 3 }, { ...place, offering });
    world.setNow(world.now + 2.5 * HOUR);
    try {
      await unregister(e.id, e.in[0]);
      assert.deepEqual(await bookedIn(e.id), e.waits);
    } finally {
      world.resetNow();
    }
  });

  test('after the cut-off the place goes to the first customer with consent, else everybody on the waitlist is notified', async () => {
    const offering = await newOffering(world, { cancellation_notice_interval: 24 * 60 });
    const late = { in: 12 };
    const without = await fullEvent(1, 2, late, { ...place, offering });
    let from = await feedEnd(world);
    await unregister(without.id, without.in[0]);
    const items = await feedSince(world, from);
    assert.deepEqual(
      items.map((i) => i.kind),
      ['event_registration.late_cancelled', 'waitlist.broadcast'],
    );
    assert.deepEqual(items[1].payload, { event: without.id, customers: without.waits });
    assert.deepEqual(await seats(world, without.id), { attending: 0, held: 0, waiting: 2, booked: 0 });

    const withConsent = await fullEvent(1, 0, late, { ...place, offering });
    const [eager] = await newCustomers(world, 1);
    await join(withConsent.id, eager, as(), { promote_after_cutoff: true });
    from = await feedEnd(world);
    await unregister(withConsent.id, withConsent.in[0]);
    assert.deepEqual(await kinds(from), [
      'event_registration.late_cancelled',
      'waitlist.promoted',
      'event_registration.created',
    ]);
  });

  test('after the start nobody is promoted', async () => {
    const e = await fullEvent(1, 1, { in: 1 });
    world.setNow(world.now + 1.5 * HOUR);
    try {
      await unregister(e.id, e.in[0]);
      assert.deepEqual(await seats(world, e.id), { attending: 0, held: 0, waiting: 1, booked: 0 });
    } finally {
      world.resetNow();
    }
  });

  test('cancelling the event ends every spot', async () => {
    const e = await fullEvent(1, 2);
    const from = await feedEnd(world);
    await world.post(`/events/${e.id}/cancel`, { as: as(), body: {} });
    assert.deepEqual(await kinds(from), [
      'event.cancelled',
      'event_registration.cancelled',
      'waitlist.ended',
      'waitlist.ended',
    ]);
    assert.equal((await world.get(`/waitlist_spots?event=${e.id}`, { as: as() })).body.count, 0);
    assert.equal((await join(e.id, e.waits[0])).body.code, 'event_cancelled');
    assert.equal((await explain(e.id, e.waits[0])).waitlist_position, null);
  });

  test('concurrent cancellations and joins never fill a place twice or leave one empty', async () => {
    const e = await fullEvent(3, 3);
    const more = await newCustomers(world, 4);
    await Promise.all([
      ...e.in.map((c) => unregister(e.id, c)),
      ...more.map((c) => book(world, e.id, c)),
      ...more.map((c) => join(e.id, c)),
    ]);
    const after = await seats(world, e.id);
    assert.equal(after.attending, 3);
    assert.equal(after.booked, 3);
    const booked = await bookedIn(e.id);
    assert.ok(
      e.waits.every((c) => booked.includes(c)),
      'those who waited first have the places',
    );
  });
});

describe('keeping a place', () => {
  before(() => policy(step('reserve', { claim_minutes: 30 })));

  test('the place is reserved for the first customer on the waitlist, and only they can take it', async () => {
    const e = await fullEvent(1, 2);
    const from = await feedEnd(world);
    const asked = world.now;
    await unregister(e.id, e.in[0]);
    const [, offered] = await feedSince(world, from);
    assert.equal(offered.kind, 'waitlist.offered');
    const ends = Date.parse(offered.payload.expires_at);
    assert.ok(
      ends >= asked + 30 * MINUTE && ends <= world.now + 31 * MINUTE && ends % MINUTE === 0,
      offered.payload.expires_at,
    );
    assert.equal((await book(world, e.id, e.waits[1])).body.code, 'event_full');
    const head = await explain(e.id, e.waits[0]);
    assert.deepEqual(
      [head.can_book, head.current_status, head.suggested_action, head.waitlist_position],
      [true, 'spot_reserved', 'claim_spot', 1],
    );
    const next = await explain(e.id, e.waits[1]);
    assert.deepEqual(
      [next.can_book, next.current_status, next.suggested_action, next.waitlist_position],
      [false, 'on_waitlist', 'leave_waitlist', 1],
    );
    const claimFrom = await feedEnd(world);
    assert.equal((await book(world, e.id, e.waits[0], world.customer(e.waits[0]))).status, 200);
    const [ended, claimed] = await feedSince(world, claimFrom);
    assert.deepEqual(
      [ended.kind, ended.payload.reason, ended.payload.customer],
      ['waitlist.ended', 'claimed', e.waits[0]],
    );
    assert.deepEqual([claimed.kind, claimed.payload.from], ['event_registration.created', 'claim']);
    assert.deepEqual(await seats(world, e.id), { attending: 1, held: 0, waiting: 1, booked: 1 });
  });

  test('a customer who leaves with a reserved place passes it on', async () => {
    const e = await fullEvent(1, 2);
    await unregister(e.id, e.in[0]);
    const from = await feedEnd(world);
    await leave(e.id, e.waits[0]);
    assert.deepEqual(await kinds(from), ['waitlist.left', 'waitlist.offered']);
    assert.equal((await lastSpot(e.id, e.waits[1])).status, 'spot_reserved');
    await leave(e.id, e.waits[1]);
    assert.deepEqual(await seats(world, e.id), { attending: 0, held: 0, waiting: 0, booked: 0 });
  });

  test('a place that is not claimed goes to the next customer automatically, moments after it expires', async () => {
    const e = await fullEvent(1, 2);
    // The next full minute is half an hour before the last one, so the claim window has ended as soon as the clock is
    // right again.
    const minute = Math.floor(world.now / MINUTE) * MINUTE;
    world.setNow(minute - 31 * MINUTE + 1000);
    await unregister(e.id, e.in[0]);
    const from = await feedEnd(world);
    const expiry = Date.parse((await lastSpot(e.id, e.waits[0])).reserved_spot_expires_at);
    world.resetNow();
    await until(
      'the place is kept for the next',
      async () => (await lastSpot(e.id, e.waits[1])).status === 'spot_reserved',
    );
    assert.equal(expiry, minute);
    assert.deepEqual(await kinds(from), ['waitlist.expired', 'waitlist.offered']);
    assert.equal((await lastSpot(e.id, e.waits[0])).status, 'expired');
    assert.equal((await book(world, e.id, e.waits[0])).body.code, 'event_full');
    assert.deepEqual(await seats(world, e.id), { attending: 0, held: 1, waiting: 0, booked: 0 });
  });

  test('a job that runs too early expires nothing and is enqueued again', async () => {
    const e = await fullEvent(1, 1);
    await unregister(e.id, e.in[0]);
    const from = await feedEnd(world);
    const queued = await world.work(world.harbour, async (work) => {
      await expirePlaces(work, e.id);
      return work.takeRecords().length;
    });
    assert.equal(queued, 1);
    assert.deepEqual(await kinds(from), []);
    assert.equal((await lastSpot(e.id, e.waits[0])).status, 'spot_reserved');
  });

  test('in quiet hours the claim window begins when they end', async () => {
    await settings({ quiet_hours_start: '22:00', quiet_hours_end: '07:00' });
    const night = Date.parse('2027-06-11T03:00:00Z');
    world.setNow(night - 24 * HOUR);
    try {
      const e = await fullEvent(1, 1, { in: 72 });
      world.setNow(night);
      await unregister(e.id, e.in[0]);
      assert.equal((await lastSpot(e.id, e.waits[0])).reserved_spot_expires_at, '2027-06-11T07:30:00-04:00');
    } finally {
      world.resetNow();
      await settings({ quiet_hours_start: null, quiet_hours_end: null });
    }
  });

  test('reserved places count: capacity cannot go below them, and raising it offers more', async () => {
    const e = await fullEvent(2, 3);
    for (const customer of e.in) await unregister(e.id, customer);
    assert.equal(
      (await world.patch(`/events/${e.id}`, { as: as(), body: { max_occupancy: 1 } })).body.code,
      'capacity_below_bookings',
    );
    await world.patch(`/events/${e.id}`, { as: as(), body: { max_occupancy: 3 } });
    assert.deepEqual(await seats(world, e.id), { attending: 0, held: 3, waiting: 0, booked: 0 });
  });
});

describe('telling everybody', () => {
  before(() => policy(step('broadcast')));

  test('the first to book gets the place; a customer on the waitlist who books leaves it', async () => {
    const e = await fullEvent(1, 2);
    const from = await feedEnd(world);
    await unregister(e.id, e.in[0]);
    assert.deepEqual(
      (await feedSince(world, from)).map((i) => i.payload.customers ?? i.kind),
      ['event_registration.cancelled', e.waits],
    );
    assert.equal((await book(world, e.id, e.waits[1])).status, 200);
    assert.deepEqual(await seats(world, e.id), { attending: 1, held: 0, waiting: 1, booked: 1 });
    assert.equal((await book(world, e.id, e.waits[0])).body.code, 'event_full');
  });

  test('the steps of the policy follow each other by the time to the start', async () => {
    await policy({ until_minutes_before: 120, action: 'reserve', claim_minutes: 10 }, step('broadcast'));
    const far = await fullEvent(1, 1, { in: 3 });
    await unregister(far.id, far.in[0]);
    assert.equal((await seats(world, far.id)).held, 1);
    const near = await fullEvent(1, 1, { in: 1 });
    await unregister(near.id, near.in[0]);
    assert.equal((await seats(world, near.id)).held, 0);
  });
});

test('two requests for the same last place by the same customer are one booking', async () => {
  await policy(step('auto_promote'));
  const [customer] = await newCustomers(world, 1);
  const { id } = await newEvent(world, place, { max_occupancy: 1 });
  const staff = viewer({
    mode: 'customer',
    providerId: world.harbour,
    actor: 'test',
    permissions: new Set(),
    staffId: null,
    customerId: customer,
    venues: null,
  });
  const [first, second] = await world.app.db.transaction(world.harbour, (tx) => {
    const tenant = { providerId: world.harbour, zone: 'America/Toronto', currency: 'CAD', words: DEFAULT_WORDS };
    const { registry } = world.app;
    const work = new Work({ tx, registry, tenant, viewer: staff, now: world.now, requestId: 'r' });
    const item = { work, customer, comped: false, named: null };
    return register(tx, [item, item], { event: id, commit: false });
  });
  assert.ok(!(first instanceof Error));
  assert.deepEqual(second, first);
  assert.equal((await seats(world, id)).booked, 1);
});
