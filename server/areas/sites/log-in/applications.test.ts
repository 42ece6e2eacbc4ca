/** Access of an application as a person experiences it, without scripts: log-in, consent, and back. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import {
  across,
  authorizeUrl,
  exchange,
  newApplication,
  type TestApplication,
} from '../../../test/worlds/oauth-world.ts';
import { createUser } from '../../people/identity/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';

let world: World;
let browser: PageBrowser;
let theirs: Server;
let callback: string;
let app: TestApplication;
before(async () => {
  world = await startWorld();
  theirs = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><html lang="en"><title>Diary</title><h1>Rowing Diary</h1></html>'),
  );
  theirs.listen(0, 'localhost');
  await once(theirs, 'listening');
  browser = new PageBrowser(world.url, `http://localhost:${(theirs.address() as AddressInfo).port}`);
  callback = `http://localhost:${(theirs.address() as AddressInfo).port}/cb`;
  app = await newApplication(world, { allowed_callback_urls: [callback] });
});
after(async () => {
  theirs?.close();
  await world?.close();
});

const PASSWORD = 'otter kettle midnight ferry';
let people = 0;

async function newAccount(): Promise<string> {
  const email = `ada${++people}@example.com`;
  await across(world, async (tx) => {
    const id = await createUser(tx, { email, password: PASSWORD });
    await tx.run(
      sql`UPDATE user_account SET email_confirmed_at = now(), first_name = 'Ada', last_name = 'Byron' WHERE id = ${id}`,
    );
  });
  return email;
}

const asked = (more: Record<string, string | null> = {}): string =>
  authorizeUrl(world, app, { redirect_uri: callback, scope: 'openid email read', ...more }).href;
const answerOf = (visitor: PageVisitor): URLSearchParams => visitor.url.searchParams;
const arrived = (visitor: PageVisitor) => assert.equal(visitor.url.href.split('?')[0], callback);

test('a person logs in, is asked, allows, and the application gets its tokens; the second time there is no question', async () => {
  const email = await newAccount();
  const visitor = await browser.visitor();
  await visitor.open(asked({ login_hint: email }));
  assert.equal(visitor.path, `/account/${world.harbour}/log-in`);
  assert.equal(await visitor.page.getByLabel('Email address').inputValue(), email);
  assert.ok(!visitor.url.href.includes(email));
  await visitor.submit('Log in', { Password: PASSWORD });
  assert.match(visitor.path, /\/consent\//);
  assert.match(
    await visitor.text(),
    /Let Rowing Diary act for you\?[^]*Harbour[^]*See your email address[^]*localhost/,
  );
  await visitor.checkAccessible('consent');
  await visitor.submit('Allow');
  arrived(visitor);
  assert.equal(answerOf(visitor).get('state'), 'st');
  const { status, body } = await exchange(world, app, answerOf(visitor).get('code'), { redirect_uri: callback });
  assert.deepEqual([status, body.scope], [200, 'openid email read']);
  await visitor.open(asked());
  arrived(visitor);
  assert.ok(answerOf(visitor).get('code'));
  await visitor.open(`/account/${world.harbour}/profile/settings`);
  assert.match(await visitor.text(), /Rowing Diary/);
});

// Guards against: A log-in that goes round in circles
test('a person who chose to stay logged in gets through to the application, the first time and later', async () => {
  const email = await newAccount();
  const visitor = await browser.visitor();
  await visitor.open(asked());
  const keep = { 'Keep me logged in on this device': true };
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD, ...keep });
  assert.match(visitor.path, /\/consent\//);
  await visitor.submit('Allow');
  arrived(visitor);
  assert.ok(answerOf(visitor).get('code'));
  await visitor.open(asked());
  arrived(visitor);
  assert.ok(answerOf(visitor).get('code'));
});

test('a person who denies access is sent back with nothing', async () => {
  const email = await newAccount();
  const visitor = await browser.visitor();
  await visitor.open(asked());
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.match(visitor.path, /\/consent\//);
  await visitor.submit("Don't allow");
  arrived(visitor);
  assert.deepEqual([answerOf(visitor).get('error'), answerOf(visitor).get('code')], ['access_denied', null]);
});

test('an application that requires a new log-in gets one, although the person is logged in', async () => {
  const email = await newAccount();
  const visitor = await browser.visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  world.setNow(world.now + 60_000);
  await visitor.open(asked({ prompt: 'login' }));
  assert.equal(visitor.path, `/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.match(visitor.path, /\/consent\//);
  world.resetNow();
});

test("a page of the service explains to the person what is wrong with the application's request", async () => {
  const visitor = await browser.visitor();
  await visitor.open(asked({ redirect_uri: 'https://evil.example/' }));
  assert.equal(await visitor.heading(), "The application can't log you in");
  await visitor.checkAccessible('authorize-error');
});
