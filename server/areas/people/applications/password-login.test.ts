import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  enrol,
  logIn,
  makeCustomer,
  makeStaff,
  newDirectApplication,
  newMember,
  newPhone,
  PASSWORD,
  pendingOf,
  start,
  tokensOf,
  verify,
  type DirectApplication,
  type Member,
} from '../../../test/worlds/direct-auth-world.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { newApplication } from '../../../test/worlds/oauth-world.ts';
import { refuseDirectAuth, rotateSecret } from './writes.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { answerAt, follow } from '../../../test/checks/openapi-refs.ts';
import { startWorld, type ApiAnswer, type World } from '../../../test/world.ts';

const MINUTE = 60_000;

let mailbox: Mailbox;
let world: World;
let kiosk: DirectApplication;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
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
const said = ({ status, body }: ApiAnswer) => ({
  status,
  code: body.code,
  message: body.message,
  fields: body.field_errors,
});

/** Counts how often a password is compared with a hash while `act` runs. */
async function hashings(act: () => Promise<unknown>): Promise<number> {
  const { hasher } = world.app.accounts;
  let n = 0;
  const counted: typeof hasher.verify = (...given) => {
    n++;
    return Object.getPrototypeOf(hasher).verify.apply(hasher, given);
  };
  hasher.verify = counted;
  try {
    await act();
  } finally {
    delete (hasher as Partial<typeof hasher>).verify;
  }
  return n;
}

const demand = (providerId: number, required: boolean) =>
  world.app.db.acrossTenants('a test changes what a business demands', (tx) =>
    tx.run(sql`UPDATE provider SET second_factor_required = ${required} WHERE provider_id = ${providerId}`),
  );

const codeIn = async (member: Member): Promise<string> =>
  /(\d{6})/.exec((await mailbox.next(member.email, /your code/)).text)![1];
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Creates a person with an authenticator whose verification has started. */
async function waiting(application = kiosk) {
  const member = await newMember(world);
  const show = await enrol(world, member);
  const pending = await pendingOf(world, application, member);
  const phone = newPhone();
  const started = await start(world, application, pending, phone);
  assert.equal(started.status, 200, started.text);
  return { member, show, pending, phone };
}

/**
 * Runs `act` while the clock of the service is stopped: however busy the machine is, no pause elapses in the meantime.
 */
async function inOneMoment(act: () => Promise<void>): Promise<void> {
  world.stopNow();
  try {
    await act();
  } finally {
    world.setNow(world.now);
  }
}

/** Runs `act` with the clock of the service moved. */
async function later(ms: number, act: () => Promise<void>): Promise<void> {
  const began = world.now;
  world.setNow(began + ms);
  try {
    await act();
  } finally {
    world.setNow(began);
  }
}

test('a password gives tokens that can do what the person may do', async () => {
  const member = await newMember(world);
  const customer = await makeCustomer(world, member);
  const answer = await logIn(world, kiosk, member);
  assert.deepEqual(
    [answer.status, Object.keys(answer.body)],
    [200, ['access_token', 'expires_in', 'refresh_token']],
    answer.text,
  );
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.body.access_token.split('.').length, 3);
  const own = await world.get(`/customers/${customer}`, { as: answer.body.access_token });
  assert.deepEqual([own.status, own.body.id], [200, customer], own.text);
  const next = await world.post('/auth/refresh_access_token', {
    provider: null,
    body: { refresh_token: answer.body.refresh_token, direct_auth_key: kiosk.key },
  });
  assert.equal(next.status, 200, next.text);
});

test('somebody without a profile can log in, and is a stranger at the business', async () => {
  const member = await newMember(world);
  const { access_token } = await tokensOf(world, kiosk, member);
  assert.equal((await world.get('/events', { as: access_token })).status, 200);
  refused(await world.get('/customers', { as: access_token }), 403, 'mode_not_allowed', /unregistered/);
  assert.equal((await world.get('/auth/profiles', { as: access_token })).body.count, 0);
});

