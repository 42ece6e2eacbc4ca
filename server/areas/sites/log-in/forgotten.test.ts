// Guards against: Addresses typed by strangers
/** Automatic deletion of accounts that were never confirmed, and of expired data of the others. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { across, newApplication, tokensFor, type TestApplication } from '../../../test/worlds/oauth-world.ts';
import { anotherServer, beside, until } from '../../../test/storm.ts';
import { Browser } from '../../../test/pages/cookie-browser.ts';
import {
  enrol,
  logIn,
  makeCustomer,
  makeStaff,
  newDirectApplication,
  newMember,
  tokensOf,
  type DirectApplication,
  type Member,
} from '../../../test/worlds/direct-auth-world.ts';
import { identity, issueTicket, signUp, startSession } from '../../people/identity/index.ts';
import { startBeside, startWorld, type World } from '../../../test/world.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

let world: World;
let owner: pg.Client;
let kiosk: DirectApplication;
let web: TestApplication;
before(async () => {
  // Sweeps act on all accounts of an installation.
  world = await startWorld({ own: true });
  owner = await beside(world.databaseUrl);
  kiosk = await newDirectApplication(world);
  web = await newApplication(world);
});
beforeEach(() => world.resetNow());
after(async () => {
  await owner?.end();
  await world?.close();
});

const sweep = () => across(world, (tx) => identity.sweep!(tx, world.now, world.app.installation));
const has = async (table: string, id: number, column = 'id'): Promise<boolean> =>
  (await owner.query(`SELECT FROM ${table} WHERE ${column} = $1`, [id])).rowCount! > 0;
const exists = ({ userId }: Pick<Member, 'userId'>) => has('user_account', userId);

/** Creates an account now, without confirming its address. */
async function unconfirmed(): Promise<Member> {
  const member = await newMember(world);
  await owner.query('UPDATE user_account SET email_confirmed_at = NULL, created_at = $2 WHERE id = $1', [
    member.userId,
    new Date(world.now),
  ]);
  return member;
}

test('an unconfirmed account is deleted after 30 days, and its address can be used again', async () => {
  const email = 'typed@example.com';
  const signedUp = () =>
    signUp(
      world.app.accounts,
      { email, password: 'otter kettle midnight ferry', firstName: 'A', lastName: 'B', browser: 'b' },
      { address: '198.51.100.1', agent: '', providerId: world.harbour },
    );
  const id = async () =>
    (await owner.query('SELECT id::int FROM user_account WHERE email_key = $1', [email])).rows[0]?.id;
  await signedUp();
  const first = await id();
  const made = world.now;
  world.setNow(made + 30 * DAY - MINUTE);
  await sweep();
  assert.equal(await id(), first);
  world.setNow(made + 30 * DAY + MINUTE);
  await sweep();
  assert.equal(await id(), undefined);
  await signedUp();
  assert.ok((await id()) > first);
});

test('a confirmed account stays, and so does one with a past or present profile at any business', async () => {
  const [confirmed, staff, customer, archived, deleted, nobodys] = [
    await newMember(world),
    ...(await Promise.all(Array.from({ length: 5 }, unconfirmed))),
  ];
  await makeStaff(world, staff, [], world.meadow);
  await makeCustomer(world, customer);
  await owner.query('UPDATE staff SET archived = true WHERE id = $1', [await makeStaff(world, archived)]);
  await owner.query('UPDATE customer SET deleted_at = now() WHERE id = $1', [
    await makeCustomer(world, deleted, world.meadow),
  ]);
  world.setNow(world.now + 400 * DAY);
  await sweep();
  for (const member of [confirmed, staff, customer, archived, deleted]) assert.equal(await exists(member), true);
  assert.equal(await exists(nobodys), false);
});

/**
 * Returns every table that references accounts, and what happens to its rows when the account is deleted: `c` deletes
 * them, `a` prevents it.
 */
const references = async (): Promise<{ table: string; column: string; on_delete: string }[]> =>
  (
    await owner.query(
      `SELECT c.conrelid::regclass::text AS table, a.attname AS column, c.confdeltype AS on_delete FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.confrelid = 'user_account'::regclass ORDER BY 1`,
    )
  ).rows;

