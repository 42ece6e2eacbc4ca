import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { People } from '../../../../test/people.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import {
  book,
  feedEnd,
  feedSince,
  iso,
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  newVenue,
  type Place,
} from '../../../../test/schedule-world.ts';

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());

const as = () => world.machine;
const nameOf = (application: number): Promise<string> =>
  world.work(
    world.harbour,
    async ({ tx }) => (await tx.one(sql`SELECT name FROM application WHERE id = ${application}`))!.name,
  );
const mark = (attendance: number, status: string, who = as()) =>
  world.patch(`/attendances/${attendance}`, { as: who, body: { status } });

test('every filter and sort order of attendances works as documented', async () => {
  const [venue, offering] = [await newVenue(world), await newOffering(world)];
  const [x, y] = [(await newCustomers(world, 1))[0], (await newCustomers(world, 1))[0]];
  const near = await newEvent(world, { venue, offering }, { in: 24 });
  const far = await newEvent(world, { ...place, offering }, { in: 48 });
  const id = async (event: number, customer: number) => (await book(world, event, customer)).body.attendance as number;
  const [a, b, c] = [await id(near.id, x), await id(far.id, x), await id(near.id, y)];
  await mark(c, 'attended');
  await world.post(`/events/${far.id}/unregister`, { as: as(), body: { customer: x } });
  const found = async (query: string) => {
    const answer = await world.get(`/attendances?offering_types=${offering}&fields=id&${query}`, { as: as() });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.results.map((r: any) => r.id);
  };
  const between = encodeURIComponent(iso(world.now + 36 * 3_600_000));
  const local = (await world.get(`/events/${far.id}`, { as: as() })).body.starts_at.slice(0, 19);
  const cases: [string, number[]][] = [
    [`customer=${x}`, [a, b]],
    [`event=${near.id}`, [a, c]],
    [`event=${near.id},${far.id}&customer=${y}`, [c]],
    ['status=registered', [a]],
    ['status=attended,not_registered', [b, c]],
    ['status=plans_to_attend', [a]],
    [`event_starts_at_gte=${between}`, [b]],
    [`event_starts_at_lte=${between}`, [a, c]],
    [`event_local_starts_at_gte=${local}`, [b]],
    [`event_local_starts_at_lte=${local}`, [a, b, c]],
    [`venue=${venue}`, [a, c]],
    ['event_applicable_to_recurring_reservation=1', []],
  ];
  for (const [query, ids] of cases)
    assert.deepEqual(
      (await found(query)).toSorted((m: number, n: number) => m - n),
      ids,
      query,
    );
  assert.deepEqual(
    [await found('sort=event_starts_at'), await found('sort=-event_starts_at')],
    [
      [a, c, b],
      [b, c, a],
    ],
  );
  assert.equal((await found('sort=-customer.created_at'))[0], c);
});

test('customers see the bookings of their family only', async () => {
  const [me, other] = await newCustomers(world, 2);
  const child = (
    await world.post(`/customers/${me}/add_child`, { as: as(), body: { first_name: 'Bo', last_name: 'X' } })
  ).body.id;
  const event = await newEvent(world, place);
  const [mine, childs, others] = [
    (await book(world, event.id, me)).body.attendance,
    (await book(world, event.id, child)).body.attendance,
    (await book(world, event.id, other)).body.attendance,
  ];
  const list = await world.get(`/attendances?event=${event.id}`, { as: world.customer(me) });
  assert.deepEqual(
    list.body.results.map((r: any) => r.id).toSorted((a: number, b: number) => a - b),
    [mine, childs],
  );
  assert.equal((await world.get(`/attendances/${others}`, { as: world.customer(me) })).status, 404);
  assert.equal((await world.get(`/attendances/${mine}`)).status, 401);
  assert.equal((await world.get(`/attendances/${mine}`, { as: world.meadowMachine })).status, 404);
});

test('marks follow each other and are recorded once; repeating a mark records nothing', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const { attendance } = (await book(world, event.id, customer)).body;
  const from = await feedEnd(world);
  for (const status of ['attended', 'attended', 'no_show', 'registered', 'registered'])
    assert.equal((await mark(attendance, status)).body.status, status);
  assert.deepEqual(
    (await feedSince(world, from)).map((i) => i.kind),
    ['attendance.attended', 'attendance.no_show', 'attendance.corrected'],
  );
  await mark(attendance, 'attended');
  assert.equal(
    (await world.post(`/events/${event.id}/unregister`, { as: as(), body: { customer } })).body.code,
    'attendance_already_marked',
  );
  assert.equal((await book(world, event.id, customer)).body.attendance, attendance);
});

