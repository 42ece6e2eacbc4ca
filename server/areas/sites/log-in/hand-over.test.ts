/**
 * Logging in at the host name of a business: the log-in is at the installation, and valid for this name and this
 * business only.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { HostsBrowser } from '../../../test/pages/hosts-browser.ts';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { text } from 'node:stream/consumers';
import { startWorld, type World } from '../../../test/world.ts';

/** The address of the installation. */
let PUBLIC: string;
const INSTALLATION = '127.0.0.1';
const HOST = 'book.harbour.example';
const OWN = `http://${HOST}`;
const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let harbour: string;
let event: string;
before(async () => {
  world = await startWorld({ resolveTexts: async () => proofs });
  PUBLIC = world.url;
  harbour = (await world.get(`/providers/${world.harbour}?fields=booking_site.slug`, { provider: world.harbour })).body
    .booking_site.slug;
  event = `/${harbour}/events/${(await newEvent(world, await newPlace(world))).id}`;
});
after(() => world?.close());
beforeEach(() => name(HOST));

let proofs: string[] = [];
/** Sets the verified host name of the business; null: none. */
async function name(domain: string | null): Promise<void> {
  const path = `/providers/${world.harbour}`;
  const as = world.machine;
  assert.equal((await world.patch(path, { as, body: { booking_site: { domain } } })).status, 200);
  if (domain === null) return;
  proofs = [(await world.get(`${path}?fields=domain_verification`, { as })).body.domain_verification.record];
  assert.equal((await world.post('/domains/verify', { as, body: {} })).status, 200);
}

const across = <T>(act: (tx: import('../../../kernel/base/db/database.ts').Transaction) => Promise<T>): Promise<T> =>
  world.app.db.acrossTenants('a test looks at what belongs to no business', act);

let people = 0;
async function newPerson({ customer = true } = {}): Promise<{ email: string; userId: number }> {
  const email = `own-name-${(people += 1)}@example.com`;
  const userId = await across(async (tx) => {
    const id = await createUser(tx, { email, password: PASSWORD });
    await tx.run(sql`UPDATE user_account SET email_confirmed_at = now() WHERE id = ${id}`);
    return id;
  });
  if (customer)
    await world.post('/customers', {
      as: world.machine,
      body: { first_name: 'Ada', last_name: 'King', email },
    });
  return { email, userId };
}

const at = (page: string): string => `/account/${world.harbour}/${page}`;

/** Follows the way from a page at the business's own name to the log-in, and back. */
async function logIn(
  browser: HostsBrowser,
  email: string,
  from = event,
): Promise<Awaited<ReturnType<HostsBrowser['go']>>> {
  const form = await browser.go(`${OWN}${at('log-in')}?return_to=${encodeURIComponent(from)}`);
  assert.equal(form.url.origin, PUBLIC, 'the password is asked for at the installation');
  return browser.post(at('log-in'), { email, password: PASSWORD, return_to: form.url.searchParams.get('return_to')! });
}
const sessionAt = (browser: HostsBrowser, host: string): string | undefined =>
  browser.jar(host).get('rollcall_session');
const isIn = (text: string): boolean => !text.includes('>Log in<');
async function newBrowserIn(): Promise<{ browser: HostsBrowser; email: string; userId: number }> {
  const [person, browser] = [await newPerson(), new HostsBrowser(world.url)];
  await logIn(browser, person.email);
  return { ...person, browser };
}

test("people log in at the installation and return to the page at the business's own name", async () => {
  const { email } = await newPerson();
  const browser = new HostsBrowser(world.url);
  const seen = await logIn(browser, email);
  assert.deepEqual([seen.status, seen.url.href], [200, OWN + event]);
  assert.ok(isIn(seen.text));
  assert.ok(!isIn((await new HostsBrowser(world.url).go(OWN + event)).text), 'nobody else is logged in');
  assert.match(sessionAt(browser, HOST)!, /^rcd_/);
  assert.match(sessionAt(browser, INSTALLATION)!, /^rcs_/);
});

// Guards against: A host name of a business, or a proxy in front of it, collects log-ins of other businesses
test('a business’s own domain has no password, passkey or account page', async () => {
  const browser = new HostsBrowser(world.url);
  for (const page of [
    'log-in',
    'sign-up',
    'forgot-password',
    'reset-password?ticket=x',
    'profile',
    'profile/passkeys',
    'confirm?ticket=x',
    'invitation?ticket=x',
    'consent/x',
    'continue/x',
    'gift-cards',
    'profile/messages',
  ]) {
    const { url } = await browser.go(OWN + at(page));
    assert.equal(url.origin, PUBLIC, page);
  }
  const answer = await browser.send(
    'POST',
    new URL(OWN + at('log-in')),
    { origin: OWN, 'content-type': 'application/x-www-form-urlencoded' },
    'email=a%40example.com&password=x',
  );
  assert.equal(answer.statusCode, 403);
});

// Guards against: A host name of a business, or a proxy in front of it, collects log-ins of other businesses
test('a session of the own name opens nothing elsewhere: no account, no dashboard, no other business', async () => {
  const { browser } = await newBrowserIn();
  const thief = new HostsBrowser(world.url);
  const secret = sessionAt(browser, HOST)!;
  for (const host of [INSTALLATION, 'other.example']) thief.jar(host).set('rollcall_session', secret);
  assert.ok(!isIn((await thief.go(PUBLIC + event)).text));
  assert.equal((await thief.go(PUBLIC + at('profile'))).url.pathname, at('log-in'));
  assert.equal(
    (await thief.go(`${PUBLIC}/account/${world.meadow}/profile`)).url.pathname,
    `/account/${world.meadow}/log-in`,
  );
  for (const origin of [PUBLIC, OWN]) {
    thief.jar(HOST).set('rollcall_session', secret);
    const answer = await thief.send('POST', new URL(`${origin}/dashboard/token`), { origin });
    assert.ok([401, 403].includes(answer.statusCode!), origin);
  }
});

