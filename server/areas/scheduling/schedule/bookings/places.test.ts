import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  book,
  feedEnd,
  feedSince,
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  newVenue,
  type Place,
} from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

const CALL = 'https://meet.example.com/both';

let world: World;
let place: Place;
let online: number;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
  online = await newVenue(world, { venue_type: 'online', name: 'Video call', video_url: CALL });
});
after(() => world.close());

const post = (path: string, body: object, as = world.machine): Promise<any> => world.post(path, { as, body });
const patch = (event: number, body: object): Promise<any> =>
  world.patch(`/events/${event}`, { as: world.machine, body });
const bookAt = (event: number, customer: number, at: string) =>
  post(`/events/${event}/register`, { customer, place: at });
const wait = (event: number, customer: number, at: string) =>
  post(`/events/${event}/join_waitlist`, { customer, place: at });

/** Creates a class with one place at the venue and two online, unless told otherwise. */
const both = async (over: Record<string, unknown> = {}): Promise<number> =>
  (await newEvent(world, place, { max_occupancy: 1, online_venue: online, online_max_occupancy: 2, ...over })).id;

/** Returns the counts of an event at the venue and online, after checking them against the rows. */
async function counts(event: number): Promise<number[][]> {
  const row = await world.work(world.harbour, ({ tx }) =>
    tx.one<Record<string, number>>(sql`SELECT e.*,
      (SELECT count(*)::int FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id
        AND a.place = 'venue' AND holds_seat(a.status)) AS there,
      (SELECT count(*)::int FROM attendance a WHERE a.provider_id = e.provider_id AND a.event_id = e.id
        AND a.place = 'online' AND holds_seat(a.status)) AS away
      FROM event e WHERE e.provider_id = ${world.harbour} AND e.id = ${event}`),
  );
  assert.deepEqual([row!.attending_count, row!.online_attending_count], [row!.there, row!.away]);
  return [
    [row!.attending_count, row!.held_count, row!.waiting_count],
    [row!.online_attending_count, row!.online_held_count, row!.online_waiting_count],
  ];
}

test('the places at the venue and online of one event are booked separately, and nobody has both', async () => {
  const event = await both();
  const [a, b, c, d] = await newCustomers(world, 4);
  assert.equal((await book(world, event, a)).status, 200);
  const full = await bookAt(event, b, 'venue');
  assert.deepEqual([full.status, full.body.code], [400, 'event_full']);
  assert.match(full.body.message, /there are places online/);
  for (const customer of [b, c]) assert.equal((await bookAt(event, customer, 'online')).status, 200);
  assert.equal((await bookAt(event, d, 'online')).body.code, 'event_full');
  const other = await bookAt(event, a, 'online');
  assert.deepEqual([other.status, other.body.code], [400, 'already_registered']);
  assert.equal((await bookAt(event, b, 'online')).status, 200, 'booking again is the same booking');
  assert.deepEqual(await counts(event), [
    [1, 0, 0],
    [2, 0, 0],
  ]);
  const shown = await world.get(
    `/events/${event}?fields=is_full,is_online_full,online_venue.name,online_max_occupancy,online_attending_count`,
    {},
  );
  assert.deepEqual(shown.body, {
    is_full: true,
    is_online_full: true,
    online_venue: { name: 'Video call' },
    online_max_occupancy: 2,
    online_attending_count: 2,
  });
  const plain = await newEvent(world, place);
  assert.equal((await bookAt(plain.id, a, 'online')).body.code, 'no_online_places');
  assert.equal((await wait(plain.id, a, 'online')).body.code, 'no_online_places');
});

test('many people who book both kinds at the same time get exactly the places that there are', async () => {
  const event = await both({ max_occupancy: 3, online_max_occupancy: 4 });
  const people = await newCustomers(world, 14);
  const got = await Promise.all(people.map((one, n) => bookAt(event, one, n % 2 === 0 ? 'venue' : 'online')));
  assert.equal(got.filter(({ status }) => status === 200).length, 7);
  assert.ok(got.every(({ status, body }) => status === 200 || body.code === 'event_full'));
  assert.deepEqual(await counts(event), [
    [3, 0, 0],
    [4, 0, 0],
  ]);
  await assert.rejects(
    world.work(world.harbour, ({ tx }) =>
      tx.run(sql`UPDATE attendance SET place = 'online' WHERE provider_id = ${world.harbour} AND event_id = ${event}`),
    ),
    { constraint: 'event_online_capacity' },
  );
});

