// Guards against: Strangers in an online class
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, newEvent, newOffering, newVenue, row } from '../../../../test/schedule-world.ts';
import { PageClient } from '../../../../test/pages/page-client.ts';
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
  return { venue, event: event.id as number, startsAt: Date.parse(event.starts_at) };
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

test('the address of an online class is for staff, and around the class for booked customers: not for visitors, other customers, or the waitlist', async () => {
  const at = await onlineClass();
  const [booked, waits, other] = [await world.newCustomer(), await world.newCustomer(), await world.newCustomer()];
  assert.equal((await book(world, at.event, booked)).status, 200);
  assert.equal(
    (await world.post(`/events/${at.event}/join_waitlist`, { as: world.machine, body: { customer: waits } })).status,
    200,
  );
  assert.deepEqual(await finds(world.customer(booked), at), HIDDEN, 'not a day before');
  world.setNow(at.startsAt - 15 * 60_000);
  assert.deepEqual(await finds(undefined, at), HIDDEN);
  assert.deepEqual(await finds(world.customer(other), at), HIDDEN);
  assert.deepEqual(await finds(world.customer(waits), at), HIDDEN);
  assert.deepEqual(await finds(world.customer(booked), at), SHOWN);
  assert.deepEqual(await finds(world.staff(['attendances']), at), SHOWN);
  const xml = await world.get(`/venues/${at.venue}?format=xml`);
  assert.ok(!xml.text.includes(LINK));
  world.resetNow();
});

test('a parent sees the link while their child is booked, and nobody does after the booking or the class has ended', async () => {
  const at = await onlineClass();
  const family = await row(world, 'family', {});
  const parent = await world.newCustomer({ family_id: family, family_role: 'manager' });
  const child = await world.newCustomer({ family_id: family, family_role: 'child' });
  await book(world, at.event, child);
  const around = async (): Promise<(string | null)[]> => {
    world.setNow(at.startsAt);
    const found = await finds(world.customer(parent), at);
    world.resetNow();
    return found;
  };
  assert.deepEqual(await around(), SHOWN);
  await world.post(`/events/${at.event}/unregister`, { as: world.machine, body: { customer: child } });
  assert.deepEqual(await around(), HIDDEN);
  await book(world, at.event, parent);
  assert.deepEqual(await around(), SHOWN);
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

const linkOf = (event: number, customer: number, as = world.machine) =>
  world.post(`/events/${event}/generate_online_access_link`, { as, body: { customer } });
const opened = async (url: string) => {
  const { status, headers, text } = await fetch(new URL(new URL(url).pathname, world.url), {
    redirect: 'manual',
    headers: { accept: 'text/html', 'accept-language': 'en' },
  }).then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
  return { status, text, location: headers.get('location') };
};

test('the link of a booking leads to the call only around the class, and only as long as the booking stands', async () => {
  const at = await onlineClass();
  const [booked, other] = [await world.newCustomer(), await world.newCustomer()];
  await book(world, at.event, booked);
  const { access_link: link } = (await linkOf(at.event, booked, world.customer(booked))).body;
  assert.doesNotMatch(link, /meet\.example/);
  const early = await opened(link);
  assert.equal(early.status, 200, early.text);
  assert.match(early.text, /You can join from/);
  assert.doesNotMatch(early.text, /meet\.example/);
  world.setNow(at.startsAt - 15 * 60_000);
  assert.deepEqual([(await opened(link)).status, (await opened(link)).location], [303, LINK]);
  assert.equal((await opened(link.replace(`${at.event}-${booked}`, `${at.event}-${other}`))).status, 410);
  world.setNow(at.startsAt + 3_600_000);
  assert.match((await opened(link)).text, /has ended/);
  world.resetNow();
  await world.post(`/events/${at.event}/unregister`, { as: world.machine, body: { customer: booked } });
  world.setNow(at.startsAt);
  assert.equal((await opened(link)).status, 410);
  world.resetNow();
});

test('a link is refused for somebody without a booking, for others, and if the class has no call', async () => {
  const at = await onlineClass();
  const [booked, other] = [await world.newCustomer(), await world.newCustomer()];
  await book(world, at.event, booked);
  assert.equal((await linkOf(at.event, other)).body.code, 'not_registered');
  assert.equal((await linkOf(at.event, booked, world.customer(other))).status, 400);
  const { id } = await newEvent(world, { venue: await newVenue(world), offering: await newOffering(world) });
  await book(world, id, booked);
  assert.equal((await linkOf(id, booked)).body.code, 'not_online');
  await world.post(`/events/${at.event}/cancel`, { as: world.machine, body: {} });
  assert.equal((await linkOf(at.event, booked)).body.code, 'event_cancelled');
});

test('joining marks a customer as attended if the business wants it, by a button and not by opening the link', async () => {
  const at = await onlineClass();
  const customer = await world.newCustomer();
  await book(world, at.event, customer);
  const join = () => world.post(`/events/${at.event}/join_online`, { as: world.customer(customer), body: {} });
  const status = async () =>
    (await world.get(`/attendances?event=${at.event}&customer=${customer}`, { as: world.machine })).body.results[0]
      .status;
  assert.equal((await join()).body.code, 'not_open_now');
  const { access_link: link } = (await linkOf(at.event, customer)).body;
  world.setNow(at.startsAt);
  assert.deepEqual([(await join()).body, await status()], [{ video_url: LINK }, 'registered']);
  await world.ask('PATCH', '/checkins/settings', { as: world.machine, body: { joining_marks_attendance: true } });
  const visitor = new PageClient(world.url);
  visitor.headers = { 'accept-language': 'en' };
  const { pathname } = new URL(link);
  assert.match((await visitor.get(pathname)).text, /<button>Join online/);
  assert.equal(await status(), 'registered');
  const joined = await visitor.post(pathname, {});
  assert.ok(joined.text.includes(LINK), joined.text);
  assert.equal(await status(), 'attended');
  await world.ask('PATCH', '/checkins/settings', { as: world.machine, body: { joining_marks_attendance: false } });
  world.resetNow();
});
