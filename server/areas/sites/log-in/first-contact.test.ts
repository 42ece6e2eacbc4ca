// Guards against: Confirming an address with a guessed code, or with one that somebody was talked into telling
/** From a class to a booking for somebody new: with the code in the email, in one browser, without JavaScript. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { newEvent, newPlace, type Place } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';
import { until } from '../../../test/storm.ts';

const PASSWORD = 'otter kettle midnight ferry';

let mailbox: Mailbox;
let world: World;
let browser: PageBrowser;
let place: Place;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  browser = new PageBrowser(world.url);
  place = await newPlace(world);
});
after(async () => {
  await world?.close();
  await mailbox?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

/** Returns the code in the next email, once it works: the email may arrive shortly before its transaction commits. */
async function mailedCode(email: string): Promise<string> {
  const { text } = await mailbox.next(email, /Confirm/);
  const [, code] = /on the page where you signed up: (\d{6})\s/.exec(text)!;
  await until('the code works', () =>
    world.app.db.acrossTenants('a test waits for a code', (tx) =>
      tx.one(sql`SELECT 1 AS there FROM sign_up_code c JOIN user_account u ON u.id = c.user_id
        WHERE u.email = ${email} AND c.code_hash IS NOT NULL`),
    ),
  );
  return code;
}

/** Returns somebody else's guess. */
const other = (code: string, n = 1) => String((Number(code) + n) % 1_000_000).padStart(6, '0');

/** Signs up; returns what is needed to enter a code. */
async function signedUp(
  email: string,
): Promise<{ visitor: PageClient; enter: (code: string) => ReturnType<PageClient['post']>; location: string }> {
  const visitor = new PageClient(world.url);
  await visitor.get(at('sign-up'));
  const sent = await visitor.post(at('sign-up'), { first_name: 'Ada', last_name: '', email, password: PASSWORD });
  assert.equal(sent.status, 303, sent.text);
  const location = sent.headers.get('location')!;
  assert.doesNotMatch(location, /rc[a-z]_|[\w-]{20}/, 'the address holds no secret');
  await visitor.get(location);
  return { visitor, location, enter: (code) => visitor.post(at('check-mail'), { code }) };
}

// Guards against: Somebody lets the installation mail their link or their words to others
test('nobody can make the installation email their own words to others: no name becomes a link, and unconfirmed people are not greeted by name', async () => {
  const visitor = new PageClient(world.url);
  await visitor.get(at('sign-up'));
  const email = 'stranger@example.com';
  for (const first_name of ['Win: https://evil.example/x', 'evil.com', 'Ada\u2028Click here', 'Ada\r\nBcc: a']) {
    const sent = await visitor.post(at('sign-up'), { first_name, last_name: '', email, password: PASSWORD });
    assert.equal(sent.status, 422, first_name);
  }
  await visitor.post(at('sign-up'), { first_name: 'Call 0900', last_name: '', email, password: PASSWORD });
  const { text } = await mailbox.next(email, /Confirm/);
  assert.match(text, /^Hello,\r?\n/);
  assert.doesNotMatch(text, /Call 0900/);
  for (const first_name of ['https://evil.example', 'a\nb']) {
    const body = { first_name, last_name: 'King', email };
    const made = await world.post('/customers', { as: world.machine, body });
    assert.deepEqual([made.status, Object.keys(made.body.field_errors)], [400, ['first_name']]);
  }
});

test('a newcomer who chooses a password gets back to the class with one code of one email', async () => {
  const { id } = await newEvent(world, place);
  const visitor = await browser.visitor();
  await visitor.open(at(`sign-up?return_to=/harbour/events/${id}`));
  await visitor.submit('Sign up', { 'First name': 'Ada', 'Email address': 'ada@example.com', Password: PASSWORD });
  assert.equal(await visitor.heading(), 'Check your email');
  await visitor.checkAccessible('check-mail-code');
  const code = await mailedCode('ada@example.com');
  await visitor.submit('Confirm', { 'Code from the email': other(code) });
  assert.match(await visitor.text(), /That code is wrong/);
  await visitor.checkAccessible('check-mail-code-wrong');
  await visitor.follow('Deutsch');
  assert.equal(await visitor.heading(), 'Sehen Sie in Ihrem Posteingang nach');
  await visitor.submit('Bestätigen', { 'Code aus der E-Mail': `${code.slice(0, 3)} ${code.slice(3)}` });
  assert.equal(visitor.path, `/harbour/events/${id}`, 'back at the class');
  await visitor.leave(visitor.page.locator('main form button').first());
  const { results } = (await world.get('/customers?query=ada&fields=id', { as: world.machine })).body;
  const { body } = await world.get(`/attendances?event=${id}&customer=${results[0].id}`, { as: world.machine });
  assert.deepEqual(
    body.results.map((one: { status: string }) => one.status),
    ['registered'],
    JSON.stringify(body),
  );
  await visitor.close();
});

test('a code works only in the browser that signed up, five times at most, for half an hour, and once', async () => {
  const ben = await signedUp('ben@example.com');
  const code = await mailedCode('ben@example.com');
  const stranger = await signedUp('stranger@example.com');
  assert.match((await stranger.enter(code)).text, /That code is wrong/);
  for (let n = 1; n < 5; n++) assert.match((await ben.enter(other(code, n))).text, /That code is wrong/);
  assert.match((await ben.enter(other(code, 5))).text, /Codes no longer work here/);
  assert.match((await ben.enter(code)).text, /Codes no longer work here/);

  const cleo = await signedUp('cleo@example.com');
  const late = await mailedCode('cleo@example.com');
  world.setNow(world.now + 30 * 60_000);
  assert.match((await cleo.enter(late)).text, /Codes no longer work here/);
  world.setNow(world.now - 30 * 60_000);
  assert.equal((await cleo.enter(late)).status, 303);
  assert.equal((await cleo.visitor.get(at('profile'))).status, 200);
  assert.match((await cleo.enter(late)).text, /Codes no longer work here/);
});

test('a link and a code of the same email end each other: the first one that is used counts', async () => {
  const dora = await signedUp('dora@example.com');
  const mail = await mailbox.next('dora@example.com', /Confirm/);
  const link = new URL(/https?:\/\/\S+\/confirm\S+/.exec(mail.text)![0]);
  const code = /signed up: (\d{6})\s/.exec(mail.text)![1];
  await until('the code works', () =>
    world.app.db.acrossTenants('a test waits for a code', (tx) =>
      tx.one(
        sql`SELECT 1 AS there FROM sign_up_code c JOIN user_account u ON u.id = c.user_id
          WHERE u.email = 'dora@example.com' AND c.code_hash IS NOT NULL`,
      ),
    ),
  );
  assert.equal((await dora.enter(code)).status, 303);
  assert.equal((await dora.visitor.get(link.pathname + link.search)).status, 410);
});

test('the page for the code does not reveal whether an address has an account', async () => {
  await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email: 'known@example.com', password: PASSWORD }),
  );
  const [known, fresh] = [await signedUp('known@example.com'), await signedUp('fresh@example.com')];
  assert.equal(known.location.length, fresh.location.length);
  const said = async ({ enter }: typeof known) => {
    const all: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { status, text } = await enter('000000');
      all.push(`${status} ${text.replaceAll(/value="[^"]*"/g, '')}`);
    }
    return all;
  };
  assert.deepEqual(await said(known), await said(fresh));
  await mailbox.next('known@example.com', /already have an account/);
});
