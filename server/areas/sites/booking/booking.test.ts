import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '../../../kernel/base/values/date.ts';
import {
  book,
  iso,
  newCustomers,
  newEvent,
  newInstructor,
  newOffering,
  newVenue,
  row,
  type Place,
} from '../../../test/schedule-world.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let place: Place;
let slug: string;
before(async () => {
  world = await startWorld();
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  place = {
    venue: await newVenue(world, { name: 'Quay Hall' }),
    offering: await newOffering(world, { name: 'Tidal Yoga' }),
  };
});
after(() => world.close());

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function see(path: string, headers: Record<string, string> = {}): Promise<Seen> {
  const answer = await fetch(world.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

async function shown(path: string, headers: Record<string, string> = {}): Promise<string> {
  const { status, text } = await see(path, headers);
  assert.equal(status, 200, `${path}: ${text}`);
  return text;
}

const today = () => wallAt(world.now, 'America/Toronto').date;
/** Returns the content of a row of the timetable. */
const rowOf = (text: string, name: string): string => {
  const [found = ''] = text
    .split('<li class="event"')
    .slice(1)
    .filter((one) => one.includes(name));
  return found
    .slice(found.indexOf('>') + 1)
    .split('</li>')[0]
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
};

test('a business is found by its name in the address, and nothing else is', async () => {
  const text = await shown(`/${slug}`);
  assert.match(text, /<h1>Harbour<\/h1>/);
  for (const path of [
    `/${slug}x`,
    '/nobody-here',
    `/${slug}/nothing`,
    `/${slug}/memberships/999999999`,
    `/${slug}/timetable?day=2026-02-30`,
    `/${slug}/timetable?what=x`,
  ])
    assert.equal((await see(path)).status, 404, path);
  // A program that requests a wrong address gets the response of the interface.
  const program = await fetch(`${world.url}/nobody-here`);
  assert.equal(((await program.json()) as { code: string }).code, 'not_found');
});

test('every venue has a link: to a map, or to its events if its location is unknown', async () => {
  const venue = await newVenue(world, {
    name: 'Harbour Steps',
    physical_address: { street: '1 Pier Road', city: 'Toronto', region: 'ON', postal_code: 'M5J 1A1', country: 'CA' },
  });
  const text = await shown(`/${slug}`);
  const rowOf = (name: string): string => text.split('<li>').find((one) => one.includes(`<strong>${name}</strong>`))!;
  assert.match(rowOf('Harbour Steps'), /href="https:\/\/www\.openstreetmap\.org\/search[^"]*"[^>]*>Show on a map/);
  assert.match(rowOf('Quay Hall'), new RegExp(`href="/${slug}/timetable\\?place=${place.venue}">See when`));
  assert.equal((await world.patch(`/venues/${venue}`, { as: world.machine, body: { archived: true } })).status, 200);
});

test('the timetable shows each event with its instructors, venue and free spots', async () => {
  const start = world.now + 2 * DAY;
  const { instructor: teacher } = await newInstructor(world);
  const two = { max_occupancy: 2, starts_at: iso(start), ends_at: iso(start + HOUR) };
  const open = await newEvent(world, place, { name: 'Open flow', ...two, instructors: [teacher] });
  const full = await newEvent(world, place, { name: 'Full flow', ...two });
  const cancelled = await newEvent(world, place, { name: 'Cancelled flow', ...two });
  assert.equal((await world.post(`/events/${cancelled.id}/cancel`, { as: world.machine, body: {} })).status, 200);
  const [ada, ben, cleo] = await newCustomers(world, 3);
  for (const [event, customer] of [
    [full, ada],
    [full, ben],
    [open, ada],
  ])
    assert.equal((await book(world, event.id, customer)).status, 200);
  const joined = await world.post(`/events/${full.id}/join_waitlist`, { as: world.machine, body: { customer: cleo } });
  assert.equal(joined.status, 200, joined.text);
  const day = wallAt(start, 'America/Toronto').date;
  const text = await shown(`/${slug}/timetable?day=${day}`);
  assert.match(rowOf(text, 'Open flow'), /with Kim \w+.*1 spot left.*Book/);
  assert.match(rowOf(text, 'Full flow'), /Full, 1 person waiting.*Join the waitlist/);
  assert.match(rowOf(text, 'Cancelled flow'), /Cancelled *$/);
  assert.ok(text.includes(`/${slug}/events/${cancelled.id}`));
  const free = await shown(`/${slug}/timetable?day=${day}&free=1&teacher=${teacher}`);
  assert.notEqual(rowOf(free, 'Open flow'), '');
  assert.equal(rowOf(free, 'Full flow'), '');
});

test('the timetable is filtered by kind and by age, and shows the price of a single visit', async () => {
  const category = await row(world, 'offering_type_category', { name: 'For the young' });
  const other = await row(world, 'offering_type_category', { name: 'For the old' });
  await newOffering(world, { name: 'Chair yoga', category_id: other });
  const young = { category_id: category, min_allowed_age: 6, max_allowed_age: 12, dropin_price_minor: 1550 };
  const offering = await newOffering(world, { name: 'Young sailors', ...young });
  const start = world.now + 3 * DAY;
  const when = { starts_at: iso(start), ends_at: iso(start + HOUR) };
  await newEvent(world, { ...place, offering }, { name: 'Young sailors', ...when });
  await newEvent(world, place, { name: 'For everybody', ...when });
  const at = `/${slug}/timetable?day=${wallAt(start, 'America/Toronto').date}`;
  const all = await shown(at);
  assert.match(rowOf(all, 'Young sailors'), /\$15\.50/);
  assert.doesNotMatch(rowOf(all, 'For everybody'), /\$/);
  assert.ok(all.includes(`<option value="${category}">For the young</option>`) && all.includes('name="age"'));
  const shownAt = async (asked: string) => {
    const text = await shown(`${at}&${asked}`);
    return ['Young sailors', 'For everybody'].map((name) => rowOf(text, name) !== '');
  };
  assert.deepEqual(await shownAt(`category=${category}`), [true, false]);
  for (const [age, fits] of [
    [5, false],
    [6, true],
    [12, true],
    [13, false],
  ] as const)
    assert.deepEqual(await shownAt(`age=${age}`), [fits, true], String(age));
  assert.deepEqual(await shownAt('age=no'), [true, true], 'what is no age counts as nothing');
});

test('a week begins on any day, and an empty one links to the next event', async () => {
  const offering = await newOffering(world, { name: 'Rare class' });
  const start = world.now + 20 * DAY;
  await newEvent(
    world,
    { ...place, offering },
    { name: 'Rare class', starts_at: iso(start), ends_at: iso(start + HOUR) },
  );
  const date = wallAt(start, 'America/Toronto').date;
  const week = await shown(`/${slug}/timetable?week=${date}`);
  assert.notEqual(rowOf(week, 'Rare class'), '');
  for (let n = 0; n < 7; n++) assert.ok(week.includes(`day=${addDays(date, n)}`));
  const empty = await shown(`/${slug}/timetable?what=${offering}`);
  assert.ok(empty.includes(`week=${date}&amp;what=${offering}`), 'leads to the next');
  assert.equal((await see(`/${slug}/timetable?week=${addDays(today(), 500)}`)).status, 404);
});

test('a page is in the language that the browser asks for, or that the person chose', async () => {
  assert.match(await shown(`/${slug}`, { 'accept-language': 'de-AT,de;q=0.9' }), /<html lang="de-AT">[^]*Stundenplan/);
  const { headers, text } = await see(`/${slug}?lang=pl`);
  assert.match(text, /Grafik/);
  const [cookie] = headers.getSetCookie();
  assert.match(cookie, /^rollcall_language=pl;.*HttpOnly/);
  assert.match(await shown(`/${slug}/timetable`, { cookie: cookie.split(';')[0] }), /<html lang="pl">/);
  assert.match(await shown(`/${slug}?lang=xx`), /<html lang="en-CA">/);
  for (const language of Object.keys(LANGUAGES)) assert.ok(text.includes(`hreflang="${language}"`));
});

const choose = (language: string | null) =>
  world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { language } });

