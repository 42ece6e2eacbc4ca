import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  book,
  iso,
  newCustomers,
  newEvent,
  newInstructor,
  newOffering,
  newPlace,
  newVenue,
  row,
  type Place,
} from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from '../../../../test/world.ts';
import type { StaffPermission } from '../../../people/staff/index.ts';

let world: World;
let here: Place;
let there: Place;
/** has all permissions for places, but only at `here` */
let limited: string;
before(async () => {
  world = await startWorld();
  [here, there] = [await newPlace(world), await newPlace(world)];
  limited = at(['manage_events', 'attendances', 'pos'], here.venue);
});
after(() => world.close());

const at = (permissions: readonly StaffPermission[], ...venues: number[]) =>
  world.staff(permissions, null, world.harbour, venues);

function refused({ status, body, text }: ApiAnswer): void {
  assert.deepEqual([status, body.code], [403, 'permission_denied'], text);
  assert.match(body.message, new RegExp(`^Your permissions apply only at some venues \\(${here.venue}\\); `));
}
const planned = (place: Place, over: object = {}) => ({
  name: 'Rowing',
  venue: place.venue,
  offering_type: place.offering,
  starts_at: iso(world.now + 9e7),
  ends_at: iso(world.now + 93_600_000),
  ...over,
});
const read = async (id: number) =>
  (await world.get(`/events/${id}?fields=name,venue,status`, { as: world.machine })).body;

test('staff of a venue plan, change, book and mark there as they would without a limit', async () => {
  const [customer] = await newCustomers(world, 1);
  const made = await world.post('/events', { as: limited, body: planned(here, { max_occupancy: 1 }) });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body;
  assert.equal((await world.patch(`/events/${id}`, { as: limited, body: { name: 'Sculling' } })).status, 200);
  const booked = await book(world, id, customer, limited);
  assert.equal(booked.status, 200, booked.text);
  assert.equal(
    (await world.get(`/events/${id}/explain?customer=${customer}`, { as: limited })).body.current_status,
    'registered',
  );
  assert.deepEqual(
    (await world.get(`/attendances?event=${id}`, { as: limited })).body.results.map((a: any) => a.id),
    [booked.body.attendance],
  );
  assert.equal((await world.post(`/events/${id}/confirm_attendance`, { as: limited, body: { customer } })).status, 200);
  assert.equal((await world.post(`/events/${id}/cancel`, { as: limited, body: {} })).status, 200);
});

test('an event elsewhere is visible as it is to visitors: a private one is not found, and none of its bookings is shown', async () => {
  const [customer] = await newCustomers(world, 1);
  const hidden = await newEvent(world, {
    ...there,
    offering: await newOffering(world, { customer_visibility: 'private' }),
  });
  const shown = await newEvent(world, there);
  await book(world, shown.id, customer);
  assert.equal((await world.get(`/events/${hidden.id}`, { as: limited })).status, 404);
  assert.equal((await world.patch(`/events/${hidden.id}`, { as: limited, body: { name: 'x' } })).status, 404);
  const asked = `?active_customer=${customer}&expand=active_registration_status`;
  assert.equal((await world.get(`/events/${shown.id}${asked}`, { as: limited })).body.active_registration_status, null);
  assert.equal(
    (await world.get(`/events/${shown.id}${asked}`, { as: world.machine })).body.active_registration_status
      .current_status,
    'registered',
  );
  assert.deepEqual((await world.get(`/events/${shown.id}`, { as: limited })).body.small_session_attendances, []);
  assert.deepEqual((await world.get(`/attendances?customer=${customer}`, { as: limited })).body.results, []);
});

// Guards against: Staff of one venue read or act at another
test('staff who are limited to a venue can’t move events to or away from another one', async () => {
  const [mine, theirs] = [await newEvent(world, here), await newEvent(world, there, { external_id: 'theirs' })];
  refused(await world.patch(`/events/${mine.id}`, { as: limited, body: { venue: there.venue } }));
  refused(await world.patch(`/events/${theirs.id}`, { as: limited, body: { venue: here.venue } }));
  refused(
    await world.put('/events/external_id:theirs', { as: limited, body: planned({ ...there, venue: here.venue }) }),
  );
  refused(await world.put('/events/external_id:new', { as: limited, body: planned(there) }));
  assert.equal((await read(mine.id)).venue, here.venue);
  assert.deepEqual(await read(theirs.id), { name: 'Rowing', venue: there.venue, status: 'active' });
  assert.equal((await world.put('/events/external_id:new', { as: limited, body: planned(here) })).status, 200);
});

