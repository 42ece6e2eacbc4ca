/** The code flow, step by step: what is refused, and what ends tokens. Third-party clients are in strangers.test.ts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  agree,
  across,
  authorizeUrl,
  CALLBACK,
  challengeOf,
  endSessions,
  exchange,
  authorizationRequestId,
  logIn,
  newApplication,
  newPerson,
  pageOf,
  refreshWith,
  tokensFor,
  verifier,
  type Parameters,
  type TestApplication,
} from '../../../../test/worlds/oauth-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startBeside, startWorld, type World } from '../../../../test/world.ts';

let world: World;
let app: TestApplication;
before(async () => {
  world = await startWorld();
  app = await newApplication(world);
});
after(() => world.close());

const userinfo = (token: string, on = world) => on.get('/auth/oidc/userinfo', { as: token, provider: null });
const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());

async function codeFor(parameters: Record<string, string | null> = {}, application = app): Promise<string> {
  const answer = await agree(world, await newPerson(world), authorizeUrl(world, application, parameters));
  return answer.searchParams.get('code')!;
}

function assertEnded(answer: { status: number; body: any; headers: Headers }): void {
  assert.equal(answer.status, 401);
  assert.equal(answer.body.message, 'The token you provided is expired or invalid.');
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
}

test('grants other than a code are refused as unsupported, regardless of the client and the form of the request', async () => {
  const grants = [
    'client_credentials',
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:openid:params:grant-type:ciba',
    'AUTHORIZATION_CODE',
    'x',
  ];
  const clients: Parameters[] = [
    {},
    { client_secret: 'wrong' },
    { client_secret: null },
    { client_id: 'unknown' },
    { client_id: null, client_secret: null },
  ];
  for (const grant_type of grants) {
    for (const client of clients) {
      const { status, body } = await exchange(world, app, 'x', { grant_type, ...client });
      assert.deepEqual(
        [status, body.error],
        [400, 'unsupported_grant_type'],
        `${grant_type} ${JSON.stringify(client)}`,
      );
    }
    const basic = await exchange(
      world,
      app,
      'x',
      { grant_type, client_id: null, client_secret: null },
      { authorization: `Basic ${btoa(`${app.clientId}:${app.secret}`)}` },
    );
    assert.deepEqual([basic.status, basic.body.error], [400, 'unsupported_grant_type']);
  }
  for (const client of clients) {
    const { status, body } = await exchange(world, app, 'x', { grant_type: null, ...client });
    assert.deepEqual([status, body.error], [400, 'invalid_request']);
  }
});

test('the token endpoint accepts only forms, and only POST', async () => {
  const url = `${world.url}/api/v2/auth/oauth/token`;
  const json = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grant_type":"authorization_code"}',
  });
  assert.equal(json.status, 400);
  assert.equal(((await json.json()) as any).error, 'invalid_request');
  const get = await fetch(url);
  assert.equal(get.status, 405);
  assert.equal(get.headers.get('allow'), 'POST, OPTIONS');
  const big = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x'.repeat(100_000) }),
  });
  assert.equal(big.status, 400);
});

// Guards against: Client secrets in logs and proxies
test('a client secret is read from the body only, and a wrong one, or one in the Authorization header, is refused', async () => {
  const code = await codeFor();
  const wrongs: Parameters[] = [
    { client_secret: 'wrong' },
    { client_secret: null },
    { client_secret: '' },
    { client_id: 'rca_unknown' },
  ];
  for (const wrong of wrongs) {
    const { status, body } = await exchange(world, app, code, wrong);
    assert.deepEqual([status, body.error], [401, 'invalid_client'], JSON.stringify(wrong));
  }
  const basic = await exchange(
    world,
    app,
    code,
    { client_id: null, client_secret: null },
    { authorization: `Basic ${btoa(`${app.clientId}:${app.secret}`)}` },
  );
  assert.deepEqual([basic.status, basic.body.error], [401, 'invalid_client']);
  assert.match(basic.body.error_description, /never in the Authorization header/);
  // None of these used the code up.
  assert.equal((await exchange(world, app, code)).status, 200);
});

// Guards against: Client secrets in logs and proxies
test('during a rotation both secrets work, and the old one ends when announced', async () => {
  const own = await newApplication(world);
  const rotated = await world.post(`/applications/${own.id}/rotate_secret`, {
    as: world.machine,
    body: { overlap_hours: 1 },
  });
  assert.equal(rotated.status, 200, rotated.text);
  const next = { ...own, secret: rotated.body.client_secret as string };
  assert.notEqual(next.secret, own.secret);
  assert.equal((await exchange(world, own, await codeFor({}, own))).status, 200);
  assert.equal((await exchange(world, next, await codeFor({}, own))).status, 200);
  const start = world.now;
  world.setNow(start + 2 * 3_600_000);
  const code = await codeFor({}, own);
  assert.equal((await exchange(world, own, code)).status, 401);
  assert.equal((await exchange(world, next, code)).status, 200);
  world.setNow(start);
});

// Guards against: An authorization code that was stolen or guessed
test('a code works once: sent again it is refused, and its tokens stop working from the next request on, on every process', async (t) => {
  const beside = await startBeside(world);
  t.after(() => beside.close());
  const proof = verifier();
  const answer = await agree(
    world,
    await newPerson(world),
    authorizeUrl(world, app, { code_challenge: challengeOf(proof), code_challenge_method: 'S256' }),
  );
  const code = answer.searchParams.get('code')!;
  const first = await exchange(world, app, code, { code_verifier: proof });
  assert.equal(first.status, 200);
  for (const on of [world, beside]) assert.equal((await userinfo(first.body.access_token, on)).status, 200);
  const again = await exchange(world, app, code, { code_verifier: proof });
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  for (const on of [beside, world]) assertEnded(await userinfo(first.body.access_token, on));
  assertEnded(await refreshWith(world, app, first.body.refresh_token));
});

// Guards against: An authorization code that was stolen or guessed
test('if many send one code at the same time, at most one gets tokens, and none of them works afterwards', async () => {
  const code = await codeFor();
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(world, app, code)));
  const won = answers.filter((a) => a.status === 200);
  assert.ok(won.length <= 1);
  for (const { body } of won) assertEnded(await userinfo(body.access_token));
  for (const { status, body } of answers.filter((a) => a.status !== 200))
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
});

test('replaying the code of one log-in does not affect another log-in of the same person', async () => {
  const person = await newPerson(world);
  const other = await tokensFor(world, app, person);
  const code = (await agree(world, person, authorizeUrl(world, app))).searchParams.get('code')!;
  await exchange(world, app, code);
  await exchange(world, app, code);
  assert.equal((await userinfo(other.access_token)).status, 200);
});

// Guards against: An authorization code that was stolen or guessed
test('a code is valid for a minute, for its own application, redirect address and verifier', async () => {
  const proof = verifier();
  const challenge = { code_challenge: challengeOf(proof), code_challenge_method: 'S256' };
  const code = await codeFor(challenge);
  const other = await newApplication(world, { name: 'Other' });
  const refused = [
    await exchange(world, other, code, { code_verifier: proof }),
    await exchange(world, app, code, { code_verifier: verifier() }),
    await exchange(world, app, code),
    await exchange(world, app, code, { code_verifier: proof, redirect_uri: `${CALLBACK}/` }),
    await exchange(world, app, `${code}x`, { code_verifier: proof }),
  ];
  for (const { status, body } of refused) assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  const start = world.now;
  world.setNow(start + 61_000);
  const late = await exchange(world, app, code, { code_verifier: proof });
  assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant']);
  world.setNow(start);
});

// Guards against: A token that still works after it should have ended
test('changing the password in the meantime invalidates the code, and ends earlier tokens', async () => {
  const person = await newPerson(world);
  const before = await tokensFor(world, app, person);
  const code = (await agree(world, person, authorizeUrl(world, app))).searchParams.get('code')!;
  await across(world, (tx) =>
    tx.run(
      sql`UPDATE user_account SET password_changed_at = ${new Date(world.now + 1).toISOString()}
        WHERE id = ${person.userId}`,
    ),
  );
  assertEnded(await userinfo(before.access_token));
  assertEnded(await refreshWith(world, app, before.refresh_token));
  assert.equal((await exchange(world, app, code)).body.error, 'invalid_grant');
});

test('an application without a secret must prove with S256 that the code is its own', async () => {
  const open = await newApplication(world, { is_public: true });
  assert.equal(open.secret, null);
  const person = await newPerson(world);
  const without = new URL((await person.browser.go(authorizeUrl(world, open))).url);
  assert.equal(without.searchParams.get('error'), 'invalid_request');
  const plain = new URL(
    (await person.browser.go(authorizeUrl(world, open, { code_challenge: verifier(), code_challenge_method: 'plain' })))
      .url,
  );
  assert.equal(plain.searchParams.get('error'), 'invalid_request');
  const held = await tokensFor(world, open, person);
  assert.equal((await userinfo(held.access_token)).status, 200);
});

// Guards against: Redirecting people, with their codes, elsewhere
test('only a callback URL that the application registered, to the letter, is ever redirected to, and everything else is a page', async () => {
  const exact = await newApplication(world, {
    allowed_callback_urls: ['https://app.example.com/cb?tenant=1', 'http://127.0.0.1:9000/cb'],
  });
  const { browser } = await newPerson(world);
  for (const redirect_uri of [
    'https://app.example.com/cb',
    'https://app.example.com/cb?tenant=1&x=2',
    'https://app.example.com/cb/?tenant=1',
    'https://evil.example/cb?tenant=1',
    'http://127.0.0.1:9001/cb',
    'https://app.example.com/cb?tenant=1#x',
    'javascript:alert(1)',
    '',
    null,
  ]) {
    const seen = await browser.go(authorizeUrl(world, exact, { redirect_uri }));
    assert.equal(seen.status, 400, String(redirect_uri));
    assert.match(seen.headers.get('content-type')!, /text\/html/);
    assert.match(seen.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.doesNotMatch(seen.text, /<script|at .*\.js:|node_modules/);
  }
  const hostile = await browser.go(authorizeUrl(world, { ...exact, clientId: '"><script>alert(1)</script>' }));
  assert.equal(hostile.status, 400);
  assert.doesNotMatch(hostile.text, /<script/);
  const answer = await agree(
    world,
    await newPerson(world),
    authorizeUrl(world, exact, { redirect_uri: 'https://app.example.com/cb?tenant=1' }),
  );
  assert.equal(answer.searchParams.get('tenant'), '1');
  assert.match(answer.href, /&code=/);
});

test('every response, and every refusal, contains state and issuer', async () => {
  const answer = await agree(world, await newPerson(world), authorizeUrl(world, app, { state: 'a b&c="<' }));
  assert.equal(answer.searchParams.get('state'), 'a b&c="<');
  assert.equal(answer.searchParams.get('iss'), world.url);
  const refused = new URL(
    (await (await newPerson(world)).browser.go(authorizeUrl(world, app, { response_type: 'token' }))).url,
  );
  const said = new URLSearchParams(refused.hash.slice(1));
  assert.deepEqual(
    [said.get('error'), said.get('state'), said.get('iss')],
    ['unsupported_response_type', 'st', world.url],
  );
});

// Guards against: An application that takes more than was agreed
test('a person consents once, and is asked again for more scopes, but not for fewer', async () => {
  const person = await newPerson(world);
  await logIn(world, person);
  const asked = await person.browser.go(authorizeUrl(world, app, { scope: 'openid read' }));
  assert.match(pageOf(asked), new RegExp(`^/account/${world.harbour}/consent/`));
  await agree(world, person, authorizeUrl(world, app, { scope: 'openid read' }));
  const silent = new URL((await person.browser.go(authorizeUrl(world, app, { scope: 'openid read' }))).url);
  assert.ok(silent.searchParams.get('code'));
  assert.ok(
    new URL((await person.browser.go(authorizeUrl(world, app, { scope: 'read' }))).url).searchParams.get('code'),
  );
  assert.match(pageOf(await person.browser.go(authorizeUrl(world, app, { scope: 'openid email read' }))), /consent/);
  assert.match(pageOf(await person.browser.go(authorizeUrl(world, app, { scope: 'read_write' }))), /consent/);
  assert.match(
    pageOf(await person.browser.go(authorizeUrl(world, app, { scope: 'openid read', prompt: 'consent' }))),
    /consent/,
  );
  const other = await newPerson(world);
  await logIn(world, other);
  assert.match(pageOf(await other.browser.go(authorizeUrl(world, app, { scope: 'read' }))), /consent/);
});

test('an application of the operator needs no consent', async () => {
  const own = await newApplication(world);
  await across(world, (tx) => tx.run(sql`UPDATE application SET first_party = true WHERE id = ${own.id}`));
  const person = await newPerson(world);
  await logIn(world, person);
  assert.ok(new URL((await person.browser.go(authorizeUrl(world, own))).url).searchParams.get('code'));
});

test('a person who denies consent is sent back with access_denied, and grants nothing', async () => {
  const person = await newPerson(world);
  await logIn(world, person);
  const asked = await person.browser.go(authorizeUrl(world, app));
  const back = new URL(
    (await person.browser.go((await world.app.oauth.interactions.deny(authorizationRequestId(asked)))!)).url,
  );
  assert.equal(back.origin + back.pathname, CALLBACK);
  assert.deepEqual(
    [back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('code')],
    ['access_denied', 'st', null],
  );
  assert.match(pageOf(await person.browser.go(authorizeUrl(world, app))), /consent/);
});

// Guards against: Planting somebody else's log-in in a browser, or using it without asking
test('without a prompt, only somebody who is logged in and has consented gets a code, until they log out', async () => {
  const person = await newPerson(world);
  const silent = async (more = {}) =>
    new URL((await person.browser.go(authorizeUrl(world, app, { prompt: 'none', ...more }))).url).searchParams;
  assert.equal((await silent()).get('error'), 'login_required');
  await logIn(world, person);
  assert.equal((await silent()).get('error'), 'consent_required');
  await agree(world, person, authorizeUrl(world, app));
  assert.ok((await silent()).get('code'));
  await endSessions(world, person);
  assert.equal((await silent()).get('error'), 'login_required');
  const other = await newPerson(world);
  await logIn(world, { ...other, browser: person.browser });
  assert.equal((await silent()).get('error'), 'consent_required');
});

test('prompt=login and max_age require a log-in after the request', async () => {
  const person = await newPerson(world);
  await logIn(world, person);
  await agree(world, person, authorizeUrl(world, app));
  const old = await logIn(world, person);
  const wishes: Parameters[] = [{ prompt: 'login' }, { max_age: '60' }, { max_age: '0' }];
  for (const wish of wishes) {
    world.setNow(world.now + 3_600_000);
    assert.ok(
      new URL((await person.browser.go(authorizeUrl(world, app, { max_age: '14400' }))).url).searchParams.get('code'),
    );
    const asked = await person.browser.go(authorizeUrl(world, app, wish));
    assert.match(pageOf(asked), /continue/, JSON.stringify(wish));
    const { interactions } = world.app.oauth;
    assert.ok((await interactions.pending(authorizationRequestId(asked)))!.logInAfter! > old.authenticatedAt);
    assert.equal(await interactions.finishLogIn(authorizationRequestId(asked), old), null);
    const fresh = await logIn(world, person);
    const back = new URL(
      (await person.browser.go((await interactions.finishLogIn(authorizationRequestId(asked), fresh))!)).url,
    );
    assert.ok(back.searchParams.get('code'), back.href);
  }
  world.resetNow();
});

// Guards against: Planting somebody else's log-in in a browser, or using it without asking
test('a log-in that one browser began can’t be finished in another one', async () => {
  const attacker = await newPerson(world);
  const victim = await newPerson(world);
  const asked = await attacker.browser.go(authorizeUrl(world, app));
  const victimSession = await logIn(world, victim);
  const next = (await world.app.oauth.interactions.finishLogIn(authorizationRequestId(asked), victimSession))!;
  assert.equal((await victim.browser.go(new URL(next, world.url))).status, 400);
  const back = await attacker.browser.go(next);
  assert.match(pageOf(back), /continue/);
  // Not even if somebody else is logged in there.
  await logIn(world, attacker);
  const consent = await attacker.browser.go(authorizeUrl(world, app));
  const agreed = (await world.app.oauth.interactions.finishConsent(authorizationRequestId(consent), victimSession))!;
  assert.match(pageOf(await attacker.browser.go(agreed)), /consent/);
});

// Guards against: An application that takes more than was agreed
test('an application gets no more than its declared scopes, and exactly those if it requests none', async () => {
  const reader = await newApplication(world, { scopes: ['read'] });
  const person = await newPerson(world);
  await logIn(world, person);
  const wide = new URL((await person.browser.go(authorizeUrl(world, reader, { scope: 'read_write' }))).url);
  assert.equal(wide.searchParams.get('error'), 'invalid_scope');
  assert.equal(claims((await tokensFor(world, reader, person, { scope: null })).access_token).scope, 'read');
  assert.equal(claims((await tokensFor(world, app, person, { scope: null })).access_token).scope, 'read_write');
  assert.equal(
    claims((await tokensFor(world, app, person, { scope: 'read offline_access something' })).access_token).scope,
    'read',
  );
});

// Guards against: An application that takes more than was agreed
test('provider:<id> narrows to a business within the application’s reach, and to no other', async () => {
  const person = await newPerson(world);
  await logIn(world, person);
  const foreign = new URL(
    (await person.browser.go(authorizeUrl(world, app, { scope: `read provider:${world.meadow}` }))).url,
  );
  assert.equal(foreign.searchParams.get('error'), 'invalid_scope');
  const own = await tokensFor(world, app, person, { scope: `read provider:${world.harbour}` });
  assert.equal(own.scope, `read provider:${world.harbour}`);
  const everywhere = await newApplication(world);
  await across(world, (tx) => tx.run(sql`UPDATE application SET installation_wide = true WHERE id = ${everywhere.id}`));
  const asked = await person.browser.go(authorizeUrl(world, everywhere, { scope: `read provider:${world.meadow}` }));
  assert.match(pageOf(asked), new RegExp(`^/account/${world.meadow}/`));
  const narrowed = await tokensFor(world, everywhere, person, { scope: `read provider:${world.meadow}` });
  const at = (token: string, provider: number) => world.get('/venues', { as: token, provider });
  assert.equal((await at(narrowed.access_token, world.meadow)).status, 200);
  assert.equal((await at(narrowed.access_token, world.harbour)).body.code, 'provider_invalid');
  assert.equal(
    new URL(
      (await person.browser.go(authorizeUrl(world, everywhere, { scope: 'read provider:999999' }))).url,
    ).searchParams.get('error'),
    'invalid_scope',
  );
});

// Guards against: Log-ins in progress, read from a stolen database
test('the records of pending log-ins contain nothing that a reader of the database could use', async () => {
  const person = await newPerson(world);
  const asked = await person.browser.go(
    authorizeUrl(world, app, { login_hint: person.email, nonce: 'nonce-to-hide', state: 'state-to-hide' }),
  );
  const code = (await agree(world, person, authorizeUrl(world, app))).searchParams.get('code')!;
  const rows = await across(world, (tx) =>
    tx.rows<{ model: string }>(
      sql`SELECT model, encode(key, 'hex') AS key, payload::text AS payload, grant_id FROM oidc_record`,
    ),
  );
  const all = JSON.stringify(rows);
  for (const secret of [authorizationRequestId(asked), code, person.email, 'nonce-to-hide', 'state-to-hide', CALLBACK])
    assert.ok(!all.includes(secret), secret);
  assert.ok(rows.some((r) => r.model === 'AuthorizationCode'));
  assert.equal((await world.app.oauth.interactions.pending(authorizationRequestId(asked)))!.loginHint, person.email);
});

// Guards against: A token that still works after it should have ended
test('deleting an application ends its tokens and its pending requests', async () => {
  const own = await newApplication(world);
  const person = await newPerson(world);
  const held = await tokensFor(world, own, person);
  assert.equal((await world.delete(`/applications/${own.id}`, { as: world.machine })).status, 204);
  assertEnded(await userinfo(held.access_token));
  assert.equal((await person.browser.go(authorizeUrl(world, own))).status, 400);
});