test('a page is in the first language of the business if the browser asks for none that we have', async () => {
  assert.equal((await choose('fr')).status, 200);
  for (const accepts of [{}, { 'accept-language': 'ja' }] as Record<string, string>[]) {
    const page = await shown(`/${slug}`, accepts);
    assert.match(page, /<html lang="fr-CA">/);
    assert.ok(page.includes(`hreflang="x-default" href="${world.url}/${slug}"`));
  }
  assert.match(await shown(`/${slug}`, { 'accept-language': 'de' }), /<html lang="de">/);
  await choose(null);
  assert.match(await shown(`/${slug}`), /<html lang="en-CA">/);
});

test('search engines may index public pages, and get one address for each page', async () => {
  const home = await see(`/${slug}`);
  assert.equal(home.headers.get('x-robots-tag'), null);
  assert.match(home.text, new RegExp(`<link rel="canonical" href="${world.url}/${slug}">`));
  const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(home.text)!;
  const graph = JSON.parse(json)['@graph'];
  assert.ok(graph.some((one: any) => one['@type'] === 'LocalBusiness' && one.name === 'Harbour'));
  assert.match(await shown(`/${slug}/timetable?day=${today()}`), /name="robots" content="noindex, follow"/);
  assert.doesNotMatch(await shown(`/${slug}/timetable`), /noindex/);
});

