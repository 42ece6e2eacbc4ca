/** Accounts of people and their authentication, on a real database with a worker that sends email. */
import { accountMailFeed } from '../feed.ts';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { createHook } from 'node:async_hooks';
import { after, before, beforeEach, test } from 'node:test';
import { argon2Sync, createHash, randomBytes, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { breachedBy } from '../../../../kernel/base/passwords/breached.ts';
import { PasswordHasher, TooManyPasswords } from '../../../../kernel/base/passwords/password-hash.ts';
import { SecretBox } from '../../../../kernel/base/secret-box.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { beside, until } from '../../../../test/storm.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { readInvitation } from '../invitations.ts';
import { rotateSession } from '../log-in/sessions.ts';
import { sweepAccounts } from '../sweep.ts';
import {
  acceptInvitation,
  askToChangeEmail,
  askToResetPassword,
  beginSecondFactor,
  changePassword,
  claimProfiles,
  confirmEmail,
  confirmEmailChange,
  confirmSecondFactor,
  createUser,
  disableAccount,
  enableAccount,
  endSession,
  enrolmentUnderWay,
  findSession,
  finishLogIn,
  isFresh,
  issueTicket,
  listSessions,
  listUserEvents,
  logIn,
  readAccount,
  readTicket,
  reauthenticate,
  refusePassword,
  removeSecondFactor,
  renewRecoveryCodes,
  resetPassword,
  secondFactorRequired,
  signUp,
  signUpByInvitation,
  startSession,
  stopEmailChange,
  useTicket,
  type AccountDoor,
  type Session,
  type AtBusiness,
  type Whence,
} from '../index.ts';
import type { Transaction } from '../../../../kernel/base/db/database.ts';

const PASSWORD = 'quiet otter seven lanterns';
const OTHER = 'brisk walnut canoe orbit';
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let world: World;
let door: AccountDoor;
before(async () => {
  world = await startWorld({ worker: true });
  door = world.app.accounts;
});
/** Each test begins at the real time; changes of the time stay within it. */
beforeEach(() => world.resetNow());
after(() => world.close());

const across = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
  world.app.db.acrossTenants('the test looks at accounts', work);
let addresses = 0;
/** Returns a different origin each time, so that tests do not slow each other down. */
const somewhere = (): AtBusiness => ({
  address: `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`,
  agent: 'Test/1.0',
  providerId: world.harbour,
});
const newEmail = (): string => `${randomUUID().slice(0, 8)}@example.com`;

async function newPerson(): Promise<{ id: number; email: string; session: Session; token: string }> {
  const email = newEmail();
  const id = await across((tx) => createUser(tx, { email, password: PASSWORD }));
  const { session, token } = await across((tx) =>
    startSession(tx, { userId: id, secondFactor: false, agent: 'Test', now: world.now }),
  );
  return { id, email, session, token };
}

interface Kept {
  subject: string;
  text_part: string;
  html_part: string;
  sender: string;
}

/** Returns the emails to an address once there are this many. */
async function mailsTo(email: string, count: number): Promise<Kept[]> {
  const look = () =>
    across((tx) =>
      tx.rows<Kept>(
        sql`SELECT subject, text_part, html_part, sender FROM mail_outbox WHERE recipient = ${email} ORDER BY id`,
      ),
    );
  return until(`${count} mails came to ${email}`, async () => {
    const mails = await look();
    return mails.length >= count ? mails : null;
  });
}

/** Waits until no job is queued or running. */
async function settled(): Promise<void> {
  const queue = await beside(world.databaseUrl);
  const waiting = async () =>
    (await queue.query('SELECT count(*)::int AS n FROM graphile_worker._private_jobs')).rows[0].n;
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await queue.end();
}

const ticketIn = (mail: Kept): string => /ticket=(rct_[\w-]+)/.exec(mail.text_part)![1];

test('a correct password logs in, while a wrong one, an unknown account and a disabled one are refused alike', async () => {
  const { id, email } = await newPerson();
  assert.deepEqual(await logIn(door, { email: email.toUpperCase(), password: PASSWORD }, somewhere()), {
    outcome: 'accepted',
    userId: id,
    secondFactor: false,
  });
  const refused = { outcome: 'refused' };
  assert.deepEqual(await logIn(door, { email, password: OTHER }, somewhere()), refused);
  assert.deepEqual(await logIn(door, { email: newEmail(), password: PASSWORD }, somewhere()), refused);
  await across((tx) => disableAccount(tx, id, world.now));
  assert.deepEqual(await logIn(door, { email, password: PASSWORD }, somewhere()), refused);
  await across((tx) => enableAccount(tx, id));
  assert.equal((await logIn(door, { email, password: PASSWORD }, somewhere())).outcome, 'accepted');
});

/** Counts the passwords that are hashed before a refusal: hashing takes nearly all of the time. */
async function hashesOfRefusal(email: string): Promise<number> {
  let hashes = 0;
  const watch = createHook({ init: (_id, type) => void (hashes += Number(type === 'ARGON2REQUEST')) }).enable();
  await logIn(door, { email, password: OTHER }, somewhere());
  watch.disable();
  return hashes;
}

// Guards against: Finding out who has an account
test('an unknown account costs as many hashes as a wrong password', async () => {
  const { email } = await newPerson();
  assert.deepEqual([await hashesOfRefusal(email), await hashesOfRefusal(newEmail())], [1, 1]);
});

// Guards against: Guessing a password or a code
test('concurrent guesses get no further than guesses in a row, a correct password waits too, and every wait ends', async () => {
  const { id, email } = await newPerson();
  // A clock that only the test moves: however busy the machine is, a pause has its exact length.
  let at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const here = somewhere();
  const outcomes = (
    await Promise.all(Array.from({ length: 30 }, () => logIn(still, { email, password: OTHER }, here)))
  ).map((o) => o.outcome);
  assert.equal(outcomes.filter((o) => o === 'refused').length, 6);
  assert.equal(outcomes.filter((o) => o === 'wait').length, 24);
  const waiting = await logIn(still, { email, password: PASSWORD }, here);
  assert.deepEqual(waiting, { outcome: 'wait', seconds: 2 });
  // The pause doubles, up to a quarter of an hour.
  const pauses: number[] = [];
  for (let i = 0; i < 11; i++) {
    at += 16 * MINUTE;
    assert.equal((await logIn(still, { email, password: OTHER }, here)).outcome, 'refused');
    const next = await logIn(still, { email, password: PASSWORD }, here);
    pauses.push(next.outcome === 'wait' ? next.seconds : 0);
  }
  assert.deepEqual(pauses, [4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  at += 15 * MINUTE + 1000;
  assert.equal((await logIn(still, { email, password: PASSWORD }, here)).outcome, 'accepted');
  assert.equal((await logIn(still, { email, password: OTHER }, here)).outcome, 'refused');
  assert.equal((await logIn(still, { email, password: PASSWORD }, here)).outcome, 'accepted');
  const kinds = (await across((tx) => listUserEvents(tx, id))).map((e) => e.kind);
  assert.equal(kinds.filter((k) => k === 'log_in_failed').length, 1);
});

// Guards against: Keeping somebody out of their account by guessing
test('a stranger who guesses does not lock the owner out', async () => {
  const { email } = await newPerson();
  let at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const stranger = somewhere();
  for (let i = 0; i < 10; i++) await logIn(still, { email, password: OTHER }, stranger);
  assert.equal((await logIn(still, { email, password: PASSWORD }, stranger)).outcome, 'wait');
  assert.equal((await logIn(still, { email, password: PASSWORD }, somewhere())).outcome, 'accepted');
});

// Guards against: Keeping somebody out of their account by guessing
test('guesses from many networks are counted together, and the owner still gets in from a network of earlier log-ins', async () => {
  const { id, email } = await newPerson();
  const at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const home: Whence = { ...somewhere(), address: '203.0.113.77' };
  assert.equal((await logIn(still, { email, password: PASSWORD }, home)).outcome, 'accepted');
  const guesses: string[] = [];
  for (let portion = 0; portion < 12; portion++) {
    guesses.push(
      ...(
        await Promise.all(Array.from({ length: 10 }, () => logIn(still, { email, password: OTHER }, somewhere())))
      ).map((o) => o.outcome),
    );
  }
  assert.equal(guesses.filter((o) => o === 'refused').length, 101);
  assert.equal((await logIn(still, { email, password: PASSWORD }, somewhere())).outcome, 'wait');
  assert.equal((await logIn(still, { email, password: PASSWORD }, home)).outcome, 'accepted');
  assert.equal(
    (await logIn(still, { email, password: PASSWORD }, { ...home, address: '203.0.113.9' })).outcome,
    'accepted',
    'the same provider gave another address',
  );
  assert.equal((await across((tx) => listUserEvents(tx, id))).filter((e) => e.kind === 'log_in_failed').length, 1);
});

const from = (address: string): AtBusiness => ({ ...somewhere(), address });

// Guards against: Guessing a password or a code
test('one address that tries many accounts is slowed down, with its whole /64, and nobody else is', async () => {
  const at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const preview = await Promise.all(
    Array.from({ length: 31 }, (_, i) =>
      logIn(still, { email: newEmail(), password: OTHER }, from(`2001:db8:7:7::${i + 1}`)),
    ),
  );
  assert.ok(preview.every((t) => t.outcome === 'refused'));
  const { email } = await newPerson();
  assert.equal((await logIn(still, { email, password: PASSWORD }, from('2001:db8:7:7:ffff::1'))).outcome, 'wait');
  assert.equal((await logIn(still, { email, password: PASSWORD }, from('2001:db8:7:8::1'))).outcome, 'accepted');
});

test('the table of attempts names nobody', async () => {
  const { email } = await newPerson();
  await logIn(door, { email, password: OTHER }, somewhere());
  const [{ n }] = await across((tx) =>
    tx.rows<{ n: number }>(sql`SELECT count(*) AS n FROM attempt_throttle WHERE length(key_hash) <> 32`),
  );
  assert.equal(n, 0);
});

// Guards against: Exhausting memory with log-ins
test('only so many passwords are checked at the same time, more wait, and a flood is refused', async () => {
  const hasher = new PasswordHasher({ most: 1, mostWaiting: 2 });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => hasher.verify(PASSWORD, null)));
  assert.equal(results.filter((r) => r.status === 'fulfilled').length, 3);
  for (const r of results) if (r.status === 'rejected') assert.ok(r.reason instanceof TooManyPasswords);
  assert.equal((await hasher.verify(PASSWORD, await hasher.hash(PASSWORD))).right, true);
  const one = new PasswordHasher({ most: 1, mostWaiting: 0 });
  const { email } = await newPerson();
  const logInWith = (held: PasswordHasher) =>
    logIn({ ...door, hasher: held }, { email, password: PASSWORD }, somewhere());
  // Another password is being checked until the log-in asks for its turn.
  const turns: Promise<unknown>[] = [];
  const busy = Object.assign(Object.create(one) as PasswordHasher, {
    verify: (...given: Parameters<PasswordHasher['verify']>) => {
      turns.push(one.verify(OTHER, null));
      return one.verify(...given);
    },
  });
  assert.equal((await logInWith(busy)).outcome, 'busy');
  await Promise.all(turns);
  assert.equal(turns.length, 1);
  assert.equal((await logInWith(one)).outcome, 'accepted');
});

const b64 = (b: Buffer): string => b.toString('base64').replace(/=+$/, '');

test('a hash with outdated cost parameters is renewed when its password is correct', async () => {
  const { id, email } = await newPerson();
  const nonce = Buffer.alloc(16, 7);
  const tag = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce,
    memory: 8192,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  await across((tx) =>
    tx.run(
      sql`UPDATE user_account SET password_hash = ${`$argon2id$v=19$m=8192,t=1,p=1$${b64(nonce)}$${b64(tag)}`}
        WHERE id = ${id}`,
    ),
  );
  assert.equal((await logIn(door, { email, password: PASSWORD }, somewhere())).outcome, 'accepted');
  const row = await across((tx) =>
    tx.one<{ password_hash: string }>(sql`SELECT password_hash FROM user_account WHERE id = ${id}`),
  );
  assert.match(row!.password_hash, /m=19456,t=2,p=1/);
  assert.equal((await logIn(door, { email, password: PASSWORD }, somewhere())).outcome, 'accepted');
});

test('common passwords, and those made of the person’s or business’s data, are refused, but four words are not', async () => {
  const about = ['ada.lovelace@example.com', 'Ada', 'Lovelace', 'Harbour Lane'];
  for (const bad of [
    'short',
    'password123',
    'qwertyuiop',
    'lovelace1815',
    'harbourlane1',
    'aaaaaaaaaaaa',
    'x'.repeat(129),
  ]) {
    assert.match((await refusePassword(door, bad, about)) ?? '', /Use|Choose|Add/, bad);
  }
  assert.equal(await refusePassword(door, PASSWORD, about), null);
});

test('the leaked-password service gets five characters of the hash, and its failure stops nobody', async () => {
  const asked: { url: string; padding: unknown }[] = [];
  let answer: [number, string] = [200, ''];
  const server: Server = createServer((request, response) => {
    asked.push({ url: request.url!, padding: request.headers['add-padding'] });
    const [status, body] = answer;
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const warned: string[] = [];
  const breached = breachedBy(`http://127.0.0.1:${(server.address() as { port: number }).port}/range`, {
    warn: (_o, m) => void warned.push(m),
  });
  answer = [200, `${'F'.repeat(35)}:12\r\n${'0'.repeat(35)}:0\r\n`];
  assert.equal(await breached(PASSWORD), 0);
  const hash = createHash('sha1').update(PASSWORD).digest('hex').toUpperCase();
  answer = [200, `${'0'.repeat(35)}:0\r\n${hash.slice(5)}:42\r\n`];
  assert.equal(await breached(PASSWORD), 42);
  assert.deepEqual(asked.at(-1), { url: `/range/${hash.slice(0, 5)}`, padding: 'true' });
  assert.match((await refusePassword({ ...door, breached }, PASSWORD, [])) ?? '', /leak/);
  const before = asked.length;
  await refusePassword({ ...door, breached }, 'password123', []);
  assert.equal(asked.length, before);
  answer = [503, ''];
  assert.equal(await refusePassword({ ...door, breached }, PASSWORD, []), null);
  assert.equal(warned.length, 1);
  server.close();
});

test('a session is found only by its cookie, ends after 14 unused days, after 90 in any case, and with the account', async () => {
  const { id, session, token } = await newPerson();
  const find = (t: string) => across((tx) => findSession(tx, t, world.now));
  assert.equal((await find(token))!.id, session.id);
  assert.equal(await find(`${token.slice(0, -1)}!`), null);
  const stored = await across((tx) =>
    tx.one(sql`SELECT token_hash::text AS h FROM user_session WHERE id = ${session.id}`),
  );
  assert.ok(!JSON.stringify(stored).includes(token));
  assert.equal(isFresh((await find(token))!, world.now), true);
  const rotated = (await across((tx) => rotateSession(tx, session.id)))!;
  assert.equal(await find(token), null);
  for (let day = 0; day < 80; day += 10) {
    world.setNow(world.now + 10 * DAY);
    assert.ok(await find(rotated), `day ${day}`);
  }
  assert.equal(isFresh((await find(rotated))!, world.now), false);
  world.setNow(world.now + 10 * DAY + 1000);
  assert.equal(await find(rotated), null);
  const idle = await across((tx) =>
    startSession(tx, { userId: id, secondFactor: false, agent: 'x'.repeat(500), now: world.now }),
  );
  world.setNow(world.now + 14 * DAY + 1000);
  assert.equal(await find(idle.token), null);
  const last = await across((tx) => startSession(tx, { userId: id, secondFactor: false, agent: '', now: world.now }));
  await across((tx) => disableAccount(tx, id, world.now));
  assert.equal(await find(last.token), null);
});

test('people can end their own sessions, and nobody else can', async () => {
  const [a, b] = [await newPerson(), await newPerson()];
  assert.equal(await across((tx) => endSession(tx, b.id, a.session.id, somewhere(), world.now)), false);
  assert.equal((await across((tx) => listSessions(tx, a.id, world.now))).length, 1);
  assert.equal(await across((tx) => endSession(tx, a.id, a.session.id, somewhere(), world.now)), true);
  assert.equal(await across((tx) => findSession(tx, a.token, world.now)), null);
  assert.equal((await reauthenticate(door, a.session, PASSWORD, somewhere())).outcome, 'refused');
});

test('changing the password requires the old one, ends the other sessions, and is notified by email', async () => {
  const { id, email, session, token } = await newPerson();
  const other = await across((tx) => startSession(tx, { userId: id, secondFactor: false, agent: '', now: world.now }));
  assert.equal((await changePassword(door, session, { current: OTHER, next: OTHER }, somewhere())).outcome, 'refused');
  assert.equal(
    (await changePassword(door, session, { current: PASSWORD, next: 'password123' }, somewhere())).outcome,
    'password',
  );
  const changed = await changePassword(door, session, { current: PASSWORD, next: OTHER }, somewhere());
  assert.ok(changed.outcome === 'accepted');
  assert.equal(await across((tx) => findSession(tx, other.token, world.now)), null);
  assert.equal(await across((tx) => findSession(tx, token, world.now)), null);
  assert.equal((await across((tx) => findSession(tx, changed.token, world.now)))!.id, session.id);
  assert.equal((await logIn(door, { email, password: OTHER }, somewhere())).outcome, 'accepted');
  const [mail] = await mailsTo(email, 1);
  assert.match(mail.subject, /password.*changed.*Harbour/);
});

const codeOf = (secret: string, at = world.now): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function withSecondFactor() {
  const person = await newPerson();
  const enrolled = (await beginSecondFactor(door, person.id, 'Harbour Lane'))!;
  const confirmed = await confirmSecondFactor(door, person.session, codeOf(enrolled.secret), somewhere());
  assert.ok(confirmed.outcome === 'accepted');
  // The code of this step is used already.
  world.setNow(world.now + MINUTE);
  return { ...person, secret: enrolled.secret, enrolled, recoveryCodes: confirmed.recoveryCodes };
}

test('somebody who knows the password can’t lock the owner out at the second factor', async () => {
  const { email, secret } = await withSecondFactor();
  const at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const stranger = somewhere();
  const pending = await logIn(still, { email, password: PASSWORD }, stranger);
  assert.ok(pending.outcome === 'second_factor');
  const guesses: string[] = [];
  for (let n = 0; n < 10; n++)
    guesses.push((await finishLogIn(still, { pending: pending.pending, code: '000000' }, stranger)).outcome);
  assert.deepEqual(guesses.slice(5), ['refused', 'wait', 'wait', 'wait', 'wait']);
  assert.equal(
    (await finishLogIn(still, { pending: pending.pending, code: codeOf(secret) }, stranger)).outcome,
    'wait',
    'a right one too',
  );
  const own = await logIn(still, { email, password: PASSWORD, code: codeOf(secret) }, somewhere());
  assert.equal(own.outcome, 'accepted');
});

test('codes from many networks are counted together, and the owner still gets in from a network of earlier log-ins', async () => {
  const { email, secret } = await withSecondFactor();
  const at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const home: Whence = { ...somewhere(), address: '203.0.114.77' };
  assert.equal((await logIn(still, { email, password: PASSWORD, code: codeOf(secret) }, home)).outcome, 'accepted');
  const pending = await logIn(still, { email, password: PASSWORD }, home);
  assert.ok(pending.outcome === 'second_factor');
  const guess = (whence: Whence) => finishLogIn(still, { pending: pending.pending, code: '000000' }, whence);
  const outcomes: string[] = [];
  for (let n = 0; n < 103; n++) outcomes.push((await guess(somewhere())).outcome);
  assert.equal(outcomes.filter((one) => one === 'refused').length, 101);
  assert.deepEqual([outcomes.at(-1), (await guess(home)).outcome], ['wait', 'refused']);
});

// Guards against: Guessing a password or a code
test('a second factor is sealed, requested after the password, and each of its codes is accepted once', async () => {
  const { id, email, secret, enrolled } = await withSecondFactor();
  assert.match(enrolled.uri, /^otpauth:\/\/totp\/Harbour%20Lane:.*secret=/);
  assert.match(enrolled.svg, /^<svg/);
  const row = await across((tx) =>
    tx.one<{ totp_secret: string }>(sql`SELECT totp_secret FROM user_account WHERE id = ${id}`),
  );
  assert.ok(!row!.totp_secret.includes(secret));
  const pending = await logIn(door, { email, password: PASSWORD }, somewhere());
  assert.ok(pending.outcome === 'second_factor');
  assert.equal((await finishLogIn(door, { pending: pending.pending, code: '000000' }, somewhere())).outcome, 'refused');
  const code = codeOf(secret);
  const tries = await Promise.all(
    [1, 2, 3].map(() => finishLogIn(door, { pending: pending.pending, code }, somewhere())),
  );
  assert.equal(tries.filter((t) => t.outcome === 'accepted').length, 1);
  assert.equal((await finishLogIn(door, { pending: pending.pending, code }, somewhere())).outcome, 'expired');
  assert.equal((await logIn(door, { email, password: PASSWORD, code }, somewhere())).outcome, 'refused');
  world.setNow(world.now + MINUTE);
  assert.deepEqual(await logIn(door, { email, password: PASSWORD, code: codeOf(secret) }, somewhere()), {
    outcome: 'accepted',
    userId: id,
    secondFactor: true,
  });
  const next = codeOf(secret, world.now + 30_000);
  const two = await Promise.all(
    [1, 2, 3, 4].map(() => logIn(door, { email, password: PASSWORD, code: next }, somewhere())),
  );
  assert.equal(two.filter((t) => t.outcome === 'accepted').length, 1);
  assert.match((await mailsTo(email, 1))[0].subject, /Two-step log-in is on/);
});

// Guards against: Guessing a password or a code
test('guessing codes is slowed down although the password is correct each time', async () => {
  const { email } = await withSecondFactor();
  const at = world.now;
  const still: AccountDoor = { ...door, now: () => at };
  const outcomes: string[] = [];
  const here = somewhere();
  for (let i = 0; i < 7; i++)
    outcomes.push(
      (await logIn(still, { email, password: PASSWORD, code: '12345x'.replace('x', String(i)) }, here)).outcome,
    );
  assert.deepEqual(outcomes, [...Array.from({ length: 6 }, () => 'refused'), 'wait']);
});

test('a recovery code logs in once, and new codes end the old ones', async () => {
  const { email, session, recoveryCodes, secret } = await withSecondFactor();
  assert.equal(new Set(recoveryCodes).size, 10);
  const [first, second] = recoveryCodes;
  const use = (code: string) => logIn(door, { email, password: PASSWORD, code }, somewhere()).then((o) => o.outcome);
  const at = await Promise.all([use(first), use(first.toLowerCase())]);
  assert.deepEqual(at.toSorted(), ['accepted', 'refused']);
  const renewed = await renewRecoveryCodes(door, session, codeOf(secret), somewhere());
  assert.ok(renewed.outcome === 'accepted');
  assert.equal(await use(second), 'refused');
  assert.equal(await use(renewed.recoveryCodes[0]), 'accepted');
});

test('removing the second factor requires the password and a code', async () => {
  const { email, session, secret } = await withSecondFactor();
  const remove = (password: string, code: string) =>
    removeSecondFactor(door, session, { password, code }, somewhere()).then((o) => o.outcome);
  assert.equal(await remove(OTHER, codeOf(secret)), 'refused');
  assert.equal(await remove(PASSWORD, '000000'), 'refused');
  assert.equal(await remove(PASSWORD, codeOf(secret)), 'accepted');
  assert.equal((await logIn(door, { email, password: PASSWORD }, somewhere())).outcome, 'accepted');
});

// Guards against: A second factor whose key is lost
test('a second factor that was sealed with a lost key is removed after the correct password, and its person sets up a new one', async () => {
  const { id, email, session, secret } = await withSecondFactor();
  const pending = await logIn(door, { email, password: PASSWORD }, somewhere());
  assert.ok(pending.outcome === 'second_factor');
  const restored: AccountDoor = { ...door, box: new SecretBox([randomBytes(32)]) };
  assert.equal(
    (await logIn(restored, { email, password: OTHER, code: codeOf(secret) }, somewhere())).outcome,
    'refused',
  );
  assert.equal((await across((tx) => readAccount(tx, id)))!.secondFactor, true, 'a wrong password changes nothing');
  assert.equal(
    (await finishLogIn(restored, { pending: pending.pending, code: codeOf(secret) }, somewhere())).outcome,
    'expired',
  );
  assert.deepEqual(await logIn(restored, { email, password: PASSWORD }, somewhere()), {
    outcome: 'accepted',
    userId: id,
    secondFactor: false,
  });
  assert.ok((await across((tx) => listUserEvents(tx, id))).some((e) => e.kind === 'second_factor_lost'));
  const [, told] = await mailsTo(email, 2);
  assert.match(told.subject, /Set up two-step log-in again/);

  const anew = (await beginSecondFactor(restored, id, 'Harbour Lane'))!;
  assert.equal((await confirmSecondFactor(restored, session, codeOf(anew.secret), somewhere())).outcome, 'accepted');
  world.setNow(world.now + MINUTE);
  assert.deepEqual(await logIn(restored, { email, password: PASSWORD, code: codeOf(anew.secret) }, somewhere()), {
    outcome: 'accepted',
    userId: id,
    secondFactor: true,
  });
});

test('a second factor with a lost key is removed with the password while logged in, and an unfinished setup is started over', async () => {
  const restored: AccountDoor = { ...door, box: new SecretBox([randomBytes(32)]) };
  const one = await withSecondFactor();
  assert.equal((await renewRecoveryCodes(restored, one.session, codeOf(one.secret), somewhere())).outcome, 'refused');
  assert.equal(
    (await removeSecondFactor(restored, one.session, { password: OTHER, code: '000000' }, somewhere())).outcome,
    'refused',
  );
  assert.equal(
    (await removeSecondFactor(restored, one.session, { password: PASSWORD, code: '000000' }, somewhere())).outcome,
    'accepted',
  );
  const two = await newPerson();
  const begun = (await beginSecondFactor(door, two.id, 'Harbour Lane'))!;
  assert.equal(await enrolmentUnderWay(restored, two.id, 'Harbour Lane'), null);
  assert.equal(
    (await confirmSecondFactor(restored, two.session, codeOf(begun.secret), somewhere())).outcome,
    'refused',
  );
  assert.ok(await beginSecondFactor(restored, two.id, 'Harbour Lane'));
  assert.ok(await enrolmentUnderWay(restored, two.id, 'Harbour Lane'));
});

test('a business requires a second factor only of its staff', async () => {
  const [staff, stranger] = [await newPerson(), await newPerson()];
  await across((tx) =>
    tx.run(
      sql`INSERT INTO staff (provider_id, user_id, first_name, last_name, email)
        VALUES (${world.meadow}, ${staff.id}, 'A', 'B', ${staff.email})`,
    ),
  );
  const required = (id: number) => across((tx) => secondFactorRequired(tx, id, world.meadow));
  assert.equal(await required(staff.id), false);
  await across((tx) =>
    tx.run(sql`UPDATE provider SET second_factor_required = true WHERE provider_id = ${world.meadow}`),
  );
  assert.deepEqual([await required(staff.id), await required(stranger.id)], [true, false]);
});

// Guards against: Taking over an account through its mails
test('if many use one link at the same time, one succeeds', async () => {
  const { id, email } = await newPerson();
  const { secret } = await across((tx) =>
    issueTicket(tx, { kind: 'reset_password', userId: id, providerId: world.harbour, email }, world.now),
  );
  const used = await Promise.all(
    Array.from({ length: 8 }, () => across((tx) => useTicket(tx, secret, ['reset_password'], world.now))),
  );
  assert.equal(used.filter((t) => t !== null).length, 1);
  const late = await across((tx) =>
    issueTicket(tx, { kind: 'reset_password', userId: id, providerId: world.harbour, email }, world.now - 61 * MINUTE),
  );
  assert.equal(await across((tx) => readTicket(tx, late.secret, ['reset_password'], world.now)), null);
  const other = await across((tx) =>
    issueTicket(tx, { kind: 'confirm_email', userId: id, providerId: world.harbour, email }, world.now),
  );
  assert.equal(await across((tx) => readTicket(tx, other.secret, ['reset_password'], world.now)), null);
});

// Guards against: Finding out who has an account
test('signing up gets the same response whether or not the address has an account, and only the email differs', async () => {
  const email = newEmail();
  const given = { email, password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace', browser: 'a' };
  const answered = JSON.stringify({ outcome: 'accepted' });
  assert.equal(JSON.stringify(await signUp(door, given, somewhere())), answered);
  const [first] = await mailsTo(email, 1);
  assert.match(first.sender, /^Harbour </);
  assert.match(first.text_part, new RegExp(`${world.url}/account/${world.harbour}/confirm\\?ticket=`));
  assert.ok(first.html_part.includes(ticketIn(first)));
  assert.equal(
    JSON.stringify(await signUp(door, { ...given, email: email.toUpperCase(), password: OTHER }, somewhere())),
    answered,
  );
  const [, second] = await mailsTo(email, 2);
  assert.match(second.subject, /already have an account/);
  assert.equal((await logIn(door, { email, password: OTHER }, somewhere())).outcome, 'refused');
  assert.equal(
    (await signUp(door, { ...given, email: newEmail(), password: 'lovelace12' }, somewhere())).outcome,
    'password',
  );
});

// Guards against: Getting somebody's records by signing up with their address
test('an address is confirmed by its link together with the password, so that nobody confirms a stranger’s sign-up', async () => {
  const email = newEmail();
  await signUp(door, { email, password: PASSWORD, firstName: 'Eve', lastName: '', browser: 'e' }, somewhere());
  const ticket = ticketIn((await mailsTo(email, 1))[0]);
  assert.equal((await confirmEmail(door, { ticket }, somewhere())).outcome, 'refused');
  assert.equal((await confirmEmail(door, { ticket, password: OTHER }, somewhere())).outcome, 'refused');
  const stranger = await newPerson();
  assert.equal((await confirmEmail(door, { ticket, session: stranger.session }, somewhere())).outcome, 'refused');
  const confirmed = await confirmEmail(door, { ticket, password: PASSWORD }, somewhere());
  assert.ok(confirmed.outcome === 'accepted');
  assert.ok((await across((tx) => readAccount(tx, confirmed.userId)))!.emailConfirmedAt);
  assert.equal((await confirmEmail(door, { ticket, password: PASSWORD }, somewhere())).outcome, 'gone');
});

// Guards against: Finding out who has an account
test('a password is reset by email, once, which ends every session, and somebody without an account gets no email', async () => {
  const { id, email, token } = await newPerson();
  const nobody = newEmail();
  assert.deepEqual(await askToResetPassword(door, nobody, somewhere()), { outcome: 'accepted' });
  assert.deepEqual(await askToResetPassword(door, email, somewhere()), { outcome: 'accepted' });
  const ticket = ticketIn((await mailsTo(email, 1))[0]);
  const stored = await across((tx) =>
    tx.rows(sql`SELECT to_jsonb(t)::text AS row FROM account_ticket t WHERE user_id = ${id}`),
  );
  assert.ok(!JSON.stringify(stored).includes(ticket));
  assert.equal((await resetPassword(door, { ticket, password: 'password123' }, somewhere())).outcome, 'password');
  const tries = await Promise.all([1, 2].map(() => resetPassword(door, { ticket, password: OTHER }, somewhere())));
  assert.deepEqual(tries.map((t) => t.outcome).toSorted(), ['accepted', 'gone']);
  assert.equal(await across((tx) => findSession(tx, token, world.now)), null);
  assert.equal((await logIn(door, { email, password: OTHER }, somewhere())).outcome, 'accepted');
  await settled();
  assert.deepEqual(await mailsTo(nobody, 0), []);
});

test('a second factor of an account with an unconfirmed address ends when its owner sets a password by email', async () => {
  const [brought, own] = [await newPerson(), await newPerson()];
  await across((tx) =>
    tx.all([
      sql`UPDATE user_account SET totp_secret = 'a stranger’s', totp_confirmed_at = now()
        WHERE id IN (${brought.id}, ${own.id})`,
      sql`UPDATE user_account SET email_confirmed_at = NULL WHERE id = ${brought.id}`,
    ]),
  );
  for (const [person, outcome] of [
    [brought, null],
    [own, 'a stranger’s'],
  ] as const) {
    await askToResetPassword(door, person.email, somewhere());
    const ticket = ticketIn((await mailsTo(person.email, 1))[0]);
    assert.equal((await resetPassword(door, { ticket, password: OTHER }, somewhere())).outcome, 'accepted');
    const row = await across((tx) =>
      tx.one<{ secret: string | null }>(sql`SELECT totp_secret AS secret FROM user_account WHERE id = ${person.id}`),
    );
    assert.equal(row!.secret, outcome);
  }
});

// Guards against: Taking over an account through its mails
test('nobody can flood a mailbox by requesting links', async () => {
  const { email } = await newPerson();
  for (let i = 0; i < 9; i++) await askToResetPassword(door, email, somewhere());
  await settled();
  assert.equal((await mailsTo(email, 5)).length, 5);
});

// Guards against: Taking over an account through its mails
test('an address changes once the new one confirms, and the old one can stop it even afterwards', async () => {
  const { id, email, session, token } = await newPerson();
  const next = newEmail();
  assert.equal(
    (await askToChangeEmail(door, session, { email: next, password: OTHER }, somewhere())).outcome,
    'refused',
  );
  assert.equal(
    (await askToChangeEmail(door, session, { email: next, password: PASSWORD }, somewhere())).outcome,
    'accepted',
  );
  const [toNew] = await mailsTo(next, 1);
  const [toOld] = await mailsTo(email, 1);
  assert.ok(!toOld.text_part.includes(next), 'the notice to the old address tells the new one');
  assert.equal((await across((tx) => readAccount(tx, id)))!.email, email);
  assert.equal((await confirmEmailChange(door, ticketIn(toNew), somewhere())).outcome, 'accepted');
  assert.equal((await logIn(door, { email: next, password: PASSWORD }, somewhere())).outcome, 'accepted');
  assert.equal((await stopEmailChange(door, ticketIn(toOld), somewhere())).outcome, 'accepted');
  assert.equal((await across((tx) => readAccount(tx, id)))!.email, email);
  assert.equal(await across((tx) => findSession(tx, token, world.now)), null);
  assert.equal((await logIn(door, { email, password: PASSWORD }, somewhere())).outcome, 'refused');
  const ticket = ticketIn((await mailsTo(email, 2))[1]);
  assert.equal((await resetPassword(door, { ticket, password: OTHER }, somewhere())).outcome, 'accepted');
  assert.equal((await stopEmailChange(door, ticketIn(toOld), somewhere())).outcome, 'gone');
});

test('requesting an address that another account has notifies only that account’s owner', async () => {
  const [a, b] = [await newPerson(), await newPerson()];
  assert.equal(
    (await askToChangeEmail(door, a.session, { email: b.email, password: PASSWORD }, somewhere())).outcome,
    'accepted',
  );
  const [mail] = await mailsTo(b.email, 1);
  assert.match(mail.subject, /already has an account/);
  assert.doesNotMatch(mail.text_part, /ticket=/);
});

const userOf = (customer: number) =>
  across((tx) => tx.one<{ user_id: number | null }>(sql`SELECT user_id FROM customer WHERE id = ${customer}`)).then(
    (r) => r!.user_id,
  );

// Guards against: Getting somebody's records by signing up with their address
test('a confirmed address claims the records of the business where the person is, and no others', async () => {
  const { id, email } = await newPerson();
  const [here, there] = [
    await world.newCustomer({ email: email.toUpperCase() }),
    await world.newCustomer({ email }, world.meadow),
  ];
  const claim = () =>
    across((tx) => claimProfiles(tx, world.app.registry, { userId: id, providerId: world.harbour, now: world.now }));
  await across((tx) => tx.run(sql`UPDATE user_account SET email_confirmed_at = NULL WHERE id = ${id}`));
  assert.deepEqual(await claim(), { staff: [], customers: [] });
  await across((tx) => tx.run(sql`UPDATE user_account SET email_confirmed_at = now() WHERE id = ${id}`));
  assert.deepEqual(
    (await Promise.all([claim(), claim()])).flatMap((c) => c.customers),
    [here],
  );
  assert.deepEqual([await userOf(here), await userOf(there)], [id, null]);
  const audited = await across((tx) =>
    tx.rows(
      sql`SELECT action, actor FROM audit_entry
        WHERE object = 'customer' AND object_id = ${here} AND action = 'claim_profile'`,
    ),
  );
  assert.deepEqual(audited, [{ action: 'claim_profile', actor: `user:${id}` }]);
  const told = await across((tx) =>
    tx.rows(
      sql`SELECT kind, payload FROM feed_item WHERE object = 'customer' AND object_id = ${here}
        AND kind <> 'customer.created'`,
    ),
  );
  assert.deepEqual(told, [{ kind: 'customer.claimed', payload: { customer: here } }]);
});

test('a new customer is invited by email, and following the link claims the record, once', async () => {
  const email = newEmail();
  const made = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Grace', last_name: 'Hopper', email, invitation_note: 'Bring <b>shoes</b>.' },
  });
  const [mail] = await mailsTo(email, 1);
  assert.match(mail.text_part, /Bring <b>shoes<\/b>\./);
  assert.match(mail.html_part, /Bring &lt;b&gt;shoes/);
  const sent = await across((tx) =>
    tx.rows<{ payload: object }>(
      sql`SELECT payload FROM feed_item WHERE provider_id = ${world.harbour}
        AND kind = ${accountMailFeed.account_mail_sent.kind} AND object_id = ${made.body.id}`,
    ),
  );
  assert.deepEqual(
    sent.map(({ payload }) => payload),
    [{ customer: made.body.id, mail: 'invitation' }],
  );
  const ticket = ticketIn(mail);
  const invitation = await across((tx) => readInvitation(tx, ticket, world.now));
  assert.deepEqual([invitation!.kind, invitation!.firstName, invitation!.hasAccount], ['customer', 'Grace', false]);
  const given = { ticket, password: PASSWORD, firstName: 'Grace', lastName: 'Hopper' };
  const tries = await Promise.all([1, 2].map(() => signUpByInvitation(door, given, somewhere())));
  assert.equal(tries.filter((t) => t.outcome === 'accepted').length, 1);
  const account = await logIn(door, { email, password: PASSWORD }, somewhere());
  assert.ok(account.outcome === 'accepted');
  assert.equal(await userOf(made.body.id), account.userId);
  assert.ok((await across((tx) => readAccount(tx, account.userId)))!.emailConfirmedAt);
});

test('a mail that no page asked for is in the language in which the customer reads', async () => {
  const email = newEmail();
  const made = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Ada', last_name: 'Byron', email },
  });
  assert.equal(made.status, 201);
  await mailsTo(email, 1);
  await across((tx) => tx.run(sql`UPDATE customer SET locale = 'fr' WHERE id = ${made.body.id}`));
  const again = await world.post(`/customers/${made.body.id}/resend_email_confirmation`, {
    as: world.machine,
    body: {},
  });
  assert.equal(again.status, 200, JSON.stringify(again.body));
  assert.deepEqual(
    (await mailsTo(email, 2)).map(({ subject }) => subject.endsWith('vous invite')),
    [false, true],
  );
});