test('data of a deleted account is deleted with it, and its tokens are refused by the next request on every process', async (t) => {
  const other = await startBeside(world);
  t.after(() => other.close());
  const member = await unconfirmed();
  const begun = world.now;
  world.setNow(begun + 29 * DAY);
  await tokensFor(world, web, { ...member, browser: new Browser() });
  const { access_token, refresh_token } = await tokensOf(world, kiosk, member);
  await owner.query('UPDATE user_account SET email_confirmed_at = now() WHERE id = $1', [member.userId]);
  await enrol(world, member);
  await owner.query('UPDATE user_account SET email_confirmed_at = NULL WHERE id = $1', [member.userId]);
  await owner.query(`INSERT INTO recovery_code (user_id, code_hash) VALUES ($1, '\\x00')`, [member.userId]);
  await owner.query(
    `INSERT INTO sign_up_code (secret_hash, user_id, created_at, expires_at) VALUES ('\\x00', $1, now(), now())`,
    [member.userId],
  );
  await owner.query(
    `INSERT INTO passkey (user_id, rp_id, credential_id, public_key, counter, name, created_at)
      VALUES ($1, 'localhost', 'AA', '\\x00', 0, 'Phone', now())`,
    [member.userId],
  );
  await owner.query(
    `INSERT INTO domain_session (provider_id, user_id, host, secret_hash, browser, session_id, kept, created_at)
     VALUES ($2, $1, 'book.example.com', '\\x00', 'x', 1, false, now())`,
    [member.userId, world.harbour],
  );
  await owner.query(
    `INSERT INTO assistant_proposal (provider_id, handle_hash, user_id, mode, operation, asked, created_at, expires_at)
      VALUES ($2, '\\x00', $1, 'customer', 'POST /events/{id}/register', '{}', now(), now())`,
    [member.userId, world.harbour],
  );
  await owner.query(`INSERT INTO account_part (user_id, part, version, cell) VALUES ($1, 'name', 1, 1)`, [
    member.userId,
  ]);
  await owner.query(`INSERT INTO account_clash (user_id, cell, other_id, over) VALUES ($1, 2, 7, 'address')`, [
    member.userId,
  ]);
  await across(world, (tx) =>
    issueTicket(
      tx,
      { kind: 'confirm_email', userId: member.userId, providerId: world.harbour, email: member.email },
      world.now,
    ),
  );
  assert.equal((await logIn(world, kiosk, member)).body.object, 'pending_login');
  const hanging = (await references()).filter(({ on_delete }) => on_delete === 'c');
  for (const { table, column } of hanging)
    assert.equal(
      await has(table, member.userId, column),
      true,
      `${table} has nothing of the account, so that nothing is tested`,
    );
  const answered = async () =>
    (await Promise.all([world, other].map((on) => on.get('/auth/profiles', { as: access_token, provider: null })))).map(
      (a) => a.status,
    );
  assert.deepEqual(await answered(), [200, 200]);

  // The token would have expired two hours after it was issued.
  await owner.query('UPDATE user_account SET created_at = $2 WHERE id = $1', [
    member.userId,
    new Date(world.now - 30 * DAY),
  ]);
  await sweep();
  assert.equal(await exists(member), false);
  for (const { table, column } of hanging) assert.equal(await has(table, member.userId, column), false, table);
  assert.deepEqual(await answered(), [401, 401]);
  assert.equal(
    (
      await other.post('/auth/refresh_access_token', {
        provider: null,
        body: { refresh_token, direct_auth_key: kiosk.key },
      })
    ).status,
    401,
  );
  assert.equal((await logIn(other, kiosk, member)).status, 401);
});

test('only profiles keep an account: everything else that references one is deleted with it, or the sweep would stop', async () => {
  assert.deepEqual(
    (await references()).filter(({ on_delete }) => on_delete !== 'c').map(({ table }) => table),
    ['customer', 'staff'],
  );
});

