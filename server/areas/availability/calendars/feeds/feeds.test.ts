import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import nodeIcal from 'node-ical';
import {
  iso,
  newCustomers,
  newEvent,
  newInstructor,
  newPlace,
  newVenue,
  row,
  type Place,
} from '../../../../test/schedule-world.ts';
import { feedToken, proves, tokenHash } from './address.ts';
import { calendarOf } from './door.ts';
import { readCalendar } from '../outside/occurrences.ts';
import { readKey, SecretBox } from '../../../../kernel/base/secret-box.ts';
import { SECRET_KEY } from '../../../../test/secret-key.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';
import { START } from '../../../../test/clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let place: Place;
before(async () => {
  world = await startWorld();
  place = await newPlace(world);
});
after(() => world.close());
beforeEach(() => world.resetNow());

const linkOf = async (path: string, as: string): Promise<string> => {
  const answer = await world.get(path, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.link;
};

const fetchFeed = (link: string, headers: Record<string, string> = {}) =>
  fetch(world.url + new URL(link).pathname, { headers });

/** Parsed by a different library from the one that wrote it. */
async function read(link: string): Promise<{ text: string; entries: any[] }> {
  const answer = await fetchFeed(link);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
  const entries = Object.values<any>(nodeIcal.sync.parseICS(text)).filter(({ type }) => type === 'VEVENT');
  return { text, entries };
}

const book = async (event: number, customer: number): Promise<void> => {
  const answer = await world.post(`/events/${event}/register`, { as: world.machine, body: { customer, comped: true } });
  assert.equal(answer.status, 200, answer.text);
};

const valueOf = (entry: any) => [entry.summary, iso(entry.start.valueOf()), iso(entry.end.valueOf()), entry.status];
const plain = (value: any): string => (typeof value === 'object' ? value.val : value);

test('a customer subscribes to their own bookings, and to nobody else’s', async () => {
  const [ada, bob] = await newCustomers(world, 2);
  const mine = await newEvent(world, place, { in: 24, name: 'Yoga, slowly; with \\ and\nlines' });
  const other = await newEvent(world, place, { in: 26 });
  await book(mine.id, ada);
  await book(mine.id, bob);
  await book(other.id, bob);
  const { text, entries } = await read(await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada)));
  assert.deepEqual(entries.map(valueOf), [
    ['Yoga, slowly; with \\ and\nlines', iso(Date.parse(mine.starts_at)), iso(Date.parse(mine.ends_at)), 'CONFIRMED'],
  ]);
  assert.equal(entries[0].location, 'Pier 4');
  assert.ok(plain(entries[0].url).endsWith(`/account/${world.harbour}/events/${mine.id}`));
  assert.doesNotMatch(text, /booked/);
});

test('lines are folded at 75 bytes, and nothing is lost', async () => {
  const [ada] = await newCustomers(world, 1);
  const name = `${'Rückenschule für Anfänger 🧘 '.repeat(6)}`.trim();
  const event = await newEvent(world, place, { in: 30, name });
  await book(event.id, ada);
  const { text, entries } = await read(await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada)));
  assert.equal(entries[0].summary, name);
  assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
  assert.ok(!/[^\r]\n/.test(text));
});

// Guards against: Reading somebody's calendar by guessing its address, or after it was passed on
test('the address stays the same until it is reset, and the previous one then stops working', async () => {
  const [ada] = await newCustomers(world, 1);
  const as = world.customer(ada);
  const path = `/customers/${ada}/icalendar_links`;
  const [first, again] = [await linkOf(path, as), await linkOf(path, as)];
  assert.equal(first, again);
  assert.equal((await fetchFeed(first)).status, 200);
  const reset = await world.post(`${path}/reset`, { as, body: {} });
  assert.equal(reset.status, 200, reset.text);
  assert.notEqual(reset.body.link, first);
  assert.equal(await linkOf(path, as), reset.body.link);
  assert.deepEqual([(await fetchFeed(first)).status, (await fetchFeed(reset.body.link)).status], [404, 200]);
  assert.equal(reset.body.webcal_url, reset.body.link.replace(/^http/, 'webcal').replace('webcals', 'webcal'));
  assert.ok(reset.body.integrations.every(({ url }: any) => URL.canParse(url)));
});

