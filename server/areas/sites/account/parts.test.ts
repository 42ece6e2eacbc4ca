/** A customer's account, and its links. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { LANGUAGES } from '../../../kernel/base/languages/languages.ts';
import { PageClient } from '../../../test/pages/page-client.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let c: CheckoutWorld;
let browser: PageBrowser;
before(async () => {
  world = await startWorld();
  c = await CheckoutWorld.of(world);
  browser = new PageBrowser(world.url);
});
after(async () => {
  await c?.close();
});

const at = (page: string) => `/account/${world.harbour}/${page}`;

/** Creates a customer with an account. */
async function someone(email: string): Promise<number> {
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  return world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
}

async function loggedIn(email: string): Promise<PageVisitor> {
  const visitor = await browser.visitor();
  await visitor.open(at('log-in'));
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  return visitor;
}

async function posted(path: string, body: object): Promise<any> {
  const answer = await world.post(path, { as: world.machine, body });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

/** Returns the text of a card. */
const card = (visitor: PageVisitor, title: string): Promise<string> =>
  visitor.page.getByRole('region', { name: title, exact: true }).innerText();

const newMethod = (customer: number, processor: number, lastFour: string) =>
  row(world, 'payment_method', {
    customer_id: customer,
    payment_processor_id: processor,
    token: `card ${lastFour}`,
    type: 'credit_card',
    brand: 'Visa',
    holder: 'Ada',
    last_four: lastFour,
    expiration_month: 5,
    expiration_year: 2031,
  });

test('a customer sees upcoming bookings, remaining uses and what happens next, each with a link', async () => {
  const ada = await someone('ada.parts@example.com');
  const child = await posted(`/customers/${ada}/add_child`, { first_name: 'Ben', last_name: 'Byron' });
  await c.m.give(ada, await c.m.pack(10));
  const club = await c.m.recurring();
  await c.m.give(ada, club.membership, { payment_plan: club.plan });
  const [own, full, bens] = [
    await c.memberEvent({ name: 'Morning rowing', in: 30 }),
    await c.memberEvent({ name: 'Full rowing', in: 40, max_occupancy: 1 }),
    await c.event({ name: 'Young rowers', in: 50 }),
  ];
  await posted(`/events/${own}/register`, { customer: ada });
  await posted(`/events/${bens}/register`, { customer: child.id, comped: true });
  await c.book(full);
  await posted(`/events/${full}/join_waitlist`, { customer: ada });
  const order = await c.open(ada);
  await c.add(order, { item_type: 'CLASS_DRP', event: await c.event({ name: 'Drop in', in: 60 }) });
  await c.pay(order, { payment_processor: c.sandbox });
  await newMethod(ada, c.sandbox, '4242');

  const visitor = await loggedIn('ada.parts@example.com');
  assert.match(
    await card(visitor, 'Coming up'),
    /Morning rowing[^]*Young rowers\s*for Ben[^]*Drop in[^]*See the timetable/,
  );
  assert.match(await card(visitor, 'Waiting for a spot'), /Full rowing[^]*Number 1 on the waitlist/);
  assert.match(await card(visitor, 'At the door'), new RegExp(`#${ada}[^]*#${child.id}[^]*Ben`));
  await visitor.checkAccessible('home');
  await visitor.follow('Memberships');
  const memberships = await visitor.text();
  assert.match(memberships, /Pack of 10\s*(9|10) of 10 left/);
  assert.match(memberships, /Club\s*As often as you like\s*Renews on [^]* for \$40\.00/);
  await visitor.checkAccessible('own-memberships');
  await visitor.follow('People');
  assert.match(await card(visitor, 'Your children'), /Ben Byron/);
  await visitor.follow('Payments');
  assert.match(await card(visitor, 'Receipts and invoices'), /INV-\d+\s*.* · \$15\.00/);
  assert.match(await card(visitor, 'Payment methods'), /Visa 4242\s*valid until May 2031/);
  await visitor.checkAccessible('payments');

  await visitor.open(at('profile'));
  await visitor.leave(visitor.page.getByRole('link', { name: 'See or cancel: Morning rowing' }));
  assert.equal(visitor.path, `${world.site}/events/${own}`);
  await visitor.open(at('profile'));
  await visitor.leave(visitor.page.getByRole('link', { name: 'See or leave: Full rowing' }));
  assert.equal(visitor.path, `${world.site}/events/${full}`);
  await visitor.open(at('profile/receipts'));
  assert.match(await visitor.text(), /INV-\d+/);
  await visitor.checkAccessible('receipts');
  const download = await visitor.download(visitor.page.getByRole('link', { name: /^Download/ }));
  assert.match(String(download.name), /^INV-\d+\.pdf$/);
  await visitor.follow('Payments');
  await visitor.submit('Remove Visa 4242');
  assert.match(await visitor.text(), /Visa 4242 is still in use[^]*you get an invoice for the next payment/);
  await visitor.submit('Remove Visa 4242 anyway');
  assert.match(await visitor.text(), /The payment method is removed[^]*No payment method is saved/);
  await visitor.close();
});

test('a new customer is led to the timetable and the prices', async () => {
  await someone('new.parts@example.com');
  const visitor = await loggedIn('new.parts@example.com');
  assert.match(await card(visitor, 'Coming up'), /You haven't booked anything/);
  assert.equal(await visitor.page.getByRole('region', { name: 'Waiting for a spot' }).count(), 0);
  await visitor.follow('Memberships');
  await visitor.follow('See memberships and prices');
  assert.match(visitor.path, /\/memberships$/);
  await visitor.close();
});

test('nobody sees or removes what belongs to somebody else', async () => {
  const owner = await someone('owner.parts@example.com');
  await someone('mallory.parts@example.com');
  const order = await c.open(owner);
  await c.add(order, { item_type: 'CLASS_DRP', event: await c.event({ name: 'Private', in: 70 }) });
  await c.pay(order, { payment_processor: c.sandbox });
  const { results } = await c.read(`/invoices?payer=${owner}`);
  const method = await newMethod(owner, c.sandbox, '1881');
  const mallory = new PageClient(world.url);
  await mallory.get(at('log-in'));
  await mallory.post(at('log-in'), { email: 'mallory.parts@example.com', password: PASSWORD });
  for (const page of ['profile', 'profile/memberships', 'profile/payments'])
    assert.doesNotMatch((await mallory.get(at(page))).text, /Private|1881|INV-/);
  assert.equal((await mallory.get(at(`profile/receipts/${results[0].id}`))).status, 404);
  assert.equal((await new PageClient(world.url).get(at(`profile/receipts/${results[0].id}`))).status, 303);
  const removed = await mallory.post(at('profile/payment-methods/remove'), { id: String(method) });
  assert.match(removed.headers.get('location')!, /done=not-possible/);
  assert.equal((await c.read(`/payment_methods?customer=${owner}`)).results.length, 1);
});

test('an account is available in every language', async () => {
  const ida = await someone('ida.parts@example.com');
  await c.m.give(ida, await c.m.pack(5));
  await posted(`/events/${await c.memberEvent({ name: 'Rudern', in: 90 })}/register`, { customer: ida });
  const pages = new Map<string, string>();
  for (const language of Object.keys(LANGUAGES)) {
    const visitor = new PageClient(world.url);
    visitor.headers = { 'accept-language': language };
    await visitor.get(at('log-in'));
    await visitor.post(at('log-in'), { email: 'ida.parts@example.com', password: PASSWORD });
    for (const page of [
      'profile',
      'profile/memberships',
      'profile/payments',
      'profile/settings',
      'profile/second-factor',
      'profile/passkeys',
      'profile/calendar',
      'profile/receipts',
    ]) {
      const { status, text } = await visitor.get(at(page));
      assert.equal(status, 200, text);
      assert.match(text, new RegExp(`<html lang="${language}"`));
      pages.set(`${language} ${page}`, text.slice(text.indexOf('<main')));
    }
  }
  const english =
    /\b(Your account|Log out|Coming up|Renews|Payment method|Recent activity|Save|Change|Back to|left until)\b/;
  for (const [name, text] of pages) if (!name.startsWith('en')) assert.doesNotMatch(text, english, name);
  assert.match(pages.get('de profile/memberships')!, /noch [45] von 5/);
});
