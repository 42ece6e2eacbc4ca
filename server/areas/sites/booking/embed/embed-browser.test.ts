/** The elements on the page of another site with the strictest possible policy, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { book, iso, newCustomers, newEvent, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../../test/pages/browser.ts';
import { WIDGET } from './index.ts';

const HOUR = 3_600_000;

let world: World;
let browser: TestBrowser;
let host: Server;
let slug: string;
let event: number;
let pack: number;
before(async () => {
  world = await startWorld({ own: true });
  ({ slug } = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site);
  const place = {
    venue: await newVenue(world, { name: 'Quay Hall' }),
    offering: await newOffering(world, { name: 'Tidal Yoga' }),
  };
  const start = world.now + 24 * HOUR;
  event = (
    await newEvent(world, place, {
      name: 'Tidal Yoga',
      max_occupancy: 2,
      starts_at: iso(start),
      ends_at: iso(start + HOUR),
    })
  ).id;
  pack = await (
    await MembershipWorld.of(world)
  ).pack(10, { name: 'Ten visits', one_time_fee: '150.00', description: 'For friends.' });
  host = createServer((request, response) => {
    if (request.url === '/style.css') return void response.writeHead(200, { 'content-type': 'text/css' }).end(STYLE);
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; img-src data:; style-src 'self'; script-src ${world.url}; connect-src ${world.url}; require-trusted-types-for 'script'; trusted-types 'none'`,
    });
    response.end(request.url === '/german' ? pageOf('de') : pageOf('en'));
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  browser = await TestBrowser.start(world.url);
});
after(async () => {
  await browser?.close();
  host?.close();
  await world?.close();
});

const siteUrl = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}`;

const STYLE = `body { font-family: sans-serif; margin: 1rem } rollcall-timetable { display: block; height: 20rem } rollcall-buy { display: block; height: 11rem }`;

const pageOf = (
  lang: string,
) => `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Our studio</title><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><script type="module" src="${world.url}/embed/rollcall.js"></script></head>
<body><main><h1>Our studio</h1>
<rollcall-timetable business="${slug}" days="3"><a href="${world.url}/${slug}/timetable">Our timetable</a></rollcall-timetable>
<rollcall-buy business="${slug}" membership="${pack}"><a href="${world.url}/${slug}/memberships/${pack}">Our pack</a></rollcall-buy>
<rollcall-timetable business="nobody-here"><a href="${world.url}/">Elsewhere</a></rollcall-timetable>
<p>Underneath</p></main></body></html>`;

async function visit(path = '/', scripts = true): Promise<Visitor> {
  const visitor = await browser.visitor(siteUrl(), { scripts, asks: world.url });
  if (scripts) {
    await visitor.page.addInitScript(`
      window.moved = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((one) => { window.moved += one.value; })).observe({ type: 'layout-shift', buffered: true });
    `);
    await visitor.page.clock.install();
  }
  await visitor.page.goto(siteUrl() + path);
  return visitor;
}

const timetable = ({ page }: Visitor) => page.locator('rollcall-timetable').first();

test('the script is small, and pages of any site may load it', async () => {
  assert.ok(Buffer.byteLength(WIDGET.body) <= 8 * 1024);
  const answer = await fetch(`${world.url}/embed/rollcall.js`);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.match(answer.headers.get('content-type')!, /^text\/javascript/);
});

test('a site with a strict policy shows the timetable and sells a membership, without a layout shift', async () => {
  const visitor = await visit();
  await timetable(visitor).getByText('2 spots left').waitFor();
  const buy = visitor.page.locator('rollcall-buy');
  await buy.getByText('$150.00').waitFor();
  assert.match(await buy.locator('div').innerText(), /Ten visits[^]*For friends\.[^]*Buy/);
  assert.equal(
    await buy.getByRole('link', { name: 'Buy: Ten visits' }).getAttribute('href'),
    `${world.url}/${slug}/memberships/${pack}`,
  );
  assert.equal(
    await timetable(visitor).getByRole('link', { name: 'Tidal Yoga', exact: true }).getAttribute('href'),
    `${world.url}/account/${world.harbour}/events/${event}`,
  );
  assert.equal(await visitor.page.evaluate('window.moved'), 0);
  assert.deepEqual(await visitor.context.cookies(), []);
  await visitor.checkAccessible('embedded');
  await visitor.close();
});

test('a spot that somebody books disappears half a minute later', async () => {
  const visitor = await visit();
  await timetable(visitor).getByText('2 spots left').waitFor();
  const [ada] = await newCustomers(world, 1);
  assert.equal((await book(world, event, ada)).status, 200);
  await visitor.page.clock.fastForward(30_000);
  await timetable(visitor).getByText('1 spot left').waitFor();
  assert.equal(await visitor.page.evaluate('window.moved'), 0);
  await visitor.close();
});

test('the elements use the language of the page around them', async () => {
  const visitor = await visit('/german');
  await visitor.page.locator('rollcall-buy').getByText('Kaufen').first().waitFor();
  await visitor.close();
});

test('without scripts, and if there is nothing to show, the link inside stays', async () => {
  const without = await visit('/', false);
  assert.match(await without.text(), /Our timetable[^]*Our pack/);
  await without.close();
  const visitor = await visit();
  await timetable(visitor)
    .getByText(/spots? left/)
    .waitFor();
  await visitor.page.getByRole('link', { name: 'Elsewhere' }).waitFor();
  await visitor.close();
});

const data = (path: string) =>
  fetch(`${world.url}/${slug}/embed/${path}`, { headers: { cookie: `rollcall_session=${'x'.repeat(43)}` } });

test('data for other sites is what a stranger sees, sets no cookie, and refuses invalid parameters', async () => {
  const found = await data('timetable.json?language=pl&days=99');
  assert.equal(found.status, 200);
  assert.deepEqual(found.headers.getSetCookie(), []);
  assert.equal(found.headers.get('access-control-allow-origin'), '*');
  assert.equal(((await found.json()) as { language: string }).language.slice(0, 2), 'pl');
  for (const path of [
    'membership.json',
    'membership.json?membership=999999999',
    'timetable.json?what=x',
    'timetable.json?days=-1',
  ])
    assert.equal((await data(path)).status, 404, path);
});