test('a new staff member is invited, and claims the profile with an account of another address', async () => {
  const person = await newPerson();
  const email = newEmail();
  const made = await world.post('/staff', {
    as: world.machine,
    body: { first_name: 'Joan', last_name: 'Clarke', email },
  });
  const ticket = ticketIn((await mailsTo(email, 1))[0]);
  assert.equal((await acceptInvitation(door, { ticket, session: person.session }, somewhere())).outcome, 'accepted');
  const shown = await world.get(`/staff/${made.body.id}`, { as: world.machine });
  assert.equal(shown.body.user, person.id);
  assert.equal(
    (await acceptInvitation(door, { ticket, session: (await newPerson()).session }, somewhere())).outcome,
    'gone',
  );
});

test('an invitation to an address that the record no longer has is expired', async () => {
  const email = newEmail();
  const made = await world.post('/customers', { as: world.machine, body: { first_name: 'A', last_name: 'B', email } });
  const ticket = ticketIn((await mailsTo(email, 1))[0]);
  await across((tx) => tx.run(sql`UPDATE customer SET email = ${newEmail()} WHERE id = ${made.body.id}`));
  assert.equal(await across((tx) => readInvitation(tx, ticket, world.now)), null);
});

test('events are recorded with a coarse network, and deleted after a year', async () => {
  const { id, email } = await newPerson();
  await logIn(door, { email, password: PASSWORD }, { ...somewhere(), address: '203.0.113.77' });
  const [event] = await across((tx) => listUserEvents(tx, id));
  assert.deepEqual(
    [event.kind, event.network, event.agent, event.providerId],
    ['log_in', '203.0.113.0/24', 'Test/1.0', world.harbour],
  );
  await across((tx) => sweepAccounts(tx, world.now + 364 * DAY));
  assert.equal((await across((tx) => listUserEvents(tx, id))).length, 1);
  await across((tx) => sweepAccounts(tx, world.now + 366 * DAY));
  assert.deepEqual(await across((tx) => listUserEvents(tx, id)), []);
});