test('a series is changed and cancelled as a whole only by staff of all its venues', async () => {
  const first = await newEvent(world, here, { recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } });
  const { results } = (await world.get(`/events?series=${first.series}&fields=id`, { as: world.machine })).body;
  const moved = results[2].id;
  const venue = await newVenue(world);
  assert.equal((await world.patch(`/events/${moved}`, { as: world.machine, body: { venue } })).status, 200);
  for (const applies_to of ['all', 'following']) {
    refused(await world.patch(`/events/${first.id}`, { as: limited, body: { name: 'Eights', applies_to } }));
    refused(await world.post(`/events/${first.id}/cancel`, { as: limited, body: { applies_to } }));
  }
  assert.deepEqual(await read(first.id), { name: 'Rowing', venue: here.venue, status: 'active' });
  const both = at(['manage_events'], here.venue, venue);
  assert.equal(
    (await world.patch(`/events/${first.id}`, { as: both, body: { name: 'Eights', applies_to: 'all' } })).status,
    200,
  );
  assert.equal((await read(moved)).name, 'Eights');
  assert.equal((await world.get(`/event_series/${first.series}`, { as: limited })).status, 200);
  assert.equal((await world.get(`/event_series/${first.series}`, { as: at(['manage_events'], venue) })).status, 404);
});

test('a bulk action over several venues is refused, and one at a single venue is visible to its staff only', async () => {
  const [mine, theirs] = [await newEvent(world, here), await newEvent(world, there)];
  refused(await world.post('/events/bulk_cancel', { as: limited, body: { events: { ids: [mine.id, theirs.id] } } }));
  const hidden = await newEvent(world, {
    ...there,
    offering: await newOffering(world, { customer_visibility: 'private' }),
  });
  const unknown = await world.post('/events/bulk_cancel', {
    as: limited,
    body: { events: { ids: [mine.id, hidden.id] } },
  });
  assert.deepEqual(unknown.body.field_errors, { 'events.ids': [`There is no event with the id ${hidden.id}.`] });
  const started = await world.post('/events/bulk_cancel', { as: limited, body: { events: { ids: [mine.id] } } });
  assert.equal(started.status, 200, started.text);
  const watch = async (as: string) => [
    (await world.get(`/bulk_actions/${started.body.id}/results`, { as })).status,
    (await world.get(`/jobs/${started.body.job}`, { as })).status,
  ];
  assert.deepEqual(await watch(limited), [200, 200]);
  assert.deepEqual(await watch(at(['manage_events'], there.venue)), [404, 404]);
});

test('a bulk action skips events that have moved to another venue since it was requested', async () => {
  const event = await newEvent(world, here);
  const started = await world.post('/events/bulk_cancel', { as: limited, body: { events: { ids: [event.id] } } });
  await world.patch(`/events/${event.id}`, { as: world.machine, body: { venue: there.venue } });
  await world.work(world.harbour, (work) =>
    world.app.registry.jobs.get('bulk_cancel_events')!.run(work, { bulk_action: started.body.id }),
  );
  const [result] = (await world.get(`/bulk_actions/${started.body.id}/results`, { as: world.machine })).body.results;
  assert.deepEqual([result.status, (await read(event.id)).status], ['error', 'active']);
  assert.match(result.error_message, /has moved to another one/);
});

test('limited staff who teach at another venue cannot mark there', async () => {
  const [customer] = await newCustomers(world, 1);
  const { instructor, staff } = await newInstructor(world);
  const event = await newEvent(world, there, { instructors: [instructor] });
  await book(world, event.id, customer);
  const as = (venues: number[] | null) => world.staff(['instructor_attendances'], staff, world.harbour, venues);
  refused(await world.post(`/events/${event.id}/confirm_attendance`, { as: as([here.venue]), body: { customer } }));
  assert.equal(
    (await world.post(`/events/${event.id}/confirm_attendance`, { as: as([there.venue]), body: { customer } })).status,
    200,
  );
});