// Guards against: Guessing passwords or codes through an application, or finding out who has an account
test('an unknown user, a wrong password and a disabled account get the same response, after the same work', async () => {
  const [member, disabled] = [await newMember(world), await newMember(world)];
  await world.app.db.acrossTenants('a test disables an account', (tx) =>
    tx.run(sql`UPDATE user_account SET disabled_at = now() WHERE id = ${disabled.userId}`),
  );
  const answers: ApiAnswer[] = [];
  for (const body of [
    { username: 'nobody@example.com' },
    { username: 'no address at all' },
    { username: member.email, password: 'not the one' },
    { username: disabled.email },
  ]) {
    const n = await hashings(async () => answers.push(await logIn(world, kiosk, { email: body.username }, body)));
    assert.equal(n, 1, body.username);
  }
  refused(answers[0], 401, 'authentication_failed');
  for (const answer of answers) assert.deepEqual(said(answer), said(answers[0]));
});

test('a wrong direct authentication key is refused before any password is checked', async () => {
  const member = await newMember(world);
  const { secret } = await newApplication(world);
  for (const direct_auth_key of [
    'nonsense',
    `${kiosk.key.slice(0, -1)}${kiosk.key.endsWith('A') ? 'B' : 'A'}`,
    secret,
    kiosk.key.toUpperCase(),
  ]) {
    const n = await hashings(async () => {
      const answer = await logIn(world, kiosk, member, { direct_auth_key });
      refused(answer, 403, 'permission_denied', /direct authentication key/);
      assert.deepEqual(Object.keys(answer.body.field_errors), ['direct_auth_key']);
    });
    assert.equal(n, 0);
  }
});

// Guards against: Guessing passwords or codes through an application, or finding out who has an account
test('guessing too often makes people wait, whether or not there is such an account', async () => {
  const member = await newMember(world);
  for (const email of [member.email, `nobody-${member.email}`])
    await inOneMoment(async () => {
      let answer = await logIn(world, kiosk, { email }, { password: 'a guess' });
      for (let n = 0; answer.status === 401 && n < 20; n++)
        answer = await logIn(world, kiosk, { email }, { password: 'a guess' });
      refused(answer, 429, 'rate_limited', /Try again in/);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      refused(await logIn(world, kiosk, { email }), 429, 'rate_limited');
    });
});

test('missing properties of a log-in are named', async () => {
  const answer = await world.post('/auth/password_login', { provider: null, body: { password: '' } });
  refused(answer, 400, 'parameter_invalid');
  assert.deepEqual(Object.keys(answer.body.field_errors).toSorted(), ['direct_auth_key', 'password', 'username']);
});

test('a password with spaces at its ends is the password as it was typed', async () => {
  const member = await newMember(world);
  refused(await logIn(world, kiosk, member, { password: ` ${PASSWORD} ` }), 401, 'authentication_failed');
  assert.equal((await logIn(world, kiosk, member)).status, 200);
});

test('with an authenticator, the password is half of a log-in, and the code the other half', async () => {
  const { member, show, pending, phone } = await waiting();
  assert.deepEqual(Object.keys(pending), ['object', 'id', 'created_at', 'user', 'two_factor_required_providers']);
  assert.deepEqual([pending.user, pending.two_factor_required_providers], [member.userId, []]);
  const code = show();
  const verified = await verify(world, phone, code);
  assert.equal(verified.status, 200, verified.text);
  const { verification_key } = verified.body;
  assert.ok(verification_key.length <= 32);
  // The key is worthless without the password.
  refused(
    await logIn(world, kiosk, member, { verification_key, password: 'not the one' }),
    401,
    'authentication_failed',
  );
  const { access_token } = await tokensOf(world, kiosk, member, { verification_key });
  assert.equal((await world.get('/auth/application', { as: access_token })).status, 200);

  const used = await logIn(world, kiosk, member, { verification_key });
  refused(used, 401, 'authentication_failed');
  assert.deepEqual(said(used), said(await logIn(world, kiosk, member, { password: 'not the one' })));
  refused(await verify(world, phone, code), 400, 'parameter_invalid', /verification_code/);
});