// Guards against: Reading somebody's calendar by guessing its address, or after it was passed on
test('the response to a wrong address does not reveal what is wrong with it', async () => {
  const [ada] = await newCustomers(world, 1);
  const link = await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada));
  const path = new URL(link).pathname;
  const [digit] = path.slice(-5);
  const wrong = [
    path.replace(/.\.ics$/, `${digit === '0' ? '1' : '0'}.ics`),
    path.replace('-c', '-f'),
    path.replace(`-c${ada}-`, `-c${ada + 1}-`),
    path.replace(`/${world.harbour}-`, `/${world.meadow}-`),
    path.replace(`/${world.harbour}-`, '/999999999-'),
    path.replace('.ics', ''),
    '/calendars/nothing.ics',
  ];
  for (const one of wrong) {
    assert.notEqual(one, path);
    const answer = await fetch(world.url + one);
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [404, 'no-store'], one);
  }
});

test('an unchanged calendar is not sent again', async () => {
  const [ada] = await newCustomers(world, 1);
  const event = await newEvent(world, place, { in: 24 });
  await book(event.id, ada);
  const link = await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada));
  const first = await fetchFeed(link);
  const etag = first.headers.get('etag')!;
  assert.match(first.headers.get('cache-control')!, /^private/);
  const second = await fetchFeed(link, { 'if-none-match': `W/"other", ${etag}` });
  assert.deepEqual([second.status, await second.text()], [304, '']);
  await world.patch(`/events/${event.id}`, { as: world.machine, body: { name: 'Another name' } });
  assert.equal((await fetchFeed(link, { 'if-none-match': etag })).status, 200);
});

test('an entry keeps its UID, and its SEQUENCE grows with every change', async () => {
  const [ada] = await newCustomers(world, 1);
  const { instructor } = await newInstructor(world);
  const event = await newEvent(world, place, { in: 48 });
  await book(event.id, ada);
  const link = await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada));
  const seen: [string, number][] = [];
  const changes: (() => Promise<{ status: number; text: string } | void>)[] = [
    async () => {},
    () => world.patch(`/events/${event.id}`, { as: world.machine, body: { name: 'Rowing for two' } }),
    () => world.patch(`/events/${event.id}`, { as: world.machine, body: { instructors: [instructor] } }),
    () => world.patch(`/venues/${place.venue}`, { as: world.machine, body: { name: `Pier ${Math.random()}` } }),
    () => world.post(`/events/${event.id}/cancel`, { as: world.machine, body: {} }),
  ];
  for (const [n, change] of changes.entries()) {
    world.setNow(START + n * 60_000);
    const answer = await change();
    assert.ok(!answer || answer.status < 300, answer ? answer.text : '');
    const { entries } = await read(link);
    assert.equal(entries.length, 1);
    seen.push([entries[0].uid, Number(entries[0].sequence)]);
  }
  assert.equal(new Set(seen.map(([uid]) => uid)).size, 1);
  const sequences = seen.map(([, sequence]) => sequence);
  assert.deepEqual(
    sequences,
    [...new Set(sequences)].toSorted((a, b) => a - b),
  );
  assert.ok(sequences.at(-1)! < 2 ** 31);
});

