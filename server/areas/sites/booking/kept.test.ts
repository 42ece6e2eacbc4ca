/** Public pages as a running service sends them: from memory, and up to date. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { book, iso, newCustomers, newEvent, newPlace, row } from '../../../test/schedule-world.ts';
import { businessBySlug } from '../frame/index.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { startBeside, startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';
import { versionOf } from './version.ts';

const HOUR = 3_600_000;

let world: World;
let slug: string;
before(async () => {
  world = await startWorld({ keepsPages: true });
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world?.close());

const shown = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await fetch(world.url + path, {
    headers: { accept: 'text/html', 'accept-language': 'en', ...headers },
  });
  assert.equal(answer.status, 200, path);
  return answer.text();
};

test('a class that fills up in another process is shown as full although the cached page is still young', async () => {
  const place = await newPlace(world);
  const { id } = await newEvent(world, place, { name: 'Nearly full', max_occupancy: 1 });
  const path = `/${slug}/timetable`;
  await until('the event', async () => (await shown(path)).includes('Nearly full'));
  assert.doesNotMatch(await shown(path), /Full/);
  const other = await startBeside(world);
  const [ada] = await newCustomers(world, 1);
  assert.equal((await book(other, id, ada)).status, 200);
  await until('the page that says so', async () => /Full/.test(await shown(path)));
});

test('an unchanged page is served from the cache, and each language has its own', async () => {
  const path = `/${slug}/memberships`;
  const [one, two] = [await shown(path), await shown(path)];
  assert.equal(one, two);
  assert.match(await shown(path, { 'accept-language': 'de' }), /<html lang="de/);
  assert.match(await shown(path), /<html lang="en/);
  assert.match(await shown(path, { cookie: 'rollcall_language=pl' }), /<html lang="pl/);
});

test('people who are logged in see their own page, and leave nothing of it to others', async () => {
  const member = await newMember(world);
  const visitor = new PageClient(world.url);
  const path = `/${slug}/timetable`;
  await shown(path);
  const logIn = `/account/${world.harbour}/log-in`;
  await visitor.get(logIn);
  await visitor.post(logIn, { email: member.email, password: PASSWORD });
  const own = await visitor.get(path);
  assert.match(own.text, new RegExp(`/account/${world.harbour}/profile`));
  assert.doesNotMatch(await shown(path), new RegExp(`/account/${world.harbour}/profile`));
});

test('the version of a business changes with every event there, also while feed items are not numbered, and with held seats', async () => {
  const business = await businessBySlug(world.app.db, slug);
  const version = () => versionOf(world.app.db)(business!);
  const place = await newPlace(world);
  const first = await version();
  assert.equal(await version(), first);
  const { id } = await newEvent(world, place);
  const second = await version();
  assert.notEqual(second, first);
  const [ada] = await newCustomers(world, 1);
  const third = await version();
  await row(world, 'seat_hold', {
    event_id: id,
    customer_id: ada,
    held_for: 'checkout',
    held_for_id: 1,
    expires_at: iso(world.now + HOUR),
  });
  assert.notEqual(await version(), third);
});