test('each kind of place has a waitlist, and a freed place goes to the next who waits for that kind', async () => {
  const event = await both({ online_max_occupancy: 1 });
  const [room, call, waitsRoom, waitsCall, second] = await newCustomers(world, 5);
  await bookAt(event, room, 'venue');
  await bookAt(event, call, 'online');
  for (const [customer, at] of [
    [waitsRoom, 'venue'],
    [waitsCall, 'online'],
    [second, 'online'],
  ] as const)
    assert.equal((await wait(event, customer, at)).status, 200);
  assert.equal((await wait(event, second, 'venue')).status, 409, 'one waitlist at a time');
  assert.deepEqual(await counts(event), [
    [1, 0, 1],
    [1, 0, 2],
  ]);
  const spots = await world.get(
    `/attendances?event=${event}&fields=customer,place,waitlist_spot.place,waitlist_spot.position`,
    { as: world.machine },
  );
  assert.deepEqual(
    spots.body.results
      .flatMap((one: any) =>
        one.waitlist_spot ? [[one.customer, one.place, one.waitlist_spot.place, one.waitlist_spot.position]] : [],
      )
      .toSorted(),
    [
      [waitsRoom, 'venue', 'venue', 1],
      [waitsCall, 'online', 'online', 1],
      [second, 'online', 'online', 2],
    ].toSorted(),
  );
  assert.equal((await post(`/events/${event}/unregister`, { customer: call })).status, 200);
  assert.deepEqual(await counts(event), [
    [1, 0, 1],
    [1, 0, 1],
  ]);
  assert.equal((await patch(event, { online_max_occupancy: 2 })).status, 200);
  assert.deepEqual(await counts(event), [
    [1, 0, 1],
    [2, 0, 0],
  ]);
  const below = await patch(event, { online_max_occupancy: 1 });
  assert.deepEqual([below.status, below.body.code], [409, 'capacity_below_bookings']);
  assert.equal((await patch(event, { online_venue: null })).body.code, 'capacity_below_bookings');
});

test('a booking switches between the two while there is a place, which the waitlist of the other gets', async () => {
  const event = await both({ online_max_occupancy: 1 });
  const [a, waits] = await newCustomers(world, 2);
  const { attendance } = (await bookAt(event, a, 'venue')).body;
  await wait(event, waits, 'venue');
  const from = await feedEnd(world);
  const path = `/attendances/${attendance}/switch_place`;
  const preview = await world.post(`${path}?dry_run=true`, { as: world.customer(a), body: { place: 'online' } });
  assert.deepEqual(
    preview.body.effects.map(({ effect }: any) => effect).filter((effect: string) => effect !== 'message_sent'),
    ['place_switched', 'waitlist_promoted'],
  );
  assert.deepEqual(
    await counts(event),
    [
      [1, 0, 1],
      [0, 0, 0],
    ],
    'a dry run changes nothing',
  );
  const switched = await post(path, { place: 'online' }, world.customer(a));
  assert.deepEqual([switched.status, switched.body.place, switched.body.id], [200, 'online', attendance]);
  assert.deepEqual(await counts(event), [
    [1, 0, 0],
    [1, 0, 0],
  ]);
  assert.equal((await post(path, { place: 'online' })).status, 200, 'switching again changes nothing');
  assert.equal((await post(path, { place: 'venue' })).body.code, 'event_full');
  const kinds = (await feedSince(world, from)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'event_registration.switched').length, 1);
  assert.equal((await post(path, { place: 'venue' }, world.customer(waits))).status, 404);
});