test('several changes in one second each make the SEQUENCE larger, and what nobody is shown leaves it', async () => {
  const [ada, bob] = await newCustomers(world, 2);
  const other = await newPlace(world);
  const teachers = [await newInstructor(world), await newInstructor(world)].map(({ instructor }) => instructor);
  const event = await newEvent(world, place, { in: 48 });
  await book(event.id, ada);
  const link = await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada));
  const links = await world.get(`/providers/${world.harbour}?fields=icalendar_links`, { as: world.machine });
  const business: string = links.body.icalendar_links.link;
  const sequenceOf = async (of: string) =>
    Number((await read(of)).entries.find(({ uid }) => uid.includes(`-${event.id}@`) || of === link)!.sequence);
  const patch = (path: string, body: object) => () => world.patch(path, { as: world.machine, body });
  const rename = patch(`/venues/${place.venue}`, { name: 'Pier at dusk' });
  const shown: (() => Promise<{ status: number; text: string }>)[] = [
    patch(`/events/${event.id}`, { name: 'Rowing for three' }),
    patch(`/events/${event.id}`, { instructors: teachers }),
    patch(`/instructors/${teachers[0]}`, { name: 'Grace H.' }),
    patch(`/instructors/${teachers[0]}`, { name: 'Grace Hopper' }),
    patch(`/events/${event.id}`, { instructors: [teachers[1]] }),
    patch(`/events/${event.id}`, { instructors: [] }),
    rename,
    patch(`/venues/${place.venue}`, { name: 'Pier at dawn' }),
    patch(`/events/${event.id}`, { venue: other.venue }),
    patch(`/events/${event.id}`, { venue: place.venue }),
    () => world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: ada } }),
    () => world.post(`/events/${event.id}/register`, { as: world.machine, body: { customer: ada, comped: true } }),
    () => world.post(`/events/${event.id}/cancel`, { as: world.machine, body: {} }),
    () => world.post(`/events/${event.id}/reopen`, { as: world.machine, body: {} }),
  ];
  let last = await sequenceOf(link);
  // Entries that were printed before changes were counted had the seconds since 2020, and programs may know them.
  assert.ok(last > (Date.UTC(2026, 0, 1) - Date.UTC(2020, 0, 1)) / 1000, String(last));
  for (const [n, change] of shown.entries()) {
    const answer = await change();
    assert.ok(answer.status < 300, `${n}: ${answer.text}`);
    const next = await sequenceOf(link);
    assert.ok(next > last, `${n}: ${last}, then ${next}`);
    last = next;
  }
  const staff = await sequenceOf(business);
  for (const change of [
    patch(`/events/${event.id}`, { description: 'Bring a towel.' }),
    patch(`/venues/${place.venue}`, { description: 'By the water.' }),
    () => world.post(`/events/${event.id}/register`, { as: world.machine, body: { customer: bob, comped: true } }),
  ]) {
    const answer = await change();
    assert.ok(answer.status < 300, answer.text);
    assert.equal(await sequenceOf(link), last);
  }
  assert.ok((await sequenceOf(business)) > staff, 'staff see how many are booked');
});

test('a cancelled entry remains as cancelled for a month, and takes up no time', async () => {
  const [ada, bob] = await newCustomers(world, 2);
  const event = await newEvent(world, place, { in: 35 * 24 });
  await book(event.id, ada);
  await book(event.id, bob);
  const left = await world.post(`/events/${event.id}/unregister`, { as: world.machine, body: { customer: ada } });
  assert.ok(left.status < 300, left.text);
  const link = await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada));
  const { entries, text } = await read(link);
  assert.deepEqual([entries[0].status, entries[0].transparency], ['CANCELLED', 'TRANSPARENT'], text);
  world.setNow(world.now + 31 * DAY);
  assert.deepEqual((await read(link)).entries, []);
  const others = await read(await linkOf(`/customers/${bob}/icalendar_links`, world.customer(bob)));
  assert.deepEqual(
    others.entries.map(({ status }) => status),
    ['CONFIRMED'],
  );
});

test('an event keeps its local time across clock changes, by the included rules', async () => {
  const venue = await newVenue(world, { timezone: 'Europe/Berlin' });
  const [ada] = await newCustomers(world, 1);
  world.setNow(Date.parse('2026-03-01T00:00:00Z'));
  for (const day of ['2026-03-28', '2026-03-29', '2026-10-25']) {
    const at = { starts_at: `${day}T09:00`, ends_at: `${day}T10:00` };
    const event = await newEvent(world, { ...place, venue }, at);
    await book(event.id, ada);
  }
  const { text, entries } = await read(await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada)));
  assert.deepEqual(
    entries.map(({ start }) => iso(start.valueOf()).slice(0, 16)),
    ['2026-03-28T08:00', '2026-03-29T07:00', '2026-10-25T08:00'],
  );
  assert.match(text, /DTSTART;TZID=Europe\/Berlin:20260328T090000/);
  // The included zone gives the same result without a zone database.
  const zone = /BEGIN:VTIMEZONE[^]*END:VTIMEZONE/.exec(text)![0];
  assert.match(zone, /BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\nTZOFFSETFROM:\+0100\r\nTZOFFSETTO:\+0200/);
  assert.match(zone, /BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\nTZOFFSETFROM:\+0200\r\nTZOFFSETTO:\+0100/);
  const renamed = text.replaceAll('Europe/Berlin', 'Our zone');
  const own = readCalendar({ text: renamed, zone: 'UTC', from: 0, to: Date.parse('2030-01-01T00:00:00Z') });
  assert.deepEqual(
    own.events.map(({ startsAt }) => iso(startsAt).slice(0, 16)),
    ['2026-03-28T08:00', '2026-03-29T07:00', '2026-10-25T08:00'],
  );
});

