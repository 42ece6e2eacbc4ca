// Guards against: Reaching what belongs to somebody else by buying without an account under their address, or filling
// their mailbox
/** Buying without an account: only if the business allows it, once, and without access to anything of others. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { Mailbox } from '../../../test/outside/mailbox.ts';
import { makeCustomer, newMember, PASSWORD } from '../../../test/worlds/direct-auth-world.ts';
import { newRun } from '../../availability/courses/test/world.ts';
import { newProduct } from '../../commerce/store/test/seeds.ts';
import { PageClient, type PageAnswer } from '../../../test/pages/page-client.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { times, until } from '../../../test/storm.ts';

let mailbox: Mailbox;
let world: World;
let c: CheckoutWorld;
let slug: string;
before(async () => {
  mailbox = await Mailbox.start();
  world = await startWorld({
    worker: true,
    env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Rollcall <mail@rollcall.example>' },
  });
  c = await CheckoutWorld.of(world);
  slug = (await world.get(`/providers/${world.harbour}?fields=booking_site`)).body.booking_site.slug;
  await change('/gift_cards/config', { is_enabled_customer_site: true, amount_choices: ['25.00', '50.00'] });
});
after(async () => {
  await c?.close();
  await mailbox?.close();
});
beforeEach(() => sell(true));

async function change(path: string, body: object): Promise<void> {
  const changed = await world.patch(path, { as: world.machine, body });
  assert.equal(changed.status, 200, changed.text);
}

const sell = (sells_to_guests: boolean) =>
  change(`/providers/${world.harbour}`, { booking_site: { sells_to_guests }, customers_pay_at_desk: true });

const list = async (path: string): Promise<any[]> => {
  const { status, body, text } = await world.get(path, { as: world.machine });
  assert.equal(status, 200, text);
  return body.results;
};

const booked = async (event: number) => (await list(`/attendances?event=${event}`)).map(({ status }) => status);

const customersOf = (email: string) => list(`/customers?query=${encodeURIComponent(email)}&sort=id`);

let people = 0;
const newGuest = (over: Record<string, string> = {}) => ({
  first_name: 'Ada',
  last_name: 'Byron',
  email: `guest${++people}@example.com`,
  ...over,
});

const plain = (text: string): string => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const hidden = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
      .map(([, name, value]) => [name, value])
      .filter(([name]) => name !== 'form_token'),
  );

const visitor = (): PageClient => {
  const client = new PageClient(world.url);
  client.headers = { accept: 'text/html', 'accept-language': 'en-GB' };
  return client;
};

interface Opened {
  readonly client: PageClient;
  readonly send: (fields: Record<string, string>) => Promise<PageAnswer>;
}

/** Opens the page of a guest, and returns its form as a browser would send it. */
async function opened(path: string): Promise<Opened> {
  const client = visitor();
  const { status, text } = await client.get(path);
  assert.equal(status, 200, text);
  const kept = hidden(text);
  assert.match(kept.form, /^[\w-]{22}$/);
  return { client, send: (fields) => client.post(path, { ...kept, ...fields }) };
}

/** Returns the address that a form led to. */
function next({ status, headers, text }: PageAnswer): string {
  assert.equal(status, 303, text);
  return headers.get('location')!;
}

/** Pays the checkout on its page, and returns the text of the next page. */
async function pay(client: PageClient, checkout: string): Promise<string> {
  const page = await client.get(checkout);
  assert.equal(page.status, 200, page.text);
  const form = page.text.slice(page.text.indexOf('checkout/pay?'));
  const after = await client.post(`/account/${world.harbour}/checkout/pay`, { ...hidden(form), outcome: 'success' });
  return plain((await client.get(next(after))).text);
}

test('a business that doesn’t sell to guests, which is the default, asks people to log in', async () => {
  const { product } = await newProduct(world, { name: 'Mug' });
  const event = await c.event({ price: '15.00' });
  await sell(false);
  const meadow = await world.get(`/providers/${world.meadow}?fields=booking_site`, { as: world.meadowMachine });
  assert.equal(meadow.body.booking_site.sells_to_guests, false);
  const pages = [`/${slug}/shop/${product}`, `/${slug}/events/${event}`, `/${slug}/gift-cards`];
  for (const page of pages) {
    const { status, text } = await visitor().get(page);
    assert.equal(status, 200);
    assert.doesNotMatch(text, /Continue without an account/);
  }
  const client = visitor();
  await client.get(`/account/${world.harbour}/log-in`);
  for (const page of [`${pages[0]}/guest`, `${pages[1]}/guest`, `/account/${world.harbour}/gift-card/guest`]) {
    assert.equal((await client.get(page)).status, 404);
    assert.equal((await client.post(page, newGuest())).status, 404);
  }
  await sell(true);
  for (const page of pages) assert.match((await visitor().get(page)).text, /Continue without an account/);
});