test('nothing that a business writes closes an element or becomes a script', async () => {
  const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>"\'';
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { name: 'Harbour', description: hostile },
  });
  const start = world.now + 3 * DAY;
  await newEvent(world, place, { name: hostile.slice(0, 60), starts_at: iso(start), ends_at: iso(start + HOUR) });
  for (const path of [`/${slug}`, `/${slug}/timetable?week=${wallAt(start, 'America/Toronto').date}`]) {
    const text = await shown(path);
    assert.doesNotMatch(text, /<script>|<img/, path);
    assert.equal(text.match(/<script(?! type="module" src="\/assets\/timetable-\w+\.js"><\/script>)/g)?.length, 1);
  }
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { name: 'Harbour', description: '' } });
});

test('memberships are shown with their price, on the home page too, and people who are logged in can buy them', async () => {
  const m = await MembershipWorld.of(world);
  const pack = await m.pack(10, { name: 'Ten visits', one_time_fee: '150.00' });
  const { membership } = await m.recurring([], { billing_period_length: 3 }, { name: 'Seasons' });
  const text = await shown(`/${slug}/memberships`);
  assert.match(text, /<li>For everything that can be booked<\/li>|<li>For [^<]+<\/li>/);
  assert.match(text, /<li>\$15\.00 per visit<\/li>/);
  assert.match(text, /Ten visits[^]*\$150\.00[^]*Pack/);
  assert.match(text, /Seasons[^]*\$40\.00 every 3 months[^]*Renews automatically/);
  const home = await shown(`/${slug}`);
  assert.match(home, new RegExp(`/memberships/${pack}"><strong>Ten visits</strong>[^]*Pack[^]*\\$150\\.00`));
  assert.match(home, /Seasons[^]*\$40\.00 every 3 months/);
  for (const id of [pack, membership]) {
    const one = await shown(`/${slug}/memberships/${id}`);
    assert.match(one, new RegExp(`return_to=%2F${slug}%2Fmemberships%2F${id}`));
    assert.doesNotMatch(one, new RegExp(`action="/${slug}`));
  }
});

test('a public page is compressed, revalidated, and small', async () => {
  const path = `/${slug}/timetable`;
  const { status, headers } = await see(path, { 'accept-encoding': 'br' });
  assert.equal(status, 200);
  assert.equal(headers.get('content-encoding'), 'br');
  const again = await see(path, { 'if-none-match': headers.get('etag')!, 'accept-encoding': 'br' });
  assert.equal(again.status, 304);
});

test('the first page of an installation lists the businesses that want to be listed', async () => {
  const name = `0 Meadow ${world.meadow}`;
  const path = `/providers/${world.meadow}`;
  const change = (is_listed: boolean) =>
    world.patch(path, { as: world.meadowMachine, body: { name, booking_site: { is_listed } } });
  for (const is_listed of [true, false]) {
    assert.equal((await change(is_listed)).status, 200);
    assert.equal((await see('/')).text.includes(name), is_listed);
  }
});

test('somebody buys for themselves, and for nobody whom they don’t act for', async () => {
  const m = await MembershipWorld.of(world);
  const path = `/${slug}/memberships/${await m.pack(3, { name: 'Three visits' })}`;
  const member = await newMember(world);
  const mine = await makeCustomer(world, member);
  const theirs = await world.newCustomer();
  const visitor = new PageClient(world.url);
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  await visitor.get(path);
  for (const customer of [String(theirs), '0', ''])
    assert.equal((await visitor.post(path, { customer })).status, 404, customer);
  assert.equal((await visitor.post(path, { customer: String(mine) }, { token: 'wrong' })).status, 403);
  const bought = await visitor.post(path, { customer: String(mine) });
  assert.equal(bought.status, 303, bought.text);
  assert.match(bought.headers.get('location')!, /\/checkout/);
});

test('a filter without a match is no error, and offers a link to continue', async () => {
  const text = await shown(`/${slug}/timetable?what=999999999&teacher=999999999&place=999999999`);
  assert.match(text, /Nothing matches your filters\.[^]*Clear filters/);
});