test('a session of the installation opens nothing at the own name', async () => {
  const { browser } = await newBrowserIn();
  const other = new HostsBrowser(world.url);
  other.jar(HOST).set('rollcall_session', sessionAt(browser, INSTALLATION)!);
  assert.ok(!isIn((await other.go(OWN + event)).text));
});

test('the dashboard, the reference and log-ins of applications are only at the installation', async () => {
  const browser = new HostsBrowser(world.url);
  for (const path of ['/dashboard/today', '/docs', '/api/v2/auth/oauth/authorize?client_id=1'])
    assert.equal((await browser.send('GET', new URL(OWN + path))).headers.location, PUBLIC + path);
  for (const path of ['auth/password_login', `providers/${world.harbour}/register_customer`]) {
    const headers = { accept: 'application/json' };
    assert.equal((await browser.send('POST', new URL(`${OWN}/api/v2/${path}`), headers)).statusCode, 403, path);
  }
});

// Guards against: A host name of a business, or a proxy in front of it, collects log-ins of other businesses
test('the code works once, in the browser that requested it, at this name, and for a minute', async () => {
  const { browser } = await newBrowserIn();
  const again = await browser.go(`${OWN}${at('log-in')}?return_to=${encodeURIComponent(event)}`);
  const used = again.way.find((one) => one.includes('code='))!;
  assert.equal((await browser.go(used)).status, 410, 'used');

  /** Creates an unused code. */
  const newCode = async (): Promise<string> => {
    const began = await browser.send('GET', new URL(`${OWN}${at('log-in')}`));
    const to = /url=([^"]+)"/.exec(await text(began))![1].replaceAll('&amp;', '&');
    const handed = new URL(new URL(to).searchParams.get('return_to')!, PUBLIC);
    const page = await text(await browser.send('GET', handed));
    return /url=([^"]+)"/.exec(page)![1].replaceAll('&amp;', '&');
  };
  const code = await newCode();
  assert.equal((await new HostsBrowser(world.url).go(code)).status, 410, 'another browser');
  assert.equal((await browser.go(code.replace(OWN, PUBLIC))).status, 404, 'another host');
  assert.equal((await browser.go(code)).url.href, `${OWN}/${harbour}`);
  const late = await newCode();
  world.setNow(world.now + 60_000);
  assert.equal((await browser.go(late)).status, 410, 'late');
});

// Guards against: A host name of a business, or a proxy in front of it, collects log-ins of other businesses
test('a business that does not know a person learns who they are only with their consent', async () => {
  const { email } = await newPerson({ customer: false });
  const browser = new HostsBrowser(world.url);
  const asked = await logIn(browser, email);
  assert.equal(asked.url.origin, PUBLIC);
  assert.ok(asked.text.includes(HOST) && asked.text.includes(email));
  assert.equal(sessionAt(browser, HOST), undefined);
  const { searchParams } = asked.url;
  const seen = await browser.post(at('log-in/hand-over'), {
    browser: searchParams.get('browser')!,
    return_to: searchParams.get('return_to')!,
  });
  assert.equal(seen.url.href, OWN + event);
  assert.ok(isIn(seen.text));
});

test('logging out at either name ends both sessions', async () => {
  for (const [origin, page] of [
    [OWN, 'log-out'],
    [PUBLIC, 'log-out'],
  ]) {
    const { browser } = await newBrowserIn();
    await browser.go(origin + at(page));
    await browser.post(at('log-out'), {});
    assert.ok(!isIn((await browser.go(OWN + event)).text), origin);
    assert.equal((await browser.go(PUBLIC + at('profile'))).url.pathname, at('log-in'), origin);
  }
});

test('a new password ends the sessions that were handed over, and the log-in that set it continues', async () => {
  const { browser } = await newBrowserIn();
  world.setNow(world.now + 1000);
  await browser.go(PUBLIC + at('profile'));
  const changed = await browser.post(at('profile/password'), { old_password: PASSWORD, password: `${PASSWORD} again` });
  assert.equal(changed.url.search, '?done=password');
  assert.ok(!isIn((await browser.go(OWN + event)).text));
});

test('ending a session in the profile ends the sessions that were handed over', async () => {
  const { browser, userId } = await newBrowserIn();
  await across((tx) => tx.run(sql`DELETE FROM user_session WHERE user_id = ${userId}`));
  assert.ok(!isIn((await browser.go(OWN + event)).text));
});

// Guards against: A host name of a business, or a proxy in front of it, collects log-ins of other businesses
test('sessions end with the name, and do not return with it', async () => {
  const { browser } = await newBrowserIn();
  await name(null);
  assert.ok(!isIn((await browser.go(OWN + event)).text), 'nobody’s name');
  await name(HOST);
  assert.ok(!isIn((await browser.go(OWN + event)).text), 'proved again');
});

test('a name with a trailing dot is the same name', async () => {
  const browser = new HostsBrowser(world.url);
  const answer = await browser.send('GET', new URL(`${OWN}${at('log-in')}`), { host: `${HOST}.` });
  assert.match(await text(answer), new RegExp(`url=${PUBLIC}/`));
});