test('a guest without a last name is a customer without one, whose name is never empty text', async () => {
  const { product } = await newProduct(world, { name: 'Cap', price: '12.00' });
  const guest = newGuest({ last_name: ' ' });
  next(await (await opened(`/${slug}/shop/${product}/guest`)).send({ ...guest, quantity: '1' }));
  const names = (await customersOf(guest.email)).map((one) => [one.first_name, one.last_name]);
  assert.deepEqual(names, [['Ada', null]]);
});

test('a guest buys from the shop, gets a receipt, and creates an account from the email later', async () => {
  const { product } = await newProduct(world, { name: 'Towel', price: '24.00' });
  const guest = newGuest();
  const { client, send } = await opened(`/${slug}/shop/${product}/guest`);
  const wrong = await send({ ...guest, email: 'nobody', first_name: '', quantity: '0' });
  assert.equal(wrong.status, 422);
  assert.match(plain(wrong.text), /First name: Fill this in[^]*Email address:/);
  const many = await send({ ...guest, quantity: '0' });
  assert.match(many.text, /Enter a whole number from 1 to 20/);
  assert.deepEqual(await customersOf(guest.email), []);
  const checkout = next(await send({ ...guest, quantity: '2' }));
  const page = await client.get(checkout);
  assert.match(plain(page.text), /Towel 2 × \$24\.00 \$48\.00/);
  assert.doesNotMatch(page.text, /at the desk/i, 'what nobody paid for is not kept for guests');
  assert.match(await pay(client, checkout), /payment of \$48\.00/);
  const [customer, ...more] = await customersOf(guest.email);
  assert.deepEqual([customer.first_name, customer.email, customer.is_guest, more], ['Ada', guest.email, true, []]);
  const [order] = await list(`/store/orders?customer=${customer.id}`);
  assert.equal(order.status, 'paid');
  assert.match((await mailbox.next(guest.email, /receipt/)).text, /Towel[^]*\$48\.00/);

  const link = await mailbox.link(world, guest.email, /^Create your account at Harbour/, 'invitation');
  const later = visitor();
  const invited = await later.get(link);
  const made = await later.post(`/account/${world.harbour}/invitation`, {
    ...hidden(invited.text),
    first_name: 'Ada',
    last_name: 'Byron',
    password: PASSWORD,
  });
  assert.match(next(made), /done=accepted/);
  assert.match(plain((await later.get(`/account/${world.harbour}/profile/receipts`)).text), /\$48\.00/);
  const [own] = await customersOf(guest.email);
  assert.deepEqual([own.id, own.is_guest], [customer.id, false]);
});

test('a guest books all dates of a course, and is enrolled when they are paid', async () => {
  const { course, series } = await newRun(world, { sessions: 3, price: '90.00', max_occupancy: 1 });
  const page = `/${slug}/courses/${course}`;
  const guest = newGuest();
  assert.ok((await visitor().get(page)).text.includes(`${page}/${series}/guest`));
  const { client, send } = await opened(`${page}/${series}/guest`);
  const checkout = next(await send(guest));
  assert.match(await pay(client, checkout), /payment of \$90\.00/);
  const [customer] = await customersOf(guest.email);
  const enrolled = await list(`/course_enrollments?customer=${customer.id}&status=active`);
  assert.deepEqual(
    enrolled.map((one) => one.course_date_series),
    [series],
  );
  // The last spot is gone, and the waitlist needs an account.
  const full = (await visitor().get(page)).text;
  assert.doesNotMatch(full, /Continue without an account/);
  const late = await visitor().get(`${page}/${series}/guest`);
  assert.deepEqual([late.status, late.headers.get('location')], [303, page]);
});

test('people who are logged in book a course that costs nothing on its page', async () => {
  const { course, series } = await newRun(world, { sessions: 2, price: '0.00' });
  const page = `/${slug}/courses/${course}`;
  const member = await newMember(world);
  await makeCustomer(world, member);
  const known = visitor();
  await known.get(`/account/${world.harbour}/log-in`);
  next(await known.post(`/account/${world.harbour}/log-in`, { email: member.email, password: PASSWORD }));
  assert.equal((await known.get(`${page}/${series}/guest`)).headers.get('location'), page);
  await sell(false);
  assert.equal((await visitor().get(`${page}/${series}/guest`)).status, 404);
});

