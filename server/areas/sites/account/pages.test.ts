import assert from 'node:assert/strict';
import fastify from 'fastify';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { accountPages } from './index.ts';
import { Limits } from '../../../kernel/api/limits/limits.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { row } from '../../../test/schedule-world.ts';
import { until } from '../../../test/storm.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { START } from '../../../test/clock.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';

let mailbox: Mailbox;
let world: World;
let browser: PageBrowser;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  browser = new PageBrowser(world.url);
  const changed = await world.patch(`/providers/${world.harbour}`, {
    as: world.machine,
    body: { branding: { color: '#0f766e' } },
  });
  assert.equal(changed.status, 200, changed.text);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const PASSWORD = 'otter kettle midnight ferry';
const NEXT_PASSWORD = 'walnut harbour seventeen lamps';
const at = (page: string) => `/account/${world.harbour}/${page}`;

const customers = async (email: string) =>
  (
    await world.get(
      `/customers?query=${encodeURIComponent(email)}&fields=id,email,first_name,last_name,customer_venue,is_opted_into_broadcast_messages,is_opted_into_sms_marketing`,
      { as: world.machine },
    )
  ).body.results;

/** Signs up, opens the email and confirms; leaves the visitor on the account page. */
async function joined(email: string): Promise<PageVisitor> {
  const visitor = await browser.visitor();
  await visitor.open(at('sign-up'));
  await visitor.submit('Sign up', {
    'First name': 'Ada',
    'Last name (optional)': 'Byron',
    'Email address': email,
    Password: PASSWORD,
  });
  assert.equal(await visitor.heading(), 'Check your email');
  await visitor.open(await mailbox.link(world, email, /Confirm/, 'confirm'));
  await visitor.submit('Confirm', { Password: PASSWORD });
  assert.equal(await visitor.heading(), 'Your account');
  return visitor;
}

/** Returns the code that an authenticator shows for this secret. */
const codeFor = (secret: string, at = world.now): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')), digits: 6, period: 30 }).generate({
    timestamp: at,
  });

async function logIn(visitor: PageVisitor, email: string, password: string): Promise<void> {
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: password });
}

