/** Third-party clients, written only to the standards, log people in here and detect manipulation. */
import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  agree,
  CALLBACK,
  newApplication,
  newPerson,
  type TestApplication,
} from '../../../../test/worlds/oauth-world.ts';
import { START } from '../../../../test/clock.ts';
import { startWorld, type World } from '../../../../test/world.ts';

let world: World;
let app: TestApplication;
let open: TestApplication;
before(async () => {
  // These clients use the clock of their process.
  mock.timers.enable({ apis: ['Date'], now: START });
  world = await startWorld();
  app = await newApplication(world);
  open = await newApplication(world, {
    name: 'App on a phone',
    is_public: true,
    allowed_callback_urls: [CALLBACK, 'com.example.diary:/cb'],
  });
});
after(() => {
  mock.timers.reset();
  return world.close();
});

// The service uses plain http in tests; the clients are told to overlook nothing else.
const plain = { [oauth.allowInsecureRequests]: true } as const;
const OURS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;

async function server(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(world.url);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...plain }));
}

async function configuration(client: TestApplication): Promise<openid.Configuration> {
  const authentication = client.secret === null ? openid.None() : openid.ClientSecretPost(client.secret);
  return openid.discovery(new URL(world.url), client.clientId, undefined, authentication, {
    execute: [openid.allowInsecureRequests],
  });
}

test('both discovery documents say the same, and exactly what is offered', async () => {
  const issuer = new URL(world.url);
  const oidc = await server();
  const plainOAuth = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain }),
  );
  assert.deepEqual(plainOAuth, oidc);
  const base = `${world.url}/api/v2/auth`;
  assert.deepEqual(
    OURS.map((name) => oidc[name]),
    [`${base}/oauth/authorize`, `${base}/oauth/token`, `${base}/oauth/jwks`, `${base}/oidc/userinfo`],
  );
  assert.equal(oidc.issuer, world.url);
  assert.deepEqual(oidc.grant_types_supported, ['authorization_code', 'refresh_token']);
  assert.deepEqual(oidc.response_types_supported, ['code']);
  assert.deepEqual(oidc.code_challenge_methods_supported, ['S256']);
  assert.deepEqual(oidc.token_endpoint_auth_methods_supported, ['client_secret_post', 'none']);
  assert.deepEqual(oidc.scopes_supported!.toSorted(), ['email', 'openid', 'profile', 'read', 'read_write']);
  assert.deepEqual(oidc.id_token_signing_alg_values_supported, ['RS256']);
  assert.equal(oidc.authorization_response_iss_parameter_supported, true);
  const others = Object.keys(oidc).filter(
    (name) => name.endsWith('_endpoint') && !OURS.includes(name as (typeof OURS)[number]),
  );
  assert.deepEqual(others, []);
  for (const path of [
    'reg',
    'introspection',
    'token/introspection',
    'token/revocation',
    'request',
    'device/auth',
    'backchannel',
    'session/end',
    'me',
    'challenge',
  ]) {
    for (const at of [`/${path}`, `/api/v2/auth/oauth/${path}`])
      assert.equal((await fetch(world.url + at, { method: 'POST' })).status, 404, at);
  }
});

// Guards against: Redirecting people, with their codes, elsewhere
test('the address in the documents is the installation’s, whatever a request says', async () => {
  const lied = await fetch(`${world.url}/.well-known/openid-configuration`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
  });
  assert.doesNotMatch(await lied.text(), /evil/);
});

for (const [name, which] of [
  ['with a secret', () => app],
  ['without a secret', () => open],
] as const) {
  test(`openid-client logs a person in for an application ${name}, and reads who it is`, async () => {
    const config = await configuration(which());
    const person = await newPerson(world);
    const [proof, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid email profile read',
      code_challenge: await openid.calculatePKCECodeChallenge(proof),
      code_challenge_method: 'S256',
      state,
      nonce,
      max_age: '3600',
    });
    const back = await agree(world, person, address);
    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: proof,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      maxAge: 3600,
    });
    assert.equal(tokens.claims()!.sub, String(person.userId));
    assert.equal(tokens.token_type, 'bearer');
    const info = await openid.fetchUserInfo(config, tokens.access_token, String(person.userId));
    assert.deepEqual([info.email, info.email_verified, info.name], [person.email, true, 'Ada Byron']);
    await assert.rejects(openid.fetchUserInfo(config, tokens.access_token, '999'));
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!);
    assert.notEqual(next.refresh_token, tokens.refresh_token);
    await openid.fetchUserInfo(config, next.access_token, String(person.userId));
    await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token!), { error: 'invalid_grant' });
    await assert.rejects(openid.clientCredentialsGrant(config), { error: 'unsupported_grant_type' });
  });
}

