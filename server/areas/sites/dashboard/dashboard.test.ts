/** The token of the dashboard, and how its program is served. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { build } from './built.ts';
import { DashboardWorld } from './test/dashboard-world.ts';
import { DeskWindow, type Watch } from './test/window/desk-window.ts';
import { endSession, findSession } from '../../people/identity/index.ts';
import { brotliCompressSync } from 'node:zlib';
import { join } from 'node:path';
import { lockDataDir } from '../../../kernel/base/db/embedded/data-dir-lock.ts';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { sql } from '../../../kernel/base/db/sql.ts';
import { tmpdir } from 'node:os';
import type { World } from '../../../test/world.ts';

const IGNORED: Watch = { asks: () => {}, undone: () => {} };

let desk: DashboardWorld;
let world: World;
before(async () => {
  desk = await DashboardWorld.start();
  ({ world } = desk);
});
after(() => desk?.close());

const askToken = (cookie: string | null, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/dashboard/token`, {
    method: 'POST',
    headers: {
      origin: new URL(world.url).origin,
      ...(cookie !== null && { cookie: `rollcall_session=${cookie}` }),
      ...headers,
    },
  });

test("a session gives a token for the interface, with the person's access as staff and never as a customer", async () => {
  const who = await desk.colleague({ permissions: ['attendances'] });
  await world.newCustomer({ user_id: who.userId });
  const response = await askToken(who.cookie);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const { token, user, expires_in, address } = (await response.json()) as Record<string, any>;
  assert.equal(user, who.userId);
  assert.equal(expires_in, 600);
  assert.equal(address, world.app.installation.baseUrl);
  const { body } = await world.get('/auth/profiles', { as: token });
  assert.deepEqual(
    body.results.map((one: any) => [one.profile_type, one.id, one.permissions]),
    [['staff', who.staffId, { ...body.results[0].permissions, attendances: true }]],
  );
  assert.equal((await world.get('/audit_entries', { as: token })).status, 403);
});

// Guards against: Another site uses the dashboard of somebody who is logged in
test('nobody gets a token without a session, from another site, or with anything but the cookie', async () => {
  const { cookie } = await desk.colleague();
  const refused = [await askToken(null), await askToken('rcs_made-up-made-up-made-up-made-up')];
  const elsewhere = [
    await askToken(null, { origin: 'https://elsewhere.example' }),
    await askToken(cookie, { origin: 'https://elsewhere.example' }),
    await askToken(cookie, { 'sec-fetch-site': 'cross-site' }),
    await askToken(cookie, { 'sec-fetch-site': 'same-site' }),
    // Browsers always send the origin of a POST.
    await fetch(`${world.url}/dashboard/token`, { method: 'POST', headers: { cookie: `rollcall_session=${cookie}` } }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 401),
  );
  // The same with and without a session, so another site learns nothing.
  assert.deepEqual(
    elsewhere.map(({ status }) => status),
    elsewhere.map(() => 403),
  );
});

// Guards against: Another site uses the dashboard of somebody who is logged in
test("a token ends with its session, and with the person's staff profile", async () => {
  const who = await desk.colleague();
  const { token } = (await (await askToken(who.cookie)).json()) as { token: string };
  assert.equal((await world.get('/staff', { as: token })).status, 200);
  const { results } = (await world.get('/auth/profiles', { as: token })).body;
  assert.equal(results.length, 1);
  const archived = await world.patch(`/staff/${who.staffId}`, { as: world.machine, body: { archived: true } });
  assert.equal(archived.status, 200, archived.text);
  assert.notEqual((await world.get('/staff', { as: token })).status, 200);

  const other = await desk.colleague();
  const { token: ended } = (await (await askToken(other.cookie)).json()) as { token: string };
  assert.equal((await world.get('/staff', { as: ended })).status, 200);
  await world.app.db.acrossTenants('a test logs somebody out', async (tx) => {
    const session = await findSession(tx, other.cookie, world.now);
    await endSession(
      tx,
      other.userId,
      session!.id,
      { address: '127.0.0.1', agent: 'test', providerId: world.harbour },
      world.now,
    );
  });
  assert.equal((await world.get('/staff', { as: ended })).status, 401);
});

test('an invented or altered token is refused', async () => {
  const { cookie } = await desk.colleague();
  const { token } = (await (await askToken(cookie)).json()) as { token: string };
  const altered = token.slice(0, 40) + (token[40] === 'A' ? 'B' : 'A') + token.slice(41);
  for (const wrong of [
    altered,
    token.slice(0, -2),

    'rcb_',
    `rcb_${'a'.repeat(500)}`,
    token.replace('rcb_', 'rcm_'),
  ])
    assert.equal((await world.get('/staff', { as: wrong })).status, 401, wrong);
});

test('the page loads only its own files, which browsers cache, and its size is bounded', async () => {
  const page = await fetch(`${world.url}/dashboard/${world.harbour}/today?venue=1`, {
    headers: { accept: 'text/html' },
  });
  assert.equal(page.status, 200);
  const html = await page.text();
  const policy = (await fetch(`${world.url}/dashboard`)).headers.get('content-security-policy')!;
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  const asked = [...html.matchAll(/(?:src|href)="(\/dashboard\/assets\/[^"]+)"/g)].map(([, path]) => path);
  assert.ok(asked.some((path) => path.endsWith('.js')) && asked.some((path) => path.endsWith('.css')));
  let bytes = brotliCompressSync(html).length;
  for (const path of asked) {
    const response = await fetch(world.url + path, { headers: { 'accept-encoding': 'br' } });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('cache-control')!, /immutable/);
    assert.equal(response.headers.get('content-encoding'), (await packedOf(path)) ? 'br' : null);
    bytes += (await packedOf(path)) ?? (await response.arrayBuffer()).byteLength;
  }
  assert.ok(bytes <= 111 * 1024, `the shell has ${bytes} bytes`);
  assert.equal((await fetch(`${world.url}/dashboard/assets/index-00000000.js`)).status, 404);
});

/** Returns the compressed size of an asset in bytes; null: it is too small to be compressed. */
async function packedOf(path: string): Promise<number | null> {
  const { headers } = await fetch(world.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
  return headers.get('content-encoding') === 'br' ? Number(headers.get('content-length')) : null;
}

test('a customer who works nowhere is led to the booking site', async () => {
  const who = await desk.colleague();
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`DELETE FROM staff WHERE provider_id = ${world.harbour} AND id = ${who.staffId}`),
  );
  await world.newCustomer({ user_id: who.userId } as never);
  const visitor = await desk.window(who);
  await visitor.page.goto('/dashboard');
  await visitor.page.getByRole('heading', { name: 'You don’t work at any business here' }).waitFor();
  const link = visitor.page.getByRole('link', { name: 'Go to the booking site' });
  await link.waitFor();
  assert.equal(await link.getAttribute('href'), '/');
  visitor.check();
  await visitor.close();
});