test('a cancelled booking and one of a cancelled event cannot be marked', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const { attendance } = (await book(world, event.id, customer)).body;
  await world.post(`/events/${event.id}/unregister`, { as: as(), body: { customer } });
  assert.equal((await mark(attendance, 'attended')).body.code, 'not_registered');
  await world.post(`/events/${event.id}/cancel`, { as: as(), body: {} });
  assert.equal((await mark(attendance, 'attended')).body.code, 'event_cancelled');
});

test('a customer who books again after a cancellation has the same attendance, as if it had not been cancelled', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const { attendance } = (await book(world, event.id, customer)).body;
  await world.post(`/events/${event.id}/unregister`, { as: as(), body: { customer } });
  assert.equal((await book(world, event.id, customer)).body.attendance, attendance);
  const { body } = await world.get(`/attendances/${attendance}?expand=cancelled_at,registered_at`, { as: as() });
  assert.deepEqual([body.status, body.cancelled_at], ['registered', null]);
});

test('a booking names the application that it was made through, even one of another business, and no other', async () => {
  const people = await People.of(world);
  const source = { id: people.application.id, name: await nameOf(people.application.id) };
  const user = await people.account();
  const [here, there] = [await people.customer(user), await people.customer(user, {}, world.meadow)];
  const app = (await people.tokens(user)).access_token;
  const sourceOf = async (attendance: number, machine = as()) =>
    (await world.get(`/attendances/${attendance}`, { as: machine })).body.booking_source;
  const event = await newEvent(world, place);
  const through = await world.post(`/events/${event.id}/register`, {
    as: app,
    provider: world.harbour,
    body: { customer: here },
  });
  assert.equal(through.status, 200, through.text);
  const { attendance } = through.body;
  assert.deepEqual(await sourceOf(attendance), source);
  await mark(attendance, 'attended');
  assert.deepEqual(await sourceOf(attendance), source, 'a mark is no booking');
  assert.deepEqual((await world.get('/attendances?fields=booking_source', { as: world.customer(here) })).body.results, [
    { booking_source: source },
  ]);

  const [venue, offering] = [await newVenue(world, {}, world.meadow), await newOffering(world, {}, world.meadow)];
  const away = await newEvent(world, { venue, offering }, { as: world.meadowMachine });
  const elsewhere = await world.post(`/events/${away.id}/register`, {
    as: app,
    provider: world.meadow,
    body: { customer: there },
  });
  assert.deepEqual(await sourceOf(elsewhere.body.attendance, world.meadowMachine), source);

  const again = await newEvent(world, place);
  const first = (
    await world.post(`/events/${again.id}/register`, { as: app, provider: world.harbour, body: { customer: here } })
  ).body.attendance;
  await world.post(`/events/${again.id}/unregister`, { as: as(), body: { customer: here } });
  assert.deepEqual(await sourceOf(first), source);
  await book(world, again.id, here);
  assert.equal(await sourceOf(first), null, 'the booking that stands was made without one');
});

test('only staff can mark, not customers', async () => {
  const [customer] = await newCustomers(world, 1);
  const event = await newEvent(world, place);
  const { attendance } = (await book(world, event.id, customer)).body;
  assert.equal((await mark(attendance, 'attended', world.customer(customer))).status, 403);
  assert.equal((await mark(attendance, 'attended', world.staff(['revenue']))).status, 403);
  assert.equal((await mark(attendance, 'late_cancelled')).status, 400);
});

test('a first visit is one before which the customer attended nothing', async () => {
  const [customer] = await newCustomers(world, 1);
  const [early, middle, late] = await Promise.all([24, 48, 72].map((hours) => newEvent(world, place, { in: hours })));
  for (const { id } of [early, middle, late]) await book(world, id, customer);
  const firsts = async () => {
    const path = `/attendances?customer=${customer}&sort=event_starts_at&fields=id,is_first_visit`;
    const { body } = await world.get(path, { as: as() });
    return body.results.map((one: any) => one.is_first_visit);
  };
  const { results } = (await world.get(`/attendances?customer=${customer}&sort=event_starts_at`, { as: as() })).body;
  assert.ok(results.every((one: any) => !('is_first_visit' in one)));
  // A customer who is booked has not attended yet, and an absent one never did.
  await mark(results[0].id, 'no_show');
  assert.deepEqual(await firsts(), [true, true, true]);
  await mark(results[1].id, 'attended');
  assert.deepEqual(await firsts(), [true, true, false]);
  await mark(results[0].id, 'attended');
  assert.deepEqual(await firsts(), [true, false, false]);
});