test('openid-client detects a state, nonce, verifier, issuer or address that was tampered with', async () => {
  const config = await configuration(app);
  const person = await newPerson(world);
  const attempt = async (change: { url?: (u: URL) => void; checks?: Partial<openid.AuthorizationCodeGrantChecks> }) => {
    const [proof, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(proof),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const back = await agree(world, person, address);
    change.url?.(back);
    return openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: proof,
      expectedState: state,
      expectedNonce: nonce,
      ...change.checks,
    });
  };
  await attempt({});
  await assert.rejects(attempt({ url: (u) => u.searchParams.set('state', 'other') }));
  await assert.rejects(attempt({ url: (u) => u.searchParams.set('iss', 'https://evil.example') }));
  await assert.rejects(attempt({ url: (u) => u.searchParams.delete('iss') }));
  await assert.rejects(attempt({ url: (u) => u.searchParams.set('code', 'guessed') }), { error: 'invalid_grant' });
  await assert.rejects(attempt({ url: (u) => (u.pathname = '/elsewhere') }), { error: 'invalid_grant' });
  await assert.rejects(attempt({ checks: { expectedNonce: 'other' } }));
  await assert.rejects(attempt({ checks: { pkceCodeVerifier: openid.randomPKCECodeVerifier() } }), {
    error: 'invalid_grant',
  });
});

test('oauth4webapi, which checks every response to the letter, finds nothing wrong', async () => {
  const as = await server();
  const client: oauth.Client = { client_id: app.clientId };
  const authentication = oauth.ClientSecretPost(app.secret!);
  const person = await newPerson(world);
  const [proof, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const address = new URL(as.authorization_endpoint!);
  for (const [name, value] of Object.entries({
    client_id: app.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email read_write',
    code_challenge: await oauth.calculatePKCECodeChallenge(proof),
    code_challenge_method: 'S256',
    state,
    nonce,
  })) {
    address.searchParams.set(name, value);
  }
  const parameters = oauth.validateAuthResponse(as, client, await agree(world, person, address), state);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    parameters,
    CALLBACK,
    proof,
    plain,
  );
  const raw = response.clone();
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(as, response, plain);
  assert.match(raw.headers.get('cache-control')!, /no-store/);
  const sub = oauth.getValidatedIdTokenClaims(tokens)!.sub;
  const info = await oauth.processUserInfoResponse(
    as,
    client,
    sub,
    await oauth.userInfoRequest(as, client, tokens.access_token, plain),
  );
  assert.equal(info.email, person.email);
  // Their check of an access token as a resource server (RFC 9068).
  const request = new Request(`${world.url}/api/v2/venues`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const claims = await oauth.validateJwtAccessToken(as, request, `${world.url}/api/v2`, plain);
  assert.deepEqual([claims.sub, claims.client_id, claims.scope], [sub, app.clientId, 'openid email read_write']);
  const again = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    parameters,
    CALLBACK,
    proof,
    plain,
  );
  await assert.rejects(oauth.processAuthorizationCodeResponse(as, client, again), { error: 'invalid_grant' });
  const wrong = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.ClientSecretPost('wrong'),
    parameters,
    CALLBACK,
    proof,
    plain,
  );
  await assert.rejects(oauth.processAuthorizationCodeResponse(as, client, wrong), { error: 'invalid_client' });
});

test('jose verifies an access token against the published keys, and does not accept an id token in its place', async () => {
  const config = await configuration(app);
  const proof = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid read',
    code_challenge: await openid.calculatePKCECodeChallenge(proof),
    code_challenge_method: 'S256',
  });
  const tokens = await openid.authorizationCodeGrant(config, await agree(world, await newPerson(world), address), {
    pkceCodeVerifier: proof,
  });
  const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri!));
  const wanted = { issuer: world.url, audience: `${world.url}/api/v2`, typ: 'at+jwt', algorithms: ['RS256'] };
  assert.equal((await jwtVerify(tokens.access_token, keys, wanted)).payload.client_id, app.clientId);
  await assert.rejects(jwtVerify(tokens.id_token!, keys, wanted));
});

test('an application on a phone gets its response at an address with its own scheme', async () => {
  const config = await configuration(open);
  const proof = openid.randomPKCECodeVerifier();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: 'com.example.diary:/cb',
    scope: 'read',
    code_challenge: await openid.calculatePKCECodeChallenge(proof),
    code_challenge_method: 'S256',
  });
  const back = await agree(world, await newPerson(world), address);
  assert.equal(back.protocol, 'com.example.diary:');
  assert.ok((await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: proof })).access_token);
});
