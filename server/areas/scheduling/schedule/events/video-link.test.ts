// Guards against: Strangers in an online class
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newOffering, newVenue, row } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const LINK = 'https://meet.example.com/secret-room';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

/** Creates an online class in a day, with one place and a waitlist. */
async function onlineClass() {
  const venue = await newVenue(world, { venue_type: 'online', video_url: LINK });
  const event = await newEvent(
    world,
    { venue, offering: await newOffering(world, { waitlist_max: 5 }) },
    { max_occupancy: 1 },
  );
  return { venue, event: event.id as number };
}

/** Returns the link as each way to the venue shows it. */
async function finds(
  as: string | undefined,
  { venue, event }: { venue: number; event: number },
): Promise<(string | null)[]> {
  const [direct, listed, within] = await Promise.all([
    world.get(`/venues/${venue}`, { as }),
    world.get('/venues?fields=id,video_url&page_size=100', { as }),
    world.get(`/events/${event}?expand=venue`, { as }),
  ]);
  return [
    direct.body.video_url,
    listed.body.results.find((v: any) => v.id === venue).video_url,
    within.body.venue.video_url,
  ];
}

const [SHOWN, HIDDEN] = [
  [LINK, LINK, LINK],
  [null, null, null],
];

test('the link of an online class is for staff and booked customers: not for visitors, other customers, or the waitlist', async () => {
  const at = await onlineClass();
  const [booked, waits, other] = [await world.newCustomer(), await world.newCustomer(), await world.newCustomer()];
  assert.equal((await book(world, at.event, booked)).status, 200);
  assert.equal(
    (await world.post(`/events/${at.event}/join_waitlist`, { as: world.machine, body: { customer: waits } })).status,
    200,
  );
  assert.deepEqual(await finds(undefined, at), HIDDEN);
  assert.deepEqual(await finds(world.customer(other), at), HIDDEN);
  assert.deepEqual(await finds(world.customer(waits), at), HIDDEN);
  assert.deepEqual(await finds(world.customer(booked), at), SHOWN);
  assert.deepEqual(await finds(world.staff(['attendances']), at), SHOWN);
  const xml = await world.get(`/venues/${at.venue}?format=xml`);
  assert.ok(!xml.text.includes(LINK));
});

test('a parent sees the link while their child is booked, and nobody does after the booking or the class has ended', async () => {
  const at = await onlineClass();
  const family = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  await book(world, at.event, child);
  assert.deepEqual(await finds(world.customer(parent), at), SHOWN);
  await world.post(`/events/${at.event}/unregister`, { as: world.machine, body: { customer: child } });
  assert.deepEqual(await finds(world.customer(parent), at), HIDDEN);
  await book(world, at.event, parent);
  assert.deepEqual(await finds(world.customer(parent), at), SHOWN);
  world.setNow(world.now + 26 * 3_600_000);
  assert.deepEqual(await finds(world.customer(parent), at), HIDDEN);
  world.resetNow();
  await world.post(`/events/${at.event}/cancel`, { as: world.machine, body: {} });
  assert.equal((await world.get(`/venues/${at.venue}`, { as: world.customer(parent) })).body.video_url, null);
});

test('staff limited to other venues see the same of a venue as visitors', async () => {
  const [at, elsewhere] = [await onlineClass(), await newVenue(world)];
  assert.equal(
    (await world.get(`/venues/${at.venue}`, { as: world.staff(['attendances'], null, world.harbour, [elsewhere]) }))
      .body.video_url,
    null,
  );
  assert.equal(
    (await world.get(`/venues/${at.venue}`, { as: world.staff(['attendances'], null, world.harbour, [at.venue]) })).body
      .video_url,
    LINK,
  );
});