// Guards against: Reading somebody's calendar by guessing its address, or after it was passed on
test("a manager subscribes to the bookings of the family, while children and other adults can't", async () => {
  const family = await row(world, 'family', {});
  const parent = await world.newCustomer({ first_name: 'Ada' });
  const child = await world.newCustomer({ first_name: 'Lou' });
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer SET family_id = ${family},
      family_role = CASE WHEN id = ${parent} THEN 'manager' ELSE 'child' END
      WHERE provider_id = ${world.harbour} AND id = ANY(${[parent, child]}::bigint[])`),
  );
  const event = await newEvent(world, place, { in: 24 });
  await book(event.id, parent);
  await book(event.id, child);
  const path = `/customers/${parent}/icalendar_links?family=true`;
  const link = await linkOf(path, world.customer(parent));
  const names = async () => (await read(link)).entries.map(({ summary }) => summary).toSorted();
  assert.deepEqual(await names(), ['Ada: Rowing', 'Lou: Rowing']);
  assert.equal((await world.get(path, { as: world.customer(child) })).status, 403);
  assert.equal((await world.get(`/customers/${child}/icalendar_links`, { as: world.customer(parent) })).status, 200);
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE customer SET family_role = 'child' WHERE provider_id = ${world.harbour} AND id = ${parent}`),
  );
  assert.deepEqual(await names(), ['Ada: Rowing'], 'who no longer manages the family no longer sees it');
});

// Guards against: Reading somebody's calendar by guessing its address, or after it was passed on
test('instructors see the number of bookings, and nobody’s name', async () => {
  const { instructor, staff } = await newInstructor(world);
  const customer = await world.newCustomer({ first_name: 'Zebulon', last_name: 'Quartermain' });
  const event = await newEvent(world, place, { in: 24, instructors: [instructor] });
  await newEvent(world, place, { in: 28 });
  const own = world.staff([], staff);
  const link = await linkOf(`/instructors/${instructor}/icalendar_links`, own);
  assert.match((await read(link)).entries[0].description, /0 of 4 spots booked/);
  await book(event.id, customer);
  const { text, entries } = await read(link);
  assert.deepEqual([entries.length, entries[0].uid], [1, `event-${world.harbour}-${event.id}@rollcall`]);
  assert.match(entries[0].description, /1 of 4 spots booked/);
  assert.doesNotMatch(text, /Zebulon|Quartermain/);
  const stranger = world.staff(['attendances']);
  assert.equal((await world.get(`/instructors/${instructor}/icalendar_links`, { as: stranger })).status, 403);
  const shown = async (as: string) =>
    (await world.get(`/instructors/${instructor}?fields=icalendar_links`, { as })).body.icalendar_links?.link ?? null;
  assert.deepEqual(
    [await shown(own), await shown(world.machine), await shown(stranger), await shown(world.customer(customer))],
    [link, link, null, null],
  );
});

