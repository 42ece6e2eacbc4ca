// Guards against: Getting in with a code that was guessed, told to a stranger, or sent for somebody else
/** The step in which people become known: an address, a code, and a name; the same for new and for known people. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { across } from '../../../test/worlds/oauth-world.ts';
import { enrol, makeCustomer, makeStaff, newMember } from '../../../test/worlds/direct-auth-world.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { PageClient, type PageAnswer } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';

const MINUTE = 60_000;

let mailbox: Mailbox;
let world: World;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});
beforeEach(() => world.resetNow());

const at = (page: string) => `/account/${world.harbour}/${page}`;
const other = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0');
const to = ({ headers }: PageAnswer) => headers.get('location');

/** Asks for a code; `enter` sends one. */
async function asked(email: string, query = '') {
  const client = new PageClient(world.url);
  await client.get(at('log-in'));
  const sent = await client.post(at('log-in'), { email, ...(query && { return_to: query }) });
  assert.equal(sent.status, 303, sent.text);
  const page = await client.get(to(sent)!);
  return { client, page, enter: (code: string) => client.post(at('log-in/code'), { code, return_to: query }) };
}

/** Returns what somebody sees who asks for a code and guesses until they may no longer. */
async function seen(email: string): Promise<string[]> {
  const { page, enter } = await asked(email);
  assert.match(page.text, new RegExp(`We sent six digits to <strong>${email}</strong>`));
  const answers = [page];
  for (let n = 0; n < 6; n++) answers.push(await enter('000000'));
  return answers.map(
    ({ status, text }) => `${status} ${text.replaceAll(email, 'the address').replaceAll(/value="[^"]*"/g, '')}`,
  );
}

test('the page and its answers are the same for known, new and disabled addresses', async () => {
  const [known, disabled] = [await newMember(world), await newMember(world)];
  await across(world, (tx) => tx.run(sql`UPDATE user_account SET disabled_at = now() WHERE id = ${disabled.userId}`));
  const [first, ...rest] = [await seen(known.email), await seen('unknown@example.com'), await seen(disabled.email)];
  for (const one of rest) assert.deepEqual(one, first);
  assert.match(first.at(-1)!, /That code no longer works/);
});

test('a new person gives an address, a code and a name, and is a customer at the page that they came from', async () => {
  const back = `/harbour/timetable`;
  const { client, enter } = await asked('nina@example.com', back);
  const entered = await enter(await mailbox.code(world, 'nina@example.com'));
  assert.equal(to(entered), `${at('log-in/name')}?return_to=%2Fharbour%2Ftimetable`);
  assert.match((await client.get(to(entered)!)).text, /inputmode|What&#39;s your name\?/);
  const wrong = await client.post(at('log-in/name'), { first_name: '', last_name: '', return_to: back });
  assert.equal(wrong.status, 422);
  const named = await client.post(at('log-in/name'), { first_name: 'Nina', last_name: 'Ruiz', return_to: back });
  assert.equal(to(named), back);
  const { results } = (await world.get('/customers?query=nina@example.com', { as: world.machine })).body;
  assert.deepEqual(
    results.map((one: any) => [one.first_name, one.last_name, one.is_guest]),
    [['Nina', 'Ruiz', false]],
  );
  assert.equal(to(await client.get(at(`log-in/name?return_to=${back}`))), back, 'the name is asked once');
});

test('the mail with the code is in the language of the page', async () => {
  const client = new PageClient(world.url);
  client.headers = { 'accept-language': 'nl-BE' };
  await client.get(at('log-in?lang=fr'));
  const sent = await client.post(at('log-in'), { email: 'lena@example.com' });
  assert.equal(sent.status, 303, sent.text);
  const mail = await mailbox.next('lena@example.com', /^\d{6} est votre code$/);
  assert.match(mail.text, /^Bonjour,/);
});

test('a known person logs in by the code; a second step is still asked for, and staff get no customer record', async () => {
  const [plain, careful, staff] = [await newMember(world), await newMember(world), await newMember(world)];
  await makeCustomer(world, plain);
  await makeCustomer(world, careful);
  await enrol(world, careful);
  await makeStaff(world, staff);
  const log = async (email: string) => {
    const { client, enter } = await asked(email);
    const entered = await enter(await mailbox.code(world, email));
    return { client, entered };
  };
  const in_ = await log(plain.email);
  assert.equal(to(in_.entered), at('profile'));
  assert.equal((await in_.client.get(at('profile'))).status, 200);
  const half = await log(careful.email);
  assert.match(half.entered.text, /authenticator app/);
  assert.equal((await half.client.get(at('profile'))).status, 303, 'not logged in yet');
  assert.equal(to((await log(staff.email)).entered), at('profile'));
});

test('a code works only in the browser that asked for it, five times at most, for half an hour, once, and until the next one', async () => {
  const email = 'ben@example.com';
  const ben = await asked(email);
  const code = await mailbox.code(world, email);
  assert.match((await (await asked('stranger@example.com')).enter(code)).text, /That code is wrong/);
  for (let n = 1; n < 5; n++) assert.match((await ben.enter(other(code, n))).text, /That code is wrong/);
  assert.match((await ben.enter(other(code, 5))).text, /That code no longer works/);
  assert.match((await ben.enter(code)).text, /That code no longer works/);

  const again = await ben.client.post(at('log-in/code/again'), { return_to: '' });
  assert.match(again.text, /We sent you a new code/);
  const late = await mailbox.code(world, email);
  world.setNow(world.now + 30 * MINUTE);
  assert.equal(to(await ben.enter(late)), at('log-in'), 'a new code has to be requested');
  world.resetNow();
  assert.equal((await ben.enter(late)).status, 303);
  assert.equal((await ben.client.get(at('profile'))).status, 200);
});

test('the codes for one address are bounded, and a form from another site sends none', async () => {
  const client = new PageClient(world.url);
  const ask = (headers: Record<string, string>, email = 'flood@example.com') =>
    client.post(at('log-in/start'), { email, return_to: '' }, { token: null, headers });
  const ours = { 'sec-fetch-site': 'same-origin', origin: world.url };
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
  ];
  for (const headers of foreign) assert.equal((await ask(headers)).status, 403, JSON.stringify(headers));
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await ask(ours)).status);
  assert.deepEqual(statuses, [...Array(11).fill(303), 429]);
  assert.equal((await ask(ours, 'else@example.com')).status, 303);
});

test('the person who reads the email owns the account: what others entered with the address before no longer works', async () => {
  const squatted = await newMember(world);
  await across(world, (tx) =>
    tx.run(
      sql`UPDATE user_account SET email_confirmed_at = NULL, first_name = 'Mallory' WHERE id = ${squatted.userId}`,
    ),
  );
  const thief = new PageClient(world.url);
  await thief.get(at('log-in'));
  const password = 'otter kettle midnight ferry';
  assert.equal((await thief.post(at('log-in'), { email: squatted.email, password })).status, 303);
  const { client, enter } = await asked(squatted.email);
  const entered = await enter(await mailbox.code(world, squatted.email));
  assert.doesNotMatch((await client.get(to(entered)!)).text, /Mallory/);
  assert.equal((await thief.get(at('profile'))).status, 303, 'their session has ended');
  const refused = new PageClient(world.url);
  await refused.get(at('log-in'));
  assert.match((await refused.post(at('log-in'), { email: squatted.email, password })).text, /password is wrong/);
});