test('an authenticator code is accepted once, for however many log-ins', async () => {
  const { member, show, phone } = await waiting();
  const again = await pendingOf(world, kiosk, member);
  const other = newPhone();
  await start(world, kiosk, again, other);
  const code = show();
  assert.equal((await verify(world, phone, code)).status, 200);
  refused(await verify(world, other, code), 400, 'parameter_invalid', /verification_code/);
});

// Guards against: Guessing passwords or codes through an application, or finding out who has an account
test('if many use one verification key at the same time, one gets tokens', async () => {
  const { member, show, phone } = await waiting();
  const { verification_key } = (await verify(world, phone, show())).body;
  const answers = await Promise.all(Array.from({ length: 4 }, () => logIn(world, kiosk, member, { verification_key })));
  assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 401, 401, 401], answers.map((a) => a.text).join());
});

test('if many send one code at the same time, one gets a key', async () => {
  const { show, phone } = await waiting();
  const code = show();
  const answers = await Promise.all(Array.from({ length: 4 }, () => verify(world, phone, code)));
  assert.deepEqual(answers.map((a) => a.status).toSorted(), [200, 400, 400, 400], answers.map((a) => a.text).join());
});

test('a verification key is for its own person and application', async () => {
  const { show, phone } = await waiting();
  const { verification_key } = (await verify(world, phone, show())).body;
  const stranger = await newMember(world);
  await enrol(world, stranger);
  refused(await logIn(world, kiosk, stranger, { verification_key }), 401, 'authentication_failed');
  const { member, show: shows, phone: number } = await waiting();
  const { verification_key: key } = (await verify(world, number, shows())).body;
  refused(
    await logIn(world, await newDirectApplication(world), member, { verification_key: key }),
    401,
    'authentication_failed',
  );
});

// Guards against: Guessing passwords or codes through an application, or finding out who has an account
test('after five wrong codes, the right one is too late', async () => {
  const { show, phone } = await waiting();
  for (let n = 0; n < 5; n++) refused(await verify(world, phone, wrong(show())), 400, 'parameter_invalid', /wrong/);
  refused(await verify(world, phone, show()), 400, 'parameter_invalid', /wrong/);
});

// Guards against: Guessing passwords or codes through an application, or finding out who has an account
test('wrong codes count for the person, so that logging in again gives no further guesses', async () => {
  const { member, show, phone } = await waiting();
  for (let n = 0; n < 5; n++) await verify(world, phone, wrong(show()));
  const again = await pendingOf(world, kiosk, member);
  const other = newPhone();
  await start(world, kiosk, again, other);
  // The sixth guess is checked and starts a pause, during which nothing is checked.
  await inOneMoment(async () => {
    await verify(world, other, wrong(show()));
    refused(await verify(world, other, show()), 400, 'parameter_invalid', /wrong/);
  });
});

test('a verification and its key expire after ten minutes', async () => {
  const first = await waiting();
  await later(11 * MINUTE, async () => {
    refused(await verify(world, first.phone, first.show()), 400, 'parameter_invalid', /verification_code/);
    refused(await start(world, kiosk, first.pending, first.phone), 400, 'parameter_invalid', /pending_login/);
  });
  const second = await waiting();
  const { verification_key } = (await verify(world, second.phone, second.show())).body;
  await later(11 * MINUTE, async () =>
    refused(await logIn(world, kiosk, second.member, { verification_key }), 401, 'authentication_failed'),
  );
});

test('an unknown phone number and a wrong code are refused alike', async () => {
  const { show, phone } = await waiting();
  assert.deepEqual(said(await verify(world, newPhone(), '123456')), said(await verify(world, phone, wrong(show()))));
});

