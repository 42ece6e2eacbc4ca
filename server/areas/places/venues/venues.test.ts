import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { plantEvent } from '../../../test/worlds/planted-event.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const studio = (over: object = {}) => ({
  name: 'Studio',
  venue_type: 'physical',
  timezone: 'America/Vancouver',
  ...over,
});

async function open(over: object = {}): Promise<any> {
  const made = await world.post('/venues', { as: world.machine, body: studio(over) });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

async function room(venue: number, over: object = {}): Promise<any> {
  const made = await world.post('/venue_rooms', { as: world.machine, body: { name: 'Hall', venue, ...over } });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const patchVenue = (id: number, body: object, as = world.machine) => world.patch(`/venues/${id}`, { as, body });
const patchRoom = (id: number, body: object, as = world.machine) => world.patch(`/venue_rooms/${id}`, { as, body });
const ids = async (path: string, as: string | undefined = world.machine) =>
  (await world.get(`${path}${path.includes('?') ? '&' : '?'}fields=id`, { as })).body.results.map((r: any) => r.id);

test('a venue is created with its address in parts and in one line', async () => {
  const address = {
    street: '1 Water St',
    city: 'Victoria',
    region: 'BC',
    postal_code: 'V8V',
    country: 'CA',
    lat: 48.4,
    lng: -123.3,
  };
  const venue = await open({ physical_address: address });
  assert.equal(venue.object, 'venue');
  assert.equal(venue.address, '1 Water St, Victoria, BC, V8V');
  assert.deepEqual(venue.physical_address, { ...address, street_secondary: null });
  assert.deepEqual(
    [venue.lat, venue.lng, venue.is_online, venue.archived, venue.zoom_user],
    [48.4, -123.3, false, false, null],
  );
  assert.equal(venue.venue_rooms, `${world.url}/api/v2/venue_rooms?venue=${venue.id}`);
});

test('unknown parts of an address are null, never a place on the equator, and a response can be sent back', async () => {
  const address = { street: '1 Water St', city: 'Victoria', region: 'BC', postal_code: 'V8V', country: 'CA' };
  const venue = await open({ physical_address: address });
  const shown = { ...address, street_secondary: null, lat: null, lng: null };
  assert.deepEqual([venue.physical_address, venue.lat, venue.lng], [shown, null, null]);
  const again = await patchVenue(venue.id, { physical_address: venue.physical_address });
  assert.deepEqual([again.status, again.body.physical_address, again.body.lat], [200, shown, null]);
  const nowhere = await patchVenue(venue.id, { physical_address: null });
  assert.deepEqual(
    [nowhere.body.physical_address, nowhere.body.lat, nowhere.body.lng, nowhere.body.address],
    [null, null, null, ''],
  );
  const equator = await patchVenue(venue.id, {
    physical_address: { ...address, street_secondary: 'Rear', lat: 0, lng: 0 },
  });
  assert.deepEqual(
    [equator.body.physical_address, equator.body.lat],
    [{ ...address, street_secondary: 'Rear', lat: 0, lng: 0 }, 0],
  );
});

test('creating a venue records its feed item', async () => {
  const { id } = await open();
  await patchVenue(id, { name: 'Loft' });
  const items = await world.work(world.harbour, ({ tx }) =>
    tx.rows(sql`SELECT kind, payload FROM feed_item WHERE object = 'venue' AND object_id = ${id} ORDER BY id`),
  );
  assert.deepEqual(items, [
    { kind: 'venue.created', payload: { venue: id } },
    { kind: 'venue.updated', payload: { venue: id, changed: ['name'] } },
  ]);
});

test('the zone of a venue must be in the IANA database', async () => {
  for (const timezone of ['Mars/Olympus', 'america/toronto', '+02:00']) {
    const refused = await world.post('/venues', { as: world.machine, body: studio({ timezone }) });
    assert.equal(refused.status, 400, timezone);
    assert.ok(refused.body.field_errors.timezone);
  }
});

test('PATCH of a venue keeps absent values, clears null ones and sets the others', async () => {
  const venue = await open({ description: 'Bright', video_url: 'https://meet.example.com/1' });
  const patched = await patchVenue(venue.id, { video_url: null, name: 'Loft' });
  assert.deepEqual([patched.body.description, patched.body.video_url, patched.body.name], ['Bright', null, 'Loft']);
  const put = await world.put(`/venues/${venue.id}`, { as: world.machine, body: { name: 'Loft' } });
  assert.deepEqual(Object.keys(put.body.field_errors).toSorted(), ['timezone', 'venue_type']);
  assert.equal((await world.put(`/venues/${venue.id}`, { as: world.machine, body: studio() })).body.name, 'Studio');
});

test('only super admins create and change venues and rooms, and everybody sees them', async () => {
  const venue = await open();
  const hall = await room(venue.id);
  const manager = world.staff(['manage_events', 'customers']);
  for (const refused of [
    await world.post('/venues', { as: manager, body: studio() }),
    await patchVenue(venue.id, { name: 'X' }, manager),
    await world.post('/venue_rooms', { as: manager, body: { name: 'X', venue: venue.id } }),
    await patchRoom(hall.id, { name: 'X' }, manager),
  ]) {
    assert.equal(refused.body.code, 'permission_denied');
  }
  const customer = world.customer(await world.newCustomer());
  assert.equal((await patchVenue(venue.id, { name: 'X' }, customer)).body.code, 'mode_not_allowed');
  assert.equal((await world.get(`/venues/${venue.id}`)).status, 200);
  assert.equal((await world.get(`/venue_rooms/${hall.id}`, { as: customer })).status, 200);
});

test('archived venues are hidden from customers and visitors, and staff find them by status', async () => {
  const venue = await open();
  const hall = await room(venue.id);
  assert.equal((await patchRoom(hall.id, { status: 'archived' })).body.status, 'archived');
  assert.equal((await patchVenue(venue.id, { archived: true })).body.archived, true);
  assert.equal((await world.get(`/venues/${venue.id}`)).status, 404);
  assert.equal((await world.get(`/venue_rooms/${hall.id}`)).status, 404);
  assert.ok((await ids('/venues?status=archived')).includes(venue.id));
  assert.ok(!(await ids('/venues?status=active')).includes(venue.id));
  assert.deepEqual(await ids(`/venue_rooms?venue=${venue.id}&status=archived`), [hall.id]);
  assert.deepEqual(await ids(`/venue_rooms?venue=${venue.id}&status=active`), []);
  const late = await world.post('/venue_rooms', { as: world.machine, body: { name: 'Attic', venue: venue.id } });
  assert.ok(late.body.field_errors.venue);
});

test('rooms are listed by one venue or several', async () => {
  const [one, other] = [await open(), await open()];
  const rooms = [await room(one.id), await room(other.id)];
  assert.deepEqual(await ids(`/venue_rooms?venue=${one.id}`), [rooms[0].id]);
  assert.deepEqual(
    await ids(`/venue_rooms?venue=${one.id},${other.id}`),
    rooms.map((r) => r.id),
  );
  const expanded = await world.get(`/venues/${one.id}?fields=venue_rooms.name`, { as: world.machine });
  assert.deepEqual(expanded.body, { venue_rooms: [{ name: 'Hall' }] });
});

test('active sessions are events that are neither cancelled nor over', async () => {
  const [busy, running, past, called, empty] = await Promise.all([open(), open(), open(), open(), open()]);
  await plantEvent(world, { venue: busy.id });
  await plantEvent(world, { venue: running.id, inHours: -0.5 });
  await plantEvent(world, { venue: past.id, inHours: -24 });
  await plantEvent(world, { venue: called.id, status: 'cancelled' });
  const [yes, no] = [await ids('/venues?has_active_sessions=true'), await ids('/venues?has_active_sessions=false')];
  for (const venue of [busy, running]) assert.ok(yes.includes(venue.id) && !no.includes(venue.id));
  for (const venue of [past, called, empty]) assert.ok(no.includes(venue.id) && !yes.includes(venue.id));
});

test('a venue with future events keeps its zone and can’t be archived', async () => {
  const venue = await open();
  await plantEvent(world, { venue: venue.id });
  const moved = await patchVenue(venue.id, { timezone: 'America/Toronto' });
  assert.equal(moved.body.code, 'conflict');
  assert.match(moved.body.message, /1 event that has not ended.*Cancel them or move them/);
  const closed = await patchVenue(venue.id, { archived: true });
  assert.equal(closed.status, 409);
  assert.equal(closed.body.code, 'in_use');
  assert.equal((await patchVenue(venue.id, { timezone: venue.timezone, name: 'Same zone' })).status, 200);
  world.setNow(world.now + 3 * 86_400_000);
  assert.equal((await patchVenue(venue.id, { timezone: 'America/Toronto', archived: true })).status, 200);
});

test('a room with future events can’t be archived', async () => {
  const venue = await open();
  const hall = await room(venue.id);
  await plantEvent(world, { venue: venue.id, room: hall.id });
  assert.equal((await patchRoom(hall.id, { status: 'archived' })).body.code, 'in_use');
});

test('future events in a room may overlap as soon as it can be shared, and no longer when that is revoked', async () => {
  const venue = await open();
  const hall = await room(venue.id);
  const first = { venue: venue.id, room: hall.id, inHours: 5 };
  const past = await plantEvent(world, { ...first, inHours: -48 });
  const ahead = await plantEvent(world, first);
  assert.equal((await patchRoom(hall.id, { allows_double_booking: true })).body.allows_double_booking, true);
  const exclusive = async () =>
    Object.fromEntries(
      (
        await world.work(world.harbour, ({ tx }) =>
          tx.rows(sql`SELECT id, room_exclusive FROM event WHERE venue_room_id = ${hall.id}`),
        )
      ).map((e) => [e.id, e.room_exclusive]),
    );
  assert.deepEqual(await exclusive(), { [past]: true, [ahead]: false });
  const second = await plantEvent(world, { ...first, roomExclusive: false });
  const refused = await patchRoom(hall.id, { allows_double_booking: false });
  assert.equal(refused.status, 409);
  assert.equal(refused.body.code, 'room_taken');
  assert.match(refused.body.message, new RegExp(`${ahead} and ${second}`));
  assert.equal((await world.get(`/venue_rooms/${hall.id}`, { as: world.machine })).body.allows_double_booking, true);
  await world.work(world.harbour, ({ tx }) => tx.run(sql`UPDATE event SET status = 'cancelled' WHERE id = ${second}`));
  assert.equal((await patchRoom(hall.id, { allows_double_booking: false })).status, 200);
  assert.equal((await exclusive())[ahead], true);
  await assert.rejects(plantEvent(world, first), { constraint: 'event_room_free' });
});

test('venues and rooms of another business do not exist for the caller', async () => {
  const venue = await open();
  const hall = await room(venue.id);
  for (const answer of [
    await world.get(`/venues/${venue.id}`, { as: world.meadowMachine }),
    await patchVenue(venue.id, { name: 'X' }, world.meadowMachine),
    await world.get(`/venue_rooms/${hall.id}`, { as: world.meadowMachine }),
    await patchRoom(hall.id, { name: 'X' }, world.meadowMachine),
  ]) {
    assert.equal(answer.status, 404);
  }
  const foreign = await world.post('/venue_rooms', { as: world.meadowMachine, body: { name: 'X', venue: venue.id } });
  assert.ok(foreign.body.field_errors.venue);
});
