/** Keys over time: announced, signing, retired; as others see them at the published addresses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import {
  across,
  newApplication,
  newPerson,
  tokensFor,
  type TestApplication,
} from '../../../../test/worlds/oauth-world.ts';
import { publishedKeys, rotateKeys, signingKey, tendKeys, TOKEN_LIFE_MS } from './signing-keys.ts';
import { SecretBox } from '../../../../kernel/base/secret-box.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startBeside, startWorld, type World } from '../../../../test/world.ts';

let world: World;
let app: TestApplication;
before(async () => {
  world = await startWorld({ own: true });
  app = await newApplication(world);
});
after(() => world.close());

const HOUR = 3_600_000;
const token = async () => (await tokensFor(world, app, await newPerson(world))).access_token;
const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid!;
const published = async (on = world) =>
  ((await (await fetch(`${on.url}/api/v2/auth/oauth/jwks`)).json()) as { keys: Record<string, string>[] }).keys;
const works = async (jwt: string, on = world) =>
  (await on.get('/auth/oidc/userinfo', { as: jwt, provider: null })).status === 200;
const verified = (jwt: string) =>
  jwtVerify(jwt, createRemoteJWKSet(new URL(`${world.url}/api/v2/auth/oauth/jwks`)), {
    issuer: world.url,
    audience: `${world.url}/api/v2`,
    typ: 'at+jwt',
    currentDate: new Date(world.now),
  });

test('concurrent requests for the first key create one', async () => {
  const box = new SecretBox([Buffer.alloc(32, 1)]);
  // Their clocks differ, as those of machines do.
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) => across(world, (tx) => signingKey(tx, { box }, world.now - n * 1000))),
  );
  assert.equal(new Set(made.map((k) => k.kid)).size, 1);
  assert.equal((await across(world, (tx) => tx.rows(sql`SELECT 1 AS one FROM signing_key`))).length, 1);
  await across(world, (tx) => tx.run(sql`DELETE FROM signing_key`));
});

// Guards against: Signing keys that are stolen or lost
test('published keys can verify and never sign, and the database holds no private key in plain text', async () => {
  await token();
  const keys = await published();
  assert.equal(keys.length, 1);
  assert.deepEqual(Object.keys(keys[0]).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
  const row = await across(world, (tx) =>
    tx.one<{ all: string }>(sql`SELECT signing_key::text AS all FROM signing_key`),
  );
  assert.doesNotMatch(row!.all, /"d"|PRIVATE/);
});

test('a new key is published for an hour before it signs, on every process, and tokens of the old one remain valid until they expire', async (t) => {
  const beside = await startBeside(world);
  t.after(() => beside.close());
  const start = world.now;
  const old = await token();
  const { kid } = await across(world, (tx) => rotateKeys(tx, world.app.installation, world.now));
  for (const on of [world, beside])
    assert.deepEqual((await published(on)).map((k) => k.kid).toSorted(), [kidOf(old), kid].toSorted());
  assert.equal(kidOf(await token()), kidOf(old));
  assert.equal((await across(world, (tx) => rotateKeys(tx, world.app.installation, world.now))).kid, kid);

  world.setNow(world.now + HOUR + 1000);
  const next = await token();
  assert.equal(kidOf(next), kid);
  for (const jwt of [old, next]) {
    await verified(jwt);
    for (const on of [world, beside]) assert.ok(await works(jwt, on));
  }

  world.setNow(start + HOUR + TOKEN_LIFE_MS + 6 * 60_000);
  assert.deepEqual(
    (await published()).map((k) => k.kid),
    [kid],
  );
  await assert.rejects(verified(old));
  assert.ok(!(await works(old)));
  world.setNow(start);
});

test('id tokens are signed with the current key, whatever others are published', async () => {
  const start = world.now;
  world.setNow(start + 2 * HOUR);
  await across(world, (tx) => rotateKeys(tx, world.app.installation, world.now));
  const held = await tokensFor(world, app, await newPerson(world), { scope: 'openid read' });
  assert.equal(kidOf(held.id_token!), kidOf(held.access_token));
  world.setNow(world.now + 2 * HOUR);
  const later = await tokensFor(world, app, await newPerson(world), { scope: 'openid read' });
  assert.equal(kidOf(later.id_token!), kidOf(later.access_token));
  assert.notEqual(kidOf(later.id_token!), kidOf(held.id_token!));
  world.setNow(start);
});

test('the worker announces a new key in time for the ninetieth day, and deletes keys that are no longer needed', async () => {
  const start = world.now;
  const tend = () => across(world, (tx) => tendKeys(tx, world.app.installation, world.now));
  const kids = async () => (await across(world, (tx) => publishedKeys(tx, world.now))).map((k) => k.kid);
  const before = await kids();
  await tend();
  assert.deepEqual(await kids(), before);
  world.setNow(start + 100 * 24 * HOUR);
  await tend();
  assert.equal((await kids()).length, 2);
  world.setNow(world.now + 4 * HOUR);
  await tend();
  assert.equal((await across(world, (tx) => tx.rows(sql`SELECT 1 AS one FROM signing_key`))).length, 1);
  world.setNow(start);
});

// Guards against: Signing keys that are stolen or lost
test('a key that can no longer be opened is replaced with a warning, and its signatures remain valid', async () => {
  await across(world, (tx) => tx.run(sql`DELETE FROM signing_key`));
  const old = await token();
  const said: string[] = [];
  const ring = { box: new SecretBox([Buffer.alloc(32, 9)]), warn: (m: string) => void said.push(m) };
  const { kid } = await across(world, (tx) => signingKey(tx, ring, world.now));
  assert.notEqual(kid, kidOf(old));
  assert.equal(said.length, 1);
  assert.match(said[0], /cannot be opened/);
  assert.ok((await published()).some((k) => k.kid === kidOf(old)));
  await verified(old);
  assert.ok(await works(old));
});

// Guards against: Signing keys that are stolen or lost
test('withdrawing a key invalidates its tokens from the next request on', async () => {
  await across(world, (tx) => tx.run(sql`DELETE FROM signing_key`));
  const held = await token();
  assert.ok(await works(held));
  await across(world, (tx) =>
    tx.run(sql`UPDATE signing_key SET retired_at = now(), published_until = ${new Date(world.now - 1).toISOString()}`),
  );
  assert.ok(!(await works(held)));
});
