import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { addDays, weekdayOf } from '../../../kernel/base/values/date.ts';
import { BUSINESSES } from './robots.ts';
import { iso, newEvent, newOffering, newPlace } from '../../../test/schedule-world.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { wallAt } from '../../../kernel/base/values/zone.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let slug: string;
before(async () => {
  // The many businesses of this file are never removed, so it has a world of its own.
  world = await startWorld({ own: true });
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
});
after(() => world.close());

async function see(path: string): Promise<{ status: number; text: string; headers: Headers }> {
  const answer = await fetch(world.url + path, { redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => ['url', 'sitemap'].includes(name) });

interface Url {
  readonly loc: string;
  readonly lastmod?: string;
  readonly 'xhtml:link'?: readonly Record<string, string>[];
}

/** Returns the addresses in a file, from the path on. */
async function urlsOf(path: string): Promise<Url[]> {
  const { status, text, headers } = await see(path);
  assert.equal(status, 200, text);
  assert.match(headers.get('content-type')!, /^application\/xml/);
  const urls: Url[] = parser.parse(text).urlset.url;
  return urls.map((one) => ({ ...one, loc: one.loc.replace(world.url, '') }));
}

async function filesOf(path = '/sitemap.xml'): Promise<string[]> {
  const { status, text } = await see(path);
  assert.equal(status, 200, text);
  const files: { loc: string }[] = parser.parse(text).sitemapindex.sitemap ?? [];
  return files.map(({ loc }) => loc.replace(world.url, ''));
}

const mondayOf = (at: number): string => {
  const { date } = wallAt(at, 'America/Toronto');
  return addDays(date, 1 - weekdayOf(date));
};

const list = (is_listed: boolean) =>
  world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { name: 'Harbour', booking_site: { is_listed } },
  });

test('robots.txt names the sitemaps, and excludes addresses that show nothing new', async () => {
  const { status, text, headers } = await see('/robots.txt');
  assert.equal(status, 200);
  assert.match(headers.get('content-type')!, /^text\/plain/);
  assert.ok(text.includes(`Sitemap: ${world.url}/sitemap.xml\n`), text);
  for (const rule of [
    'Disallow: /api/',
    'Disallow: /account/',
    'Allow: /account/*/events/',
    'Disallow: /*?*week=',
    'Disallow: /*?*age=',
  ])
    assert.ok(text.includes(`${rule}\n`), rule);
});

test('a business that wants to be listed has its pages in the sitemap, in every language', async () => {
  const m = await MembershipWorld.of(world);
  const pack = await m.pack(10, { name: 'Ten visits' });
  assert.ok((await filesOf()).includes(`/${slug}/sitemap.xml`));
  const urls = await urlsOf(`/${slug}/sitemap.xml`);
  const paths = urls.map(({ loc }) => loc);
  for (const path of ['', '/timetable', '/memberships', `/memberships/${pack}`])
    assert.ok(paths.includes(`/${slug}${path}`), path);
  for (const { loc, 'xhtml:link': links = [] } of urls) {
    assert.deepEqual(
      links.map((link) => link['@_hreflang']),
      [...Object.keys(LANGUAGES), 'x-default'],
    );
    assert.equal(links[0]['@_href'], `${world.url}${loc}?lang=${Object.keys(LANGUAGES)[0]}`);
    assert.equal((await see(loc)).status, 200, loc);
  }
});

test('upcoming events are in the file of their week, with the time of their last change, and others are not', async () => {
  const place = await newPlace(world);
  const start = world.now + 15 * DAY;
  const at = (from: number) => ({ starts_at: iso(from), ends_at: iso(from + HOUR) });
  const shown = await newEvent(world, place, at(start));
  const cancelled = await newEvent(world, place, at(start + 2 * HOUR));
  const hidden = await newEvent(
    world,
    { ...place, offering: await newOffering(world, { customer_visibility: 'membership_holders' }) },
    at(start + 4 * HOUR),
  );
  assert.equal((await world.post(`/events/${cancelled.id}/cancel`, { as: world.machine, body: {} })).status, 200);
  const file = `/${slug}/sitemap.xml?week=${mondayOf(start)}`;
  assert.ok((await filesOf()).includes(file));
  const urls = await urlsOf(file);
  const found = (id: number) => urls.find(({ loc }) => loc === `/${slug}/events/${id}`);
  assert.ok(Date.parse(found(shown.id)!.lastmod!) <= world.now);
  assert.equal(found(cancelled.id), undefined);
  assert.equal(found(hidden.id), undefined);
  assert.equal(
    (await see(`/${slug}/events/${shown.id}`)).status,
    200,
    'the address is the page itself, not a redirect',
  );
  world.setNow(start + 1);
  try {
    const later = await urlsOf(file);
    assert.deepEqual(
      later.map(({ loc }) => loc).filter((loc) => loc.endsWith(`/events/${shown.id}`)),
      [],
    );
    assert.equal(later[0].loc, `/${slug}/timetable`);
  } finally {
    world.resetNow();
  }
});

test('a program that invents weeks finds nothing', async () => {
  const monday = mondayOf(world.now);
  for (const week of [addDays(monday, 1), addDays(monday, -7), addDays(monday, 63 * 7), 'soon', '2026-02-30'])
    assert.equal((await see(`/${slug}/sitemap.xml?week=${week}`)).status, 404, week);
});

test('a business that does not want to be listed is in no sitemap', async () => {
  assert.equal((await list(false)).status, 200);
  try {
    assert.equal(
      (await filesOf()).some((path) => path.startsWith(`/${slug}/`)),
      false,
    );
    assert.equal((await see(`/${slug}/sitemap.xml`)).status, 404);
  } finally {
    assert.equal((await list(true)).status, 200);
  }
});

test('businesses that exceed one index are in further ones, which robots.txt names', async () => {
  const slugs = Array.from({ length: BUSINESSES + 5 }, (_, n) => `zz-many-${String(n).padStart(4, '0')}`);
  await world.app.db.acrossTenants('a test has very many businesses', (tx) =>
    tx.run(
      sql`INSERT INTO provider (name, timezone, slug) SELECT s, 'Europe/London', s FROM unnest(${slugs}::text[]) s`,
    ),
  );
  const { text } = await see('/robots.txt');
  const indexes = [...text.matchAll(/^Sitemap: (.*)$/gm)].map(([, url]) => url.replace(world.url, ''));
  assert.ok(indexes.length >= 2, text);
  const all = (await Promise.all(indexes.map((path) => filesOf(path)))).flat();
  for (const one of [slug, ...slugs]) assert.equal(all.filter((path) => path === `/${one}/sitemap.xml`).length, 1, one);
});
