/** The elements on the page of another site with the strictest possible policy, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { book, iso, newCustomers, newEvent, newOffering, newVenue } from '../../../../test/schedule-world.ts';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { Mailbox } from '../../../../test/outside/mailbox.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../../test/pages/browser.ts';
import { WIDGET } from './index.ts';

const HOUR = 3_600_000;

let world: World;
let browser: TestBrowser;
let host: Server;
let mailbox: Mailbox;
let c: CheckoutWorld;
let dance: number;
let slug: string;
let event: number;
let pack: number;
before(async () => {
  mailbox = await Mailbox.start();
  const env = { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' };
  world = await startWorld({ own: true, worker: true, env });
  c = await CheckoutWorld.of(world);
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
  dance = await c.event({ in: 26, price: '22.00', name: 'Harbour Dance' });
  pack = await c.m.pack(10, { name: 'Ten visits', one_time_fee: '150.00', description: 'For friends.' });
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
  await c?.close();
  await mailbox?.close();
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

const wayIn = (path: string): string =>
  `${world.url}/${slug}/embed/open?${new URLSearchParams({ to: path, back: `${siteUrl()}/` })}`;

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
    wayIn(`/${slug}/memberships/${pack}`),
  );
  assert.equal(
    await timetable(visitor).getByRole('link', { name: 'Tidal Yoga', exact: true }).getAttribute('href'),
    wayIn(`/account/${world.harbour}/events/${event}`),
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
    .first()
    .waitFor();
  await visitor.page.getByRole('link', { name: 'Elsewhere' }).waitFor();
  await visitor.close();
});

test('a new person books and pays for a class of the embedded timetable, and returns to the website', async () => {
  // Another host name than that of the service: its cookies would be those of a third party.
  const website = siteUrl().replace('127.0.0.1', 'localhost');
  const visitor = await browser.visitor(website, { scripts: true, asks: world.url });
  const { page } = visitor;
  await page.goto(`${website}/?week=2`);
  await visitor.leave(timetable(visitor).getByRole('link', { name: /Harbour Dance, / }));
  assert.equal(new URL(page.url()).origin, world.url);
  const back = page.getByRole('link', { name: `Back to ${new URL(website).host}`, exact: true });
  assert.equal(await back.getAttribute('href'), `${website}/?week=2`);
  await visitor.checkAccessible('event, from another website');
  await visitor.submit('Continue', { 'Email address': 'ina@example.com' });
  await visitor.submit('Continue', { 'Code from the email': await mailbox.code(world, 'ina@example.com') });
  await visitor.submit('Continue', { 'First name': 'Ina' });
  await visitor.submit('Book: $22.00');
  await visitor.submit('Pay $22.00');
  assert.equal(await visitor.heading(), "You're booked");
  await visitor.checkAccessible('receipt, to another website');
  await visitor.follow(`Go back to ${new URL(website).host}`);
  assert.equal(page.url(), `${website}/?week=2`);
  assert.deepEqual(await page.context().cookies(website), []);
  const { results } = await c.read(`/attendances?event=${dance}`);
  assert.deepEqual(
    results.map(({ status }: { status: string }) => status),
    ['registered'],
  );
  await visitor.close();
});

const wayInFrom = (query: Record<string, string>, referer: string | null) =>
  fetch(`${world.url}/${slug}/embed/open?${new URLSearchParams(query)}`, {
    redirect: 'manual',
    headers: referer === null ? {} : { referer },
  });

test('the way in leads to our pages only, and remembers a page only of the website that the browser names', async () => {
  const to = `/${slug}/timetable`;
  const back = 'https://studio.example/classes';
  const led = await wayInFrom({ to, back }, 'https://studio.example/');
  assert.equal(led.status, 303);
  assert.equal(led.headers.get('location'), to);
  const [cookie] = led.headers.getSetCookie();
  assert.match(cookie, /^rollcall_website=.*; HttpOnly; SameSite=Lax$/);
  const shown = async (path: string) =>
    (await fetch(world.url + path, { headers: { cookie: cookie.split(';')[0] } })).text();
  assert.match(await shown(to), /<a href="https:\/\/studio\.example\/classes">Back to studio\.example<\/a>/);
  assert.doesNotMatch(await (await fetch(world.url + to)).text(), /studio\.example/);
  assert.doesNotMatch(await shown(`/account/${world.meadow}/log-in`), /studio\.example/);
  for (const referer of [null, 'https://other.example/'])
    assert.deepEqual((await wayInFrom({ to, back }, referer)).headers.getSetCookie(), []);
  for (const elsewhere of ['https://other.example/', '//other.example', ''])
    assert.equal((await wayInFrom({ to: elsewhere, back }, back)).headers.get('location'), `/${slug}`);
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
