import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askToResetPassword, claimProfiles, confirmEmail, resetPassword } from '../identity/index.ts';
import { CHECKS } from './check-account.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import {
  logIn,
  makeCustomer,
  makeStaff,
  newDirectApplication,
  newMember,
  PASSWORD,
  tokensOf,
  type DirectApplication,
} from '../../../test/worlds/direct-auth-world.ts';
import { newVenue } from '../../../test/schedule-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

let mailbox: Mailbox;
let world: World;
let kiosk: DirectApplication;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>', HEADER_ALIASES: 'Acme' },
  });
  kiosk = await newDirectApplication(world);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const refused = (answer: ApiAnswer, status: number, code: string, message: RegExp = /./): void => {
  assert.deepEqual([answer.status, answer.body.code], [status, code], answer.text);
  assert.match(answer.body.message, message);
};
const ticketOf = (link: string): string => new URL(link, 'http://any').searchParams.get('ticket')!;
const address = (): string => `${Math.random().toString(36).slice(2)}@example.com`;

// The person of a token
// ------------------------------------------------------------------------------------------------

test('a token says which application it was issued to, and which businesses it reaches', async () => {
  const member = await newMember(world);
  const { access_token } = await tokensOf(world, kiosk, member);
  const { body } = await world.get('/auth/application', { as: access_token });
  assert.deepEqual(body, {
    object: 'authenticated_application',
    id: kiosk.id,
    name: 'Rowing Diary',
    scoped_providers: [{ object: 'scoped_provider', id: world.harbour, name: 'Harbour' }],
  });
  const wide = await tokensOf(world, await newDirectApplication(world, { wide: true }), member);
  const reached = (await world.get('/auth/application', { as: wide.access_token })).body.scoped_providers.map(
    (p: any) => p.id,
  );
  assert.deepEqual(reached, [world.harbour, world.meadow]);
});

test('a machine token represents itself, with the business that it reaches, and no person', async () => {
  const made = (await world.post('/machine_tokens', { as: world.machine, body: { name: 'Reports' } })).body;
  const { status, body } = await world.get('/auth/application', { as: made.token });
  assert.deepEqual(
    [status, body],
    [
      200,
      {
        object: 'authenticated_application',
        id: made.id,
        name: 'Reports',
        scoped_providers: [{ object: 'scoped_provider', id: world.harbour, name: 'Harbour' }],
      },
    ],
  );
  refused(await world.get('/auth/application', { as: world.token([]) }), 404, 'not_found', /no application behind/);
  assert.deepEqual((await world.get('/auth/profiles', { as: world.machine })).body, {
    count: 0,
    next: null,
    previous: null,
    results: [],
  });
  for (const path of ['/auth/application', '/auth/profiles'])
    refused(await world.get(path, { provider: null }), 401, 'not_authenticated');
});

test('a person is shown as staff and as customer, at the businesses that the token reaches', async () => {
  const member = await newMember(world);
  const venue = await newVenue(world);
  const staff = await makeStaff(world, member, ['customers']);
  const customer = await world.newCustomer({
    user_id: member.userId,
    email: member.email,
    first_name: 'Ada',
    last_name: 'Byron',
    venue,
  });
  const elsewhere = await makeCustomer(world, member, world.meadow);
  const { access_token: as } = await tokensOf(world, kiosk, member);
  const { body } = await world.get('/auth/profiles', { as });
  const common = {
    name: 'Ada Byron',
    first_name: 'Ada',
    last_name: 'Byron',
    email: member.email,
    provider: world.harbour,
  };
  assert.equal(body.count, 2);
  const [{ permissions, ...first }, second] = body.results;
  assert.deepEqual(
    [first, second],
    [
      { id: staff, ...common, profile_type: 'staff' },
      { id: customer, ...common, profile_type: 'customer' },
    ],
  );
  assert.deepEqual([permissions.customers, permissions.super_admin], [true, false]);

  const opened = (await world.get('/auth/profiles?expand=provider,venue', { as })).body.results;
  assert.deepEqual(
    opened.map((p: any) => [p.provider.object, p.provider.name]),
    [
      ['provider', 'Harbour'],
      ['provider', 'Harbour'],
    ],
  );
  assert.equal('venue' in opened[0], false);
  assert.deepEqual([opened[1].venue.object, opened[1].venue.id], ['venue', venue]);

  const wide = (await tokensOf(world, await newDirectApplication(world, { wide: true }), member)).access_token;
  const all = (await world.get('/auth/profiles', { as: wide })).body;
  assert.deepEqual(
    all.results.map((p: any) => [p.profile_type, p.provider, p.id]),
    [
      ['staff', world.harbour, staff],
      ['customer', world.harbour, customer],
      ['customer', world.meadow, elsewhere],
    ],
  );
  const page = (await world.get('/auth/profiles?page=2&page_size=2', { as: wide })).body;
  assert.deepEqual([page.count, page.results.length, page.next, page.previous !== null], [3, 1, null, true]);
  assert.match((await world.get('/auth/profiles?format=xml', { as })).text, /<profile_type>staff<\/profile_type>/);
});

