/** Moves of bookings from one event to another, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, feedEnd, feedSince, newCustomers, newEvent, row, seats } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let members: MembershipWorld;
before(async () => {
  world = await startWorld();
  members = await MembershipWorld.of(world);
});
after(() => world.close());

const move = (attendance: number, event: number, query = '', as = world.machine) =>
  world.post(`/attendances/${attendance}/move${query}`, { as, body: { event } });
const read = async (path: string) => (await world.get(path, { as: world.machine })).body;
const statusOf = async (attendance: number): Promise<string> => (await read(`/attendances/${attendance}`)).status;
const bookedOn = async (event: number): Promise<Set<number>> =>
  new Set((await read(`/attendances?event=${event}&status=registered`)).results.map((a: any) => a.customer));

test('a booking moves with the visit that pays for it, even after the cut-off, and in one transaction', async () => {
  const [customer] = await newCustomers(world, 1);
  const { id: pack } = await members.give(customer, await members.pack(1));
  const [today, tomorrow] = [
    await newEvent(world, members.place, { in: 0.25 }),
    await newEvent(world, members.place, { in: 24 }),
  ];
  const { attendance } = (await book(world, today.id, customer)).body;
  const since = await feedEnd(world);
  const preview = await move(attendance, tomorrow.id, '?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(
    preview.body.effects.map(({ effect }: any) => effect).filter((effect: string) => effect !== 'message_sent'),
    ['booking_cancelled', 'membership_credited', 'booked', 'membership_used'],
  );
  assert.deepEqual(
    preview.body.effects.filter(({ effect }: any) => effect === 'message_sent').map(({ detail }: any) => detail.type),
    ['event_registration_moved'],
  );
  assert.deepEqual([await statusOf(attendance), await feedSince(world, since)], ['registered', []]);

  const moved = await move(attendance, tomorrow.id);
  assert.equal(moved.status, 200, moved.text);
  const { id, event, status, customer_membership } = await read(`/attendances/${moved.body.id}`);
  assert.deepEqual([event, status, customer_membership], [tomorrow.id, 'registered', pack]);
  assert.equal(await statusOf(attendance), 'not_registered');
  assert.deepEqual(
    (await feedSince(world, since))
      .filter(({ kind }) => kind.startsWith('event_registration'))
      .map(({ kind, payload }) => [kind, payload.reason ?? payload.from ?? payload.from_attendance]),
    [
      ['event_registration.cancelled', 'moved'],
      ['event_registration.created', 'moved'],
      ['event_registration.moved', attendance],
    ],
  );
  assert.deepEqual([(await seats(world, today.id)).attending, (await seats(world, tomorrow.id)).attending], [0, 1]);
  // The same pack, which has one visit, has paid for both, one after the other.
  assert.equal((await move(id, today.id)).status, 200);
});

test('a booking that can’t move stays as it was', async () => {
  const [customer, other] = await newCustomers(world, 2);
  const pack = await members.pack(3);
  for (const one of [customer, other]) await members.give(one, pack);
  const today = await newEvent(world, members.place);
  const full = await newEvent(world, members.place, { in: 48, max_occupancy: 1 });
  await book(world, full.id, other);
  const { attendance } = (await book(world, today.id, customer)).body;
  const refused = await move(attendance, full.id);
  assert.deepEqual([refused.status, refused.body.code], [400, 'event_full'], refused.text);
  const same = await move(attendance, today.id);
  assert.deepEqual(Object.keys(same.body.field_errors ?? {}), ['event'], same.text);
  assert.equal(await statusOf(attendance), 'registered');
  const both = await newEvent(world, members.place, { in: 72 });
  await book(world, both.id, customer);
  const twice = await move(attendance, both.id);
  assert.equal(twice.body.code, 'already_registered', twice.text);
  await world.patch(`/attendances/${attendance}`, { as: world.machine, body: { status: 'attended' } });
  assert.equal((await move(attendance, full.id)).body.code, 'attendance_already_marked');
});

test('a booking without charge stays without charge, and the waitlist gets the freed place', async () => {
  const [customer, waiting] = await newCustomers(world, 2);
  await members.give(waiting, await members.pack(1));
  const today = await newEvent(world, members.place, { max_occupancy: 1 });
  const tomorrow = await newEvent(world, members.place, { in: 48 });
  const made = await world.post(`/events/${today.id}/register`, {
    as: world.machine,
    body: { customer, comped: true },
  });
  await world.post(`/events/${today.id}/join_waitlist`, { as: world.machine, body: { customer: waiting } });
  const moved = await move(made.body.attendance, tomorrow.id);
  assert.equal(moved.status, 200, moved.text);
  assert.equal((await read(`/attendances/${moved.body.id}?fields=customer_membership`)).customer_membership, null);
  const { attending, held, waiting: left } = await seats(world, today.id);
  assert.equal(attending + held + left, 1);
});

test('a cancelled event moves its bookings to another one, and cancels those that don’t fit', async () => {
  const [ana, ben, cleo, waiting] = await newCustomers(world, 4);
  const pack = await members.pack(1);
  for (const one of [ana, ben, cleo, waiting]) await members.give(one, pack);
  const today = await newEvent(world, members.place, { max_occupancy: 3 });
  const next = await newEvent(world, members.place, { in: 48, max_occupancy: 2 });
  for (const one of [ana, ben, cleo]) await book(world, today.id, one);
  await world.post(`/events/${today.id}/join_waitlist`, { as: world.machine, body: { customer: waiting } });
  const cancel = (query: string, over: object = {}) =>
    world.post(`/events/${today.id}/cancel${query}`, {
      as: world.machine,
      body: { move_bookings_to: next.id, notify: { email: { send: true } }, ...over },
    });
  const preview = await cancel('?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  const told = preview.body.effects.filter(({ effect }: any) => effect === 'message_sent');
  assert.deepEqual(Object.fromEntries(told.map(({ detail }: any) => [detail.type, detail.people])), {
    event_cancelled: 2,
    event_registration_moved: 2,
  });
  const moves = preview.body.effects.filter(({ effect }: any) => effect === 'booking_moved');
  assert.deepEqual(new Set(moves.map(({ detail }: any) => detail.customer)), new Set([ana, ben]));
  const { bookings } = preview.body.effects.find(({ effect }: any) => effect === 'event_cancelled').detail;
  assert.equal(bookings, 1);
  for (const over of [{ move_bookings_to: today.id }, { applies_to: 'all' }])
    assert.deepEqual(Object.keys((await cancel('', over)).body.field_errors), ['move_bookings_to']);

  assert.equal((await cancel('')).status, 200);
  assert.deepEqual(await bookedOn(next.id), new Set([ana, ben]));
  assert.equal((await seats(world, today.id)).waiting, 0);
  // The last booking got its visit back.
  const again = await newEvent(world, members.place, { in: 96 });
  assert.equal((await book(world, again.id, cleo)).status, 200);
  // Reopening returns what was cancelled with it; bookings that moved stay where they are.
  await world.post(`/events/${again.id}/cancel`, { as: world.machine, body: {} });
  await world.post(`/events/${today.id}/reopen`, { as: world.machine, body: {} });
  assert.deepEqual(await bookedOn(today.id), new Set([cleo, waiting]));
  assert.equal((await seats(world, next.id)).attending, 2);
});

test('instructors move bookings only between events that they teach, and customers move none', async () => {
  const staff = await row(world, 'staff', { first_name: 'Kim', last_name: 'Reyes', email: 'kim.moves@example.com' });
  const instructor = await row(world, 'instructor', { staff_id: staff, name: 'Kim Reyes' });
  const as = world.staff(['instructor_attendances'], staff);
  const [customer] = await newCustomers(world, 1);
  await members.give(customer, await members.pack(5));
  const [mine, alsoMine, other] = [
    await newEvent(world, members.place, { in: 100, instructors: [instructor] }),
    await newEvent(world, members.place, { in: 102, instructors: [instructor] }),
    await newEvent(world, members.place, { in: 104 }),
  ];
  const { attendance } = (await book(world, mine.id, customer)).body;
  assert.equal((await move(attendance, alsoMine.id, '', world.customer(customer))).status, 403);
  assert.equal((await move(attendance, other.id, '', as)).status, 403);
  const moved = await move(attendance, alsoMine.id, '', as);
  assert.equal(moved.status, 200, moved.text);
});
