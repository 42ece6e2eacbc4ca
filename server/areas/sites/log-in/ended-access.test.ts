// Guards against: An account that must be stopped
/**
 * Everything that ends a person's access, seen from another process that had already accepted the person; and the
 * operator's commands.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  across,
  agree,
  authorizeUrl,
  challengeOf,
  exchange,
  logIn as logInBrowser,
  newApplication,
  newPerson,
  tokensFor,
  verifier,
  type TestApplication,
} from '../../../test/worlds/oauth-world.ts';
import {
  enrol,
  logIn,
  makeCustomer,
  makeStaff,
  newDirectApplication,
  newMember,
  PASSWORD,
  tokensOf,
  type DirectApplication,
  type Member,
} from '../../../test/worlds/direct-auth-world.ts';
import { Desk } from '../../../test/desk.ts';
import type { Ended } from '../../../test/installation.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { listUserEvents, stillLetIn } from '../../people/identity/index.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { startBeside, startWorld, type World } from '../../../test/world.ts';

const NEXT_PASSWORD = 'walnut harbour seventeen lamps';

let mailbox: Mailbox;
let world: World;
let beside: World;
let desk: Desk;
let kiosk: DirectApplication;
let web: TestApplication;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  beside = await startBeside(world);
  desk = new Desk(world.databaseUrl);
  kiosk = await newDirectApplication(world);
  web = await newApplication(world);
});
after(async () => {
  await beside?.close();
  await world?.close();
  desk?.remove();
  await mailbox?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

/** Runs an operator's command on an account successfully. */
async function operator(act: string, member: Pick<Member, 'email'>, ...options: string[]): Promise<Ended> {
  const ended = await desk.run(['account', act, member.email, ...options]);
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

async function pageLogIn(
  { email }: Pick<Member, 'email'>,
  password = PASSWORD,
): Promise<{ visitor: PageClient; status: number; text: string }> {
  const visitor = new PageClient(world.url);
  await visitor.get(at('log-in'));
  const { status, text } = await visitor.post(at('log-in'), { email, password });
  return { visitor, status, text: text.replaceAll(/[\w-]{86}/g, 'TOKEN').replaceAll(email, 'ADDRESS') };
}

/** Creates every kind of access of a person, known to both processes. */
async function letIn(member: Member) {
  const { visitor, status, text } = await pageLogIn(member);
  assert.equal(status, 303, text);
  const tokens = await tokensOf(world, kiosk, member);
  const session = visitor.cookies.get('rollcall_session')!;
  const held = {
    visitor,
    refresh: tokens.refresh_token,
    /** statuses of the pages and the interface, at both processes */
    answers: async (): Promise<number[]> => {
      const statuses: number[] = [];
      for (const on of [beside, world]) {
        const page = await fetch(on.url + at('profile'), {
          redirect: 'manual',
          headers: { cookie: `rollcall_session=${session}` },
        });
        statuses.push(
          page.status,
          (await on.get('/auth/profiles', { as: tokens.access_token, provider: null })).status,
        );
      }
      return statuses;
    },
    refreshed: async (): Promise<[number, string]> => {
      const { status: answered, body } = await beside.post('/auth/refresh_access_token', {
        provider: null,
        body: { refresh_token: tokens.refresh_token, direct_auth_key: kiosk.key },
      });
      return [answered, body.code];
    },
  };
  assert.deepEqual(await held.answers(), [200, 200, 200, 200]);
  return held;
}

const OVER = [303, 401, 303, 401];
const REFUSED: [number, string] = [401, 'authentication_failed'];
const history = (member: Member) => across(world, (tx) => listUserEvents(tx, member.userId));

test('a disabled account is refused by the next request on every process, with its session and every token, and like a wrong password', async () => {
  const member = await newMember(world);
  await makeCustomer(world, member);
  const held = await letIn(member);
  await operator('disable', member);
  assert.deepEqual(await held.answers(), OVER);
  assert.deepEqual(await held.refreshed(), REFUSED);
  const [disabled, wrong] = [await pageLogIn(member), await pageLogIn(member, 'not the one at all')];
  assert.deepEqual([disabled.status, disabled.text], [wrong.status, wrong.text]);
  assert.equal(disabled.visitor.cookies.has('rollcall_session'), false);
  const [byKiosk, stranger] = [
    await logIn(beside, kiosk, member),
    await logIn(beside, kiosk, { email: 'nobody@example.com' }),
  ];
  assert.deepEqual(
    [byKiosk.status, byKiosk.body.code, byKiosk.body.message],
    [stranger.status, stranger.body.code, stranger.body.message],
  );
  assert.equal(byKiosk.status, 401);

  await operator('enable', member);
  assert.equal((await logIn(beside, kiosk, member)).status, 200);
  assert.equal((await pageLogIn(member)).status, 303);
  // Access from before the account was disabled does not return.
  assert.deepEqual(await held.answers(), OVER);
  assert.deepEqual(await held.refreshed(), REFUSED);
  const again = await desk.run(['account', 'enable', member.email]);
  assert.equal(again.code, 1);
  assert.match(again.err, /is not disabled\. Remedy/);
});

test('people whom the operator logs out are logged out everywhere, even with a code that was not yet exchanged, and can log in again', async () => {
  const member = await newMember(world);
  const held = await letIn(member);
  const person = await newPerson(world);
  const tokens = await tokensFor(world, web, person);
  const proof = verifier();
  const code = (
    await agree(
      world,
      person,
      authorizeUrl(world, web, { code_challenge: challengeOf(proof), code_challenge_method: 'S256' }),
    )
  ).searchParams.get('code');
  await operator('end-sessions', member);
  await operator('end-sessions', person);
  assert.deepEqual(await held.answers(), OVER);
  assert.deepEqual(await held.refreshed(), REFUSED);
  assert.equal((await beside.get('/auth/profiles', { as: tokens.access_token, provider: null })).status, 401);
  assert.equal((await exchange(world, web, code, { code_verifier: proof })).body.error, 'invalid_grant');
  await letIn(member);
  await logInBrowser(world, person);
  await tokensFor(world, web, person);
});

test('access from before the latest end is invalid, whatever ended it', async () => {
  const { userId } = await newMember(world);
  const holds = async (ms: number): Promise<boolean> =>
    (await across(world, (tx) =>
      tx.one(
        sql`SELECT FROM user_account u WHERE u.id = ${userId}
          AND ${stillLetIn(sql`${new Date(ms).toISOString()}::timestamptz`)}`,
      ),
    )) !== undefined;
  const set = (column: 'access_ended_at' | 'password_changed_at', ms: number) =>
    across(world, (tx) =>
      tx.run(sql`UPDATE user_account SET ${raw(column)} = ${new Date(ms).toISOString()} WHERE id = ${userId}`),
    );
  const now = world.now;
  assert.equal(await holds(0), true);
  await set('access_ended_at', now);
  assert.deepEqual([await holds(now - 1), await holds(now)], [false, true]);
  await set('password_changed_at', now + 5);
  assert.deepEqual([await holds(now + 4), await holds(now + 5)], [false, true]);
});

test('after the operator removes the second factor, the password alone is enough, and the person is notified', async () => {
  const member = await newMember(world);
  await makeCustomer(world, member);
  await enrol(world, member);
  assert.equal((await logIn(world, kiosk, member)).body.object, 'pending_login');
  await operator('reset-second-factor', member);
  const held = await letIn(member);
  assert.equal((await mailbox.next(member.email, /Two-step log-in is off/)).subject.includes('Harbour'), true);
  assert.match(
    (await held.visitor.get(at('profile/settings'))).text,
    /Two-step log-in turned off by the operator of the service/,
  );
  const none = await across(world, (tx) =>
    tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM user_account WHERE id = ${member.userId} AND totp_secret IS NULL
        AND totp_confirmed_at IS NULL`,
    ),
  );
  assert.equal(none!.n, 1);
  const again = await desk.run(['account', 'reset-second-factor', member.email]);
  assert.equal(again.code, 1);
  assert.match(again.err, /has no second factor\. Remedy/);
});

test('access that an application got with a second factor ends when the operator removes it', async () => {
  const person = await newPerson(world);
  await enrol(world, person);
  const tokens = await tokensFor(world, web, person, {}, { secondFactor: true });
  assert.equal((await beside.get('/auth/profiles', { as: tokens.access_token, provider: null })).status, 200);
  await operator('reset-second-factor', person);
  assert.equal((await beside.get('/auth/profiles', { as: tokens.access_token, provider: null })).status, 401);
});

test('the operator sends the link that the person could request, in the name of a business', async () => {
  const member = await newMember(world);
  const stranger = await desk.run(['account', 'send-password-link', member.email]);
  assert.equal(stranger.code, 1);
  assert.match(stranger.err, /has no profile at any business.*--provider/);
  assert.equal((await desk.run(['account', 'send-password-link', member.email, '--provider', '987654'])).code, 1);
  await operator('send-password-link', member, '--provider', String(world.meadow));
  await mailbox.next(member.email, /new password for Meadow/);
  await makeCustomer(world, member);
  await operator('send-password-link', member);
  const link = await mailbox.link(world, member.email, /new password for Harbour/, 'reset-password');
  const visitor = new PageClient(world.url);
  await visitor.get(link);
  assert.equal(
    (
      await visitor.post(at('reset-password'), {
        password: NEXT_PASSWORD,
        ticket: new URL(link, world.url).searchParams.get('ticket')!,
      })
    ).status,
    303,
  );
  assert.equal((await pageLogIn(member, NEXT_PASSWORD)).status, 303);
  await operator('disable', member);
  const disabled = await desk.run(['account', 'send-password-link', member.email]);
  assert.equal(disabled.code, 1);
  assert.match(disabled.err, /is disabled\. Remedy/);
});

test('the operator sees where an account belongs and when it was used, and no secret', async () => {
  const member = await newMember(world);
  await across(world, (tx) =>
    tx.run(sql`UPDATE user_account SET last_name = ${'Byron\u001B[31m'} WHERE id = ${member.userId}`),
  );
  const [staff, customer] = [await makeStaff(world, member), await makeCustomer(world, member, world.meadow)];
  const before = (await operator('show', { email: member.email.toUpperCase() })).out;
  assert.match(before, /^sessions +0\nlast log-in +unknown$/m);
  await letIn(member);
  await enrol(world, member);
  const { out } = await operator('show', member);
  assert.match(out, new RegExp(`^id +${member.userId}\\naddress +${member.email}\\nname +Ada Byron \\[31m\\n`));
  assert.match(
    out,
    /^confirmed +since 2.*\ndisabled +no\nsecond factor +on\nsessions +1\nlast log-in +2\d{3}-\d\d-\d\d \d\d:\d\d$/m,
  );
  assert.match(out, new RegExp(`^${world.harbour} +Harbour +staff +${staff} +current$`, 'm'));
  assert.match(out, new RegExp(`^${world.meadow} +Meadow +customer +${customer} +current$`, 'm'));
  const secrets = await across(world, (tx) =>
    tx.one<{ password_hash: string; totp_secret: string }>(
      sql`SELECT password_hash, totp_secret FROM user_account WHERE id = ${member.userId}`,
    ),
  );
  for (const secret of Object.values(secrets!)) assert.ok(!out.includes(secret.slice(0, 20)));
  const unknown = await desk.run(['account', 'show', 'nobody@example.com']);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /no account with the address nobody@example\.com\. Remedy/);
});

test("the operator's actions on an account are in its history, attributed to the operator", async () => {
  const member = await newMember(world);
  await makeCustomer(world, member);
  await enrol(world, member);
  for (const act of ['reset-second-factor', 'end-sessions', 'send-password-link', 'disable', 'enable'])
    await operator(act, member);
  const events = await history(member);
  const kinds = [
    'operator_removed_second_factor',
    'operator_ended_access',
    'operator_sent_password_link',
    'operator_disabled',
    'operator_enabled',
  ];
  assert.deepEqual(events.map((e) => e.kind).toReversed(), kinds);
  for (const { application, network, agent, providerId } of events)
    assert.deepEqual([application, network, agent, providerId], [null, null, null, null]);
  const { visitor } = await letIn(member);
  const { text } = await visitor.get(at('profile/settings'));
  for (const kind of kinds) assert.doesNotMatch(text, new RegExp(`${kind.replaceAll('_', '.')}`, 'i'));
  assert.match(
    text,
    /Account enabled by the operator of the service[^]*Account disabled by the operator[^]*Link to set a new password sent by the operator[^]*Logged out everywhere by the operator/,
  );
});

test('a password change on the account page ends every token by the next request, on every process', async () => {
  const member = await newMember(world);
  const held = await letIn(member);
  const { visitor } = held;
  await visitor.get(at('profile'));
  const changed = await visitor.post(at('profile/password'), { old_password: PASSWORD, password: NEXT_PASSWORD });
  assert.equal(changed.status, 303, changed.text);
  assert.deepEqual(await held.answers(), OVER);
  assert.deepEqual(await held.refreshed(), REFUSED);
  // The browser that changed it continues, with a new cookie.
  assert.equal((await visitor.get(at('profile'))).status, 200);
  assert.equal((await logIn(beside, kiosk, member)).status, 401);
  assert.equal((await logIn(beside, kiosk, member, { password: NEXT_PASSWORD })).status, 200);
});

test('a password reset by a link ends every session and every token by the next request, on every process', async () => {
  const member = await newMember(world);
  const held = await letIn(member);
  const visitor = new PageClient(world.url);
  await visitor.get(at('forgot-password'));
  await visitor.post(at('forgot-password'), { email: member.email });
  const link = await mailbox.link(world, member.email, /new password/, 'reset-password');
  await visitor.get(link);
  assert.deepEqual(await held.answers(), [200, 200, 200, 200], 'a link alone ends nothing');
  const reset = await visitor.post(at('reset-password'), {
    password: NEXT_PASSWORD,
    ticket: new URL(link, world.url).searchParams.get('ticket')!,
  });
  assert.equal(reset.status, 303, reset.text);
  assert.deepEqual(await held.answers(), OVER);
  assert.deepEqual(await held.refreshed(), REFUSED);
  assert.equal((await logIn(beside, kiosk, member, { password: NEXT_PASSWORD })).status, 200);
});
