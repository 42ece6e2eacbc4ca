/** One account of a person in every cell that knows them: over HTTP, with two cells on two databases. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import {
  beginSecondFactor,
  changeName,
  confirmSecondFactor,
  createUser,
  deleteAccountsOf,
  disableAccount,
  issueTicket,
  logIn,
  openInvitation,
  resetPassword,
  signUp,
  signUpByInvitation,
  startSession,
} from '../../areas/people/identity/index.ts';
import { PageClient } from '../../test/pages/page-client.ts';
import { PASSWORD, PeopleOfCells } from '../../test/cells/people-of-cells.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { until } from '../../test/storm.ts';
import { START } from '../../test/clock.ts';

const NEXT_PASSWORD = 'brisk walnut canoe orbit';

let people: PeopleOfCells;
before(async () => void (people = await PeopleOfCells.start()));
after(() => people?.close());

const gone = { code: 'unavailable' };

/** Runs `act` while the cell is unreachable. */
async function away<T>(cell: number, act: () => Promise<T>): Promise<T> {
  const { front } = people.all.cell(cell);
  front.shut();
  try {
    return await act();
  } finally {
    front.reopen();
  }
}

const heardEverything = (cell: number) =>
  until(
    'every cell heard the news',
    async () => (await people.rows(cell, sql`SELECT 1 AS n FROM account_news`)).length === 0,
  );

test('a person logs in at a business of another cell with their existing account, as the same person', async () => {
  const person = await people.newPerson(1);
  const browser = await people.browserOf(2, person);
  assert.match(browser.cookies.get('rollcall_session')!, /^rcs2_/);
  const [there, here] = [await people.account(1, person.id), await people.account(2, person.id)];
  assert.deepEqual(here, { ...there, profile_changed_at: here!.profile_changed_at });
  for (const [email, password] of [
    [person.email, 'wrong password'],
    ['nobody-at-all@example.com', PASSWORD],
  ])
    assert.equal((await people.logInWith(new PageClient(people.world(2).url), 2, { email }, password)).status, 422);
});

test('nobody signs up in one cell with an address that has an account in another', async () => {
  const person = await people.newPerson(1);
  const given = {
    email: person.email.toUpperCase(),
    password: NEXT_PASSWORD,
    firstName: 'Eve',
    lastName: '',
    browser: 'e',
  };
  const { outcome } = await signUp(people.door(2), given, people.somewhere(2));
  assert.equal(outcome, 'accepted');
  assert.deepEqual(
    await people.rows(2, sql`SELECT id, first_name FROM user_account WHERE email_key = ${person.email}`),
    [{ id: person.id, first_name: 'Ada' }],
  );
});

test('while a cell is unreachable, nobody signs up, and only people who are known here log in', async () => {
  const [stranger, known] = [await people.newPerson(1), await people.newPerson(2)];
  await away(1, async () => {
    const given = {
      email: 'new-person@example.com',
      password: NEXT_PASSWORD,
      firstName: 'New',
      lastName: '',
      browser: 'n',
    };
    await assert.rejects(signUp(people.door(2), given, people.somewhere(2)), gone);
    await assert.rejects(
      logIn(people.door(2), { email: stranger.email, password: PASSWORD }, people.somewhere(2)),
      gone,
    );
    const { outcome } = await logIn(people.door(2), { email: known.email, password: PASSWORD }, people.somewhere(2));
    assert.equal(outcome, 'accepted');
  });
});

