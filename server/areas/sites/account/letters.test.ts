/** Messages of a business as the person finds them in their account, and their preferences. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createUser } from '../../people/identity/index.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let browser: PageBrowser;
before(async () => {
  world = await startWorld();
  browser = new PageBrowser(world.url);
});
after(async () => {
  await world?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

async function someone(email: string): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
}

async function client(email: string, language = 'en'): Promise<PageClient> {
  const pages = new PageClient(world.url);
  pages.headers = { 'accept-language': language };
  await pages.get(at('log-in'));
  await pages.post(at('log-in'), { email, password: PASSWORD });
  return pages;
}

async function read(path: string): Promise<any> {
  const answer = await world.get(path, { as: world.machine });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const newsOf = async (id: number): Promise<boolean[]> => {
  const fields = 'is_opted_into_broadcast_messages,is_opted_into_sms_marketing';
  const found = await read(`/customers/${id}?fields=${fields}`);
  return [found.is_opted_into_broadcast_messages, found.is_opted_into_sms_marketing];
};

/** Returns what they switched off, as `email waitlist_added`. */
const switchedOff = async (id: number): Promise<string[]> =>
  (await read(`/customers/${id}/notification_preferences?page_size=100`)).results.flatMap((one: any) => [
    ...(one.email_enabled ? [] : [`email ${one.type}`]),
    ...(one.sms_enabled ? [] : [`sms ${one.type}`]),
  ]);

let messages = 0;
/** Creates a message that was sent to somebody. */
const newMessage = (customer: number, over: object = {}): Promise<number> =>
  row(world, 'message', {
    key: `test ${++messages}`,
    queued_at: new Date(world.now).toISOString(),
    send_at: new Date(world.now).toISOString(),
    customer_id: customer,
    channel: 'email',
    purpose: 'transactional',
    kind: 'event_reminder',
    recipient: 'ada@example.com',
    subject: 'See you tomorrow',
    text_part: 'Hello Ada,\n\nbring <b>a towel</b>.',
    status: 'sent',
    ...over,
  });

test('people find the messages that they were sent, and choose what they get', async () => {
  const ada = await someone('ada.letters@example.com');
  await newMessage(ada);
  await newMessage(ada, { status: 'skipped', reason: 'preference', subject: 'Never sent' });
  const visitor = await browser.visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': 'ada.letters@example.com', Password: PASSWORD });
  await visitor.follow('Settings');
  await visitor.follow('See messages and choose what you get');
  await visitor.checkAccessible('letters');
  assert.doesNotMatch(await visitor.text(), /Never sent/);
  await visitor.follow('See you tomorrow');
  assert.match(await visitor.text(), /Hello Ada,\s+bring <b>a towel<\/b>\./, 'as text');
  await visitor.checkAccessible('letter');
  await visitor.follow('Back to your messages');

  assert.deepEqual(await newsOf(ada), [false, false]);
  const news = visitor.page.getByRole('region', { name: 'News and offers' });
  await news.getByLabel('Harbour can send me news and offers by email').check();
  await news.getByRole('button', { name: 'Save your choice' }).click();
  assert.match(await visitor.text(), /Your choice is saved\./);
  assert.deepEqual(await newsOf(ada), [true, false]);
  assert.deepEqual(await switchedOff(ada), []);

  const kinds = visitor.page.getByRole('region', { name: 'What you hear about' });
  await kinds.getByLabel('You join a waitlist').uncheck();
  await kinds.getByRole('group', { name: 'A spot is free for you' }).getByLabel('Text message').uncheck();
  await kinds.getByRole('button', { name: 'Save your choice' }).click();
  assert.match(await visitor.text(), /Your choice is saved\./);
  assert.deepEqual(await switchedOff(ada), ['email waitlist_added', 'sms waitlist_spot_available']);
  assert.deepEqual(await newsOf(ada), [true, false], 'the other form says nothing about it');
  await visitor.close();
});

test('clearing a box switches off that notice only', async () => {
  const eve = await someone('eve.letters@example.com');
  const pages = await client('eve.letters@example.com');
  const { text } = await pages.get(at('profile/messages'));
  const kinds = [...text.matchAll(/name="kind-(\d+)"/g)].map(([, id]) => id);
  const [confirmed] = kinds;
  const ticked = Object.fromEntries(
    [...text.matchAll(/name="((?:email|sms)-\d+)" checked/g)].map(([, name]) => [name, 'on']),
  );
  delete ticked[`email-${confirmed}`];
  const sent = { ...Object.fromEntries(kinds.map((id) => [`kind-${id}`, '1'])), ...ticked };
  assert.equal((await pages.post(at('profile/messages'), sent)).status, 303);
  assert.deepEqual(await switchedOff(eve), ['email event_registration_confirmed']);
});

test('nobody reads what somebody else was sent, and a secret is not shown again', async () => {
  const ida = await someone('ida.letters@example.com');
  await someone('mallory.letters@example.com');
  const [open, sealed] = [
    await newMessage(ida),
    await newMessage(ida, { sealed: true, text_part: 'Your code: 424242' }),
  ];
  const pages = await client('ida.letters@example.com');
  assert.match((await pages.get(at(`profile/messages/${open}`))).text, /bring &lt;b&gt;a towel/);
  const secret = await pages.get(at(`profile/messages/${sealed}`));
  assert.match(secret.text, /only for you/);
  assert.doesNotMatch(secret.text, /424242/);
  const mallory = await client('mallory.letters@example.com');
  assert.equal((await mallory.get(at(`profile/messages/${open}`))).status, 404);
  assert.doesNotMatch((await mallory.get(at('profile/messages'))).text, /See you tomorrow/);
  assert.equal((await new PageClient(world.url).get(at('profile/messages'))).status, 303);
});

test('messages and preferences are available in every language', async () => {
  const ole = await someone('ole.letters@example.com');
  await newMessage(ole, { channel: 'sms', subject: null });
  const english = /\b(Messages|message|choice|booking|waitlist|spot|You|Back to)\b/;
  for (const language of Object.keys(LANGUAGES).filter((one) => one !== 'en')) {
    const { text } = await (await client('ole.letters@example.com', language)).get(at('profile/messages'));
    assert.doesNotMatch(text.slice(text.indexOf('<main')).replaceAll(/<[^>]*>/g, ' '), english, language);
  }
});

test('an email whose subject is not kept is not called a text message', async () => {
  const kim = await someone('kim.letters@example.com');
  const of = { subject: null, text_part: null, sealed: true } as const;
  await newMessage(kim, { ...of, kind: 'reset_password' });
  const pages = await client('kim.letters@example.com');
  const { status, text } = await pages.get(at('profile/messages'));
  assert.equal(status, 200);
  assert.match(text, /<strong><a [^>]+><bdi>About your account<\/bdi>/);
  assert.doesNotMatch(text, /<strong><a [^>]+><bdi>Text message<\/bdi>/);
});
