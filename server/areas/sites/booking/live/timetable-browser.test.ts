/**
 * The timetable with scripts, in a real browser: it stays up to date, filters without a new page, and causes no layout
 * shift.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { shows } from '../../../../test/pages/shows.ts';
import {
  book,
  iso,
  newCustomers,
  newEvent,
  newOffering,
  newVenue,
  type Place,
} from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../../test/pages/browser.ts';
import { TIMETABLE_SCRIPT } from './index.ts';

const HOUR = 3_600_000;

let world: World;
let browser: TestBrowser;
let yoga: Place;
let rowing: Place;
let path: string;
let event: number;
before(async () => {
  world = await startWorld();
  browser = await TestBrowser.start(world.url);
  const { slug } = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site;
  path = `/${slug}/timetable`;
  const venue = await newVenue(world, { name: 'Quay Hall' });
  yoga = { venue, offering: await newOffering(world, { name: 'Tidal Yoga' }) };
  rowing = { venue, offering: await newOffering(world, { name: 'Rowing' }) };
  const start = world.now + 2 * 24 * HOUR;
  const times = (hours: number) => ({ starts_at: iso(start + hours * HOUR), ends_at: iso(start + (hours + 1) * HOUR) });
  event = (await newEvent(world, yoga, { name: 'Tidal Yoga', max_occupancy: 2, ...times(0) })).id;
  await newEvent(world, rowing, { name: 'Rowing', ...times(2) });
});
after(async () => {
  await browser?.close();
  await world?.close();
});

/** Opens the timetable with scripts. Layout shifts without user input are counted. */
async function visit(zone = 'America/Toronto'): Promise<Visitor> {
  const visitor = await browser.visitor(undefined, { scripts: true });
  const session = await visitor.context.newCDPSession(visitor.page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: zone });
  await visitor.page.addInitScript(`
    window.moved = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) window.moved += one.value; })).observe({ type: 'layout-shift', buffered: true });
  `);
  await visitor.page.clock.install();
  await visitor.open(path);
  return visitor;
}

const moved = (visitor: Visitor) => visitor.page.evaluate('window.moved');
const state = (visitor: Visitor) => visitor.page.locator(`.event[data-event="${event}"] .state`);
const seen = (visitor: Visitor, text: string) => state(visitor).getByText(text).waitFor();

test('the script is small, has its hash in its name, and is cached forever', async () => {
  assert.ok(brotliCompressSync(TIMETABLE_SCRIPT.document.body).byteLength < 4 * 1024);
  assert.ok(Buffer.byteLength(TIMETABLE_SCRIPT.document.body) < 15 * 1024);
  const answer = await fetch(world.url + TIMETABLE_SCRIPT.path);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('cache-control')!, /max-age=31536000, immutable/);
  assert.match(answer.headers.get('content-type')!, /^text\/javascript/);
  assert.equal((await fetch(`${world.url}/assets/timetable-00000000.js`)).status, 404);
});

const policyOf = async (page: string) => (await fetch(world.url + page)).headers.get('content-security-policy')!;

test('scripts may run on the timetable only, and only files of our own', async () => {
  assert.match(
    await policyOf(path),
    /^default-src 'none';.*; script-src 'self'; connect-src 'self'; manifest-src 'self'$/,
  );
  const home = await policyOf(path.replace('/timetable', ''));
  assert.match(home, /^default-src 'none';.*; connect-src 'self'$/, 'search engines may ask for robots.txt there');
  assert.doesNotMatch(home, /script-src/);
});