// Accounts that a business knows
// -------------------------------------------------------------------------------------------------

const check = (email: string, ask: Parameters<World['get']>[1] = {}) =>
  world.get(`/auth/check_account?email=${encodeURIComponent(email)}`, ask);
const byKey = (key = kiosk.key, header = 'service-direct-auth-key') => ({ headers: { [header]: key } });

test('an application with its key, and super admins of the business, can check whom the business knows', async () => {
  const [claimed, worker] = [await newMember(world), await newMember(world)];
  await makeCustomer(world, claimed);
  await makeStaff(world, worker);
  const [unclaimed, hidden] = [address(), address()];
  await world.newCustomer({ email: unclaimed });
  const id = await world.newCustomer({ email: hidden });
  assert.equal(
    (await world.patch(`/customers/${id}`, { as: world.machine, body: { visibility: 'hidden' } })).status,
    200,
  );
  const web_auth_url = `${world.url}/account/${world.harbour}/log-in`;
  const cases: [email: string, known: [boolean, boolean, boolean, boolean]][] = [
    [claimed.email, [true, true, true, false]],
    [claimed.email.toUpperCase(), [true, true, true, false]],
    [worker.email, [true, true, false, false]],
    [unclaimed, [true, false, false, false]],
    [hidden, [true, false, false, true]],
    [address(), [false, false, false, false]],
  ];
  for (const ask of [
    byKey(),
    byKey(kiosk.key, 'acme-direct-auth-key'),
    { as: world.machine },
    { as: world.staff(['super_admin']) },
  ]) {
    for (const [email, [account_exists, has_identity_account, is_claimed, is_hidden]] of cases) {
      const { status, body } = await check(email, ask);
      assert.deepEqual(
        [status, { ...body, web_auth_url: body.web_auth_url?.replace('localhost', '127.0.0.1') }],
        [200, { account_exists, has_identity_account, is_claimed, is_hidden, web_auth_url }],
        email,
      );
    }
  }
});

// Guards against: Testing lists of addresses against a business
test('an account that this business does not know counts as no account here', async () => {
  const member = await newMember(world);
  await makeCustomer(world, member, world.meadow);
  assert.deepEqual(Object.values((await check(member.email, byKey())).body).slice(0, 4), [false, false, false, false]);
});

// Guards against: Testing lists of addresses against a business
test('nobody else may check whom the business knows', async () => {
  const email = address();
  refused(await check(email), 401, 'not_authenticated');
  refused(await check(email, byKey('nonsense')), 403, 'permission_denied', /direct authentication key/);
  refused(await check(email, { as: world.customer(await world.newCustomer()) }), 403, 'mode_not_allowed');
  refused(await check(email, { as: world.staff(['customers', 'developer']) }), 403, 'permission_denied');
  refused(await check(email, { ...byKey(), provider: world.meadow }), 400, 'parameter_invalid', /has no access/);
  const stranger = (await tokensOf(world, kiosk, await newMember(world))).access_token;
  refused(await check(email, { as: stranger }), 401, 'not_authenticated');
  refused(await check('no address', byKey()), 400, 'parameter_invalid', /email/);
});

// Guards against: Testing lists of addresses against a business
test('an application can check addresses only as fast as a form needs, even if rate limits are turned off', async () => {
  const application = await newDirectApplication(world);
  // As time passes, more is allowed.
  world.stopNow();
  const answers = await Promise.all(
    Array.from({ length: CHECKS.quota + 30 }, () => check(address(), byKey(application.key))),
  );
  const limited = answers.filter((a) => a.status === 429);
  assert.equal(limited.length, 30);
  assert.ok(Number(limited[0].headers.get('retry-after')) > 0);
  assert.equal((await check(address(), byKey())).status, 200);
  world.setNow(world.now);
});

// Signing up
// --------------------------------------------------------------------------------------------------------------

const form = (over: Record<string, unknown> = {}) => ({
  email: address(),
  password: PASSWORD,
  first_name: 'Ada',
  last_name: 'Byron',
  direct_auth_key: kiosk.key,
  ...over,
});
const register = (body: unknown, providerId = world.harbour) =>
  world.post(`/providers/${providerId}/register_customer`, { provider: null, body });
