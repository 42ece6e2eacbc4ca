import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOperatorToken, hashOf } from '../identity/index.ts';
import { feedEnd, feedSince } from '../../../test/schedule-world.ts';
import { isClientSecret } from './secrets.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { bodyAt } from '../../../test/checks/openapi-refs.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

const HOUR = 3_600_000;
const USE_CASE = 'Our members log in on the kiosk at the front desk, which has no browser.';

let world: World;
let operator: string;
before(async () => {
  world = await startWorld();
  operator = (
    await world.app.db.acrossTenants('a test has an operator', (tx) => createOperatorToken(tx, { name: 'tests' }))
  ).token;
});
after(() => world.close());

const wanted = {
  name: 'Front desk',
  domain: 'desk.example.com',
  scopes: ['read', 'read_write'],
  allowed_callback_urls: ['https://desk.example.com/cb'],
};

async function make(over: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<any> {
  const made = await world.post('/applications', { as: world.machine, body: { ...wanted, ...over }, headers });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

const act = (id: number, what: string, body: unknown = {}, as = world.machine) =>
  world.post(`/applications/${id}/${what}`, { as, body, provider: world.harbour });

async function approved(): Promise<any> {
  const { id } = await make();
  assert.equal((await act(id, 'request_direct_auth', { use_case: USE_CASE })).status, 200);
  const answer = await act(id, 'approve_direct_auth', {}, operator);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const isSecret = (id: number, secret: string): Promise<boolean> =>
  world.work(world.harbour, ({ tx }) => isClientSecret(tx, world.harbour, id, secret, world.now));
const refused = (answer: ApiAnswer, status: number, code: string, message: RegExp = /./): void => {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  assert.match(answer.body.message, message);
};

const auditOf = (id: number): Promise<any[]> =>
  world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT action, actor, before, after FROM audit_entry WHERE provider_id = ${world.harbour} AND object = 'application' AND object_id = ${id} ORDER BY id`,
    ),
  );

test('an application is created with its secret, which no later response shows', async () => {
  const made = await make();
  assert.match(made.client_id, /^rca_[\w-]{49}$/);
  assert.match(made.client_secret, /^rcs_[\w-]{49}$/);
  assert.deepEqual(made.access_tokens, []);
  assert.equal(made.object, 'application');
  assert.deepEqual(made.direct_auth, { status: 'none', use_case: null, reason: null, decided_at: null });
  const read = await world.get(`/applications/${made.id}`, { as: world.machine });
  const { client_secret, ...rest } = made;
  assert.deepEqual(read.body, { ...rest, client_secret: null });
  const listed = await world.get('/applications', { as: world.machine });
  assert.deepEqual(
    listed.body.results.find((a: any) => a.id === made.id),
    read.body,
  );
  assert.equal(await isSecret(made.id, client_secret), true);
  assert.equal(await isSecret(made.id, `${client_secret.slice(0, -1)}~`), false);
});

// Guards against: A leaked or old secret of an application
test('the database stores nothing of a secret from which it could be completed', async () => {
  const { id, client_secret } = await make();
  const row = await world.work(world.harbour, ({ tx }) =>
    tx.one(
      sql`SELECT secret_hash::text AS hash, secret_hint FROM application_secret WHERE provider_id = ${world.harbour} AND application_id = ${id}`,
    ),
  );
  assert.deepEqual(row, { hash: hashOf(client_secret), secret_hint: client_secret.slice(0, 8) });
  assert.ok(!JSON.stringify(await auditOf(id)).includes(client_secret.slice(8)));
});

test('a request that sends `type` is refused by its name, and no document mentions it', async () => {
  const { id } = await make();
  for (const [method, path, body] of [
    ['POST', '/applications', wanted],
    ['PUT', `/applications/${id}`, wanted],
    ['PATCH', `/applications/${id}`, {}],
  ] as const) {
    const answer = await world.ask(method, path, { as: world.machine, body: { ...body, type: 'customer' } });
    refused(answer, 400, 'parameter_invalid');
    assert.deepEqual(Object.keys(answer.body.field_errors), ['type']);
  }
  assert.ok(!('type' in (await world.get(`/applications/${id}`, { as: world.machine })).body));
  const document: any = await (await fetch(`${world.url}/api/v2/openapi.json`)).json();
  assert.ok(!('type' in document.components.schemas.Application.properties));
  for (const [path, method] of [
    ['/applications', 'post'],
    ['/applications/{id}', 'put'],
    ['/applications/{id}', 'patch'],
  ]) {
    assert.ok(!('type' in bodyAt(document, method, path).properties), `${method} ${path}`);
  }
  const page = await (await fetch(`${world.url}/docs/reference/applications`)).text();
  const section = page.slice(page.indexOf('id="resource-application"'));
  assert.doesNotMatch(section.slice(0, section.indexOf('</table>')), /<code>type<\/code>/);
});

test('mistakes in an application are reported under the name of the property', async () => {
  const cases: [over: Record<string, unknown>, field: string][] = [
    [{ name: '' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ domain: undefined }, 'domain'],
    [{ logo: 7 }, 'logo'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['write'] }, 'scopes.0'],
    [{ scopes: undefined }, 'scopes'],
    [{ allowed_callback_urls: ['https://ok.example.com/', 'http://app.example.com/'] }, 'allowed_callback_urls.1'],
    [{ allowed_callback_urls: ['com.example.app:/cb'] }, 'allowed_callback_urls.0'],
    [{ allowed_callback_urls: ['https://ok.example.com/', 'https://ok.example.com/'] }, 'allowed_callback_urls.1'],
    [
      { allowed_callback_urls: Array.from({ length: 21 }, (_, i) => `https://ok.example.com/${i}`) },
      'allowed_callback_urls',
    ],
    [{ first_party: true }, 'first_party'],
    [{ is_installation_wide: true }, 'is_installation_wide'],
    [{ client_id: 'mine' }, 'client_id'],
  ];
  for (const [over, field] of cases) {
    const answer = await world.post('/applications', { as: world.machine, body: { ...wanted, ...over } });
    refused(answer, 400, 'parameter_invalid');
    assert.deepEqual(Object.keys(answer.body.field_errors), [field], answer.text);
  }
  assert.equal(
    (await make({ logo: null, allowed_callback_urls: undefined, scopes: ['read_write', 'read', 'read'].slice(0, 2) }))
      .logo,
    null,
  );
});