test('a guest who types the address of a customer gets a record of their own, and neither sees the other’s', async () => {
  const { product } = await newProduct(world, { name: 'Cap', price: '10.00' });
  const member = await newMember(world);
  const known = await makeCustomer(world, member);
  const { email } = await list(`/customers?ids=${known}`).then(([one]) => one);
  const guest = newGuest({ first_name: 'Eve', email: email.toUpperCase() });
  const { client, send } = await opened(`/${slug}/shop/${product}/guest`);
  assert.match(await pay(client, next(await send({ ...guest, quantity: '1' }))), /payment of \$10\.00/);
  assert.equal((await client.get(`/account/${world.harbour}/profile`)).status, 303, 'nobody is logged in by it');
  const [first, second, ...more] = await customersOf(email);
  assert.deepEqual(
    [first.id, first.is_guest, second.first_name, second.is_guest, more],
    [known, false, 'Eve', true, []],
  );
  assert.deepEqual(await list(`/store/orders?customer=${known}`), []);
  const owner = visitor();
  await owner.get(`/account/${world.harbour}/log-in`);
  next(await owner.post(`/account/${world.harbour}/log-in`, { email: member.email, password: PASSWORD }));
  assert.doesNotMatch((await owner.get(`/account/${world.harbour}/profile/receipts`)).text, /\$10\.00/);
  assert.equal((await customersOf(email))[1].is_guest, true, 'a log-in of the other person leaves it alone');
  const again = await world.post('/customers', {
    as: world.machine,
    body: { first_name: 'Other', last_name: 'One', email, send_invitation_email: false },
  });
  assert.equal(again.body.code, 'already_exists', 'two customers with an account still can’t share an address');
});

test('a form that is sent again buys once, also many times at the same time, before and after the payment', async () => {
  const { product, variant } = await newProduct(world, { name: 'Bottle', price: '8.00', stock: 5 });
  const guest = newGuest();
  const { client, send } = await opened(`/${slug}/shop/${product}/guest`);
  const answers = await times(6, () => send({ ...guest, quantity: '1' }));
  for (const answer of answers) next(answer);
  const [customer, ...more] = await customersOf(guest.email);
  assert.deepEqual(more, []);
  const checkout = next(await send({ ...guest, quantity: '1' }));
  assert.match(await pay(client, checkout), /payment of \$8\.00/);
  assert.match(plain((await client.get(next(await send({ ...guest, quantity: '1' })))).text), /payment of \$8\.00/);
  assert.equal((await list(`/store/orders?customer=${customer.id}`)).length, 1);
  assert.equal((await world.get(`/store/product_variants/${variant}`, { as: world.machine })).body.stock, 4);
  // Other values on the same page are another purchase.
  assert.match(await pay(client, next(await send({ ...guest, quantity: '2' }))), /payment of \$16\.00/);
  assert.equal((await customersOf(guest.email)).length, 2);
  const forged = await client.post(`/${slug}/shop/${product}/guest`, { ...guest, quantity: '1', form: '' });
  assert.equal(forged.status, 200, 'a form that no page showed is shown anew');
});

test('somebody books a class without an account, and is in when they have paid', async () => {
  const event = await c.event({ price: '15.00' });
  const { client, send } = await opened(`/${slug}/events/${event}/guest`);
  const guest = newGuest();
  assert.match(await pay(client, next(await send(guest))), /booked/);
  assert.deepEqual(await booked(event), ['registered']);
  assert.ok(!mailbox.mails.some(({ to, subject }) => to === guest.email && subject.startsWith('Confirm')));
});

test('a guest buys a gift card', async () => {
  const guest = newGuest();
  const { client, send } = await opened(`/account/${world.harbour}/gift-card/guest`);
  const ben = { recipient_name: 'Ben', recipient_email: 'ben@example.com' };
  const nowhere = await send({ ...guest, amount: '50.00', recipient_name: 'Ben' });
  assert.match(plain(nowhere.text), /Email address of the recipient: Enter/);
  const missing = await send({ ...guest, amount: '', ...ben });
  assert.equal(missing.status, 422);
  const text = await pay(client, next(await send({ ...guest, amount: '50.00', ...ben })));
  assert.match(text, /payment of \$50\.00/);
  const [customer] = await customersOf(guest.email);
  const [card] = await list(`/gift_cards?purchaser=${customer.id}`);
  assert.equal(card.recipient_name, 'Ben');
});