test('only people with a place online get the link to the call', async () => {
  const event = await both();
  const [there, away] = await newCustomers(world, 2);
  await bookAt(event, there, 'venue');
  await bookAt(event, away, 'online');
  const link = (customer: number) => post(`/events/${event}/generate_online_access_link`, { customer });
  assert.equal((await link(there)).body.code, 'not_registered');
  assert.equal((await link(away)).status, 200);
  const { starts_at } = (await world.get(`/events/${event}`, {})).body;
  world.setNow(Date.parse(starts_at) - 60_000);
  const call = async (customer: number) =>
    (await world.get(`/venues/${online}`, { as: world.customer(customer) })).body.video_url;
  assert.deepEqual([await call(there), await call(away)], [null, CALL]);
  world.resetNow();
});

test('places online need an online venue, a number, and an event that takes place elsewhere', async () => {
  const event = (await newEvent(world, place)).id;
  for (const [body, field] of [
    [{ online_venue: place.venue, online_max_occupancy: 5 }, 'online_venue'],
    [{ online_venue: online }, 'online_max_occupancy'],
    [{ online_max_occupancy: 5 }, 'online_venue'],
    [{ venue: online, online_venue: online, online_max_occupancy: 5 }, 'online_venue'],
  ] as const) {
    const refused = await patch(event, body);
    assert.deepEqual([refused.status, Object.keys(refused.body.field_errors)], [400, [field]], JSON.stringify(body));
  }
  assert.equal((await patch(event, { online_venue: online, online_max_occupancy: 5 })).status, 200);
  const read = (await world.get(`/events/${event}`, { as: world.machine })).body;
  assert.deepEqual((await patch(event, read)).status, 200, 'an event that was read can be sent back');
  assert.equal((await patch(event, { online_max_occupancy: null })).body.online_venue, null);
});

test('a series, a reopened event and an explanation know the places online', async () => {
  const first = await newEvent(world, place, {
    max_occupancy: 1,
    online_venue: online,
    online_max_occupancy: 1,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
  });
  const all = await world.get(`/events?series=${first.series}&fields=online_max_occupancy`, { as: world.machine });
  assert.deepEqual(all.body.results, [{ online_max_occupancy: 1 }, { online_max_occupancy: 1 }]);
  const [a, b, c] = await newCustomers(world, 3);
  await bookAt(first.id, a, 'online');
  await bookAt(first.id, b, 'venue');
  const explained = async (at: string) =>
    (await world.get(`/events/${first.id}/explain?customer=${c}&place=${at}`, { as: world.machine })).body.can_book;
  assert.deepEqual([await explained('venue'), await explained('online')], [false, false]);
  assert.equal((await post(`/events/${first.id}/cancel`, {})).status, 200);
  assert.equal((await post(`/events/${first.id}/reopen`, {})).status, 200);
  assert.deepEqual(await counts(first.id), [
    [1, 0, 0],
    [1, 0, 0],
  ]);
  const { body } = await post('/registration_eligibility/check', { event: first.id, customers: [c], place: 'online' });
  assert.equal(body.results[0].code, 'event_full');
});

test('a place online can have its own price, which the refusal, the explanation and the account name', async () => {
  const offering = await newOffering(world, { dropin_price_minor: 2000, online_dropin_price_minor: 800 });
  const event = await both({ offering_type: offering });
  const [me, owes, given] = await newCustomers(world, 3);
  const as = world.customer(me);
  for (const [at, costs] of [
    ['venue', '20.00'],
    ['online', '8.00'],
  ]) {
    const refused = await post(`/events/${event}/register`, { place: at }, as);
    assert.equal(refused.body.code, 'payment_required');
    assert.match(refused.body.message, new RegExp(`\\$${costs}\\.`));
    const { rules } = (await world.get(`/events/${event}/explain?place=${at}`, { as })).body;
    assert.equal(rules.find(({ code }: any) => code === 'payment_required').facts.dropin_price, `$${costs}`);
    const checked = await post('/registration_eligibility/check', { event, place: at }, as);
    assert.match(checked.body.results[0].message, new RegExp(`\\$${costs}\\.`));
  }
  const { attendance } = (await bookAt(event, owes, 'online')).body;
  const charged = async () =>
    (await world.get(`/attendances/${attendance}?fields=charge.amount,charge.is_voided`, { as: world.machine })).body
      .charge;
  assert.equal((await charged()).amount.string, '8.00');
  const path = `/attendances/${attendance}/switch_place`;
  const refused = await post(path, { place: 'venue' }, world.customer(owes));
  assert.deepEqual([refused.status, refused.body.code], [409, 'other_price']);
  assert.equal((await post(path, { place: 'venue' })).status, 200, 'staff switch it');
  assert.equal((await charged()).amount.string, '20.00', 'the other price replaces the first');
  const comped = await post(`/events/${event}/register`, { customer: given, place: 'online', comped: true });
  await post(`/events/${event}/unregister`, { customer: owes });
  const free = await post(`/attendances/${comped.body.attendance}/switch_place`, { place: 'venue' });
  assert.deepEqual([free.status, free.body.charge], [200, null], free.text);
});