// Guards against: Access that has ended in one cell and goes on in another
test('a new password, and disabling an account, apply in every cell from the next request on', async () => {
  const person = await people.newPerson(1);
  const [first, second] = [await people.browserOf(1, person), await people.browserOf(2, person)];
  for (const cell of [1, 2])
    for (const browser of [first, second]) assert.equal(await people.isIn(cell, browser), true);
  const page = `${people.profile(2)}/password`;
  await second.get(people.profile(2));
  const sent = await second.post(page, { old_password: PASSWORD, password: NEXT_PASSWORD });
  assert.equal(sent.status, 303, sent.text);
  for (const cell of [1, 2]) {
    assert.equal(await people.isIn(cell, first), false);
    assert.equal(await people.isIn(cell, second), true);
    const preview = await logIn(people.door(cell), { email: person.email, password: PASSWORD }, people.somewhere(cell));
    assert.equal(preview.outcome, 'refused');
  }
  await people.browserOf(1, person, NEXT_PASSWORD);
  await people.door(1).changing('a test disables an account', (tx) => disableAccount(tx, person.id, START));
  for (const cell of [1, 2]) {
    assert.equal(await people.isIn(cell, second), false);
    const preview = await logIn(
      people.door(cell),
      { email: person.email, password: NEXT_PASSWORD },
      people.somewhere(cell),
    );
    assert.equal(preview.outcome, 'refused');
  }
});

// Guards against: Access that has ended in one cell and goes on in another
test('a cell that was unreachable gets the changes afterwards, and reverts none of them', async () => {
  const person = await people.newPerson(1);
  await people.browserOf(2, person);
  await away(1, async () => {
    await people.door(2).changing('a test disables an account', (tx) => disableAccount(tx, person.id, START));
    assert.equal((await people.account(1, person.id))!.disabled_at, null);
  });
  // It is later, and concerns another part: an end remains an end.
  await people
    .door(1)
    .changing('a test changes a name', (tx) =>
      changeName(
        tx,
        person.id,
        { firstName: 'Augusta', lastName: 'King' },
        { address: '192.0.2.1', agent: '', providerId: null },
        0,
      ),
    );
  await until('it counts there', async () => (await people.account(1, person.id))!.disabled_at !== null);
  await heardEverything(1);
  const [there, here] = [await people.account(1, person.id), await people.account(2, person.id)];
  assert.equal(here!.first_name, 'Augusta');
  assert.deepEqual(here!.disabled_at, there!.disabled_at);
});

test('the second factor is the same everywhere, and no code of it works twice', async () => {
  const person = await people.newPerson(1);
  const door = people.door(1);
  const { session } = await door.db.acrossTenants('a test has a session', (tx) =>
    startSession(tx, { userId: person.id, secondFactor: false, agent: '', now: START, cells: door.cells }),
  );
  const { secret } = (await beginSecondFactor(door, person.id, 'Harbour'))!;
  const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
  const used = authenticator.generate({ timestamp: people.world(1).now });
  const on = await confirmSecondFactor(door, session, used, people.somewhere(1));
  assert.equal(on.outcome, 'accepted');
  const [recovery, another] = on.outcome === 'accepted' ? on.recoveryCodes : [];
  const enter = (cell: number, code?: string) =>
    logIn(people.door(cell), { email: person.email, password: PASSWORD, code }, people.somewhere(cell));
  assert.equal((await enter(2)).outcome, 'second_factor');
  assert.equal((await enter(2, used)).outcome, 'refused');
  assert.equal((await enter(2, recovery)).outcome, 'accepted');
  assert.equal((await enter(1, recovery)).outcome, 'refused');
  assert.equal((await enter(1, another)).outcome, 'accepted');
  const next = authenticator.generate({ timestamp: people.world(1).now + 30_000 });
  assert.equal((await enter(1, next)).outcome, 'accepted');
  assert.equal((await enter(2, next)).outcome, 'refused');
});

