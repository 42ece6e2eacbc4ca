/** The pages under /docs as people meet them: with and without scripts, on a desktop and on a phone, light and dark. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVenue } from '../schedule-world.ts';
import { startWorld, type World } from '../world.ts';
import { PageVisitor } from './page-visitor.ts';
import { TestBrowser, type Visitor } from './browser.ts';

let world: World;
let browser: TestBrowser;
let venue: number;
before(async () => {
  world = await startWorld({ test: true });
  browser = await TestBrowser.start(world.url);
  venue = await newVenue(world, { name: 'Quay Hall' });
});
after(async () => {
  await browser?.close();
  await world?.close();
});

const PAGES = {
  start: '/docs',
  reference: '/docs/reference/venues',
  guide: '/docs/guide/memberships',
  search: '/docs/search?q=cancel',
  errors: '/docs/errors',
  operations: '/docs/operations',
  'feed-items': '/docs/feed-items',
  'feed-of-schedule': '/docs/feed-items/schedule',
  'permissions-of-schedule': '/docs/permissions/schedule',
};

test('everybody can read the start page, the lists, the reference, a guide and a search without scripts', async () => {
  for (const [name, path] of Object.entries(PAGES)) {
    const visitor = new PageVisitor(world.url);
    await visitor.open(path);
    await visitor.checkAccessible(`docs-${name}`);
    await visitor.close();
  }
});

test('a person finds an operation from the start page by searching, without scripts', async () => {
  const visitor = new PageVisitor(world.url);
  await visitor.open('/docs');
  await visitor.submit('Search', { 'Search the documentation': 'join the waitlist' });
  assert.equal(visitor.path, '/docs/search');
  await visitor.follow('POST /events/{id}/join_waitlist');
  assert.equal(visitor.path, '/docs/reference/schedule');
  assert.equal(visitor.url.hash, '#post-events-id-join-waitlist');
  assert.equal(await visitor.page.getByRole('button', { name: /^Try/ }).count(), 0);
  await visitor.close();
});

test("a link to a page's former address leads to its current one", async () => {
  const visitor = await browser.visitor(world.url, { scripts: true });
  for (const [old, now] of [
    ['get-events', '/docs/reference/schedule#get-events'],
    ['resource-event', '/docs/reference/schedule#resource-event'],
    ['error-event_full', '/docs/errors#error-event_full'],
    ['feed-customer.created', '/docs/feed-items/customers#feed-customer.created'],
    ['schedule', '/docs/reference/schedule'],
    ['errors', '/docs/errors#errors'],
  ]) {
    await visitor.open(`/docs#${old}`);
    await visitor.page.waitForURL(`${world.url}${now}`);
    await visitor.open('/docs/changes');
  }
  await visitor.open('/docs#paging');
  assert.equal(visitor.path, '/docs');
  for (const [old, now] of [
    ['/docs/feed-items#feed-event.cancelled', '/docs/feed-items/schedule#feed-event.cancelled'],
    ['/docs/permissions#schedule', '/docs/permissions/schedule'],
  ]) {
    await visitor.open(old);
    await visitor.page.waitForURL(`${world.url}${now}`);
  }
  await visitor.open('/docs/permissions#properties');
  assert.equal(visitor.path, '/docs/permissions');
  await visitor.close();
});

/** Fills in the form of an operation and sends it by keyboard alone. Returns the response that is shown. */
async function tryByKeys(visitor: Visitor, operation: string, keys: Record<string, string>): Promise<string> {
  const { page } = visitor;
  await page.getByRole('button', { name: `Try it: ${operation}`, exact: true }).focus();
  await page.keyboard.press('Enter');
  const section = page.locator(`[data-operation="${operation}"]`);
  for (let presses = 0; presses < 12; presses++) {
    const label = await page.evaluate<string>(
      'document.activeElement.labels?.[0]?.textContent.trim() ?? document.activeElement.textContent',
    );
    if (label === 'Send') break;
    if (label in keys) {
      if (keys[label] === ' ') await page.keyboard.press(' ');
      else {
        await page.keyboard.press('ControlOrMeta+A');
        await page.keyboard.type(keys[label]);
      }
    }
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const answer = section.getByRole('status');
  await answer.locator('strong, p').first().waitFor();
  return answer.innerText();
}

// Guards against: Markup in XML or on the reference pages
test('an operation can be tried by keyboard alone, and shows the status, the headers and the body of the response', async () => {
  const visitor = await browser.visitor(world.url, { scripts: true });
  await visitor.open('/docs/reference/venues');
  const asked: string[] = [];
  visitor.page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  const answer = await tryByKeys(visitor, 'GET /venues/{id}', {
    Token: world.machine,
    'id in the path': String(venue),
    'Query, for example fields=id': 'fields=id,name',
  });
  assert.match(answer, new RegExp(`^200 OK GET /api/v2/venues/${venue}\\?fields=id%2Cname`));
  assert.match(answer, /"name": "Quay Hall"/);
  await visitor.page.locator('.answer summary').click();
  assert.match(await visitor.page.locator('.answer').innerText(), /content-type: application\/json/);
  assert.deepEqual(asked, [`GET ${world.url}/api/v2/venues/${venue}?fields=id%2Cname`]);
  await visitor.checkAccessible('docs-try');
  const refused = await tryByKeys(visitor, 'GET /venue_rooms/{id}', { 'id in the path': '999999' });
  assert.match(refused, /^404 Not Found[^]*"code": "not_found"/);
  // Stored for this tab only, and deleted on request.
  assert.equal(await visitor.page.evaluate<string>("sessionStorage.getItem('rollcall-token')"), world.machine);
  assert.equal(await visitor.page.evaluate<number>('localStorage.length + document.cookie.length'), 0);
  await visitor.page.getByRole('button', { name: 'Forget the token' }).first().click();
  assert.equal(await visitor.page.evaluate<string | null>("sessionStorage.getItem('rollcall-token')"), null);
  await visitor.close();
});

// Guards against: Markup in XML or on the reference pages
test('a write is tried with dry_run, and committed only at a business that is marked as a test business', async () => {
  const visitor = await browser.visitor(world.url, { scripts: true });
  await visitor.open('/docs/reference/venues');
  const path = { 'id in the path': String(venue) };
  const nameOf = async () => (await world.get(`/venues/${venue}`, { as: world.machine })).body.name;
  const BODY = 'Body, as JSON';
  const save = 'Save what it does, at a test business';
  const operation = 'PATCH /venues/{id}';
  const preview = await tryByKeys(visitor, operation, {
    Token: world.machine,
    ...path,
    [BODY]: '{"name": "Pier Hall"}',
  });
  assert.match(preview, /^200 OK [^]*dry_run=true[^]*"effects"/);
  assert.equal(await nameOf(), 'Quay Hall');
  await visitor.open('/docs/reference/venues');
  const done = await tryByKeys(visitor, operation, { ...path, [BODY]: '{"name": "Pier Hall"}', [save]: ' ' });
  assert.match(done, /^200 OK [^]*"name": "Pier Hall"/);
  assert.equal(await nameOf(), 'Pier Hall');
  await visitor.open('/docs/reference/venues');
  const elsewhere = await tryByKeys(visitor, operation, { Token: world.meadowMachine, ...path, [save]: ' ' });
  assert.match(elsewhere, /^Nothing was sent/);
  await visitor.close();
});

test('pages are sent with an ETag, and their policy allows no other origin', async () => {
  for (const path of ['/docs', '/docs/guide/money', '/docs/search?q=event', '/docs/script.js']) {
    const answer = await fetch(world.url + path);
    assert.equal(answer.status, 200, path);
    await answer.text();
    const again = await fetch(world.url + path, { headers: { 'if-none-match': answer.headers.get('etag')! } });
    assert.equal(again.status, 304, path);
    await again.text();
    if (path === '/docs/script.js') continue;
    const policy = answer.headers.get('content-security-policy')!;
    assert.match(policy, /^default-src 'none'; .*script-src 'self'; connect-src 'self'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  }
  for (const path of ['/docs/nothing', '/docs/guide/../../package.json', '/docs/reference/nothing'])
    assert.equal((await fetch(world.url + path)).status, 404, path);
});