test('somebody who is booked waits for the other kind, keeps their place, and the place that they leave is passed on', async () => {
  const event = await both({ online_max_occupancy: 1 });
  const [there, away, waitsOnline] = await newCustomers(world, 3);
  await bookAt(event, there, 'venue');
  await bookAt(event, away, 'online');
  await wait(event, waitsOnline, 'online');
  assert.equal((await post(`/events/${event}/join_waitlist`, { customer: away })).body.code, 'already_registered');
  assert.equal((await wait(event, away, 'online')).body.code, 'already_registered');
  const joined = await wait(event, away, 'venue');
  assert.equal(joined.status, 200, joined.text);
  assert.equal((await wait(event, away, 'venue')).status, 200, 'joining again changes nothing');
  const standing = async () =>
    (await world.get(`/events/${event}?fields=active_registration_status.current_status`, { as: world.customer(away) }))
      .body.active_registration_status.current_status;
  assert.equal(await standing(), 'registered');
  assert.deepEqual(await counts(event), [
    [1, 0, 1],
    [1, 0, 1],
  ]);
  const from = await feedEnd(world);
  assert.equal((await post(`/events/${event}/unregister`, { customer: there })).status, 200);
  assert.deepEqual(
    await counts(event),
    [
      [1, 0, 0],
      [1, 0, 0],
    ],
    'the place online goes to the next person in the same moment',
  );
  const booked = await world.get(`/attendances?event=${event}&status=registered&fields=customer,place`, {
    as: world.machine,
  });
  assert.deepEqual(
    new Map(booked.body.results.map((one: any) => [one.customer, one.place])),
    new Map([
      [away, 'venue'],
      [waitsOnline, 'online'],
    ]),
  );
  const kinds = (await feedSince(world, from)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === 'event_registration.switched').length, 1);
  assert.equal(kinds.filter((kind) => kind === 'waitlist.promoted').length, 2);

  assert.equal((await wait(event, waitsOnline, 'venue')).status, 200);
  assert.equal((await post(`/events/${event}/unregister`, { customer: waitsOnline })).status, 200);
  assert.deepEqual(
    await counts(event),
    [
      [1, 0, 0],
      [0, 0, 0],
    ],
    'a customer who cancels no longer waits',
  );
});

test('a place that is kept for somebody who is booked is theirs when they switch', async () => {
  const policy = [{ until_minutes_before: null, action: 'reserve', claim_minutes: 60 }];
  const settings = { waitlist_settings: { waitlist_policy: policy } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings })).status, 200);
  const event = await both({ online_max_occupancy: 1 });
  const [there, away, late] = await newCustomers(world, 3);
  await bookAt(event, there, 'venue');
  const { attendance } = (await bookAt(event, away, 'online')).body;
  await wait(event, away, 'venue');
  await post(`/events/${event}/unregister`, { customer: there });
  assert.deepEqual(await counts(event), [
    [0, 1, 0],
    [1, 0, 0],
  ]);
  assert.equal((await bookAt(event, late, 'venue')).body.code, 'event_full');
  const switched = await post(`/attendances/${attendance}/switch_place`, { place: 'venue' }, world.customer(away));
  assert.deepEqual([switched.status, switched.body.place], [200, 'venue'], switched.text);
  assert.deepEqual(await counts(event), [
    [1, 0, 0],
    [0, 0, 0],
  ]);
});