test('a public application has no secret, and one that becomes public loses its own', async () => {
  const open = await make({ is_public: true, allowed_callback_urls: ['com.example.app:/cb'] });
  assert.equal(open.client_secret, null);
  refused(await act(open.id, 'rotate_secret'), 409, 'conflict', /is_public/);
  // Its callback URL is allowed for public applications only.
  refused(
    await world.patch(`/applications/${open.id}`, { as: world.machine, body: { is_public: false } }),
    400,
    'parameter_invalid',
    /public applications/,
  );

  const closed = await make();
  assert.equal(
    (await world.patch(`/applications/${closed.id}`, { as: world.machine, body: { is_public: true } })).status,
    200,
  );
  assert.equal(await isSecret(closed.id, closed.client_secret), false);
  assert.equal(
    (await world.patch(`/applications/${closed.id}`, { as: world.machine, body: { is_public: false } })).body
      .client_secret,
    null,
  );
  const { body } = await act(closed.id, 'rotate_secret');
  assert.equal(await isSecret(closed.id, body.client_secret), true);
});

test('a rotated secret works alongside the new one during the overlap, and at most two are valid', async () => {
  const { id, client_secret: first } = await make();
  const second = (await act(id, 'rotate_secret')).body.client_secret;
  assert.deepEqual([await isSecret(id, first), await isSecret(id, second)], [true, true]);
  const third = (await act(id, 'rotate_secret', { overlap_hours: 2 })).body.client_secret;
  assert.deepEqual(
    [await isSecret(id, first), await isSecret(id, second), await isSecret(id, third)],
    [false, true, true],
  );
  const began = world.now;
  try {
    world.setNow(began + 2 * HOUR - 60_000);
    assert.equal(await isSecret(id, second), true);
    world.setNow(began + 2 * HOUR + 60_000);
    assert.deepEqual([await isSecret(id, second), await isSecret(id, third)], [false, true]);
  } finally {
    world.setNow(began);
  }
  const fourth = (await act(id, 'rotate_secret', { overlap_hours: 0 })).body.client_secret;
  assert.deepEqual([await isSecret(id, third), await isSecret(id, fourth)], [false, true]);
  for (const overlap_hours of [-1, 169, 1.5])
    refused(await act(id, 'rotate_secret', { overlap_hours }), 400, 'parameter_invalid', /overlap_hours/);
});