test('a spot that somebody books disappears from the page a few seconds later, without a layout shift', async () => {
  const visitor = await visit();
  await seen(visitor, '2 spots left');
  const link = visitor.page.locator(`.event[data-event="${event}"] .what a`);
  await link.focus();
  const [ada, ben] = await newCustomers(world, 2);
  assert.equal((await book(world, event, ada)).status, 200);
  await visitor.page.clock.fastForward(15_000);
  await seen(visitor, '1 spot left');
  assert.equal((await book(world, event, ben)).status, 200);
  // A person who returns to a window doesn't see outdated data.
  await visitor.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await seen(visitor, 'Full');
  await shows(() => visitor.page.locator(`.event[data-event="${event}"] .button`).innerText(), 'Join the waitlist');
  assert.ok(await link.evaluate((one) => one === one.ownerDocument.activeElement));
  assert.ok(Number(await moved(visitor)) < 0.01, String(await moved(visitor)));
  await visitor.close();
});

test('new events appear on the timetable', async () => {
  const visitor = await visit();
  await newEvent(world, rowing, { name: 'Added later', in: 50 });
  await visitor.page.clock.fastForward(15_000);
  await visitor.page.getByText('Added later').waitFor();
  await visitor.close();
});

test('filters and other days load without a new page, and the back button works', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await page.evaluate('window.stays = true');
  await page.locator('summary').click();
  await page.getByLabel('What').focus();
  await page.getByLabel('What').selectOption({ label: 'Rowing' });
  await page.waitForURL(/\?.*what=\d+/);
  await page.getByRole('link', { name: 'Tidal Yoga', exact: true }).waitFor({ state: 'detached' });
  assert.doesNotMatch(page.url(), /teacher=|place=|free=/);
  assert.equal(await page.evaluate('document.activeElement.id'), 'what');
  await visitor.checkAccessible('site-live-filters');
  await page.getByRole('link', { name: 'The week after' }).click();
  await page.waitForURL(/week=/);
  assert.match(page.url(), /what=\d+/);
  await page.locator('h1:focus').waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByRole('link', { name: 'Tidal Yoga', exact: true }).waitFor();
  assert.equal(await page.evaluate('window.stays'), true);
  await visitor.close();
});

test('a filter that is loading during an update is not lost', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/what=\d+/, async (route) => {
    await released;
    await route.continue();
  });
  // A page that had begun before may send its next request without being held.
  await page.reload();
  await page.locator('summary').click();
  const wanted = page.waitForRequest(/what=\d+/);
  await page.getByLabel('What').selectOption({ label: 'Rowing' });
  await wanted;
  await page.clock.fastForward(15_000);
  release();
  await page.waitForURL(/\?.*what=\d+/);
  await page.getByRole('link', { name: 'Tidal Yoga', exact: true }).waitFor({ state: 'detached' });
  await visitor.close();
});

test('a reader in another time zone can switch to their own times, and back', async () => {
  const at = await visit();
  await shows(() => at.page.getByRole('button', { name: 'Show times in my time zone' }).count(), 0);
  await at.close();
  const visitor = await visit('Asia/Tokyo');
  const time = visitor.page.locator(`.event[data-event="${event}"] time`);
  const there = await time.innerText();
  await visitor.page.getByRole('button', { name: 'Show times in my time zone' }).click();
  const here = await time.innerText();
  assert.doesNotMatch(await visitor.text(), /Eastern/);
  assert.notEqual(here, there);
  const hour = new Intl.DateTimeFormat('en-CA', { hour: 'numeric', timeZone: 'Asia/Tokyo' });
  const begins = await time.getAttribute('datetime');
  assert.ok(here.includes(hour.format(new Date(begins!)).replace(/\D/g, '')), here);
  await visitor.checkAccessible('site-live-own-time');
  await visitor.page.getByRole('button', { name: 'Show local times' }).click();
  await shows(() => time.innerText(), there);
  assert.ok(Number(await moved(visitor)) < 0.01, String(await moved(visitor)));
  await visitor.close();
});

test('without a connection the page is unchanged', async () => {
  const visitor = await visit();
  const before = await visitor.text();
  await visitor.context.setOffline(true);
  await visitor.page.clock.fastForward(15_000);
  await visitor.context.setOffline(false);
  assert.equal(await visitor.text(), before);
  await visitor.close();
});
