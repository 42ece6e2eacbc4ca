/**
 * Gift cards and account credit as people experience them: bought, delivered, redeemed, and listed, without scripts.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../commerce/checkouts/test/world.ts';
import { deliverJob } from '../../commerce/gift-cards/deliver.ts';
import { createUser } from '../../people/identity/index.ts';
import { giveCredit } from '../../money/account-entries/index.ts';
import { newCards, withCode } from '../../commerce/gift-cards/test/cards.ts';
import { row } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { PageBrowser, type PageVisitor } from '../../../test/pages/page-visitor.ts';

const PASSWORD = 'otter kettle midnight ferry';

let world: World;
let browser: PageBrowser;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld();
  browser = new PageBrowser(world.url);
  c = await CheckoutWorld.of(world);
  const settings = { name: 'Harbour', branding: { color: '#0f766e' } };
  assert.equal((await world.patch(`/providers/${world.harbour}`, { as: world.machine, body: settings })).status, 200);
  const sold = {
    is_enabled_customer_site: true,
    amount_choices: ['25.00', '50.00'],
    amount_range: { smallest: '10.00', largest: '200.00' },
  };
  assert.equal((await world.patch('/gift_cards/config', { as: world.machine, body: sold })).status, 200);
});
after(async () => {
  await c?.close();
});

let people = 0;
/** Creates a customer who is logged in. */
async function someone(firstName: string, family: number | null = null): Promise<{ id: number; visitor: PageVisitor }> {
  const email = `${firstName.toLowerCase()}${++people}.cards@example.com`;
  const userId = await world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName, lastName: 'Byron' }),
  );
  const as = family === null ? {} : ({ family_id: family, family_role: 'manager' } as const);
  const id = await world.newCustomer({ user_id: userId, email, first_name: firstName, ...as });
  const visitor = await browser.visitor();
  await visitor.open(`/account/${world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  return { id, visitor };
}

const page = (name: string) => `/account/${world.harbour}/${name}`;

test('somebody buys a gift card for somebody else, and pays for it on the page of a checkout', async () => {
  const { id, visitor } = await someone('Byron');
  await visitor.open(page('gift-card'));
  await visitor.follow('Buy a gift card');
  await visitor.checkAccessible('gift-card-buy');
  const recipient = { 'Name of the recipient': 'Ada', 'Email address of the recipient (optional)': 'ada@example.com' };
  await visitor.submit('Review and pay', recipient);
  assert.match(await visitor.text(), /Choose an amount, or enter one/);
  await visitor.submit('Review and pay', {
    ...recipient,
    'Or another amount (optional)': '5',
    'Send it on (optional)': '2020-01-01',
  });
  assert.match(await visitor.text(), /an amount from \$10\.00 to \$200\.00/);
  await visitor.checkAccessible('gift-card-buy-refused');
  await visitor.submit('Review and pay', {
    ...recipient,
    'Or another amount (optional)': '40',
    'Send it on (optional)': '',
    'Message to the recipient (optional)': 'Claim it at evil.example/x',
  });
  assert.match(await visitor.text(), /Message to the recipient: Remove web and email addresses/);
  await visitor.submit('Review and pay', { 'Message to the recipient (optional)': 'Happy birthday!\n\nSee you soon' });
  assert.equal(await visitor.heading(), 'Review and pay');
  await visitor.page.getByText('Read the email to Ada').click();
  // The email is shown as Ada will get it, without the code, which exists once it is paid.
  assert.match(
    await visitor.text(),
    /Gift card for Ada[^]*Sent to ada@example\.com as soon as it is paid[^]*sent you a gift card for Harbour[^]*••••-/,
  );
  await visitor.checkAccessible('gift-card-preview');
  await visitor.submit('Pay $40.00');
  assert.match(await visitor.text(), /We received your payment of \$40\.00/);
  const { results } = (await world.get(`/gift_cards?purchaser=${id}`, { as: world.machine })).body;
  assert.deepEqual(
    results.map((one: any) => [one.amount.string, one.recipient_name, one.recipient_email, one.message]),
    [['40.00', 'Ada', 'ada@example.com', 'Happy birthday!\n\nSee you soon']],
  );
});

test('somebody redeems a gift card, and sees where their credit came from', async () => {
  const { visitor, id } = await someone('Ada');
  const { card } = await newCards(world);
  const code = await withCode(world, card);
  await visitor.open(page('profile/payments'));
  assert.match(await visitor.text(), /You have no credit at Harbour yet/);
  await visitor.follow('Redeem a gift card');
  await visitor.checkAccessible('gift-card');
  await visitor.submit('Redeem', { 'Code of the gift card': 'ABCD-EFGH-JKMN-PQRS' });
  assert.match(await visitor.text(), /This code can’t be redeemed/);
  await visitor.checkAccessible('gift-card-refused');
  await visitor.submit('Redeem', { 'Code of the gift card': code });
  assert.equal(await visitor.heading(), 'Your account credit');
  assert.match(
    await visitor.text(),
    /The gift card is now account credit[^]*\$50\.00[^]*Gift card of \$50\.00 for Ada/,
  );
  await world.work(world.harbour, (work) =>
    giveCredit(work, { customer: id, amount: 1250, explanation: 'Sorry that the class was cancelled.' }),
  );
  await c.pay(await bought(id));
  await visitor.open(page('profile/credit'));
  assert.match(await visitor.text(), /\$42\.50[^]*−\$20\.00[^]*\+\$12\.50[^]*\+\$50\.00/);
  await visitor.checkAccessible('credit');
});

/** Creates a checkout of 20.00 that account credit pays. */
async function bought(customer: number): Promise<string> {
  const id = await c.open(customer, { use_account_credit: true });
  await c.add(id, { item_type: 'QUICK_ITEM', description: 'A towel', unit_price: '20.00', purchase_type: 'store' });
  return id;
}

test('the manager of a family moves credit to a child, and sees the history of both', async () => {
  const family = await row(world, 'family', {});
  const { visitor, id } = await someone('Grace', family);
  await world.newCustomer({ family_id: family, family_role: 'child', first_name: 'Kit' });
  await world.work(world.harbour, (work) => giveCredit(work, { customer: id, amount: 3000, explanation: 'A gift.' }));
  await visitor.open(page('profile/credit'));
  await visitor.submit('Move credit', { To: 'Kit', Amount: '40' });
  assert.match(await visitor.text(), /There is not this much credit/);
  await visitor.checkAccessible('credit-family');
  await visitor.submit('Move credit', { To: 'Kit', Amount: '12,50' });
  assert.match(await visitor.text(), /The credit is moved[^]*\$17\.50[^]*Moved to Kit/);
  await visitor.follow('Credit of Kit');
  assert.equal(await visitor.heading(), 'Account credit of Kit');
  assert.match(await visitor.text(), /\$12\.50[^]*Moved from Grace/);
});

test('the buyer of a card that could not be sent sees so, prints it once, and sends another one to a new address', async () => {
  const { visitor, id } = await someone('Mary');
  const to = 'gone@example.com';
  const [first, second] = [
    await newCards(world, { purchaser: id, email: to, name: 'Percy' }),
    await newCards(world, { purchaser: id, email: to, name: 'Claire' }),
  ];
  await world.post('/communication/suppressions', { as: world.machine, body: { address: to, reason: 'bounced' } });
  for (const { card } of [first, second])
    await world.work(world.harbour, (work) => deliverJob.run(work, { gift_card: card, provider_id: world.harbour }));
  await visitor.open(page('profile/payments'));
  await visitor.follow('Your gift cards');
  assert.match(await visitor.text(), /\$50\.00 for Percy\s+It could not be sent to gone@example\.com/);
  await visitor.checkAccessible('gift-cards-bought');
  await visitor.follow('Gift card of $50.00 for Percy');
  await visitor.checkAccessible('gift-card-bought');
  await visitor.submit('Print it');
  await visitor.checkAccessible('gift-card-printed');
  const [code] = /[A-Z0-9]{4}(-[A-Z0-9]{4}){3}/.exec(await visitor.text())!;
  const customer = await world.newCustomer();
  const redeemed = await world.post('/gift_cards/redeem', { as: world.customer(customer), body: { code } });
  assert.equal(redeemed.status, 200, redeemed.text);
  await visitor.open(page(`gift-cards/${first.card}`));
  assert.match(await visitor.text(), /It was redeemed\./);
  await visitor.open(page(`gift-cards/${second.card}`));
  await visitor.submit('Save and send', { 'Email address of the recipient': to });
  assert.match(await visitor.text(), /can’t send email to this address/);
  await visitor.submit('Save and send', { 'Email address of the recipient': 'claire@example.com' });
  assert.match(await visitor.text(), /The address of the gift card is saved/);
  const shown = (await world.get(`/gift_cards/${second.card}`, { as: world.machine })).body;
  assert.deepEqual([shown.recipient_email, shown.delivery_status], ['claire@example.com', 'scheduled']);
  const { visitor: other } = await someone('Jane');
  await other.open(page(`gift-cards/${second.card}`));
  assert.doesNotMatch(await other.text(), /Claire/);
});
