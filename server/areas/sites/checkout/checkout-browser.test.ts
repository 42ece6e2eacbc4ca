/** Paying as people experience it, from "book" to the receipt: with scripts and without. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { createUser } from '../../people/identity/index.ts';
import { giveCredit } from '../../money/account-entries/index.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';
import { TestBrowser, type Visitor } from '../../../test/pages/browser.ts';

const MINUTE = 60_000;
const PASSWORD = 'otter kettle midnight ferry';
const VAT = { name: 'VAT', kind: 'tax', type: 'percent', percentage: '20', purchase_types: ['event'] };

const TEN_PERCENT = {
  code: 'SPRING',
  name: 'Spring',
  allowed_uses: null,
  allowed_uses_per_customer: 1,
  discount_type: 'percent',
  discount_amount: '10',
  usable_purchase_types: ['event'],
  usable_by_new_customers_only: false,
  usable_by_default_for_purchase_types: true,
  applicable_billing_cycles: 1,
};

let world: World;
let browser: PageBrowser;
/** for the journey from the booking to the receipt */
let realBrowser: TestBrowser;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  browser = new PageBrowser(world.url);
  realBrowser = await TestBrowser.start(world.url);
  c = await CheckoutWorld.of(world);
  const settings = { name: 'Harbour', branding: { color: '#0f766e' }, domains: ['shop.example.com'] };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings })).status, 200);
  assert.equal((await world.post('/purchase_fees', { as: world.machine, body: VAT })).status, 201);
});
after(async () => {
  await realBrowser?.close();
  await c?.close();
});

let people = 0;
/** Creates a customer who is logged in. */
async function someone(firstName: string): Promise<{ id: number; visitor: PageVisitor }> {
  const visitor = await browser.visitor();
  return { id: await logIn(firstName, visitor), visitor };
}

