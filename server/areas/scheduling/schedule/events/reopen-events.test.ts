import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, contradictions, times } from '../../../../test/storm.ts';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newInstructor,
  newOffering,
  newPlace,
  row,
  seats,
  type Place,
} from '../../../../test/schedule-world.ts';
import { reopenEvents } from './reopen-events.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let place: Place;
let owner: pg.Client;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  owner = await beside(world.databaseUrl);
});
after(async () => {
  await owner.end();
  await world.close();
});

const get = async (path: string) => (await world.get(path, { as: world.machine })).body;
const act = (event: number, what: string, body: object = {}, query = '', as = world.machine) =>
  world.post(`/events/${event}/${what}${query}`, { as, body });
const cancelled = async (over: object = {}, at: Place = place): Promise<number> => {
  const { id } = await newEvent(world, at, over);
  await act(id, 'cancel');
  return id;
};
const registered = async (event: number) =>
  (await get(`/attendances?event=${event}&status=registered`)).results.map((a: any) => a.customer);
const room = (over: Record<string, unknown> = {}) =>
  row(world, 'venue_room', { venue_id: place.venue, name: 'Dock', ...over });

test('an event that is not cancelled, or would have started, is refused, and so is anyone who may not plan events', async () => {
  const { id } = await newEvent(world, place);
  assert.deepEqual([(await act(id, 'reopen')).status, (await act(id, 'reopen')).body.code], [409, 'conflict']);
  const past = await cancelled({ in: -1 });
  assert.equal((await act(past, 'reopen')).body.code, 'event_started');
  const gone = await cancelled();
  const [customer] = await newCustomers(world, 1);
  for (const as of [world.staff(['attendances']), world.customer(customer)])
    assert.equal((await act(gone, 'reopen', {}, '', as)).status, 403);
  assert.equal((await act(gone, 'reopen', {}, '', world.meadowMachine)).status, 404);
  const answer = await act(gone, 'reopen', {}, '', world.staff(['manage_events']));
  assert.deepEqual([answer.status, answer.body.status], [200, 'active'], answer.text);
});

test('bookings that ended with the event are restored, and those that were cancelled before are not', async () => {
  const [stays, left, late] = await newCustomers(world, 3);
  const { id } = await newEvent(world, place, { in: 30 });
  for (const customer of [stays, left, late]) await book(world, id, customer);
  await act(id, 'unregister', { customer: left });
  await act(id, 'unregister', { customer: late, is_late_cancel: true });
  world.setNow(world.now + 60_000);
  await act(id, 'cancel');
  const since = await feedEnd(world);
  const effects = (await act(id, 'reopen', {}, '?dry_run=true')).body.effects;
  assert.deepEqual(
    effects.map((e: any) => [e.effect, e.detail.customer ?? e.detail.bookings]),
    [
      ['booked', stays],
      ['event_reopened', 1],
    ],
  );
  assert.equal((await get(`/events/${id}`)).status, 'cancelled');
  await act(id, 'reopen');
  assert.deepEqual(await registered(id), [stays]);
  const items = await feedSince(world, since);
  assert.deepEqual(
    items.map((i) => [i.kind, i.payload.from ?? i.payload.notify]),
    [
      ['event.reopened', null],
      ['event_registration.created', 'reopened'],
    ],
  );
  await act(id, 'cancel');
  await act(id, 'reopen');
  assert.deepEqual(await registered(id), [stays], 'as often as it is cancelled and reopened');
});

test('booking rules that have changed since apply, and places that become free go to the waitlist', async () => {
  const limited = { ...place, offering: await newOffering(world) };
  const [adult, child, waits] = [
    await world.newCustomer({ date_of_birth: '1980-01-01' }),
    await world.newCustomer({ date_of_birth: '2020-01-01' }),
    await world.newCustomer({ date_of_birth: '1990-01-01' }),
  ];
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { waitlist_settings: { waitlist_policy: [{ until_minutes_before: null, action: 'auto_promote' }] } },
  });
  const { id } = await newEvent(world, limited, { in: 100, max_occupancy: 2 });
  for (const customer of [adult, child]) await book(world, id, customer);
  await act(id, 'join_waitlist', { customer: waits });
  await act(id, 'cancel');
  await world.patch(`/offering_types/${limited.offering}`, { as: world.machine, body: { min_allowed_age: 18 } });
  const since = await feedEnd(world);
  const { body } = await act(id, 'reopen', {}, '?dry_run=true');
  const why = body.effects.find((e: any) => e.effect === 'booking_not_restored').detail;
  assert.deepEqual([why.customer, why.reason], [child, 'not_allowed']);
  assert.match(why.because, /18/);
  await act(id, 'reopen');
  assert.deepEqual((await registered(id)).toSorted(), [adult, waits].toSorted());
  assert.deepEqual(await seats(world, id), { attending: 2, held: 0, waiting: 0, booked: 2 });
  assert.deepEqual(
    (await feedSince(world, since)).map((i) => i.kind),
    [
      'event.reopened',
      'event_registration.created',
      'event_registration.not_restored',
      'waitlist.restored',
      'waitlist.promoted',
      'event_registration.created',
    ],
  );
});

