/** A booking site at its own host name. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from 'node:net';
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';

const INSTALLATION = 'rollcall.example';
const DOMAIN = 'book.harbour.example';

/** Records of the fake name servers. */
const records = new Map<string, string[]>();
let world: World;
let slugs: { harbour: string; meadow: string };
before(async () => {
  world = await startWorld({
    resolveTexts: async (name) => {
      if (name.includes('unreachable')) throw new Error('no answer');
      return records.get(name) ?? [];
    },
  });
  slugs = { harbour: await slugOf(world.harbour), meadow: await slugOf(world.meadow) };
});
after(() => world?.close());

const slugOf = async (id: number): Promise<string> =>
  (await world.get(`/providers/${id}?fields=booking_site.slug`, { provider: id })).body.booking_site.slug;

/** Requests a page at a host name like a browser. */
async function ask(host: string, path: string, { method = 'GET', body = '', headers = {} } = {}) {
  const { hostname, port } = new URL(world.url);
  const asked = request({ hostname, port, path, method, headers: { host, accept: 'text/html', ...headers } });
  const [answer] = await new Promise<[import('node:http').IncomingMessage]>((resolve, reject) => {
    asked.on('response', (one) => resolve([one])).on('error', reject);
    asked.end(body);
  });
  return { status: answer.statusCode!, headers: answer.headers, text: await textOf(answer) };
}
const claim = (domain: string | null, as = world.machine, id = world.harbour) =>
  world.patch(`/providers/${id}`, { as, body: { booking_site: { domain } } });
const verify = (as = world.machine) => world.post('/domains/verify', { as, body: {} });
async function proofOf(
  id = world.harbour,
  as = world.machine,
): Promise<{ record_name: string; record: string; is_verified: boolean }> {
  return (await world.get(`/providers/${id}?fields=domain_verification`, { as })).body.domain_verification;
}
async function list(is_listed: boolean): Promise<void> {
  const body = { booking_site: { is_listed } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body })).status, 200);
}
/** Returns the sitemaps that robots.txt names. */
const mapsIn = (text: string): string[] => [...text.matchAll(/^Sitemap: (.*)$/gm)].map(([, url]) => url);
const named = (text: string): string[] => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url);
const canonical = (text: string): string | undefined => /<link rel="canonical" href="([^"]+)">/.exec(text)?.[1];
const checked = async (domain: string) => (await ask('localhost', `/domains/check?domain=${domain}`)).status;

test('a host name is served only after DNS has proved that it belongs to the business', async () => {
  assert.equal((await verify()).body.code, 'domain_not_set');
  assert.equal((await claim('Book.Harbour.example')).status, 400);
  assert.equal((await claim(DOMAIN)).status, 200);
  const { record_name: name, record, is_verified: before } = await proofOf();
  assert.deepEqual([name, before], [`_rollcall.${DOMAIN}`, false]);
  assert.match(record, /^rollcall-site=[0-9a-f]{32}$/);

  const refused = await verify();
  assert.deepEqual([refused.status, refused.body.code], [409, 'domain_not_verified']);
  assert.ok(refused.text.includes(record) && refused.text.includes(name), 'it says what to add');
  assert.equal(await checked(DOMAIN), 404);
  assert.doesNotMatch((await ask(DOMAIN, '/')).text, /<h1>Harbour/, 'what is only claimed is not served');
  records.set(name, ['v=spf1 -all', (await proofOf(world.meadow, world.meadowMachine)).record]);
  assert.equal((await verify()).status, 409, 'the record of another business proves nothing');

  records.set(name, ['v=spf1 -all', record]);
  const done = await verify();
  assert.deepEqual([done.status, done.body], [200, { domain: DOMAIN, is_domain_verified: true }]);
  assert.equal((await proofOf()).is_verified, true);
  assert.deepEqual([await checked(DOMAIN), await checked(`x.${DOMAIN}`), await checked('')], [200, 404, 404]);
  assert.equal(
    (await world.get(`/providers/${world.harbour}?fields=domain_verification`)).body.domain_verification,
    null,
  );
});

test('at its own host name the home page is at the root, and canonical addresses use that name', async () => {
  const own = await ask(DOMAIN, '/');
  assert.equal(own.status, 200);
  assert.match(own.text, /<h1>Harbour/);
  assert.equal(canonical(own.text), `https://${DOMAIN}/`);
  assert.match(own.text, new RegExp(`hreflang="de" href="https://${DOMAIN}/\\?lang=de"`));
  // The address of the installation still works, and names the canonical address.
  assert.equal(canonical((await ask(INSTALLATION, `/${slugs.harbour}`)).text), `https://${DOMAIN}/`);
  const timetable = await ask(DOMAIN, `/${slugs.harbour}/timetable`);
  assert.equal(canonical(timetable.text), `https://${DOMAIN}/${slugs.harbour}/timetable`);
});