test('a value that cannot be verified is reported under the name of its property', async () => {
  const { member, pending, phone } = await waiting();
  const cases: [more: Record<string, unknown>, status: number, field: string][] = [
    [{ pending_login: '00000000-0000-4000-8000-000000000000' }, 400, 'pending_login'],
    [{ pending_login: 'nonsense' }, 400, 'pending_login'],
    [{ pending_login: null }, 400, 'pending_login'],
    [{ provider: world.meadow }, 400, 'provider'],
    [{ phone_number: 'call me' }, 400, 'phone_number'],
    [{ phone_number: '+1 416 555 0000 000 0000' }, 400, 'phone_number'],
    [{ direct_auth_key: 'nonsense' }, 403, 'direct_auth_key'],
    [{ direct_auth_key: (await newDirectApplication(world)).key }, 400, 'pending_login'],
  ];
  for (const [more, status, field] of cases) {
    const answer = await start(world, kiosk, pending, phone, more);
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(Object.keys(answer.body.field_errors), [field], answer.text);
  }
  for (let n = 1; n < 3; n++) assert.equal((await start(world, kiosk, pending, phone)).status, 200);
  refused(await start(world, kiosk, pending, phone), 400, 'parameter_invalid', /too often/);
  assert.ok(member);
});

test('staff without an authenticator, at a business that requires a second factor, get a code by email', async () => {
  const member = await newMember(world);
  await makeStaff(world, member, ['super_admin']);
  await demand(world.harbour, true);
  try {
    const pending = await pendingOf(world, kiosk, member);
    assert.deepEqual(pending.two_factor_required_providers, [world.harbour]);
    const phone = newPhone();
    const started = await start(world, kiosk, pending, phone);
    assert.deepEqual(Object.keys(started.body), ['success', 'message', 'expires_at']);
    const code = await codeIn(member);
    refused(await verify(world, phone, wrong(code)), 400, 'parameter_invalid');
    const { verification_key } = (await verify(world, phone, code)).body;
    const { access_token } = await tokensOf(world, kiosk, member, { verification_key });
    // It counts as a second factor: the staff profile is within reach.
    assert.equal((await world.get('/staff', { as: access_token })).status, 200);
    refused(await verify(world, phone, code), 400, 'parameter_invalid');
    const requirements = await world.get(`/auth/two_factor/requirements?provider=${world.harbour}`, { provider: null });
    assert.deepEqual(requirements.body, {
      is_sms_enabled: false,
      is_2fa_required_for_registration: false,
      is_2fa_required_for_login: true,
    });
  } finally {
    await demand(world.harbour, false);
  }
  assert.equal(
    (await world.get(`/auth/two_factor/requirements?provider=${world.harbour}`, { provider: null })).body
      .is_2fa_required_for_login,
    false,
  );
  refused(
    await world.get('/auth/two_factor/requirements?provider=987654321', { provider: null }),
    400,
    'parameter_invalid',
    /provider/,
  );
});

test('a newer code ends the previous one, and nobody is sent more than a few per hour', async () => {
  const member = await newMember(world);
  await makeStaff(world, member);
  await demand(world.harbour, true);
  try {
    const pending = await pendingOf(world, kiosk, member);
    const phone = newPhone();
    await start(world, kiosk, pending, phone);
    const first = await codeIn(member);
    await start(world, kiosk, pending, phone);
    const second = await codeIn(member);
    if (first !== second) refused(await verify(world, phone, first), 400, 'parameter_invalid');
    assert.equal((await verify(world, phone, second)).status, 200);
    let answer: ApiAnswer;
    let mails = 2;
    do {
      answer = await start(world, kiosk, await pendingOf(world, kiosk, member), phone);
      mails++;
    } while (answer.status === 200 && mails < 20);
    refused(answer, 429, 'rate_limited');
    assert.ok(mails <= 8, `${mails} mails`);
  } finally {
    await demand(world.harbour, false);
  }
});

test('the database holds neither codes, nor keys, nor phone numbers', async () => {
  const { show, phone } = await waiting();
  const { verification_key } = (await verify(world, phone, show())).body;
  const { access_token, refresh_token } = await tokensOf(world, kiosk, await newMember(world));
  const rows = await world.app.db.acrossTenants('a test looks at what is kept', async (tx) =>
    JSON.stringify([
      await tx.rows(sql`SELECT * FROM pending_login`),
      await tx.rows(sql`SELECT * FROM application_secret`),
      await tx.rows(sql`SELECT * FROM refresh_token`),
    ]),
  );
  for (const secret of [verification_key, refresh_token, access_token, kiosk.key, phone, phone.replaceAll(/\D/g, '')])
    assert.ok(!rows.includes(secret));
});

