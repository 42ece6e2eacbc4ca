/** A business with its own word for everything: customers read none of the default words. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bareWord } from '../../../test/pages/customer-texts.ts';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { newEvent, newOffering } from '../../../test/schedule-world.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { WORDS, type Word } from '../../../kernel/base/values/words.ts';

const PASSWORD = 'otter kettle midnight ferry';

/** Returns an unmistakable word, which sometimes needs the article "an". */
const own = (word: Word): string =>
  `${['event', 'spot', 'membership'].includes(word) ? 'u' : 'f'}lurb${WORDS.indexOf(word)}`;

let mailbox: Mailbox;
let world: World;
let c: CheckoutWorld;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  c = await CheckoutWorld.of(world);
  for (const word of WORDS) {
    const set = await world.patch(`/terminologies/${word}`, {
      as: world.machine,
      body: { singular: own(word), plural: `${own(word)}en` },
    });
    assert.equal(set.status, 200, set.text);
  }
});
after(async () => {
  await c?.close();
  await mailbox?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;
const eventPage = (id: number) => `/harbour/events/${id}`;
const plain = (text: string) =>
  text
    .slice(text.indexOf('<body'))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&#39;|’/g, "'")
    .replaceAll(/\s+/g, ' ');
const hidden = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1].replaceAll('&amp;', '&') ?? '';

/** Checks a text that a customer reads, and returns it; `says`: the words that it must contain. */
function read(text: string, what: string, ...says: Word[]): string {
  assert.ok(text.trim().length > 5, `${what} says nothing`);
  assert.equal(bareWord(text), null, `${what}: ${text}`);
  for (const word of says) assert.ok(text.toLowerCase().includes(own(word)), `${what} lacks "${own(word)}": ${text}`);
  return text;
}

async function page(visitor: PageClient, path: string, ...says: Word[]): Promise<string> {
  const { status, text } = await visitor.get(path);
  assert.ok(status < 500 && text.includes('<body'), `${path}: ${status} ${text}`);
  read(plain(text), path, ...says);
  return text;
}

async function sent(visitor: PageClient, path: string, fields: Record<string, string>, ...says: Word[]) {
  const answer = await visitor.post(path, fields);
  const next = answer.headers.get('location');
  if (next !== null) return page(visitor, next.replace(world.url, ''), ...says);
  read(plain(answer.text), path, ...says);
  return answer.text;
}

async function mail(to: string, subject: RegExp, ...says: Word[]): Promise<void> {
  const { subject: title, text } = await mailbox.next(to, subject);
  read(`${title}\n${text}`, title, ...says);
}

let people = 0;
async function someone(): Promise<{ id: number; email: string; visitor: PageClient; token: string }> {
  const email = `person${++people}@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada' }),
  );
  const visitor = new PageClient(world.url);
  await visitor.get(at('log-in'));
  await visitor.post(at('log-in'), { email, password: PASSWORD });
  const id = await world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  return { id, email, visitor, token: world.customer(id) };
}

const offer = (over: Record<string, unknown> = {}) => newOffering(world, { name: 'Rowing', ...over });
const anEvent = async (over: Record<string, unknown> = {}, offering: Record<string, unknown> = {}) =>
  (await newEvent(world, { ...c.m.place, offering: await offer(offering) }, over)).id as number;

test('signing up, booking and cancelling', async () => {
  const id = await anEvent();
  const visitor = new PageClient(world.url);
  await page(visitor, eventPage(id), 'spot');
  await page(visitor, at('sign-up'));
  const email = 'grace@example.com';
  await sent(visitor, at('sign-up'), {
    first_name: 'Grace',
    last_name: '',
    email,
    password: PASSWORD,
    return_to: eventPage(id),
  });
  const link = await mailbox.link(world, email, /Confirm/, 'confirm');
  const confirming = await page(visitor, link);
  const back = await sent(visitor, at('confirm'), {
    password: PASSWORD,
    ticket: hidden(confirming, 'ticket'),
    return_to: hidden(confirming, 'return_to'),
  });
  const customer = hidden(back, 'customer');
  await sent(visitor, `${eventPage(id)}/book`, { customer }, 'booking');
  await mail(email, /Booked/);
  await sent(visitor, `${eventPage(id)}/cancel`, { customer, in_time: 'yes' }, 'booking');
  await mail(email, /^Cancelled/, 'booking');
  await page(visitor, at('profile'), 'customer');
  await page(visitor, at('profile/payments'), 'gift_card');
  for (const path of ['profile/credit', 'profile/owed', 'gift-card', 'gift-card/buy', 'gift-cards'])
    await page(visitor, at(path));
});

test('the waitlist, changes and cancellations', async () => {
  const id = await anEvent({ max_occupancy: 1 });
  const [first, second] = [await someone(), await someone()];
  await world.post(`/events/${id}/register`, { as: world.machine, body: { customer: first.id } });
  await page(second.visitor, eventPage(id), 'class', 'waitlist');
  const customer = String(second.id);
  await sent(second.visitor, `${eventPage(id)}/book`, { customer }, 'class', 'waitlist');
  await sent(second.visitor, `${eventPage(id)}/wait`, { customer }, 'waitlist', 'spot');
  await mail(second.email, /^On the/, 'waitlist', 'spot');
  await world.post(`/events/${id}/unregister`, { as: world.machine, body: { customer: first.id } });
  await mail(second.email, /: Rowing/, 'spot');
  await page(second.visitor, eventPage(id));
  const notify = 'Bring a towel.';
  await world.patch(`/events/${id}`, { as: world.machine, body: { name: 'Rowing late', notify_customers: notify } });
  await world.post(`/events/${id}/cancel`, { as: world.machine, body: { notify_customers: notify } });
  await page(second.visitor, eventPage(id));
});

test('every refusal of a booking, in the word for its kind', async () => {
  const { id: customer, token, visitor } = await someone();
  const kinds = [
    ['class', 'class'],
    ['appointment', 'appointment'],
    ['room_rental', 'rental'],
    ['course', 'session'],
  ] as const;
  for (const [schedule_type, word] of kinds) {
    const id = await anEvent({ max_occupancy: 1 }, { schedule_type });
    await world.post(`/events/${id}/register`, { as: world.machine, body: { customer: await world.newCustomer() } });
    const refused = await world.post(`/events/${id}/register`, { as: token, body: { customer } });
    if (refused.status === 404) continue;
    read(refused.body.message, `${schedule_type} is full`, word, 'waitlist');
    const staff = await world.post(`/events/${id}/register`, { as: world.machine, body: { customer } });
    assert.match(staff.body.message, /^The event is full\. Join the waitlist/, 'staff read the words of the interface');
    await page(visitor, eventPage(id), word);
  }
  const cases: [string, number][] = [
    ['too young', await anEvent({}, { min_allowed_age: 90 })],
    ['closed', await anEvent({}, { registrations_close_interval: 60 * 60 })],
    ['not open', await anEvent({}, { registrations_open_interval: 60 })],
    ['needs a membership', await c.memberEvent()],
    ['costs something', await c.event()],
  ];
  await c.m.pack(3, { name: 'Ten times' });
  for (const [what, id] of cases) {
    const refused = await world.post(`/events/${id}/register`, { as: token, body: { customer } });
    if (refused.status >= 300) read(refused.body.message, what);
    const explained = await world.get(`/events/${id}/explain`, { as: token });
    for (const { message } of explained.body.rules) read(message, `explain: ${what}`);
    await page(visitor, eventPage(id));
    const leaving = await world.post(`/events/${id}/leave_waitlist`, { as: token, body: { customer } });
    read(leaving.body.message, 'leave_waitlist', 'spot', 'waitlist');
    const cancelling = await world.post(`/events/${id}/unregister`, { as: token, body: { customer } });
    if (cancelling.status >= 300) read(cancelling.body.message, 'unregister');
  }
});

test('a checkout: purchase, payment and invoice', async () => {
  const { id: customer, email, visitor, token } = await someone();
  const membership = await c.m.pack(3, { name: 'Ten times' });
  const event = await c.memberEvent();
  await page(visitor, eventPage(event), 'class', 'membership');
  const open = await sent(
    visitor,
    `${eventPage(event)}/buy`,
    { customer: String(customer), membership: String(membership), plan: '' },
    'membership',
    'spot',
  );
  const paid = await sent(visitor, at('checkout/pay'), {
    ticket: hidden(open, 'ticket'),
    terms: hidden(open, 'terms'),
    due: hidden(open, 'due'),
    way: hidden(open, 'way'),
    outcome: 'success',
  });
  assert.match(plain(paid), /You're booked|all set/);
  await mail(email, /receipt/);
  const { results } = (await world.get(`/invoices?customer=${customer}`, { as: token })).body;
  assert.ok(results.length > 0);
  const document = await world.get(`/invoices/${results[0].id}/document?format=html`, { as: token });
  read(plain(String(document.body)), 'the invoice');
  const dropIn = await c.event();
  const begun = await sent(visitor, `${eventPage(dropIn)}/book`, { customer: String(customer) }, 'spot');
  await sent(visitor, at('checkout/cancel'), { ticket: hidden(begun, 'ticket') });
  const other = await c.m.pack(3, { name: 'Old times', sellable_until: '2020-01-01' }).catch(() => null);
  if (other !== null) {
    const refused = await world.post(`/memberships/${other}/initiate_purchase`, {
      as: token,
      body: { return_to: at('profile') },
    });
    read(refused.body.message ?? '', 'a membership that is no longer sold');
  }
});

test('the page, the line and the email of a gift card use these words', async () => {
  await world.patch('/gift_cards/config', {
    as: world.machine,
    body: { is_enabled_customer_site: true, is_enabled_provider_site: true, amount_choices: ['25.00'] },
  });
  const { visitor } = await someone();
  await page(visitor, at('gift-card'), 'gift_card');
  await page(visitor, at('gift-card/buy'), 'gift_card');
  const open = await sent(
    visitor,
    at('gift-card/buy'),
    { amount: '25.00', recipient_name: 'Alan', recipient_email: 'alan@example.com' },
    'gift_card',
  );
  await sent(visitor, at('checkout/pay'), {
    ticket: hidden(open, 'ticket'),
    terms: hidden(open, 'terms'),
    due: hidden(open, 'due'),
    way: hidden(open, 'way'),
    outcome: 'success',
  });
  await mail('alan@example.com', /Harbour/, 'gift_card');
  await sent(visitor, at('gift-card/redeem'), { code: 'ABCD-EFGH-JKMN-PQRS' }, 'gift_card');
});

test('the notices that customers can switch off use these words, and staff read the default ones', async () => {
  const { id, token } = await someone();
  const { results } = (await world.get(`/customers/${id}/notification_preferences`, { as: token })).body;
  for (const { description } of results) read(description, 'a preference');
  const staff = await world.get(`/customers/${id}/notification_preferences`, { as: world.machine });
  assert.match(staff.text, /A spot is free for someone on the waitlist/);
  const type = await world.get('/communication/notification_types/waitlist_added', { as: world.machine });
  read(type.body.default_subject, 'the default of a notice', 'waitlist');
  assert.equal(type.body.customised, false);
});