test('passkeys are known in every cell, until they are removed in one', async () => {
  const person = await people.newPerson(1);
  await people.rows(
    1,
    sql`INSERT INTO passkey (user_id, rp_id, credential_id, public_key, counter, name, created_at)
      VALUES (${person.id}, 'localhost', ${`key-${person.id}`}, '\\x00'::bytea, 3, 'Phone', now())`,
  );
  const passkeys = (cell: number) =>
    people.rows(
      cell,
      sql`SELECT name, counter, encode(public_key, 'hex') AS key FROM passkey WHERE user_id = ${person.id}`,
    );
  await people.browserOf(2, person);
  assert.deepEqual(await passkeys(2), [{ name: 'Phone', counter: 3, key: '00' }]);
  await people
    .door(2)
    .changing('a test uses a passkey', (tx) =>
      tx.run(sql`UPDATE passkey SET counter = 4 WHERE user_id = ${person.id}`),
    );
  assert.equal((await passkeys(1))[0].counter, 4);
  await people
    .door(2)
    .changing('a test removes a passkey', (tx) => tx.run(sql`DELETE FROM passkey WHERE user_id = ${person.id}`));
  assert.deepEqual(await passkeys(1), []);
});

test('an invitation to somebody who has an account in another cell asks them to log in', async () => {
  const person = await people.newPerson(1);
  const { harbour } = people.world(2);
  const staffId = await people.newStaff(2, { email: person.email });
  const ticket = await people
    .door(2)
    .db.acrossTenants('a test invites', async (tx) =>
      issueTicket(tx, { kind: 'invitation', providerId: harbour, email: person.email, staffId }, START),
    );
  const given = { ticket: ticket.secret, password: NEXT_PASSWORD, firstName: 'Ada', lastName: 'Byron' };
  assert.deepEqual(await signUpByInvitation(people.door(2), given, people.somewhere(2)), { outcome: 'has_account' });
  assert.equal((await openInvitation(people.door(2), ticket.secret))!.hasAccount, true);
});

test('any cell emails a link for a new password, which sets it in all', async () => {
  const person = await people.newPerson(1);
  const page = `/account/${people.world(2).harbour}/forgot-password`;
  const browser = new PageClient(people.world(2).url);
  await browser.get(page);
  const asked = await browser.post(page, { email: person.email, return_to: '' });
  assert.ok(asked.status < 400, asked.text);
  const mail = await until(
    'the mail is written',
    async () => (await people.rows(2, sql`SELECT text_part FROM mail_outbox WHERE recipient = ${person.email}`))[0],
  );
  const [, ticket] = /ticket=(rct_[\w-]+)/.exec(mail.text_part)!;
  const set = await resetPassword(people.door(2), { ticket, password: NEXT_PASSWORD }, people.somewhere(2));
  assert.equal(set.outcome, 'accepted');
  await people.browserOf(1, person, NEXT_PASSWORD);
});

test('two accounts of one address, created at the same moment, remain separate, and the operator is informed', async () => {
  const email = 'twice@example.com';
  const ids = [];
  for (const cell of [1, 2])
    ids.push(
      await people
        .door(cell)
        .db.acrossTenants('a test has an account', (tx) => createUser(tx, { email, password: PASSWORD })),
    );
  for (const cell of [1, 2]) {
    const { outcome, ...who } = await logIn(people.door(cell), { email, password: PASSWORD }, people.somewhere(cell));
    assert.deepEqual([outcome, (who as { userId: number }).userId], ['accepted', ids[cell - 1]]);
  }
  assert.deepEqual(await people.rows(2, sql`SELECT user_id, cell, other_id, over FROM account_clash`), [
    { user_id: ids[1], cell: 1, other_id: ids[0], over: 'address' },
  ]);
});

test('a deleted account is deleted in every cell, unless a business there has a record of its person', async () => {
  const [nobodys, member] = [await people.newPerson(1), await people.newPerson(1)];
  for (const person of [nobodys, member]) await people.browserOf(2, person);
  await people.world(2).newCustomer({ user_id: member.id, email: member.email });
  await people.door(1).changing('a test forgets two people', (tx) => deleteAccountsOf(tx, [nobodys.id, member.id]));
  assert.equal(await people.account(2, nobodys.id), undefined);
  assert.equal((await people.account(2, member.id))!.email, member.email);
  assert.equal(await people.account(1, member.id), undefined);
  // A person who returns to the first cell has the same account.
  await people.browserOf(1, member);
  assert.equal((await people.account(1, member.id))!.email, member.email);
});