// Guards against: An application asks for passwords without permission
test('withdrawing the approval ends the key, and everything obtained with it, immediately', async () => {
  const application = await newDirectApplication(world);
  const member = await newMember(world);
  const { access_token, refresh_token } = await tokensOf(world, application, member);
  assert.equal((await world.get('/auth/application', { as: access_token })).status, 200);
  await world.work(world.harbour, (work) => refuseDirectAuth(work, application.id, 'Complaints.'));
  refused(await logIn(world, application, member), 403, 'permission_denied');
  refused(
    await world.get('/auth/application', { as: access_token }),
    401,
    'authentication_failed',
    /^The token you provided is expired or invalid\.$/,
  );
  refused(
    await world.post('/auth/refresh_access_token', {
      provider: null,
      body: { refresh_token, direct_auth_key: application.key },
    }),
    401,
    'authentication_failed',
  );
});

// Guards against: A leaked or old secret of an application
test('deleting an application ends all its tokens immediately', async () => {
  const application = await newDirectApplication(world);
  const member = await newMember(world);
  const { access_token, refresh_token } = await tokensOf(world, application, member);
  assert.equal((await world.get('/events', { as: access_token })).status, 200);
  assert.equal((await world.delete(`/applications/${application.id}`, { as: world.machine })).status, 204);
  refused(await world.get('/events', { as: access_token }), 401, 'authentication_failed', /expired or invalid/);
  refused(
    await world.post('/auth/refresh_access_token', {
      provider: null,
      body: { refresh_token, direct_auth_key: application.key },
    }),
    401,
    'authentication_failed',
  );
  refused(await logIn(world, application, member), 403, 'permission_denied');
});

test('a rotated key works alongside the new one during the overlap', async () => {
  const application = await newDirectApplication(world);
  const member = await newMember(world);
  const next = await world.work(world.harbour, async (work) => {
    await rotateSecret(work, application.id, 'direct_auth', 1);
    return { ...application, key: work.revealed!.direct_auth_key as string };
  });
  for (const each of [application, next]) assert.equal((await logIn(world, each, member)).status, 200);
  await later(2 * 60 * MINUTE, async () => {
    refused(await logIn(world, application, member), 403, 'permission_denied');
    assert.equal((await logIn(world, next, member)).status, 200);
  });
});

test('no refresh token is a bearer token', async () => {
  const { refresh_token } = await tokensOf(world, kiosk, await newMember(world));
  refused(
    await world.get('/events', { as: refresh_token }),
    401,
    'authentication_failed',
    /^The token you provided is expired or invalid\.$/,
  );
});

test('a log-in has the same content in XML as in JSON', async () => {
  const member = await newMember(world);
  const answer = await world.post('/auth/password_login?format=xml', {
    provider: null,
    body: { username: member.email, password: PASSWORD, direct_auth_key: kiosk.key },
  });
  assert.match(
    answer.text,
    /<root><access_token>[\w.-]+<\/access_token><expires_in>7200<\/expires_in><refresh_token>rcr_/,
  );
});

test('the document describes that a log-in returns one of two forms', async () => {
  const document: any = await (await fetch(`${world.url}/api/v2/openapi.json`)).json();
  assert.deepEqual(
    answerAt(document, 'POST', '/auth/password_login', 200).oneOf.map((s: any) => s.title),
    ['GetAccessTokenSuccess', 'PendingLogin'],
  );
  const profiles = follow(document, answerAt(document, 'GET', '/auth/profiles', 200).properties.results.items);
  assert.deepEqual(
    profiles.oneOf.map((s: any) => s.title),
    ['StaffProfile', 'CustomerProfile'],
  );
});