test('an account that gets a profile during the sweep is left alone, and the others are deleted', async () => {
  const [becoming, nobodys] = [await unconfirmed(), await unconfirmed()];
  const desk = await beside(world.databaseUrl);
  await desk.query('BEGIN');
  await desk.query(
    `INSERT INTO staff (provider_id, user_id, first_name, last_name, email) VALUES ($1, $2, 'A', 'B', 'a@example.com')`,
    [world.harbour, becoming.userId],
  );
  world.setNow(world.now + 31 * DAY);
  await sweep();
  await desk.query('COMMIT');
  await desk.end();
  await sweep();
  assert.deepEqual([await exists(becoming), await exists(nobodys)], [true, false]);
});

test('a flood of unconfirmed accounts is deleted a thousand at a time', async () => {
  await owner.query(
    `INSERT INTO user_account (email, email_key, created_at) SELECT e, e, now()
      FROM generate_series(1, 1500) i, LATERAL (SELECT 'flood' || i || '@example.com') x (e)`,
  );
  const left = async (): Promise<number> =>
    (await owner.query(`SELECT count(*)::int AS n FROM user_account WHERE email LIKE 'flood%'`)).rows[0].n;
  world.setNow(world.now + 31 * DAY);
  await sweep();
  assert.equal(await left(), 500);
  await sweep();
  assert.equal(await left(), 0);
});

test('sessions, links and attempts are deleted once they have expired, and not before', async () => {
  const { userId, email } = await newMember(world);
  const start = world.now;
  const session = async (): Promise<number> =>
    (await across(world, (tx) => startSession(tx, { userId, secondFactor: false, agent: '', now: world.now }))).session
      .id;
  const [unused, used] = [await session(), await session()];
  const { ticket } = await across(world, (tx) =>
    issueTicket(tx, { kind: 'reset_password', userId, providerId: world.harbour, email }, start),
  );
  await logIn(world, kiosk, { email }, { password: 'not the one at all' });
  const attempts = async (): Promise<boolean> => (await owner.query('SELECT FROM attempt_throttle')).rowCount! > 0;
  const links = async (): Promise<boolean> =>
    (await owner.query('SELECT FROM account_ticket WHERE id = $1', [ticket.id])).rowCount! > 0;
  const sweptAt = async (at: number) => {
    world.setNow(start + at);
    await sweep();
  };
  await sweptAt(DAY - MINUTE);
  assert.equal(await attempts(), true);
  await sweptAt(DAY + MINUTE);
  assert.equal(await attempts(), false);
  // The link was valid for an hour.
  await sweptAt(7 * DAY + 59 * MINUTE);
  assert.equal(await links(), true);
  await sweptAt(7 * DAY + 61 * MINUTE);
  assert.equal(await links(), false);
  await sweptAt(14 * DAY - MINUTE);
  assert.equal(await has('user_session', unused), true);
  await owner.query('UPDATE user_session SET seen_at = $2 WHERE id = $1', [used, new Date(world.now)]);
  await sweptAt(14 * DAY + MINUTE);
  assert.deepEqual([await has('user_session', unused), await has('user_session', used)], [false, true]);
  await owner.query('UPDATE user_session SET seen_at = $2 WHERE id = $1', [used, new Date(start + 90 * DAY)]);
  await sweptAt(90 * DAY - MINUTE);
  assert.equal(await has('user_session', used), true);
  await sweptAt(90 * DAY + MINUTE);
  assert.equal(await has('user_session', used), false);
});

/** Returns the subjects, oldest first. */
const kept = async (): Promise<string[]> =>
  (await owner.query('SELECT subject FROM mail_outbox ORDER BY created_at')).rows.map((r) => r.subject);

test('the worker deletes stored emails after a week', async (t) => {
  const keep = (subject: string, age: string) =>
    owner.query(
      `INSERT INTO mail_outbox (provider_id, sender, recipient, subject, text_part, html_part, created_at)
        VALUES ($1, 'a@example.com', 'b@example.com', $2, '', '', now() - $3::interval)`,
      [world.harbour, subject, age],
    );
  await keep('old', '7 days 1 minute');
  await keep('young', '6 days 23 hours 59 minutes');
  const working = await anotherServer(world, { ROLE: 'worker' });
  t.after(() => working.close());
  await until('the worker forgot something', async () => (await kept()).length < 2);
  assert.deepEqual(await kept(), ['young']);
});