const accountOf = (email: string): Promise<any> =>
  world.app.db.acrossTenants('a test looks at an account', (tx) =>
    tx.one(sql`SELECT id, email_confirmed_at FROM user_account WHERE email_key = ${email.toLowerCase()}`),
  );
const recordsOf = async (email: string) =>
  (await world.get('/customers?fields=id,email', { as: world.machine })).body.results.filter(
    (c: any) => c.email === email,
  );

test('a person signs up, is a customer, and is logged in', async () => {
  const venue = await newVenue(world);
  const body = form({ venue, field_values: [], referral_code: null });
  const answer = await register(body);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const { customer, credentials } = answer.body;
  assert.deepEqual(
    [customer.object, customer.email, customer.first_name, customer.provider],
    ['customer', body.email, 'Ada', world.harbour],
  );
  assert.deepEqual(Object.keys(credentials), ['access_token', 'expires_in', 'refresh_token']);
  const own = await world.get(`/customers/${customer.id}?expand=customer_venue`, { as: credentials.access_token });
  assert.deepEqual([own.status, own.body.customer_venue.id], [200, venue], own.text);
  // The address still has to be confirmed, by the person who reads its email.
  assert.equal((await accountOf(body.email)).email_confirmed_at, null);
  assert.match(await mailbox.link(world, body.email, /Confirm/, 'confirm'), /ticket=/);
  await tokensOf(world, kiosk, body);
  const audit = await world.work(world.harbour, ({ tx }) =>
    tx.rows(
      sql`SELECT after FROM audit_entry WHERE provider_id = ${world.harbour} AND object = 'customer'
        AND object_id = ${customer.id}`,
    ),
  );
  assert.equal(audit.length, 1);
  assert.ok(!JSON.stringify(audit).includes(PASSWORD));
});

// Guards against: Taking over somebody's record by signing up with their address
test('an address that has an account gets no tokens, and its password is unchanged', async () => {
  const member = await newMember(world);
  const answer = await register(
    form({ email: member.email.toUpperCase(), password: 'walnut harbour seventeen lamps' }),
  );
  refused(answer, 409, 'already_exists', /already has an account/);
  assert.deepEqual(Object.keys(answer.body.field_errors), ['email']);
  assert.deepEqual(await recordsOf(member.email), []);
  await tokensOf(world, kiosk, member);
});

// Guards against: Taking over somebody's record by signing up with their address
test('signing up does not claim a record of the business with the same address', async () => {
  const email = address();
  const record = await world.newCustomer({ email, first_name: 'Grace' });
  const answer = await register(form({ email }));
  refused(answer, 409, 'already_exists', /already has a customer record/);
  assert.ok(!answer.text.includes('access_token') && !answer.text.includes('Grace'));
  assert.deepEqual(
    (await recordsOf(email)).map((c: any) => c.id),
    [record],
  );
  // The account is created without the record, and can claim it once its address is confirmed.
  const { access_token } = await tokensOf(world, kiosk, { email });
  assert.equal((await world.get('/auth/profiles', { as: access_token })).body.count, 0);
  refused(await world.get(`/customers/${record}`, { as: access_token }), 403, 'mode_not_allowed');
  const door = world.app.accounts;
  const ticket = ticketOf(await mailbox.link(world, email, /Confirm/, 'confirm'));
  const whence = { address: '127.0.0.1', agent: '', providerId: world.harbour };
  assert.equal((await confirmEmail(door, { ticket, password: 'not the one' }, whence)).outcome, 'refused');
  const confirmed = await confirmEmail(door, { ticket, password: PASSWORD }, whence);
  assert.equal(confirmed.outcome, 'accepted');
  const { userId } = confirmed as { userId: number };
  await door.db.acrossTenants('a person comes to the business with a confirmed address', (tx) =>
    claimProfiles(tx, world.app.registry, { userId, providerId: world.harbour, now: world.now }),
  );
  assert.equal((await world.get(`/customers/${record}`, { as: access_token })).status, 200);
});