test('crawlers find the pages of the business at its own host name, and nowhere else', async () => {
  await list(true);
  const here = `http://${DOMAIN}`;
  assert.deepEqual(mapsIn((await ask(DOMAIN, '/robots.txt')).text), [`${here}/sitemap.xml`]);
  const files = named((await ask(DOMAIN, '/sitemap.xml')).text);
  assert.equal(files[0], `${here}/${slugs.harbour}/sitemap.xml`);
  assert.ok(files.every((one) => one.startsWith(`${here}/${slugs.harbour}/`)));
  const pages = named((await ask(DOMAIN, `/${slugs.harbour}/sitemap.xml`)).text);
  assert.deepEqual(pages.slice(0, 2), [`${here}/`, `${here}/${slugs.harbour}/timetable`]);
  const elsewhere = await ask(INSTALLATION, '/sitemap.xml');
  assert.ok(!elsewhere.text.includes(`/${slugs.harbour}/sitemap.xml`), 'no address is in two maps');
  assert.deepEqual(mapsIn((await ask(INSTALLATION, '/robots.txt')).text).slice(0, 1), [
    `http://${INSTALLATION}/sitemap.xml`,
  ]);
  const data = await ask(DOMAIN, '/openactive');
  assert.deepEqual([data.status, data.headers.location], [303, `/${slugs.harbour}/openactive`]);

  await list(false);
  assert.deepEqual(mapsIn((await ask(DOMAIN, '/robots.txt')).text), []);
  assert.deepEqual(named((await ask(DOMAIN, '/sitemap.xml')).text), []);
  await list(true);
});

test("an unknown path at a business's own host name shows a page of the business", async () => {
  const { status, text } = await ask(DOMAIN, '/nowhere', { headers: { 'accept-language': 'de' } });
  assert.equal(status, 404);
  assert.match(text, /<title>Seite nicht gefunden – Harbour/);
});

test('forms work at the own host name, and only from there', async () => {
  await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { booking_site: { sells_to_guests: true } },
  });
  const event = await newEvent(world, await newPlace(world));
  const path = `/${slugs.harbour}/events/${event.id}/guest`;
  const form = await ask(DOMAIN, path);
  assert.equal(form.status, 200);
  const token = /name="form_token" value="([\w-]+)"/.exec(form.text)![1];
  const cookie = form.headers['set-cookie']!.map((one) => one.split(';')[0]).join('; ');
  const body = new URLSearchParams({ form_token: token, email: 'nobody' }).toString();
  const send = (origin: string) =>
    ask(DOMAIN, path, {
      method: 'POST',
      body,
      headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
    });
  assert.equal((await send(`http://${DOMAIN}`)).status, 422);
  assert.equal((await send(`http://${INSTALLATION}`)).status, 403);
});

test('under the host name of one business nobody sees pages of another', async () => {
  assert.equal((await ask(DOMAIN, `/${slugs.meadow}`)).status, 404);
  assert.equal((await ask(DOMAIN, `/account/${world.meadow}/log-in`)).status, 404);
  assert.equal((await ask(INSTALLATION, `/${slugs.meadow}`)).status, 200);
});

test('a host name in capitals or with a dot at its end is the same name', async () => {
  for (const host of [`${DOMAIN}.`, DOMAIN.toUpperCase(), `${DOMAIN}.:443`]) {
    assert.match((await ask(host, '/')).text, /<h1>Harbour/, host);
    assert.equal((await ask(host, `/${slugs.meadow}`)).status, 404, host);
    const logIn = await ask(host, `/account/${world.harbour}/log-in`);
    assert.doesNotMatch(logIn.text, /type="password"/, host);
    const dashboard = await ask(host, '/dashboard');
    assert.equal(dashboard.status, 303, host);
    assert.doesNotMatch(dashboard.headers.location!, /harbour\.example/i);
    const token = await ask(host, '/api/v2/auth/token', { method: 'POST', body: 'grant_type=password' });
    assert.equal(token.status, 403, host);
  }
});

test('a host name belongs to one business of the installation, no matter who claims it', async () => {
  // Claiming a name is open to anyone: otherwise somebody could block its owner.
  assert.equal((await claim(DOMAIN, world.meadowMachine, world.meadow)).status, 200);
  records.get(`_rollcall.${DOMAIN}`)!.push((await proofOf(world.meadow, world.meadowMachine)).record);
  const second = await verify(world.meadowMachine);
  assert.equal(second.status, 400, second.text);
  assert.match(second.body.field_errors['booking_site.domain'][0], /Another business/);
  // Another name is verified again, and the old one becomes available.
  assert.equal((await claim('unreachable.harbour.example')).status, 200);
  assert.equal((await proofOf()).is_verified, false);
  assert.match((await verify()).text, /don’t answer/);
  assert.equal(await checked(DOMAIN), 404);
  assert.equal((await verify(world.meadowMachine)).status, 200);
  assert.equal((await ask(DOMAIN, `/${slugs.harbour}`)).status, 404);
});

test('a request with two host names is refused', async () => {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET / HTTP/1.1\r\nHost: ${INSTALLATION}\r\nHost: ${DOMAIN}\r\nConnection: close\r\n\r\n`);
  assert.match(await textOf(socket), /^HTTP\/1\.1 400 /);
});

test('no shared cache stores a document that names a host which anybody may have sent', async () => {
  for (const path of ['/robots.txt', '/sitemap.xml']) {
    assert.match((await ask('evil.example', path)).headers['cache-control']!, /^private/, path);
    assert.match((await ask('unreachable.harbour.example', path)).headers['cache-control']!, /^private/, path);
  }
});