// Guards against: A leaked or old secret of an application
test('concurrent rotations leave two secrets, the last two', async () => {
  const { id, client_secret: first } = await make();
  const answers = await Promise.all(Array.from({ length: 6 }, () => act(id, 'rotate_secret')));
  const secrets = [first, ...answers.map((a) => a.body.client_secret)];
  assert.equal(new Set(secrets).size, 7);
  const live = await Promise.all(secrets.map((secret) => isSecret(id, secret)));
  assert.equal(live.filter(Boolean).length, 2);
  const open = await world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT id FROM application_secret WHERE provider_id = ${world.harbour} AND application_id = ${id} AND expires_at IS NULL`,
    ),
  );
  assert.equal(open.length, 1);
});

// Guards against: A leaked or old secret of an application
test('a request repeated with the same key creates nothing, and shows no secret', async () => {
  const headers = { 'idempotency-key': `make-${Math.random()}` };
  const first = await make({}, headers);
  const again = await world.post('/applications', { as: world.machine, body: wanted, headers });
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
  assert.deepEqual(again.body, { ...first, client_secret: null });
  const stored = await world.work(world.harbour, ({ tx }) =>
    tx.rows<{ body: string }>(sql`SELECT body FROM idempotency_key WHERE provider_id = ${world.harbour}`),
  );
  assert.ok(stored.length > 0 && stored.every(({ body }) => !body.includes(first.client_secret)));
});

test('a response with a secret must not be cached', async () => {
  const made = await world.post('/applications', { as: world.machine, body: wanted });
  assert.equal(made.headers.get('cache-control'), 'no-store');
});

test('an application is changed as a whole or in part', async () => {
  const { id } = await make();
  const part = await world.patch(`/applications/${id}`, { as: world.machine, body: { scopes: ['read'] } });
  assert.deepEqual(
    [part.body.name, part.body.scopes, part.body.allowed_callback_urls],
    ['Front desk', ['read'], wanted.allowed_callback_urls],
  );
  const whole = await world.put(`/applications/${id}`, {
    as: world.machine,
    body: { name: 'Kiosk', domain: 'kiosk.example.com', scopes: ['read_write'], logo: null },
  });
  assert.deepEqual([whole.status, whole.body.name, whole.body.domain], [200, 'Kiosk', 'kiosk.example.com']);
  refused(
    await world.put(`/applications/${id}`, { as: world.machine, body: { name: 'Kiosk' } }),
    400,
    'parameter_invalid',
  );
});

test('a deleted application loses its secrets', async () => {
  const { id, client_secret } = await make();
  assert.equal((await world.delete(`/applications/${id}`, { as: world.machine })).status, 204);
  refused(await world.get(`/applications/${id}`, { as: world.machine }), 404, 'not_found');
  refused(await act(id, 'rotate_secret'), 404, 'not_found');
  refused(await world.delete(`/applications/${id}`, { as: world.machine }), 404, 'not_found');
  assert.equal(await isSecret(id, client_secret), false);
  assert.ok(!(await world.get('/applications', { as: world.machine })).body.results.some((a: any) => a.id === id));
});

test('applications are visible to super admins, and only those of their own business', async () => {
  const { id } = await make();
  const developer = world.staff(['developer', 'customers']);
  for (const [method, path] of [
    ['GET', '/applications'],
    ['GET', `/applications/${id}`],
    ['POST', '/applications'],
    ['PATCH', `/applications/${id}`],
    ['DELETE', `/applications/${id}`],
    ['POST', `/applications/${id}/rotate_secret`],
  ]) {
    const body = method === 'GET' ? undefined : {};
    refused(await world.ask(method, path, { as: developer, body }), 403, 'permission_denied', /super_admin/);
    refused(
      await world.ask(method, path, { as: world.customer(await world.newCustomer()), body }),
      403,
      'mode_not_allowed',
    );
    refused(await world.ask(method, path, { body }), 401, 'not_authenticated');
  }
  refused(await world.get(`/applications/${id}`, { as: world.meadowMachine }), 404, 'not_found');
  refused(
    await world.post(`/applications/${id}/rotate_secret`, { as: world.meadowMachine, body: {} }),
    404,
    'not_found',
  );
});

// Guards against: A leaked or old secret of an application
test('no secret of an application is a bearer token', async () => {
  const { client_secret, client_id } = await make();
  const { direct_auth_key } = await approved();
  for (const secret of [client_secret, client_id, direct_auth_key, 'rcr_0123456789']) {
    refused(
      await world.get('/customers', { as: secret, provider: world.harbour }),
      401,
      'authentication_failed',
      /^The token you provided is expired or invalid\.$/,
    );
  }
});

test('changes of an application are recorded in the feed and the audit without its secrets', async () => {
  const from = await feedEnd(world);
  const { id, client_secret } = await make();
  await world.patch(`/applications/${id}`, { as: world.machine, body: { name: 'Kiosk' } });
  const rotated = (await act(id, 'rotate_secret')).body.client_secret;
  await act(id, 'request_direct_auth', { use_case: USE_CASE });
  const { direct_auth_key } = (await act(id, 'approve_direct_auth', {}, operator)).body;
  await world.delete(`/applications/${id}`, { as: world.machine });
  const feedItems = (await feedSince(world, from))
    .filter((item) => item.payload.application === id)
    .map((item) => [item.kind, item.payload.changed]);
  assert.deepEqual(feedItems, [
    ['application.created', undefined],
    ['application.updated', ['name']],
    ['application.updated', ['client_secret']],
    ['application.updated', ['direct_auth']],
    ['application.updated', ['direct_auth']],
    ['application.deleted', undefined],
  ]);
  const entries = await auditOf(id);
  const text = JSON.stringify(entries);
  for (const secret of [client_secret, rotated, direct_auth_key])
    assert.ok(!text.includes(secret.slice(8)), 'a secret is in the audit');
  assert.ok(
    entries.some((e) => e.after?.secrets?.length === 2),
    'the rotation is in the audit',
  );
  assert.ok(
    entries.some((e) => e.actor.startsWith('operator_token:')),
    'the decision names the operator',
  );
});

// Guards against: An application asks for passwords without permission
test('direct authentication is off until the operator approves the business’s request', async () => {
  const { id } = await make();
  refused(await act(id, 'approve_direct_auth', {}, operator), 409, 'conflict', /use case/);
  refused(await act(id, 'rotate_direct_auth_key'), 409, 'conflict', /off/);
  refused(
    await act(id, 'request_direct_auth', { use_case: 'Because.' }),
    400,
    'parameter_invalid',
    /use_case: Must be at least 50/,
  );
  refused(await act(id, 'request_direct_auth', { use_case: 'x'.repeat(5001) }), 400, 'parameter_invalid', /5000/);

  const asked = await act(id, 'request_direct_auth', { use_case: USE_CASE });
  assert.deepEqual(asked.body.direct_auth, { status: 'requested', use_case: USE_CASE, reason: null, decided_at: null });
  assert.equal(asked.body.direct_auth_key, null);
  refused(await act(id, 'rotate_direct_auth_key'), 409, 'conflict', /waiting/);
  const seen = await world.get('/applications', { as: operator, provider: world.harbour });
  assert.equal(seen.body.results.find((a: any) => a.id === id).direct_auth.use_case, USE_CASE);

  const yes = await act(id, 'approve_direct_auth', {}, operator);
  assert.equal(yes.body.direct_auth.status, 'approved');
  assert.ok(Date.parse(yes.body.direct_auth.decided_at) > 0);
  assert.match(yes.body.direct_auth_key, /^rcd_[\w-]{49}$/);
  assert.equal((await world.get(`/applications/${id}`, { as: world.machine })).body.direct_auth_key, null);
  refused(await act(id, 'approve_direct_auth', {}, operator), 409, 'conflict');
  refused(await act(id, 'request_direct_auth', { use_case: USE_CASE }), 409, 'conflict');
  assert.match((await act(id, 'rotate_direct_auth_key')).body.direct_auth_key, /^rcd_/);

  refused(await act(id, 'refuse_direct_auth', {}, operator), 400, 'parameter_invalid', /reason/);
  const no = await act(id, 'refuse_direct_auth', { reason: 'Complaints of members.' }, operator);
  assert.deepEqual([no.body.direct_auth.status, no.body.direct_auth.reason], ['refused', 'Complaints of members.']);
  refused(await act(id, 'rotate_direct_auth_key'), 409, 'conflict', /refused/);
  refused(await act(id, 'refuse_direct_auth', { reason: 'Again.' }, operator), 409, 'conflict');
});

test('only the operator decides about direct authentication, and the operator sees nothing but the applications', async () => {
  const { id } = await make();
  await act(id, 'request_direct_auth', { use_case: USE_CASE });
  for (const what of ['approve_direct_auth', 'refuse_direct_auth']) {
    refused(await act(id, what, { reason: 'x' }), 403, 'mode_not_allowed');
    refused(await act(id, what, { reason: 'x' }, world.staff(['super_admin'])), 403, 'mode_not_allowed');
    refused(await world.post(`/applications/${id}/${what}`, { body: {} }), 401, 'not_authenticated');
  }
  for (const [method, path] of [
    ['POST', '/applications'],
    ['PATCH', `/applications/${id}`],
    ['DELETE', `/applications/${id}`],
    ['POST', `/applications/${id}/rotate_secret`],
    ['POST', `/applications/${id}/request_direct_auth`],
  ]) {
    refused(
      await world.ask(method, path, { as: operator, provider: world.harbour, body: {} }),
      403,
      'mode_not_allowed',
    );
  }
  refused(
    await act(id, 'approve_direct_auth', {}, operator).then(() =>
      world.post(`/applications/${id}/approve_direct_auth`, { as: operator, provider: world.meadow, body: {} }),
    ),
    404,
    'not_found',
  );
});

test('an application has the same content in XML as in JSON', async () => {
  const { id } = await make();
  const answer = await world.get(`/applications/${id}?format=xml`, { as: world.machine });
  assert.match(
    answer.text,
    /<allowed_callback_urls><list-item>https:\/\/desk\.example\.com\/cb<\/list-item><\/allowed_callback_urls>/,
  );
  assert.match(answer.text, /<direct_auth><status>none<\/status>/);
  const made = await world.post('/applications?format=xml', { as: world.machine, body: wanted });
  assert.match(made.text, /<client_secret>rcs_[\w-]{49}<\/client_secret>/);
});