async function logIn(firstName: string, visitor: Pick<Visitor, 'open' | 'submit'>): Promise<number> {
  const email = `${firstName.toLowerCase()}${++people}.checkout@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName, lastName: 'Byron' }),
  );
  const id = await world.newCustomer({ user_id: userId, email, first_name: firstName });
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  return id;
}

const pageOf = (event: number) => `${world.site}/events/${event}`;

/** Returns the address of a page that staff send to a customer. */
async function addressOf(path: string, body: object): Promise<string> {
  const made = await world.post(`${path}/initiate_purchase`, {
    as: world.machine,
    body: { return_to: 'https://shop.example.com/back', ...body },
  });
  assert.equal(made.status, 200, made.text);
  return made.body.next_url.slice(world.url.length);
}

for (const scripts of [false, true])
  test(`somebody books an event, pays its price, and is booked, ${scripts ? 'with' : 'without'} scripts`, async () => {
    const visitor = await realBrowser.visitor(undefined, { scripts });
    await logIn('Ada', visitor);
    const event = await c.event({ price: '15.00', max_occupancy: 5 });
    await visitor.open(pageOf(event));
    await visitor.submit('Book: $18.00');
    assert.equal(await visitor.heading(), 'Review and pay');
    assert.match(await visitor.text(), /Your spot is kept until[^]*\$15\.00[^]*VAT\s+\$3\.00\s+Total\s+\$18\.00/);
    assert.match(await visitor.text(), /Test mode\. No money is moved/);
    if (!scripts) await visitor.checkAccessible('checkout');
    await visitor.submit('Pay $18.00', { 'What should happen in the test?': 'The card is declined' });
    assert.match(
      await visitor.text(),
      /The payment didn't go through[^]*Your card was declined[^]*haven't been charged/,
    );
    if (!scripts) await visitor.checkAccessible('checkout-declined');
    await visitor.submit('Pay $18.00');
    assert.equal(await visitor.heading(), "You're booked");
    assert.match(
      await visitor.text(),
      /We received your payment of \$18\.00[^]*VAT\s+\$3\.00[^]*Invoice INV-\d+ \(PDF\)/,
    );
    const link = visitor.page.getByRole('link', { name: /^Invoice/ });
    const [saved] = await Promise.all([visitor.page.waitForEvent('download'), link.click()]);
    assert.match(saved.suggestedFilename(), /^INV-\d+\.pdf$/);
    if (!scripts) await visitor.checkAccessible('checkout-receipt');
    await visitor.follow('Continue to the class');
    assert.equal(visitor.path, pageOf(event));
    assert.match(await visitor.text(), /You.re booked/);
    await visitor.close();
  });

test('a bank that asks for confirmation shows its page, and both outcomes lead back to one with a link to continue', async () => {
  const { visitor } = await someone('Bea');
  const event = await c.event({ price: '20.00' });
  await visitor.open(pageOf(event));
  await visitor.submit('Book: $24.00');
  const outcome = { 'What should happen in the test?': 'The bank asks for confirmation' };
  await visitor.submit('Pay $24.00', outcome);
  assert.equal(await visitor.heading(), 'Confirm your payment');
  await visitor.submit('Cancel');
  assert.equal(await visitor.heading(), 'Review and pay');
  assert.match(await visitor.text(), /The payment didn't go through/);
  await visitor.submit('Pay $24.00', outcome);
  assert.equal(await visitor.heading(), 'Confirm your payment');
  await visitor.submit('Pay');
  assert.equal(await visitor.heading(), "You're booked");
  await visitor.close();
});

test("a checkout can be read in another language in every state, with amounts in the reader's format", async () => {
  const event = await c.event({ price: '1500.00', max_occupancy: 5 });
  const customer = await world.newCustomer({ first_name: 'Frida' });
  const visitor = await browser.visitor();
  await visitor.open(await addressOf(`/events/${event}`, { customer }));
  await visitor.follow('Deutsch');
  assert.equal(await visitor.heading(), 'Prüfen und bezahlen');
  assert.match(
    await visitor.text(),
    // Shortly before midnight the place is reserved until the next day, so the text includes the date.
    /Ihr Platz ist bis (\S+ \d+\. \S+ \d{4} um )?\d\d:\d\d reserviert\.[^]*1\.500,00\s\$[^]*VAT\s+300,00\s\$\s+Gesamt\s+1\.800,00\s\$[^]*Testmodus/,
  );
  await visitor.checkAccessible('checkout-german');
  const what = 'Was soll im Test passieren?';
  await visitor.submit('1.800,00 $ bezahlen', { [what]: 'Die Karte wird abgelehnt' });
  assert.match(await visitor.text(), /Die Zahlung hat nicht geklappt/);
  // The page is the response to a form, and other languages are at its own address.
  await visitor.follow('Français');
  assert.equal(await visitor.heading(), 'Vérifier et payer');
  await visitor.submit('Payer 1 800,00 $', { 'Que doit-il se passer dans l’essai ?': 'La banque répond plus tard' });
  assert.equal(await visitor.heading(), 'Votre paiement est en cours de confirmation');
  await visitor.submit('Annuler le paiement');
  assert.equal(await visitor.heading(), 'Annulé');
  await visitor.checkAccessible('checkout-french-cancelled');
  await visitor.follow('Polski');
  assert.match(await visitor.text(), /Zacznij od nowa/);
  await visitor.close();
});

test('people who leave the page of the bank find the way back to it, or cancel', async () => {
  const { visitor } = await someone('Cleo');
  const event = await c.event({ price: '20.00' });
  await visitor.open(pageOf(event));
  await visitor.submit('Book: $24.00');
  const checkout = visitor.url.href;
  await visitor.submit('Pay $24.00', { 'What should happen in the test?': 'The bank asks for confirmation' });
  assert.equal(await visitor.heading(), 'Confirm your payment');
  await visitor.open(checkout.slice(world.url.length));
  assert.equal(await visitor.heading(), 'Continue your payment');
  await visitor.checkAccessible('checkout-continue');
  await visitor.submit('Cancel the payment');
  assert.equal(await visitor.heading(), 'Cancelled');
  await visitor.checkAccessible('checkout-cancelled');
  await visitor.follow('Begin again');
  assert.equal(visitor.path, pageOf(event));
  await visitor.close();
});

test('a payment that the bank decides later has a page that reloads itself', async () => {
  const { visitor } = await someone('Dora');
  const event = await c.event({ price: '20.00' });
  await visitor.open(pageOf(event));
  await visitor.submit('Book: $24.00');
  await visitor.submit('Pay $24.00', { 'What should happen in the test?': 'The bank answers later' });
  assert.equal(await visitor.heading(), 'Your payment is being confirmed');
  await visitor.checkAccessible('checkout-pending');
  const payments = await world.get('/payments?page_size=1&sort=-id', { as: world.machine });
  const [payment] = payments.body.results;
  assert.equal(payment.status, 'pending');
  const told = await world.post(`/sandbox/payments/${payment.id}`, { as: world.machine, body: { event: 'succeed' } });
  assert.ok(told.status < 300, told.text);
  await visitor.refresh();
  assert.equal(await visitor.heading(), "You're booked");
  await visitor.close();
});

test('a discount code and account credit reduce the price as shown, and can be removed', async () => {
  const { id, visitor } = await someone('Edie');
  await world.work(world.harbour, (work) =>
    giveCredit(work, { customer: id, amount: 500, explanation: 'A gift of the house' }),
  );
  const code = await world.post('/discount_codes', { as: world.machine, body: TEN_PERCENT });
  assert.equal(code.status, 201, code.text);
  const event = await c.event({ price: '20.00' });
  await visitor.open(pageOf(event));
  await visitor.submit('Book: $24.00');
  await visitor.page.getByText('Enter a discount code').click();
  await visitor.submit('Apply', { 'Discount code': 'WINTER' });
  assert.match(await visitor.text(), /There is a problem/);
  await visitor.checkAccessible('checkout-wrong-code');
  await visitor.submit('Apply', { 'Discount code': 'spring' });
  assert.match(await visitor.text(), /Discount \(spring\)\s+−\$2\.00\s+VAT\s+\$3\.60\s+Total\s+\$21\.60/i);
  await visitor.submit('Use account credit ($5.00)');
  assert.match(await visitor.text(), /Credit\s+−\$5\.00\s+To pay\s+\$16\.60/);
  await visitor.checkAccessible('checkout-discount-credit');
  await visitor.submit("Don't use account credit");
  await visitor.submit('Remove spring');
  await visitor.submit('Pay $24.00');
  assert.equal(await visitor.heading(), "You're booked");
  await visitor.close();
});

test('a membership is bought with its terms at an address that staff send, and paid at the desk if the business allows it', async () => {
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { customers_pay_at_desk: true } });
  const membership = await c.m.pack(10, { name: 'Ten times' });
  const [terms] = (await world.get(`/membership_terms?membership=${membership}`, { as: world.machine })).body.results;
  const body = { base_terms: 'Be kind.\n\nBe on time.' };
  assert.equal((await world.patch(`/membership_terms/${terms.id}`, { as: world.machine, body })).status, 200);
  const customer = await world.newCustomer({ first_name: 'Grace' });
  const address = await addressOf(`/memberships/${membership}`, { customer });
  const visitor = await browser.visitor();
  await visitor.open(address);
  assert.match(await visitor.text(), /Ten times[^]*Total\s+\$120\.00[^]*Be kind\.[^]*How would you like to pay\?/);
  await visitor.checkAccessible('checkout-terms');
  await visitor.submit('Buy', { 'At the desk of Harbour': '' });
  assert.match(await visitor.text(), /Agree to the terms to continue/);
  await visitor.checkAccessible('checkout-disagreed');
  await visitor.submit('Buy', { 'I agree to the terms of Ten times': true, 'At the desk of Harbour': '' });
  assert.match(await visitor.text(), /It's all set[^]*Please pay \$120\.00 at the desk of Harbour/);
  await visitor.checkAccessible('checkout-pay-at-desk');
  const [held] = (await world.get(`/customer_memberships?customer=${customer}`, { as: world.machine })).body.results;
  assert.equal(
    await visitor.page.getByRole('link', { name: 'Continue to shop.example.com' }).getAttribute('href'),
    `https://shop.example.com/back?purchase=completed&customer_membership=${held.id}`,
  );
  await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: { customers_pay_at_desk: false } });
  await visitor.close();
});