test('a room and the business have calendars for staff who plan', async () => {
  const room = await row(world, 'venue_room', { venue_id: place.venue, name: 'Studio 1' });
  const event = await newEvent(world, place, { in: 200, venue_room: room });
  await newEvent(world, place, { in: 204 });
  const planner = world.staff(['manage_events']);
  const inRoom = await read(await linkOf(`/venue_rooms/${room}/icalendar_links`, planner));
  assert.deepEqual(
    inRoom.entries.map(({ uid, location }) => [uid, location.split(', ')[1]]),
    [[`event-${world.harbour}-${event.id}@rollcall`, 'Studio 1']],
  );
  const link = await linkOf('/icalendar_links', planner);
  const all = await read(link);
  assert.ok(all.entries.length > 2);
  assert.equal(
    (await world.get(`/providers/${world.harbour}?fields=icalendar_links`, { as: planner })).body.icalendar_links.link,
    link,
  );
  assert.equal((await world.get('/icalendar_links', { as: world.staff(['attendances']) })).status, 403);
  assert.equal(
    (await world.get('/icalendar_links', { as: world.staff(['manage_events'], null, world.harbour, [place.venue]) }))
      .status,
    403,
  );
});

const KEYS = { old: readKey(SECRET_KEY)!, next: Buffer.alloc(32, 2) };

test('an address is accepted under every known key, and in its current generation only', () => {
  const feed = { providerId: 1, kind: 'customer', subject: 5 } as const;
  const token = feedToken(new SecretBox([KEYS.old]), feed, 3);
  const by = (keys: Buffer[], generation: number, earlier: string[] = []) =>
    proves(new SecretBox(keys), feed, token, { generation, earlier });
  assert.deepEqual(
    [
      by([KEYS.old], 3),
      by([KEYS.next, KEYS.old], 3),
      by([KEYS.next], 3),
      by([KEYS.old], 4),
      by([KEYS.next], 3, [tokenHash(token)]),
    ],
    ['newest', 'earlier', null, null, 'seen'],
  );
});

test('an address survives the removal of its key, if it was read while both keys were known', async () => {
  const [ada] = await newCustomers(world, 1);
  const file = new URL(await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada))).pathname
    .split('/')
    .at(-1)!;
  const { db, installation } = world.app;
  const tenants = { of: async (id: number) => ({ providerId: id, zone: 'UTC', currency: 'USD' }) } as never;
  const reads = async (...keys: Buffer[]) =>
    (await calendarOf(
      { db, tenants, now: () => world.now, installation: { ...installation, baseUrl: '', box: new SecretBox(keys) } },
      file,
    )) !== null;
  assert.equal(await reads(KEYS.next), false);
  assert.equal(await reads(KEYS.next, KEYS.old), true);
  assert.equal(await reads(KEYS.next), true);
  const reset = await world.post(`/customers/${ada}/icalendar_links/reset`, { as: world.customer(ada), body: {} });
  assert.equal(reset.status, 200, reset.text);
  assert.equal(await reads(KEYS.next, KEYS.old), false);
});

test('it takes two statements, however many entries there are', async () => {
  const [ada] = await newCustomers(world, 1);
  const link = await linkOf(`/customers/${ada}/icalendar_links`, world.customer(ada));
  const { db, installation } = world.app;
  const counts: number[] = [];
  const count = async (): Promise<void> => {
    let statements = 0;
    const counting = (tx: Transaction): Transaction =>
      new Proxy(tx, {
        get(of, name: keyof Transaction) {
          if (name === 'one' || name === 'rows' || name === 'all' || name === 'run') statements++;
          const value = of[name];
          return typeof value === 'function' ? (value as Function).bind(of) : value;
        },
      });
    const lookingAnywhere = (provider: number, act: (tx: Transaction) => Promise<any>) =>
      db.lookingAnywhere(provider, (tx) => act(counting(tx)));
    const tenants = { of: async (id: number) => ({ providerId: id, zone: 'UTC', currency: 'USD' }) };
    const file = new URL(link).pathname.split('/').at(-1)!;
    const text = await calendarOf(
      { db: { lookingAnywhere } as never, tenants: tenants as never, installation, now: () => world.now },
      file,
    );
    counts.push(statements, text!.split('BEGIN:VEVENT').length - 1);
  };
  await count();
  const events = await Promise.all([1, 2, 3, 4].map((n) => newEvent(world, place, { in: 300 + 2 * n })));
  for (const event of events) await book(event.id, ada);
  await count();
  assert.deepEqual(counts, [2, 0, 2, 4]);
});