test('a refusal leads on: to the page of a class that can’t be booked, and otherwise back to the form', async () => {
  const full = await c.event({ price: '15.00', max_occupancy: 1 });
  const late = await opened(`/${slug}/events/${full}/guest`);
  const first = await opened(`/${slug}/events/${full}/guest`);
  next(await first.send(newGuest()));
  assert.equal(next(await late.send(newGuest())), `/${slug}/events/${full}`);
  assert.equal(next(await visitor().get(`/${slug}/events/${full}/guest`)), `/${slug}/events/${full}`);
  assert.doesNotMatch((await visitor().get(`/${slug}/events/${full}`)).text, /Continue without an account/);
  const { product } = await newProduct(world, { name: 'Rope', stock: 1 });
  const guest = newGuest();
  const { send } = await opened(`/${slug}/shop/${product}/guest`);
  const many = await send({ ...guest, quantity: '3' });
  assert.ok(many.status >= 400 && many.status < 500);
  assert.match(many.text, /role="alert"[^]*value="Ada"[^]*Log in instead/);
  assert.deepEqual(await customersOf(guest.email), [], 'nothing is kept of what was refused');
  assert.equal((await visitor().get(`/${slug}/shop/999999999/guest`)).status, 404);
});

test('people who are logged in buy on the page for them', async () => {
  const { product } = await newProduct(world, { name: 'Belt' });
  const member = await newMember(world);
  await makeCustomer(world, member);
  const client = visitor();
  await client.get(`/account/${world.harbour}/log-in`);
  next(await client.post(`/account/${world.harbour}/log-in`, { email: member.email, password: PASSWORD }));
  assert.equal(next(await client.get(`/${slug}/shop/${product}/guest`)), `/${slug}/shop/${product}`);
});

test('a guest who gives up is deleted, and what was reserved for them is released', async () => {
  const { product, variant } = await newProduct(world, { name: 'Ball', stock: 1 });
  const guest = newGuest();
  const { client, send } = await opened(`/${slug}/shop/${product}/guest`);
  const checkout = next(await send({ ...guest, quantity: '1' }));
  await client.get(checkout);
  const ticket = new URLSearchParams(checkout.split('?')[1]).get('ticket')!;
  next(await client.post(`/account/${world.harbour}/checkout/cancel`, { ticket }));
  await until('the guest is forgotten', async () => (await customersOf(guest.email)).length === 0);
  const { body } = await world.get(`/store/product_variants/${variant}`, { as: world.machine });
  assert.deepEqual([body.stock, body.held], [1, 0]);
  const shown = await client.get(checkout);
  assert.match(shown.text, new RegExp(`href="/${slug}/shop/${product}"`), 'and may begin again');
});

test('strangers who know an address cannot flood its mailbox', async () => {
  // The other tests of this file come from the same network: the limit has recovered when they run.
  world.setNow(world.now + 20 * 60_000);
  const { product } = await newProduct(world, { name: 'Pen', stock: 100 });
  const guest = newGuest();
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) {
    const { send } = await opened(`/${slug}/shop/${product}/guest`);
    const answer = await send({ ...guest, quantity: '1' });
    statuses.push(answer.status);
    if (answer.status === 429) assert.match(answer.text, /Too many attempts\. Try again in/);
  }
  assert.deepEqual([new Set(statuses.slice(0, 11)), statuses[11]], [new Set([303]), 429]);
});

test('nobody fills a free event with made-up guests: after ten from one network there is a pause', async () => {
  // The pause is one of the network, which all tests of a shared service come from.
  const own = await startWorld({ own: true });
  try {
    const at = await CheckoutWorld.of(own);
    const body = { booking_site: { sells_to_guests: true } };
    assert.equal((await own.patch(`/providers/${own.harbour}`, { as: own.machine, body })).status, 200);
    const site = (await own.get(`/providers/${own.harbour}?fields=booking_site`)).body.booking_site.slug;
    const page = `/${site}/events/${await at.event({ price: '0.00', max_occupancy: 40 })}/guest`;
    own.stopNow();
    const statuses: number[] = [];
    for (let n = 0; n < 13; n++) {
      const client = new PageClient(own.url);
      const kept = hidden((await client.get(page)).text);
      statuses.push((await client.post(page, { ...kept, ...newGuest() })).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 11 }, () => 303), 429, 429]);
  } finally {
    await own.close();
  }
});
