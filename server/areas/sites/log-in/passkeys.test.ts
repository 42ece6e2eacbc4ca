// Guards against: Getting in with a copied, repeated, late or foreign answer of a passkey, or adding one in an open
// window
/** Passkeys as people use them: a real browser with scripts, and a device that Chromium emulates. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { shows } from '../../../test/pages/shows.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';
import { until } from '../../../test/storm.ts';
import type { CDPSession } from 'playwright-core';

const PASSWORD = 'otter kettle midnight ferry';
const MINUTE = 60_000;

let mailbox: Mailbox;
let world: World;
let browser: TestBrowser;
/** Browsers accept no IP address for a passkey. */
let origin: string;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  origin = world.url.replace('127.0.0.1', 'localhost');
  browser = await TestBrowser.start(origin);
});
after(async () => {
  await browser?.close();
  await world?.close();
  await mailbox?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;
const PASSKEYS = 'profile/passkeys';

const newUser = (email: string): Promise<number> =>
  world.app.db.acrossTenants('a test has an account', (tx) => createUser(tx, { email, password: PASSWORD }));

interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

/** Adds a device with a fingerprint reader that always approves. */
async function deviceOf(visitor: Visitor): Promise<Device> {
  const cdp = await visitor.context.newCDPSession(visitor.page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function logIn(visitor: Visitor, email: string): Promise<void> {
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
}

/** Presses a button that calls the device, and waits for the next page. */
async function press(visitor: Visitor, button: string, page: string): Promise<void> {
  await visitor.page.getByRole('button', { name: button, exact: true }).click();
  await visitor.page.waitForURL((url) => url.pathname === at(page));
  visitor.check();
}

/** Creates a person with a passkey who is logged in. */
async function withPasskey(email: string): Promise<{ visitor: Visitor; device: Device; userId: number }> {
  const userId = await newUser(email);
  const visitor = await browser.visitor(origin, { scripts: true });
  const device = await deviceOf(visitor);
  await logIn(visitor, email);
  await visitor.open(at(PASSKEYS));
  await visitor.page.getByLabel('Name of the passkey').fill('Phone');
  await visitor.page.getByRole('button', { name: 'Add a passkey', exact: true }).click();
  await visitor.page.getByText('The passkey is added.').waitFor();
  visitor.check();
  return { visitor, device, userId };
}

const events = (userId: number) =>
  world.app.db.acrossTenants('a test reads what happened', (tx) =>
    tx.rows<{ kind: string }>(sql`SELECT kind FROM user_event WHERE user_id = ${userId} ORDER BY id`),
  );

test('a person adds a passkey, logs in with it, and renames and removes it', async () => {
  const { visitor, userId } = await withPasskey('ada@example.com');
  assert.match(await visitor.text(), /The passkey is added[^]*Phone\s*Added/);
  assert.match((await mailbox.next('ada@example.com', /passkey was added/)).text, /log in without your password/);
  await visitor.checkAccessible('passkeys');
  await visitor.submit('Log out');
  await visitor.checkAccessible('log-in-passkey');
  await press(visitor, 'Log in with a passkey', 'profile');
  assert.deepEqual((await events(userId)).map(({ kind }) => kind).slice(-2), ['session_ended', 'log_in']);
  await visitor.open(at(PASSKEYS));
  assert.match(await visitor.text(), /Phone\s*Added [^]*last used/);
  await visitor.page.getByText('Rename').click();
  await visitor.page.locator('details').getByLabel('Name of the passkey').fill('Old phone');
  await visitor.page.getByRole('button', { name: 'Save name' }).click();
  await visitor.page.getByText('The name of the passkey is saved.').waitFor();
  assert.match(await visitor.text(), /Old phone/);
  await visitor.page.getByRole('button', { name: 'Remove' }).click();
  await visitor.page.getByText('The passkey is removed.').waitFor();
  assert.match(await visitor.text(), /You don't have a passkey yet/);
  await mailbox.next('ada@example.com', /passkey was removed/);
  await visitor.submit('Log out');
  await visitor.page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await visitor.page.getByText("That passkey couldn't be used.").waitFor();
  await visitor.checkAccessible('log-in-passkey-refused');
  assert.deepEqual(
    (await events(userId)).map(({ kind }) => kind).filter((kind) => kind.startsWith('passkey')),
    ['passkey_added', 'passkey_removed'],
  );
  await visitor.close();
});

test('a passkey is both steps of the log-in, and leads back to where the person came from', async () => {
  const { visitor, userId } = await withPasskey('ben@example.com');
  await visitor.submit('Log out');
  await visitor.open(`${at('log-in')}?return_to=${encodeURIComponent(at('profile/second-factor'))}`);
  await press(visitor, 'Log in with a passkey', 'profile/second-factor');
  const session = await world.app.db.acrossTenants('a test reads a session', (tx) =>
    tx.one(sql`SELECT second_factor FROM user_session WHERE user_id = ${userId}`),
  );
  assert.deepEqual(session, { second_factor: true });
  await visitor.close();
});

test('a passkey works at the log-in of the installation too', async () => {
  const { visitor } = await withPasskey('installation@example.com');
  await visitor.submit('Log out');
  await visitor.open('/log-in?return_to=/dashboard/people');
  await visitor.page.getByRole('button', { name: 'Log in with a passkey', exact: true }).click();
  await visitor.page.waitForURL((url) => url.pathname === '/dashboard/people');
  await visitor.close();
});

test('a person who cancels at the device, or whose device does not approve, stays on the page and may try again', async () => {
  const { visitor, device } = await withPasskey('cleo@example.com');
  await visitor.submit('Log out');
  await device.cdp.send('WebAuthn.setUserVerified', {
    authenticatorId: device.authenticatorId,
    isUserVerified: false,
  });
  await visitor.page.getByRole('button', { name: 'Log in with a passkey' }).click();
  await visitor.page.getByText("That didn't work, or you cancelled it.").waitFor();
  assert.equal(visitor.path, at('log-in'));
  await device.cdp.send('WebAuthn.setUserVerified', { authenticatorId: device.authenticatorId, isUserVerified: true });
  await press(visitor, 'Log in with a passkey', 'profile');
  await visitor.close();
});

/** Captures the form that the browser would send, instead of sending it. */
async function answerOf(visitor: Visitor, button: string): Promise<Record<string, string>> {
  await visitor.page.evaluate(`HTMLFormElement.prototype.submit = function () {
    globalThis.answer = Object.fromEntries(new FormData(this));
  }`);
  await visitor.page.getByRole('button', { name: button, exact: true }).click();
  // Polled from outside, because the page's policy doesn't allow a function that is passed as text.
  return until('the device answers', () => visitor.page.evaluate<any>('globalThis.answer'));
}

test("a device's response is valid once, for ten minutes, for our own challenge, and never with an older counter", async () => {
  const { visitor, userId } = await withPasskey('dora@example.com');
  await visitor.submit('Log out');
  const send = async (fields: Record<string, string>) => {
    const client = new PageClient(origin);
    await client.get(at('log-in'));
    const { form_token: _, ...rest } = fields;
    return client.post(at('log-in/passkey'), rest);
  };
  const first = await answerOf(visitor, 'Log in with a passkey');
  const other = JSON.parse(first.response);
  const data = JSON.parse(Buffer.from(other.response.clientDataJSON, 'base64url').toString());
  other.response.clientDataJSON = Buffer.from(JSON.stringify({ ...data, challenge: 'A'.repeat(72) })).toString(
    'base64url',
  );
  assert.equal((await send({ ...first, response: JSON.stringify(other) })).status, 422, 'not our challenge');
  assert.equal((await send({ ...first, response: 'nothing' })).status, 422);
  assert.equal((await send({ ...first, response: '' })).status, 422);
  const spent = await send(first);
  assert.equal(spent.status, 303, spent.text);
  assert.equal((await send(first)).status, 422, 'a second time');

  await visitor.open(at('log-in'));
  const late = await answerOf(visitor, 'Log in with a passkey');
  world.setNow(world.now + 10 * MINUTE);
  assert.equal((await send(late)).status, 422, 'too late');
  world.setNow(world.now - 10 * MINUTE);

  const counter = (to: string) =>
    world.app.db.acrossTenants('a test changes a counter', (tx) =>
      tx.run(sql`UPDATE passkey SET counter = ${to}::bigint WHERE user_id = ${userId}`),
    );
  const made = (host: string) =>
    world.app.db.acrossTenants('a test changes where a passkey was made', (tx) =>
      tx.run(sql`UPDATE passkey SET rp_id = ${host} WHERE user_id = ${userId} AND rp_id <> ${host}`),
    );
  assert.equal(await made('localhost'), 0, 'it was made at this host');
  await made('book.harbour.example');
  assert.equal((await send(late)).status, 422, 'made at another host');
  await made('localhost');
  await counter('1000000');
  assert.equal((await send(late)).status, 422, 'a copy of the key');
  assert.equal((await events(userId)).at(-1)!.kind, 'log_in_failed');
  await counter('0');
  await world.app.db.acrossTenants('a test disables an account', (tx) =>
    tx.run(sql`UPDATE user_account SET disabled_at = now() WHERE id = ${userId}`),
  );
  assert.equal((await send(late)).status, 422, 'a disabled account');
  await visitor.close();
});

test('passkeys are changed only within 15 minutes of the password, and nobody adds one that was created for somebody else', async () => {
  const { visitor } = await withPasskey('emma@example.com');
  await visitor.page.getByRole('button', { name: 'Add a passkey', exact: true }).click();
  await visitor.page.getByText("That didn't work, or you cancelled it.").waitFor();
  assert.equal(visitor.path, at(PASSKEYS), 'the device has one already');
  const [mallory, client] = ['mallory@example.com', new PageClient(origin)];
  await newUser(mallory);
  await client.get(at('log-in'));
  await client.post(at('log-in'), { email: mallory, password: PASSWORD });
  await client.get(at(PASSKEYS));

  const fresh = await browser.visitor(origin, { scripts: true });
  await deviceOf(fresh);
  await newUser('finn@example.com');
  await logIn(fresh, 'finn@example.com');
  await fresh.open(at(PASSKEYS));
  const foreign = await answerOf(fresh, 'Add a passkey');
  const sent = { name: 'Phone', response: foreign.response };
  assert.equal((await client.post(at(`${PASSKEYS}/add`), sent)).status, 422, 'made for another account');
  assert.match((await client.get(at(PASSKEYS))).text, /have a passkey yet/);

  world.setNow(world.now + 16 * MINUTE);
  await fresh.open(at(PASSKEYS));
  await shows(() => fresh.page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
  await fresh.checkAccessible('passkeys-proof');
  const stale = new PageClient(origin);
  stale.cookies.set(
    'rollcall_session',
    (await visitor.context.cookies()).find((c) => c.name === 'rollcall_session')!.value,
  );
  const { text } = await stale.get(at(PASSKEYS));
  assert.doesNotMatch(text, /Remove|Rename/);
  const { headers } = await stale.post(at(`${PASSKEYS}/remove`), { id: '1' });
  assert.match(headers.get('location')!, /not-possible/);
  await visitor.open(at(PASSKEYS));
  await visitor.submit('Continue', { 'Your password': 'not this one' });
  assert.match(await visitor.text(), /That isn't your password/);
  await visitor.submit('Continue', { 'Your password': PASSWORD });
  assert.match(await visitor.text(), /Phone[^]*Rename[^]*Remove/);
  await visitor.close();
  await fresh.close();
});

// Guards against: A script in a page of an account
test('only pages that ask for a passkey may run a script, one of our own, and they work without it', async () => {
  const client = new PageClient(origin);
  const policyOf = async (page: string) => {
    const { headers, text } = await client.get(at(page));
    return [
      /script-src ([^;]*)/.exec(headers.get('content-security-policy')!)?.[1],
      (text.match(/<script/g) ?? []).length,
    ];
  };
  assert.deepEqual(await policyOf('log-in'), ["'self'", 1]);
  assert.deepEqual(await policyOf('sign-up'), [undefined, 0]);
  const plain = await browser.visitor();
  await plain.open(at('log-in'));
  await shows(() => plain.page.getByRole('button', { name: 'Log in with a passkey' }).count(), 0);
  await newUser('gus@example.com');
  await logIn(plain, 'gus@example.com');
  await plain.open(at(PASSKEYS));
  assert.match(await plain.text(), /This browser can't use passkeys here/);
  await plain.checkAccessible('passkeys-unsupported');
  await plain.close();
  const numbers = new PageClient(world.url);
  assert.doesNotMatch((await numbers.get(at('log-in'))).text, /passkey/);
});