const denied = async (visitor: DeskWindow, title: string, text: RegExp): Promise<void> => {
  await visitor.page.goto(`/dashboard/${world.harbour}/today`);
  await visitor.page.getByRole('heading', { name: title }).waitFor();
  await visitor.page.getByText(text).waitFor();
};

test('a page at another address than the dashboard’s leads there, and is redirected nowhere', async () => {
  const own = await DashboardWorld.start({
    env: { PUBLIC_URL: 'https://book.example.org' },
    // Tests call the service where it listens.
    front: (url) => url,
  });
  const visitor = new DeskWindow(own.world.url, `__Host-rollcall_session=${(await own.colleague()).cookie}`, IGNORED);
  await denied(visitor, 'The dashboard has another address', /You opened it at http:/);
  const link = visitor.page.getByRole('link', { name: 'Open https://book.example.org/dashboard' });
  assert.equal(await link.getAttribute('href'), 'https://book.example.org/dashboard');
  await visitor.checkLive('dashboard-elsewhere');
  await visitor.close();
  await own.close();
});

test('a page at its own address says that the browser hides it, or that the service must know the address', async () => {
  const visitor = await desk.window();
  visitor.reportOrigin(null);
  await denied(visitor, 'Your browser hides where its requests come from', /or use another browser/);
  await visitor.checkLive('dashboard-hidden');
  visitor.reportOrigin('https://book.example.org');
  await denied(visitor, 'The dashboard can’t be used at this address', /Ask the person who runs it/);
  await visitor.checkLive('dashboard-unknown-address');
  await visitor.close();
});

test('logging in that does not help is not asked for again and again', async () => {
  const visitor = new DeskWindow(world.url, 'rollcall_session=rcs_made-up-made-up-made-up-made-up', IGNORED);
  await visitor.page.clock.setFixedTime(world.now);
  await visitor.page.goto('/dashboard');
  await visitor.page.waitForURL(/\/log-in/);
  await denied(visitor, 'You’re not logged in to the dashboard', /allows cookies/);
  const link = visitor.page.getByRole('link', { name: 'Log in', exact: true });
  assert.match((await link.getAttribute('href'))!, /^\/log-in\?return_to=/);
  await visitor.checkLive('dashboard-log-in-did-not-help');
  await visitor.close();
});

test('a build is made once, however many need it, and no partial build is left', async () => {
  const into = mkdtempSync(join(tmpdir(), 'rollcall-build-'));
  const made = `dashboard-${'0'.repeat(16)}`;
  // The build is under way elsewhere.
  const lock = await lockDataDir(into);
  const waiting = [build(into, made), build(into, made)];
  mkdirSync(join(into, made));
  assert.deepEqual(await Promise.all(waiting), [join(into, made), join(into, made)]);
  lock.release();
  assert.equal(await build(into, made), join(into, made));
  assert.deepEqual(readdirSync(into).toSorted(), [made, 'rollcall.lock']);
  assert.deepEqual(readdirSync(join(into, made)), [], 'nothing was built in its place');
  rmSync(into, { recursive: true });
});
