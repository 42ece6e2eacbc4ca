/** Access tokens: their reach, the reasons to refuse them, and how they are refreshed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import {
  across,
  logIn,
  newApplication,
  newPerson,
  refreshWith,
  tokensFor,
  type Held,
  type TestApplication,
  type TestPerson,
} from '../../../../test/worlds/oauth-world.ts';
import { connectionsOf, disconnect } from './connections.ts';
import { signingKey } from '../keys/signing-keys.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startAuthorization } from './tokens.ts';
import { startBeside, startWorld, type World } from '../../../../test/world.ts';

let world: World;
let app: TestApplication;
before(async () => {
  world = await startWorld();
  app = await newApplication(world);
});
after(() => world.close());

const DAY = 86_400_000;
const read = (token: string, headers: Record<string, string> = {}, on = world) =>
  on.get('/auth/profiles', { as: token, provider: null, headers });
const seen = async (held: Held) => (await read(held.access_token)).body.count;
const kinds = async (token: string) => (await read(token)).body.results.map((p: any) => p.profile_type).toSorted();
const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsIn = (token: string) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());

function assertEnded(answer: { status: number; body: any }, why = ''): void {
  assert.equal(answer.status, 401, why);
  assert.deepEqual(
    [answer.body.code, answer.body.message],
    ['authentication_failed', 'The token you provided is expired or invalid.'],
    why,
  );
}

async function staffOf(person: TestPerson, providerId = world.harbour, permissions = ['super_admin']): Promise<void> {
  await across(world, (tx) =>
    tx.run(
      sql`INSERT INTO staff (provider_id, user_id, first_name, last_name, email, permissions) VALUES (${providerId}, ${person.userId}, 'Ada', 'Byron', ${person.email}, ${permissions})`,
    ),
  );
}

async function customerOf(person: TestPerson, providerId = world.harbour): Promise<void> {
  const id = await world.newCustomer({}, providerId);
  await across(world, (tx) =>
    tx.run(sql`UPDATE customer SET user_id = ${person.userId} WHERE provider_id = ${providerId} AND id = ${id}`),
  );
}

test('an access token is a JWT of three segments with the documented claims, valid for two hours', async () => {
  const person = await newPerson(world);
  const { access_token, expires_in } = await tokensFor(world, app, person, { scope: 'openid read' });
  assert.match(access_token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const { iat, exp, jti, authorization, ...rest } = claimsIn(access_token);
  assert.deepEqual(rest, {
    iss: world.url,
    sub: String(person.userId),
    aud: `${world.url}/api/v2`,
    client_id: app.clientId,
    scope: 'openid read',
  });
  assert.deepEqual([exp - iat, expires_in, typeof jti, typeof authorization], [7200, 7200, 'string', 'number']);
  assert.equal(JSON.parse(Buffer.from(access_token.split('.')[0], 'base64url').toString()).typ, 'at+jwt');
});

test('it reaches the person’s present profiles at the business of the application, and writes only with read_write', async () => {
  const person = await newPerson(world);
  await staffOf(person);
  await customerOf(person);
  await staffOf(person, world.meadow);
  const held = await tokensFor(world, app, person, { scope: 'read' });
  const profiles = (await read(held.access_token)).body.results.map((p: any) => [p.provider, p.profile_type]);
  assert.deepEqual(profiles.toSorted(), [
    [world.harbour, 'customer'],
    [world.harbour, 'staff'],
  ]);
  const as = { as: held.access_token, provider: world.harbour, mode: 'provider' as const };
  assert.equal((await world.get('/customers', as)).status, 200);
  assert.equal((await world.get('/customers', { ...as, provider: world.meadow })).body.code, 'provider_invalid');
  assert.equal((await world.get('/customers', { ...as, mode: undefined })).body.code, 'mode_header_missing');
  const refused = await world.post('/customers', {
    ...as,
    body: { first_name: 'A', last_name: 'B', email: 'a@example.com' },
  });
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_denied']);
  const writing = await tokensFor(world, app, person, { scope: 'read_write' });
  const written = await world.post('/customers', {
    ...as,
    as: writing.access_token,
    body: { first_name: 'A', last_name: 'B', email: 'a@example.com' },
  });
  assert.equal(written.status, 201, written.text);
  await across(world, (tx) =>
    tx.run(sql`UPDATE staff SET archived = true WHERE user_id = ${person.userId} AND provider_id = ${world.harbour}`),
  );
  assert.equal((await world.get('/customers', as)).body.code, 'mode_not_allowed');
});

test('if a business requires a second factor of its staff, a log-in without one has no staff access there', async () => {
  const person = await newPerson(world);
  await staffOf(person, world.meadow);
  const meadows = await newApplication(world, {}, world.meadow);
  const plain = await tokensFor(world, meadows, person, { scope: 'read' });
  const strong = await tokensFor(world, meadows, person, { scope: 'read', prompt: 'login' }, { secondFactor: true });
  assert.deepEqual([await seen(plain), await seen(strong)], [1, 1]);
  await across(world, (tx) =>
    tx.run(sql`UPDATE provider SET second_factor_required = true WHERE provider_id = ${world.meadow}`),
  );
  assert.deepEqual([await seen(plain), await seen(strong)], [0, 1]);
});

test('a token for identity alone reads nothing of a business, and one without openid does not reveal the person', async () => {
  const person = await newPerson(world);
  await customerOf(person);
  const identity = await tokensFor(world, app, person, { scope: 'openid' });
  assert.equal((await read(identity.access_token)).body.count, 0);
  assert.equal(
    (await world.get('/venues', { as: identity.access_token, provider: world.harbour })).body.code,
    'provider_invalid',
  );
  const info = (token: string) => world.get('/auth/oidc/userinfo', { as: token, provider: null });
  assert.deepEqual((await info(identity.access_token)).body, { sub: String(person.userId) });
  const reading = await tokensFor(world, app, person, { scope: 'read email' });
  const refused = await info(reading.access_token);
  assert.deepEqual(
    [refused.status, refused.body.code, refused.headers.get('www-authenticate')],
    [403, 'permission_denied', 'Bearer error="insufficient_scope", scope="openid"'],
  );
  assert.equal((await info(world.machine)).status, 403);
  const email = await tokensFor(world, app, person, { scope: 'openid email' });
  assert.deepEqual((await info(email.access_token)).body, {
    sub: String(person.userId),
    email: person.email,
    email_verified: true,
  });
  const profile = (await info((await tokensFor(world, app, person, { scope: 'openid profile' })).access_token)).body;
  assert.deepEqual(
    [profile.name, profile.given_name, profile.family_name, typeof profile.updated_at, 'email' in profile],
    ['Ada Byron', 'Ada', 'Byron', 'number', false],
  );
});

test('without a token, with a malformed header or with a wrong token, userinfo is refused in the terms of the API', async () => {
  const asks = (authorization?: string) =>
    world.get('/auth/oidc/userinfo', { provider: null, headers: authorization === undefined ? {} : { authorization } });
  const { access_token } = await tokensFor(world, app, await newPerson(world));
  assert.equal((await asks(`Bearer ${access_token}`)).status, 200);
  assert.deepEqual([(await asks()).status, (await asks()).body.code], [401, 'not_authenticated']);
  for (const malformed of [
    access_token,
    `Token ${access_token}`,
    `Bearer  ${access_token}`,
    `bearer ${access_token}`,
  ]) {
    const { status, body } = await asks(malformed);
    assert.deepEqual(
      [status, body.code, body.message],
      [401, 'authentication_failed', 'Incorrect authentication credentials.'],
    );
  }
  assertEnded(await asks(`Bearer ${app.secret}`));
  assert.equal((await world.post('/auth/oidc/userinfo', { as: access_token, provider: null })).status, 405);
});

// Guards against: Scripts of other sites that make requests in a browser's name
test('browsers of other origins may request userinfo, and tokens for applications without a secret, but never with cookies', async () => {
  const ask = (path: string, method: string, wanted: string, origin = 'https://app.example.com') =>
    fetch(world.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': wanted },
    });
  const info = await ask('/api/v2/auth/oidc/userinfo', 'GET', 'authorization, x-other');
  assert.deepEqual(
    [info.status, info.headers.get('access-control-allow-origin'), info.headers.get('access-control-allow-headers')],
    [204, '*', 'Authorization'],
  );
  const token = await ask('/api/v2/auth/oauth/token', 'POST', 'content-type, x-other');
  assert.deepEqual([token.status, token.headers.get('access-control-allow-headers')], [204, 'Content-Type']);
  const post = (origin: string, client: TestApplication) =>
    fetch(`${world.url}/api/v2/auth/oauth/token`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client.clientId,
        code: 'x',
        redirect_uri: 'https://app.example.com/callback',
        ...(client.secret && { client_secret: client.secret }),
      }),
    });
  const open = await newApplication(world, { is_public: true });
  assert.equal(
    (await post('https://app.example.com', open)).headers.get('access-control-allow-origin'),
    'https://app.example.com',
  );
  for (const refused of [await post('https://evil.example', open), await post('https://app.example.com', app)])
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
  for (const path of ['/.well-known/openid-configuration', '/api/v2/auth/oauth/jwks']) {
    const answer = await fetch(world.url + path, { headers: { origin: 'https://app.example.com' } });
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example.com');
  }
  for (const answer of [info, token]) assert.equal(answer.headers.get('access-control-allow-credentials'), null);
});

// Guards against: A forged access token, or another token passed off as one
test('only an unaltered, unexpired access token of this service is accepted', async () => {
  const person = await newPerson(world);
  const held = await tokensFor(world, app, person, { scope: 'openid read' });
  const good = claimsIn(held.access_token) as JWTPayload;
  const { kid, key } = await across(world, (tx) => signingKey(tx, world.app.installation, world.now));
  const sign = (claims: JWTPayload, header: object = {}, by: any = key) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header }).sign(by);
  assert.equal((await read(await sign(good))).status, 200);
  const foreign = (await generateKeyPair('RS256')).privateKey;
  const now = Math.floor(world.now / 1000);
  const segments = held.access_token.split('.');
  const publicKey = JSON.stringify(
    ((await (await fetch(`${world.url}/api/v2/auth/oauth/jwks`)).json()) as any).keys[0],
  );
  const wrong: Record<string, string> = {
    'an id token': held.id_token!,
    'a refresh token': held.refresh_token,
    'another type': await sign(good, { typ: 'JWT' }),
    'another issuer': await sign({ ...good, iss: 'https://evil.example' }),
    'another audience': await sign({ ...good, aud: world.url }),
    'no audience': await sign({ ...good, aud: undefined }),
    expired: await sign({ ...good, exp: now - 1 }),
    'no end': await sign({ ...good, exp: undefined }),
    'not yet': await sign({ ...good, nbf: now + 100 }),
    'of the future': await sign({ ...good, iat: now + 3600 }),
    'another person': await sign({ ...good, sub: '999999' }),
    'another application': await sign({ ...good, client_id: 'rca_other' }),
    'an authorization that is not there': await sign({ ...good, authorization: 999_999 }),
    'an authorization that is no number': await sign({ ...good, authorization: '1; DROP TABLE x' }),
    'a key of somebody else': await sign(good, {}, foreign),
    'an unknown key': await sign(good, { kid: 'unknown' }),
    'no key id': await sign(good, { kid: undefined }),
    'no signature': `${text({ alg: 'none', typ: 'at+jwt', kid })}.${segments[1]}.`,
    'none as an algorithm': `${text({ alg: 'none', typ: 'at+jwt', kid })}.${segments[1]}.${segments[2]}`,
    'the public key as a secret': await new SignJWT(good)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
      .sign(Buffer.from(publicKey)),
    'altered claims': `${segments[0]}.${text({ ...good, scope: 'read_write' })}.${segments[2]}`,
    'a cut signature': `${segments[0]}.${segments[1]}.${segments[2].slice(0, -4)}`,
    'two segments': `${segments[0]}.${segments[1]}`,
    'no text at all': '..',
    'too long': `${held.access_token}${'A'.repeat(5000)}`,
  };
  for (const [what, token] of Object.entries(wrong)) assertEnded(await read(token), what);
});

test('a token is valid for two hours, and its refresh token gets new ones without affecting the old access token', async () => {
  const held = await tokensFor(world, app, await newPerson(world), { scope: 'openid read' });
  const start = claimsIn(held.access_token).iat * 1000;
  world.setNow(start + 7_140_000);
  const next = await refreshWith(world, app, held.refresh_token);
  assert.equal(next.status, 200);
  assert.deepEqual(Object.keys(next.body).toSorted(), ['access_token', 'expires_in', 'refresh_token']);
  assert.equal(next.headers.get('cache-control'), 'no-store');
  assert.notEqual(next.body.refresh_token, held.refresh_token);
  for (const token of [held.access_token, next.body.access_token]) assert.equal((await read(token)).status, 200);
  world.setNow(start + 7_201_000);
  assertEnded(await read(held.access_token));
  assert.equal((await read(next.body.access_token)).status, 200);
  world.setNow(start);
});

// Guards against: A stolen refresh token
test('a second use of a refresh token ends everything of its log-in, although it is refused', async (t) => {
  const beside = await startBeside(world);
  t.after(() => beside.close());
  const person = await newPerson(world);
  const held = await tokensFor(world, app, person);
  const other = await tokensFor(world, app, person);
  const next = (await refreshWith(world, app, held.refresh_token)).body;
  for (const on of [world, beside]) assert.equal((await read(next.access_token, {}, on)).status, 200);
  assertEnded(await refreshWith(world, app, held.refresh_token));
  for (const on of [beside, world])
    for (const token of [held.access_token, next.access_token]) assertEnded(await read(token, {}, on));
  assertEnded(await refreshWith(world, app, next.refresh_token));
  assert.equal((await read(other.access_token)).status, 200);
  const row = await across(world, (tx) =>
    tx.one(sql`SELECT end_reason FROM app_authorization WHERE id = ${claimsIn(held.access_token).authorization}`),
  );
  assert.equal(row!.end_reason, 'refresh_replayed');
});

// Guards against: A stolen refresh token
test('a refresh token without the secret of its application is useless, and does no harm either', async () => {
  const held = await tokensFor(world, app, await newPerson(world));
  const other = await newApplication(world);
  const sent = (more: object) =>
    world.post('/auth/refresh_access_token', { provider: null, body: { refresh_token: held.refresh_token, ...more } });
  const missing = await sent({});
  assert.deepEqual([missing.status, Object.keys(missing.body.field_errors)], [400, ['client_secret']]);
  for (const wrong of [
    { client_secret: 'wrong' },
    { client_secret: other.secret },
    { direct_auth_key: app.secret },
    { client_secret: app.secret, direct_auth_key: 'wrong' },
  ]) {
    const { status, body } = await sent(wrong);
    assert.deepEqual([status, body.code], [401, 'authentication_failed'], JSON.stringify(wrong));
  }
  const next = await sent({ client_secret: app.secret });
  assert.equal(next.status, 200, next.text);
  // Used up already: a replay without the secret does not end the log-in.
  assert.equal((await sent({})).status, 400);
  assert.equal((await sent({ client_secret: 'wrong' })).status, 401);
  assert.equal((await read(next.body.access_token)).status, 200);
});

test('an application without a secret refreshes without one', async () => {
  const open = await newApplication(world, { is_public: true });
  const held = await tokensFor(world, open, await newPerson(world));
  assert.equal((await refreshWith(world, open, held.refresh_token)).status, 200);
});

// Guards against: A stolen refresh token
test('if many use a refresh token at the same time, exactly one succeeds', async () => {
  const held = await tokensFor(world, app, await newPerson(world));
  const answers = await Promise.all(Array.from({ length: 8 }, () => refreshWith(world, app, held.refresh_token)));
  assert.equal(answers.filter((a) => a.status === 200).length, 1);
  assert.equal(answers.filter((a) => a.status === 401).length, 7);
});

test('a refresh token is valid for 60 days from its last use, and a year in total', async () => {
  const start = world.now;
  const [unused, used] = [
    await tokensFor(world, app, await newPerson(world)),
    await tokensFor(world, app, await newPerson(world)),
  ];
  let current = used.refresh_token;
  for (let day = 50; day <= 350; day += 50) {
    world.setNow(start + day * DAY);
    const next = await refreshWith(world, app, current);
    assert.equal(next.status, 200, `day ${day}`);
    current = next.body.refresh_token;
    if (day === 100) assertEnded(await refreshWith(world, app, unused.refresh_token));
  }
  world.setNow(start + 366 * DAY);
  assertEnded(await refreshWith(world, app, current));
  world.setNow(start);
});

test('scope narrows one access token and never widens it, and the next has all consented scopes again', async () => {
  const held = await tokensFor(world, app, await newPerson(world), { scope: 'openid read_write' });
  const narrow = (await refreshWith(world, app, held.refresh_token, { scope: ['read'] })).body;
  assert.equal(claimsIn(narrow.access_token).scope, 'read');
  for (const scope of [['email'], ['read', `provider:${world.meadow}`], ['admin']]) {
    const wide = await refreshWith(world, app, narrow.refresh_token, { scope });
    assert.deepEqual(
      [wide.status, wide.body.code, Object.keys(wide.body.field_errors)],
      [400, 'parameter_invalid', ['scope']],
      scope.join(),
    );
  }
  const back = (await refreshWith(world, app, narrow.refresh_token)).body;
  assert.equal(claimsIn(back.access_token).scope, 'openid read_write');
  const there = (await refreshWith(world, app, back.refresh_token, { scope: ['read', `provider:${world.harbour}`] }))
    .body;
  assert.equal(claimsIn(there.access_token).scope, `read provider:${world.harbour}`);
});

test('a token for one mode acts in that mode only, until another is requested', async () => {
  const person = await newPerson(world);
  await staffOf(person);
  await customerOf(person);
  const held = await tokensFor(world, app, person, { scope: 'read' });
  assert.deepEqual(await kinds(held.access_token), ['customer', 'staff']);
  const customer = (await refreshWith(world, app, held.refresh_token, { new_access_token_type: 'customer' })).body;
  assert.deepEqual(await kinds(customer.access_token), ['customer']);
  assert.equal(
    (await world.get('/customers', { as: customer.access_token, provider: world.harbour, mode: 'provider' })).body.code,
    'mode_not_allowed',
  );
  const same = (await refreshWith(world, app, customer.refresh_token)).body;
  assert.deepEqual(await kinds(same.access_token), ['customer']);
  const staff = (await refreshWith(world, app, same.refresh_token, { new_access_token_type: 'provider' })).body;
  assert.deepEqual(await kinds(staff.access_token), ['staff']);
});

test('a refresh token that is unknown, malformed, or a different credential is refused like an ended one', async () => {
  const held = await tokensFor(world, app, await newPerson(world));
  for (const wrong of ['x', held.access_token, app.secret!, `${held.refresh_token.slice(0, -1)}~`, 'rcr_'])
    assertEnded(await refreshWith(world, app, wrong));
  assert.equal(
    (await world.post('/auth/refresh_access_token', { provider: null, body: {} })).body.code,
    'parameter_invalid',
  );
});

// Guards against: A token that still works after it should have ended
test('an application that a person disconnects loses access immediately, and has to ask again', async () => {
  const person = await newPerson(world);
  const held = await tokensFor(world, app, person);
  const session = await logIn(world, person);
  assert.equal(session.userId, person.userId);
  const list = await across(world, (tx) => connectionsOf(tx, person.userId, world.now));
  assert.deepEqual(
    list.map((c) => [c.id, c.name]),
    [[app.id, 'Rowing Diary']],
  );
  assert.deepEqual(await across(world, (tx) => disconnect(tx, person.userId, app.id, world.now)), {
    name: 'Rowing Diary',
  });
  assertEnded(await read(held.access_token));
  assertEnded(await refreshWith(world, app, held.refresh_token));
  assert.equal(await across(world, (tx) => disconnect(tx, person.userId, app.id, world.now)), null);
});

test('tokens from a password are the same as those from a code', async () => {
  const person = await newPerson(world);
  const given = await across(world, (tx) =>
    startAuthorization(tx, world.app.installation, world.now, {
      providerId: world.harbour,
      applicationId: app.id,
      userId: person.userId,
      scopes: ['read'],
      secondFactor: false,
    }),
  );
  const held = await tokensFor(world, app, person, { scope: 'read' });
  assert.deepEqual(
    Object.keys(claimsIn(given.access_token)).toSorted(),
    Object.keys(claimsIn(held.access_token)).toSorted(),
  );
  assert.equal((await read(given.access_token)).status, 200);
  assert.equal((await refreshWith(world, app, given.refresh_token)).status, 200);
});