test('an archived reference keeps the event cancelled, and the refusal names it', async () => {
  const { instructor } = await newInstructor(world);
  const dock = await room();
  const offered = { ...place, offering: await newOffering(world) };
  const [taught, inRoom, offering] = [
    await cancelled({ instructors: [instructor] }),
    await cancelled({ venue_room: dock, in: 50 }),
    await cancelled({}, offered),
  ];
  await world.work(world.harbour, ({ tx }) =>
    tx.all([
      sql`UPDATE instructor SET archived = true WHERE provider_id = ${world.harbour} AND id = ${instructor}`,
      sql`UPDATE venue_room SET status = 'archived' WHERE provider_id = ${world.harbour} AND id = ${dock}`,
      sql`UPDATE offering_type SET status = 'archived'
        WHERE provider_id = ${world.harbour} AND id = ${offered.offering}`,
    ]),
  );
  assert.match((await act(taught, 'reopen')).body.message, /^Kim .* taught the event and is archived\./);
  assert.match((await act(inRoom, 'reopen')).body.message, /room is archived/);
  assert.match((await act(offering, 'reopen')).body.message, /offering type of the event is archived/);
  assert.deepEqual((await act(inRoom, 'reopen')).body.field_errors.venue_room, ['The room is archived.']);
});

test('exactly one of two cancelled events in a room is reopened, in any combination of concurrent requests', async () => {
  const dock = await room();
  for (let round = 0; round < 5; round++) {
    const over = { venue_room: dock, in: 200 + round * 10 };
    const both = [await cancelled(over), await cancelled(over)];
    const answers = await Promise.all(both.map((id) => act(id, 'reopen')));
    assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 409]);
    const refused = answers.find((a) => a.status === 409)!;
    const [won] = both.filter((_, i) => answers[i].status === 200);
    assert.equal(refused.body.code, 'room_taken');
    assert.match(refused.body.message, new RegExp(`“Rowing” \\(${won}\\)`));
  }
});

test('several events are reopened in one transaction; a refused one leaves nothing behind', async () => {
  const dock = await room();
  const [first, second] = [
    await cancelled({ venue_room: dock, in: 300 }),
    await cancelled({ venue_room: dock, in: 300 }),
  ];
  const third = await cancelled({ in: 300 });
  const since = await feedEnd(world);
  const against = await world.work(world.harbour, (work) =>
    reopenEvents(work, [third, second, first], { notify: null }),
  );
  assert.deepEqual([...against.keys()], [second]);
  assert.deepEqual(
    (await feedSince(world, since)).map((i) => [i.kind, i.payload.event]),
    [
      ['event.reopened', first],
      ['event.reopened', third],
    ],
  );
});

test('while events are concurrently cancelled, reopened and booked, no counter contradicts its rows', async () => {
  const people = await newCustomers(world, 6);
  const events = [
    (await newEvent(world, place, { in: 400, max_occupancy: 3 })).id,
    (await newEvent(world, place, { in: 410, max_occupancy: 3 })).id,
  ];
  const statuses = new Set<number>();
  await times(36, async (i) => {
    const event = events[i % 2];
    const customer = people[i % people.length];
    const what = ['register', 'cancel', 'reopen', 'join_waitlist', 'reopen', 'unregister'][i % 6];
    const { status } = await act(event, what, ['cancel', 'reopen'].includes(what) ? {} : { customer });
    statuses.add(status);
  });
  assert.ok(
    [...statuses].every((status) => status < 500),
    [...statuses].join(),
  );
  assert.deepEqual(await contradictions(owner, world), []);
});