test('limited staff cannot move a booking to an event at another venue, or from one', async () => {
  const [customer] = await newCustomers(world, 1);
  const [from, near, far] = [await newEvent(world, here), await newEvent(world, here), await newEvent(world, there)];
  const { attendance } = (await book(world, from.id, customer)).body;
  const move = (id: number, event: number) =>
    world.post(`/attendances/${id}/move`, { as: at(['attendances'], here.venue), body: { event } });
  refused(await move(attendance, far.id));
  const moved = await move(attendance, near.id);
  assert.equal(moved.status, 200, moved.text);
  const elsewhere = await world.post(`/attendances/${moved.body.id}/move`, {
    as: world.machine,
    body: { event: far.id },
  });
  assert.equal((await move(elsewhere.body.id, near.id)).status, 404);
});

test('limited staff who teach a private event elsewhere do not see it', async () => {
  const { instructor } = await newInstructor(world);
  const hidden = await newEvent(world, {
    ...there,
    offering: await newOffering(world, { customer_visibility: 'private' }),
  });
  await world.patch(`/events/${hidden.id}`, { as: world.machine, body: { instructors: [instructor] } });
  const ids = async (as: string) =>
    (await world.get(`/instructors?event=${hidden.id}`, { as })).body.results.map((i: any) => i.id);
  assert.deepEqual([await ids(limited), await ids(world.machine)], [[], [instructor]]);
});

test('if a check-in counts for the whole business, staff of another venue learn that the day is used, but not where', async () => {
  const [customer] = await newCustomers(world, 1);
  const settings = (granularity: string) =>
    world.patch('/checkins/settings', { as: world.machine, body: { granularity } });
  const body = { customer, date: '2030-05-01', venue: there.venue };
  refused(await world.post('/checkins', { as: limited, body }));
  await settings('business');
  assert.equal((await world.post('/checkins', { as: world.machine, body })).status, 201);
  const again = await world.post('/checkins', { as: limited, body: { ...body, venue: here.venue } });
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'], again.text);
  assert.doesNotMatch(again.text, new RegExp(`\\b${there.venue}\\b`));
  await settings('venue');
  assert.equal((await world.post('/checkins', { as: limited, body: { ...body, venue: here.venue } })).status, 201);
});

test('an archived venue or room elsewhere is not found, because visitors do not see it either', async () => {
  const closed = await newVenue(world, { archived: true });
  const room = await row(world, 'venue_room', { name: 'Loft', venue_id: there.venue, status: 'archived' });
  for (const path of [`/venues/${closed}`, `/venue_rooms/${room}`]) {
    assert.equal((await world.get(path, { as: limited })).status, 404);
    assert.equal((await world.get(path, { as: world.machine })).status, 200);
  }
});

test('the limit applies to places only: customers are found and read as before', async () => {
  const [customer] = await newCustomers(world, 1);
  const as = at(['customers'], here.venue);
  assert.equal((await world.patch(`/customers/${customer}`, { as, body: { first_name: 'Mo' } })).status, 200);
  await world.patch(`/customers/${customer}`, { as, body: { venue: there.venue } });
  assert.equal(
    (await world.get(`/customers/${customer}?fields=customer_venue`, { as })).body.customer_venue,
    there.venue,
  );
});

test('the count of a list of bookings includes only those that the viewer sees, not all of the business', async () => {
  const customers = await newCustomers(world, 3);
  const [mine, theirs] = [await newEvent(world, await newPlace(world)), await newEvent(world, there)];
  for (const customer of customers) await book(world, theirs.id, customer);
  await book(world, mine.id, customers[0]);
  const count = async (as: string) => (await world.get('/attendances?page_size=1', { as })).body.count;
  const [all] = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ n: number }>(sql`SELECT count(*) AS n FROM attendance WHERE provider_id = ${world.harbour}`),
  );
  assert.equal(await count(world.machine), all.n);
  assert.equal(await count(at(['attendances'], mine.venue)), 1);
});

test('a super admin is limited nowhere, regardless of their profile', async () => {
  const event = await newEvent(world, there);
  assert.equal(
    (await world.patch(`/events/${event.id}`, { as: at(['super_admin'], here.venue), body: { name: 'Eights' } }))
      .status,
    200,
  );
});

test('staff limited to no venue at all can act nowhere', async () => {
  const event = await newEvent(world, here);
  assert.equal(
    (await world.patch(`/events/${event.id}`, { as: at(['manage_events']), body: { name: 'Eights' } })).status,
    403,
  );
  assert.deepEqual((await world.get('/attendances', { as: at(['attendances']) })).body.results, []);
});
