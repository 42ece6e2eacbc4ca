/**
 * A service without a configured address is called by any name that people know its machine by, and keeps them there.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createApp } from '../../../app.ts';
import { readConfig } from '../../../config.ts';
import { Browser } from '../../../test/pages/cookie-browser.ts';
import {
  authorizeUrl,
  CALLBACK,
  challengeOf,
  newApplication,
  newPerson,
  logIn,
  verifier,
} from '../../../test/worlds/oauth-world.ts';
import { newEvent, newPlace } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { SECRET_KEY } from '../../../test/secret-key.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
let published: World;
/** URL of the same service under a name other than its own. */
let other: string;
before(async () => {
  world = await startWorld();
  published = await startWorld({ env: { PUBLIC_URL: 'https://book.example.org' } });
  other = world.url.replace('127.0.0.1', 'localhost');
});
after(async () => {
  for (const one of [world, published]) await one?.close();
});

test('a log-in for an application stays at the name that the person used for the service', async () => {
  const application = await newApplication(world);
  const person = await newPerson(world);
  const proof = verifier();
  const begin = authorizeUrl(world, application, { code_challenge: challengeOf(proof), code_challenge_method: 'S256' });
  const asked = await fetch(begin.href.replace(world.url, other), { redirect: 'manual' });
  assert.match(asked.headers.get('location')!, /^\/account\//);
  const interaction = asked.headers.get('location')!.split('/')[4];
  const next = await world.app.oauth.interactions.finishLogIn(interaction, await logIn(world, person));
  assert.match(next!, /^\/api\/v2\/auth\/oauth\/authorize\//);
});

test('a person who uses another name for the service logs in, agrees and arrives, in one browser', async () => {
  const application = await newApplication(world);
  const person = await newPerson(world);
  const browser = new Browser();
  const proof = verifier();
  const begin = authorizeUrl(world, application, { code_challenge: challengeOf(proof), code_challenge_method: 'S256' });
  let seen = await browser.go(begin.href.replace(world.url, other));
  for (const finish of ['finishLogIn', 'finishConsent'] as const) {
    assert.equal(new URL(seen.url).origin, other);
    const session = await logIn(world, { ...person, browser });
    const next = await world.app.oauth.interactions[finish](new URL(seen.url).pathname.split('/')[4], session);
    seen = await browser.go(new URL(next!, other).href);
  }
  assert.ok(seen.url.startsWith(CALLBACK), seen.url);
});

async function nextOf(of: World, base: string): Promise<string> {
  const response = await fetch(`${base}/api/v2/customers?page_size=1`, {
    headers: { authorization: `Bearer ${of.machine}` },
  });
  return ((await response.json()) as { next: string }).next;
}

test('pages of a list continue on the requested host; links to pages use PUBLIC_URL if it is set', async () => {
  for (const each of [world, published, world, published]) await each.newCustomer();
  assert.ok((await nextOf(world, other)).startsWith(`${other}/api/v2/customers`));
  assert.ok(
    (await nextOf(published, published.app.listeningAt)).startsWith(`${published.app.listeningAt}/api/v2/customers`),
  );
  const known = await fetch(`${other}/api/v2/auth/check_account?email=nobody@example.com`, {
    headers: { authorization: `Bearer ${world.machine}` },
  });
  assert.ok(((await known.json()) as { web_auth_url: string }).web_auth_url.startsWith(`${other}/account/`));
  const listed = await fetch(`${published.app.listeningAt}/api/v2/customers?page_size=1`, {
    headers: { authorization: `Bearer ${published.machine}` },
  });
  const [customer] = ((await listed.json()) as { results: any[] }).results;
  assert.ok(
    customer.referral_code.share_url.startsWith('https://book.example.org/account/'),
    customer.referral_code.share_url,
  );
});

test('the start warns if PUBLIC_URL is missing, and only then', async () => {
  for (const [url, warned] of [
    [undefined, true],
    ['https://book.example.org', false],
  ] as const) {
    const lines: string[] = [];
    const app = createApp({
      config: { ...readConfig({ SECRET_KEY }), publicUrl: url },
      databaseUrl: world.databaseUrl,
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    });
    await app.close();
    assert.equal(
      lines.some((line) => line.includes('PUBLIC_URL is not set')),
      warned,
    );
  }
});

test('no link of a page names a host', async () => {
  const { text } = await new PageClient(other).get(`/account/${world.harbour}/log-in`);
  assert.doesNotMatch(text, /(href|action|src)="https?:/);
});

test('addresses in responses lead somewhere, or are null', async () => {
  const customer = await world.newCustomer();
  const shared = (await world.get(`/customers/${customer}?fields=referral_code`, { as: world.machine })).body
    .referral_code.share_url;
  const { id } = await newEvent(world, await newPlace(world));
  const event = (await world.get(`/events/${id}`, { as: world.machine })).body;
  for (const url of [shared, event.customer_url]) assert.equal((await fetch(url)).status, 200, url);
  assert.equal(event.provider_url, null);
});