// Guards against: Taking over somebody's record by signing up with their address
test('the person who reads the email of an address takes back an account that somebody else created for it', async () => {
  const body = form();
  const { credentials, customer } = (await register(body)).body;
  const door = world.app.accounts;
  const whence = { address: '127.0.0.1', agent: '', providerId: world.harbour };
  await askToResetPassword(door, body.email, whence);
  const ticket = ticketOf(await mailbox.link(world, body.email, /new password/, 'reset-password'));
  // The tokens are from an earlier moment than the new password.
  const began = world.now;
  world.setNow(began + 1000);
  const reset = await resetPassword(door, { ticket, password: 'walnut harbour seventeen lamps' }, whence);
  assert.equal(reset.outcome, 'accepted');
  refused(await world.get(`/customers/${customer.id}`, { as: credentials.access_token }), 401, 'authentication_failed');
  refused(
    await world.post('/auth/refresh_access_token', {
      provider: null,
      body: { refresh_token: credentials.refresh_token, direct_auth_key: kiosk.key },
    }),
    401,
    'authentication_failed',
  );
  refused(await logIn(world, kiosk, body), 401, 'authentication_failed');
});

// Guards against: Taking over somebody's record by signing up with their address
test('signing up does not claim a staff record with the same address either', async () => {
  const email = address();
  assert.equal(
    (
      await world.post('/staff', {
        as: world.machine,
        body: { first_name: 'Kim', last_name: 'Lee', email, permissions: { super_admin: true } },
      })
    ).status,
    201,
  );
  const { body } = await register(form({ email }));
  const { results } = (await world.get('/auth/profiles', { as: body.credentials.access_token })).body;
  assert.deepEqual(
    results.map((p: any) => p.profile_type),
    ['customer'],
  );
});

test('if many sign up with one address at the same time, one succeeds', async () => {
  const email = address();
  const answers = await Promise.all(Array.from({ length: 4 }, () => register(form({ email }))));
  assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 409, 409, 409], answers.map((a) => a.text).join());
  assert.equal((await recordsOf(email)).length, 1);
});

test('mistakes in a sign-up are reported by name, and leave nothing behind', async () => {
  const elsewhere = await newVenue(world, {}, world.meadow);
  const cases: [over: Record<string, unknown>, status: number, field: string][] = [
    [{ password: 'password' }, 400, 'password'],
    [{ password: 'short' }, 400, 'password'],
    [{ email: 'no address' }, 400, 'email'],
    [{ first_name: '' }, 400, 'first_name'],
    [{ last_name: undefined }, 400, 'last_name'],
    [{ venue: elsewhere }, 400, 'venue'],
    [{ referral_code: 'NOBODY' }, 400, 'referral_code'],
    [{ field_values: [{ field: 1, value: 'x' }] }, 400, 'field_values.0.field'],
    [{ verification_key: 'x' }, 400, 'verification_key'],
    [{ user_id: 1 }, 400, 'user_id'],
    [{ direct_auth_key: 'nonsense' }, 403, 'direct_auth_key'],
  ];
  for (const [over, status, field] of cases) {
    const body = form(over);
    const answer = await register(body);
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(Object.keys(answer.body.field_errors), [field], answer.text);
    assert.equal(await accountOf(String(body.email)), undefined, field);
  }
});

test('a sign-up answers the questions of the business, and is refused without the required ones', async () => {
  const asked = { type: 'short_text', show_on_new_customer_form: true };
  const field = async (body: object) =>
    (await world.post('/customer_fields', { as: world.machine, body: { ...asked, ...body } })).body.id as number;
  const [contact, size] = [
    await field({ label: 'Emergency contact', is_required: true }),
    await field({ label: 'Size' }),
  ];
  const missing = await register(form({ field_values: [{ field: size, value: 'M' }] }));
  assert.deepEqual(missing.body.field_errors, { field_values: ['Answer this question: Emergency contact.'] });
  const { body } = await register(form({ field_values: [{ field: contact, value: 'Kim, 555 0100' }] }));
  const { results } = (await world.get(`/customer_field_values?customers=${body.customer.id}`, { as: world.machine }))
    .body;
  assert.deepEqual(
    results.map((one: any) => [one.field, one.value]),
    [[contact, 'Kim, 555 0100']],
  );
  for (const id of [contact, size])
    await world.patch(`/customer_fields/${id}`, { as: world.machine, body: { archived: true } });
});

test('an application signs people up at the businesses that it reaches, and is refused elsewhere', async () => {
  refused(await register(form(), world.meadow), 404, 'not_found');
  refused(await register(form(), 987_654_321), 404, 'not_found');
  const wide = await newDirectApplication(world, { wide: true });
  const answer = await register(form({ direct_auth_key: wide.key }), world.meadow);
  assert.deepEqual([answer.status, answer.body.customer.provider], [200, world.meadow], answer.text);
  assert.equal(
    (await world.get('/auth/profiles', { as: answer.body.credentials.access_token })).body.results[0].provider,
    world.meadow,
  );
});