// Guards against: Agreeing to something in the name of somebody who signs up
test('a person signs up and confirms the address, and becomes a customer only then', async () => {
  const visitor = await browser.visitor();
  await visitor.open(at('profile'));
  assert.equal(visitor.path, at('log-in'));
  await visitor.checkAccessible('log-in');
  await visitor.page.getByText('Log in with a password').click();
  await visitor.follow('Sign up with a password');
  await visitor.checkAccessible('sign-up');
  await visitor.submit('Sign up', { 'First name': 'Ada', 'Email address': 'ada at example', Password: 'short' });
  assert.match(
    await visitor.text(),
    /There are problems[^]*Email address: Enter an email address in full[^]*Password: That's 5 characters/,
  );
  assert.equal(await visitor.page.getByLabel('First name').inputValue(), 'Ada');
  assert.equal(await visitor.page.getByLabel('Password').inputValue(), '');
  await visitor.checkAccessible('sign-up-wrong');
  await visitor.submit('Sign up', {
    'Last name (optional)': 'Byron',
    'Email address': 'ada@example.com',
    Password: PASSWORD,
    'Harbour can send me news and offers by email': true,
  });
  assert.equal(await visitor.heading(), 'Check your email');
  await visitor.checkAccessible('check-mail');
  assert.deepEqual(await customers('ada@example.com'), []);
  const link = await mailbox.link(world, 'ada@example.com', /Confirm/, 'confirm');
  await visitor.open(link);
  await visitor.checkAccessible('confirm');
  assert.deepEqual(await customers('ada@example.com'), []);
  await visitor.submit('Confirm', { Password: PASSWORD });
  assert.match(await visitor.text(), /Your email address is confirmed[^]*ada@example\.com\s*Customer/);
  await visitor.checkAccessible('profile');
  const [customer] = await customers('ada@example.com');
  assert.deepEqual(
    [
      customer.first_name,
      customer.last_name,
      customer.is_opted_into_broadcast_messages,
      customer.is_opted_into_sms_marketing,
    ],
    ['Ada', 'Byron', true, false],
  );
  await visitor.submit('Log out');
  assert.match(await visitor.text(), /You're logged out/);
  await visitor.open(link);
  assert.equal(await visitor.heading(), 'This link no longer works');
  await visitor.checkAccessible('link-over');
  await visitor.close();
});

test('an address that a customer shared shows who invites and why, and the code is kept until the new address is confirmed', async () => {
  const shared = async (customer: number): Promise<{ code: string; share_url: string }> =>
    (await world.get(`/customers/${customer}?fields=referral_code`, { as: world.machine })).body.referral_code;
  const friend = await world.newCustomer({ first_name: 'Grace', last_name: 'Hopper', email: 'hopper@example.com' });
  const { code, share_url: url } = await shared(friend);
  const settings = `/providers/${world.harbour}/customer_referral_settings`;
  const promise = { enabled: true, signup_bonus_credit: '5.00', signup_discount_percentage: '10' };
  assert.equal((await world.patch(settings, { as: world.machine, body: promise })).status, 200);
  const visitor = await browser.visitor();
  await visitor.open(url.slice(url.indexOf('/account/')));
  assert.equal(await visitor.heading(), 'Grace invited you');
  const text = await visitor.text();
  assert.match(text, /A code for 10% off one purchase[^]*\$5\.00 of account credit after your first visit/);
  assert.doesNotMatch(text, /Hopper|hopper@/);
  await visitor.checkAccessible('sign-up-invited');
  await visitor.submit('Sign up', {
    'First name': 'Ben',
    'Last name (optional)': 'Bell',
    'Email address': 'ben@example.com',
    Password: 'short',
  });
  assert.equal(await visitor.heading(), 'Grace invited you', 'a form that is wrong loses nothing');
  await visitor.submit('Sign up', { Password: PASSWORD });
  await visitor.open(await mailbox.link(world, 'ben@example.com', /Confirm/, 'confirm'));
  await visitor.submit('Confirm', { Password: PASSWORD });
  const [ben] = await customers('ben@example.com');
  await until('the referral begins', async () => {
    const { results } = (await world.get(`/referrals?customer=${ben.id}`, { as: world.machine })).body;
    return results[0]?.status === 'pending' && results[0].referrer === friend;
  });
  await visitor.close();

  const nobody = await browser.visitor();
  await nobody.open(`${at('sign-up')}?referral=${code}X`);
  assert.equal(await nobody.heading(), 'Sign up');
  await world.patch(settings, { as: world.machine, body: { enabled: false } });
  await nobody.open(`${at('sign-up')}?referral=${code.toLowerCase()}`);
  assert.equal(await nobody.heading(), 'Grace invited you');
  assert.doesNotMatch(await nobody.text(), /You'll get/);
  await nobody.close();
});

// Guards against: Agreeing to something in the name of somebody who signs up
test('somebody else who opens the link cannot confirm it without the password', async () => {
  const visitor = await browser.visitor();
  await visitor.open(at('sign-up'));
  await visitor.submit('Sign up', {
    'First name': 'Eve',
    'Last name (optional)': 'Other',
    'Email address': 'victim@example.com',
    Password: PASSWORD,
  });
  await visitor.open(await mailbox.link(world, 'victim@example.com', /Confirm/, 'confirm'));
  await visitor.submit('Confirm', { Password: 'a guess of the victim' });
  assert.match(await visitor.text(), /isn't the password you chose/);
  assert.deepEqual(await customers('victim@example.com'), []);
  await visitor.close();
});

test('a record that staff entered is claimed by its confirmed address, and not created twice', async () => {
  const id = await world.newCustomer({ first_name: 'Grace', last_name: 'Entered', email: 'grace@example.com' });
  const visitor = await joined('grace@example.com');
  const found = await customers('grace@example.com');
  assert.deepEqual(
    found.map((c: { id: number }) => c.id),
    [id],
  );
  assert.match(await visitor.text(), /grace@example\.com\s*Customer/);
  await visitor.close();
});

// Guards against: Agreeing to something in the name of somebody who signs up
test('details that others enter with an address have no effect for its owner', async () => {
  const [news, email] = ['Harbour can send me news and offers by email', 'vera@example.com'];
  const [vera, other] = [await browser.visitor(), await browser.visitor()];
  const fields = { 'First name': 'Vera', 'Last name (optional)': 'Own', 'Email address': email, Password: PASSWORD };
  await vera.open(at('sign-up'));
  await vera.submit('Sign up', fields);
  await other.open(at('sign-up'));
  await other.submit('Sign up', { ...fields, 'First name': 'Mallory', Password: NEXT_PASSWORD, [news]: true });
  await vera.open(await mailbox.link(world, email, /Confirm/, 'confirm'));
  await vera.submit('Confirm', { Password: PASSWORD });
  const [customer] = await customers(email);
  assert.deepEqual([customer.first_name, customer.is_opted_into_broadcast_messages], ['Vera', false]);
  await vera.close();
  await other.close();
});

test('a second step is set up, asked for, and replaced by a recovery code', async () => {
  const visitor = await joined('tess@example.com');
  await visitor.follow('Settings');
  await visitor.follow('Set up two-step log-in');
  await visitor.checkAccessible('second-factor-begin');
  await visitor.submit('Start');
  await visitor.page.getByText("Can't scan it?").click();
  const secret = await visitor.page.locator('details code').innerText();
  assert.match(
    (await visitor.page
      .getByRole('link', { name: 'Open in an authenticator app on this device' })
      .getAttribute('href'))!,
    /^otpauth:\/\/totp\/Harbour:.*secret=/,
  );
  await visitor.checkAccessible('second-factor-enrol');
  await visitor.submit('Turn on', { 'Code from the app': '000000' });
  assert.match(await visitor.text(), /Code from the app: That code is wrong/);
  const before = visitor.cookies.get('rollcall_session');
  await visitor.submit('Turn on', { 'Code from the app': codeFor(secret) });
  const codes = await visitor.page.locator('.codes li').allInnerTexts();
  assert.equal(codes.length, 10);
  assert.notEqual(visitor.cookies.get('rollcall_session'), before);
  await visitor.checkAccessible('recovery-codes');
  await visitor.follow("I've saved them");
  assert.match(await visitor.text(), /10 recovery codes are left/);
  await visitor.follow('Change two-step log-in');
  await visitor.checkAccessible('second-factor-on');
  await visitor.submit('Log out');

  await logIn(visitor, 'tess@example.com', PASSWORD);
  assert.equal(await visitor.heading(), 'Enter your code');
  await visitor.checkAccessible('second-factor');
  await visitor.open(at('profile'));
  assert.equal(visitor.path, at('log-in'), 'the password alone lets nobody in');
  await logIn(visitor, 'tess@example.com', PASSWORD);
  await visitor.submit('Continue', { Code: codeFor(secret, world.now + 30_000) });
  assert.equal(await visitor.heading(), 'Your account');
  await visitor.submit('Log out');

  await logIn(visitor, 'tess@example.com', PASSWORD);
  await visitor.submit('Continue', { Code: codes[0] });
  await visitor.follow('Settings');
  assert.match(await visitor.text(), /9 recovery codes are left/);
  await visitor.submit('Log out');
  await logIn(visitor, 'tess@example.com', PASSWORD);
  await visitor.submit('Continue', { Code: codes[0] });
  assert.match(await visitor.text(), /That code is wrong/);
  await visitor.close();
});

test('a forgotten password is reset by a link, and every device is logged out', async () => {
  const there = await joined('lena@example.com');
  const here = await browser.visitor();
  await here.open(at('log-in'));
  await here.page.getByText('Log in with a password').click();
  await here.follow('Forgot your password?');
  await here.checkAccessible('forgot-password');
  await here.submit('Send the link', { 'Email address': 'lena@example.com' });
  assert.equal(await here.heading(), 'Check your email');
  await here.open(await mailbox.link(world, 'lena@example.com', /new password/, 'reset-password'));
  await here.checkAccessible('reset-password');
  await here.submit('Save the password', { 'New password': 'password' });
  assert.match(await here.text(), /There is a problem/);
  await here.submit('Save the password', { 'New password': NEXT_PASSWORD });
  assert.match(await here.text(), /Your new password is saved/);
  await there.open(at('profile'));
  assert.equal(there.path, at('log-in'));
  await logIn(here, 'lena@example.com', PASSWORD);
  assert.match(await here.text(), /The email address or the password is wrong/);
  await here.checkAccessible('log-in-wrong');
  await logIn(here, 'lena@example.com', NEXT_PASSWORD);
  assert.equal(await here.heading(), 'Your account');
  await here.close();
  await there.close();
});

test('the address of an account changes when the new one is confirmed, and the owner of the old one can stop it', async () => {
  const visitor = await joined('mira@example.com');
  await visitor.follow('Settings');
  await visitor.submit('Change email address', {
    'New email address': 'mira.new@example.com',
    'Your password': 'not this one',
  });
  assert.match(await visitor.text(), /Your password: That isn't your password/);
  await visitor.checkAccessible('profile-wrong');
  await visitor.submit('Change email address', {
    'New email address': 'mira.new@example.com',
    'Your password': PASSWORD,
  });
  assert.match(await visitor.text(), /Until then, nothing changes/);
  await visitor.open(await mailbox.link(world, 'mira.new@example.com', /new email address/, 'confirm'));
  await visitor.checkAccessible('confirm-change');
  await visitor.submit('Confirm');
  const fresh = await browser.visitor();
  await logIn(fresh, 'mira.new@example.com', PASSWORD);
  assert.match(await fresh.text(), /mira\.new@example\.com/);
  await fresh.open(await mailbox.link(world, 'mira@example.com', /about to change/, 'confirm'));
  await fresh.checkAccessible('stop-change');
  await fresh.submit('Stop the change');
  assert.equal(await fresh.heading(), 'The change is stopped');
  await fresh.open(at('profile'));
  assert.equal(fresh.path, at('log-in'));
  await fresh.close();
  await visitor.close();
});

test('a person changes their name and password, and ends other sessions', async () => {
  const visitor = await joined('nora@example.com');
  const other = await browser.visitor();
  await logIn(other, 'nora@example.com', PASSWORD);
  await visitor.follow('Settings');
  await visitor.submit('Save name', { 'First name': 'Nora <b>', 'Last name (optional)': "O'Neil" });
  assert.match(await visitor.text(), /Your name is saved/);
  assert.equal(await visitor.page.getByLabel('First name').inputValue(), 'Nora <b>');
  await visitor.page
    .getByRole('listitem')
    .filter({ hasText: 'Last used' })
    .getByRole('button', { name: 'Log out' })
    .click();
  assert.match(await visitor.text(), /That device is logged out/);
  await other.open(at('profile'));
  assert.equal(other.path, at('log-in'));
  await visitor.submit('Change password', { 'Current password': PASSWORD, 'New password': NEXT_PASSWORD });
  assert.match(await visitor.text(), /Your password is changed/);
  await logIn(other, 'nora@example.com', NEXT_PASSWORD);
  await other.follow('Settings');
  assert.match(await other.text(), /Recent activity[^]*Password changed/);
  await other.close();
  await visitor.close();
});

test('people who sign up can choose one of several venues, and staff see that a second step is required of them', async () => {
  const path = `/account/${world.meadow}`;
  const [barn, field] = [
    await row(world, 'venue', { name: 'Barn', timezone: 'Europe/London' }, world.meadow),
    await row(world, 'venue', { name: 'Field', timezone: 'Europe/London' }, world.meadow),
  ];
  await row(world, 'staff', { first_name: 'Pia', last_name: 'Team', email: 'pia@example.com' }, world.meadow);
  await world.patch(`/providers/${world.meadow}`, {
    as: world.meadowMachine,
    body: { is_marketing_preference_on_customer_forms: false, security: { second_factor_required: true } },
  });
  const visitor = await browser.visitor();
  await visitor.open(`${path}/sign-up`);
  assert.equal(await visitor.page.getByRole('checkbox').count(), 0, 'this business asks for no consent');
  const fields = {
    'First name': 'Pia',
    'Last name (optional)': 'Team',
    'Email address': 'pia@example.com',
    Password: PASSWORD,
  };
  assert.match(await visitor.text(), /Where will you come most often\? \(optional\)/);
  await visitor.submit('Sign up', { ...fields, 'Where will you come most often? (optional)': 'Field' });
  await visitor.open(await mailbox.link(world, 'pia@example.com', /Confirm/, 'confirm'));
  await visitor.submit('Confirm', { Password: PASSWORD });
  assert.match(await visitor.text(), /pia@example\.com\s*Team\s*Customer\s*Set up two-step log-in to work here/);
  await visitor.checkAccessible('second-factor-wanted');
  const { body } = await world.get('/customers?query=pia&fields=customer_venue', { as: world.meadowMachine });
  assert.equal(body.results[0].customer_venue?.id ?? body.results[0].customer_venue, field, `not ${barn}`);
  await visitor.close();
});

test('somebody with an account who is new at a business is offered to join it', async () => {
  const visitor = await joined('olga@example.com');
  const page = `/account/${world.meadow}/profile`;
  await visitor.open(page);
  assert.match(await visitor.text(), /Become a customer of Meadow/);
  await visitor.checkAccessible('join');
  const found = () => world.get('/customers?query=olga', { as: world.meadowMachine });
  assert.equal((await found()).body.results.length, 0);
  await visitor.submit('Join Meadow');
  assert.match(await visitor.text(), /You're a customer now/);
  assert.equal((await found()).body.results.length, 1);
  await visitor.close();
});

test('an invited person who chooses a password gets the profile', async () => {
  const created = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Ines', last_name: 'Invited', email: 'ines@example.com' },
  });
  assert.equal(created.status, 201, created.text);
  const visitor = await browser.visitor();
  await visitor.open(await mailbox.link(world, 'ines@example.com', /./, 'invitation'));
  await visitor.checkAccessible('invitation');
  assert.equal(await visitor.page.getByLabel('First name').inputValue(), 'Ines');
  await visitor.submit('Create account', { Password: PASSWORD });
  assert.match(await visitor.text(), /ines@example\.com\s*Customer/);
  await visitor.close();
});

async function invited(email: string): Promise<string> {
  const created = await world.post('/staff', {
    as: world.machine,
    body: { first_name: 'Stella', last_name: 'Staff', email, permissions: { pos: true } },
  });
  assert.equal(created.status, 201, created.text);
  return mailbox.link(world, email, /./, 'invitation');
}

/** Returns where a form leads. The dashboard is a program, which this visitor can't run. */
async function leadsTo(
  path: string,
  fields: Record<string, string>,
  client = new PageClient(world.url),
): Promise<string> {
  if (client.token === null) await client.get(at('log-in'));
  const { status, headers, text } = await client.post(path, fields);
  assert.equal(status, 303, text);
  return headers.get('location')!;
}

const ticketOf = (link: string): string => new URL(link, world.url).searchParams.get('ticket')!;

test('a staff member who accepts an invitation arrives at the dashboard, and finds it from their account', async () => {
  const ticket = ticketOf(await invited('stella@example.com'));
  const named = { first_name: 'Stella', last_name: 'Staff', password: PASSWORD };
  assert.equal(await leadsTo(at('invitation'), { ticket, ...named }), `${world.url}/dashboard/${world.harbour}`);
  const visitor = await browser.visitor();
  await logIn(visitor, 'stella@example.com', PASSWORD);
  await visitor.checkAccessible('profile-of-staff');
  const way = visitor.page.getByRole('link', { name: 'Open the dashboard' });
  assert.match(String(await way.getAttribute('href')), new RegExp(`/dashboard/${world.harbour}$`));
  await visitor.close();
});

test('a staff member who has an account arrives at the dashboard after the log-in', async () => {
  const email = 'stanley@example.com';
  await (await joined(email)).close();
  const link = await invited(email);
  const visitor = await browser.visitor();
  await visitor.open(link);
  const way = visitor.page.getByRole('main').getByRole('link', { name: 'Log in' });
  assert.match(String(await way.getAttribute('href')), /\/log-in\?return_to=.*invitation/);
  await visitor.close();
  const client = new PageClient(world.url);
  const invitation = `${at('invitation')}?ticket=${ticketOf(link)}`;
  const fields = { email, password: PASSWORD, return_to: invitation };
  assert.equal(await leadsTo(at('log-in'), fields, client), invitation);
  const shown = await client.get(invitation);
  assert.deepEqual([shown.status, shown.headers.get('location')], [303, `${world.url}/dashboard/${world.harbour}`]);
});

test('an invitation is accepted with the account of another address, also after its session has expired', async () => {
  const email = 'another@example.com';
  const visitor = await joined(email);
  const link = await invited('steven@example.com');
  await visitor.open(link);
  await world.app.db.acrossTenants('a test ends sessions', (tx) => tx.run(sql`DELETE FROM user_session`));
  await visitor.submit('Accept');
  assert.match(visitor.path, /\/log-in$/);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  assert.match(visitor.path, /\/invitation$/);
  const ticket = ticketOf(link);
  assert.equal(await leadsTo(at('invitation/accept'), { ticket }, visitor), `${world.url}/dashboard/${world.harbour}`);
  await visitor.close();
});

const wantTwoSteps = (second_factor_required: boolean) =>
  world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { security: { second_factor_required } } });

test('if a business requires two-step log-in, its new staff set it up first', async () => {
  assert.equal((await wantTwoSteps(true)).status, 200);
  const visitor = await browser.visitor();
  await visitor.open(await invited('sina@example.com'));
  await visitor.submit('Create account', { Password: PASSWORD });
  assert.match(await visitor.text(), /You're in\. Welcome![^]*Set up two-step log-in to work here/);
  await visitor.close();
  assert.equal((await wantTwoSteps(false)).status, 200);
});

test('a person is asked whether an application may act, and their consent is listed on the account page', async (t) => {
  const connected: string[] = [];
  const { accounts, registry, pipeline, installation } = world.app;
  const http = fastify();
  t.after(() => http.close());
  accountPages(http, {
    door: accounts,
    registry,
    pipeline,
    installation,
    limits: new Limits(false, () => START),
    metrics: { request() {} },
    publicUrl: undefined,
    consents: {
      question: async (id) => ({
        id,
        application: 'Calendar',
        destination: 'calendar.example',
        wishes: ['profile', 'read_write'],
        businesses: [],
        choices: {
          groups: ['classes', 'customers', 'money', 'everything'],
          venues: [
            { id: 1, name: 'Pier 4' },
            { id: 2, name: 'Boathouse' },
          ],
        },
      }),
      answer: async (id) => {
        connected.push(id);
        return at('profile');
      },
    },
    connections: {
      list: async () => ({
        connections: connected.map(() => ({
          id: 7,
          name: 'Calendar',
          since: world.now,
          assistantUsedAt: null,
          may: ['openid', 'read'],
        })),
        away: false,
      }),
      registered: async () => [],
      end: async (_userId, id) => id === 7 && connected.pop() !== undefined,
    },
  });
  await joined('rosa@example.com').then((visitor) => visitor.close());
  const visitor = await browser.visitor(await http.listen({ port: 0, host: '127.0.0.1' }));
  await visitor.open(at('consent/asked'));
  await visitor.submit('Log in', { 'Email address': 'rosa@example.com', Password: PASSWORD });
  assert.equal(await visitor.heading(), 'Let Calendar act for you?');
  assert.match(
    await visitor.text(),
    /At every business of this service, it can\s*See your name\s*See everything you can see, and act/,
  );
  await visitor.checkAccessible('consent');
  await visitor.submit('Allow');
  assert.equal(visitor.path, at('profile'));
  await visitor.follow('Settings');
  assert.match(
    await visitor.text(),
    /Connected applications\s*Calendar\s*Know who you are\. See everything you can see\./,
  );
  await visitor.checkAccessible('connected');
  await visitor.submit('Disconnect');
  assert.match(await visitor.text(), /can no longer act for you[^]*No application can act for you/);
  await visitor.close();
});

test('an invalid address gets a page that says so', async () => {
  const visitor = await browser.visitor();
  await visitor.open(at('nowhere'));
  assert.equal(await visitor.heading(), 'Page not found');
  await visitor.checkAccessible('not-found');
  await visitor.open('/account/999999/log-in');
  assert.equal(await visitor.heading(), 'Page not found');
  await visitor.close();
});