test('a free purchase takes one button', async () => {
  const membership = await c.m.pack(3, { name: 'Try us', one_time_fee: '0.00' });
  const visitor = await browser.visitor();
  await visitor.open(await addressOf(`/memberships/${membership}`, { customer: await world.newCustomer() }));
  assert.equal(await visitor.heading(), 'Review and confirm');
  await visitor.checkAccessible('checkout-free');
  await visitor.submit('Get it');
  assert.match(await visitor.heading(), /It's all set/);
  await visitor.close();
});

test('an expired checkout says so, and links to where it can be started again', async () => {
  const event = await c.event({ price: '20.00' });
  const customer = await world.newCustomer();
  const visitor = await browser.visitor();
  const address = await addressOf(`/events/${event}`, { customer });
  await visitor.open(address);
  const { now } = world;
  world.setNow(now + 20 * MINUTE);
  await visitor.submit('Pay $24.00');
  assert.equal(await visitor.heading(), 'This took too long');
  await visitor.checkAccessible('checkout-expired');
  await visitor.follow('Begin again');
  assert.equal(visitor.path, pageOf(event));
  world.setNow(now);
  await visitor.close();
});

test('an invalid address and one that belongs to somebody else show the same page', async () => {
  const { visitor, id } = await someone('Hope');
  const other = await someone('Ivy');
  const event = await c.event({ price: '20.00' });
  const made = await world.post(`/events/${event}/initiate_purchase`, {
    as: world.customer(id),
    body: { customer: id, return_to: 'https://shop.example.com/back' },
  });
  const address = made.body.next_url.slice(world.url.length);
  await other.visitor.open(address);
  assert.equal(await other.visitor.heading(), 'This link no longer works');
  const theirs = await other.visitor.text();
  await other.visitor.open(`/account/${world.harbour}/checkout?ticket=nothing`);
  assert.equal(await other.visitor.text(), theirs);
  await other.visitor.checkAccessible('checkout-gone');
  const stranger = await browser.visitor();
  await stranger.open(address);
  assert.equal(await stranger.heading(), 'Log in or sign up');
  await visitor.open(address);
  assert.equal(await visitor.heading(), 'Review and pay');
  await Promise.all([visitor, other.visitor, stranger].map((one) => one.close()));
});

test('somebody sees what they owe, and pays all of it in one step', async () => {
  const { id, visitor } = await someone('June');
  const page = `/account/${world.harbour}/profile/owed`;
  await visitor.open(page);
  assert.match(await visitor.text(), /You don't owe Harbour anything/);
  await visitor.checkAccessible('owed-nothing');
  for (const [amount, explanation] of [
    ['12.50', 'Late cancellation of Rowing'],
    ['7.50', 'A lost padlock'],
  ]) {
    const body = { customer: id, kind: 'charge', amount, explanation };
    const made = await world.post('/account_entries', { as: world.machine, body });
    assert.equal(made.status, 201, made.text);
  }
  await visitor.open(`/account/${world.harbour}/profile`);
  assert.match(await visitor.text(), /What you owe\s+\$20\.00 of Harbour isn't paid yet/);
  await visitor.checkAccessible('profile-owed');
  await visitor.follow('See and pay');
  assert.match(await visitor.text(), /Late cancellation of Rowing[^]*\$12\.50[^]*A lost padlock[^]*Total\s+\$20\.00/);
  await visitor.checkAccessible('owed');
  await visitor.submit('Pay $20.00');
  assert.equal(await visitor.heading(), 'Review and pay');
  await visitor.submit('Pay $20.00');
  assert.match(await visitor.heading(), /It's all set/);
  await visitor.open(page);
  assert.match(await visitor.text(), /You don't owe Harbour anything/);
  await visitor.close();
});
