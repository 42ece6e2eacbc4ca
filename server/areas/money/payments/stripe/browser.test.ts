/**
 * Tests of paying with Stripe as customers do: from our page to Stripe's and back, in a real browser without scripts.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { createUser } from '../../../people/identity/index.ts';
import { StripeWorld } from './test/stripe-world.ts';
import { TestBrowser, type Visitor } from '../../../../test/pages/browser.ts';

const PASSWORD = 'otter kettle midnight ferry';

let w: StripeWorld;
let c: CheckoutWorld;
let browser: TestBrowser;
before(async () => {
  w = await StripeWorld.start();
  c = await CheckoutWorld.of(w.world);
  for (const processor of [c.sandbox, c.desk])
    await c.ask('PATCH', `/payment_processors/${processor}`, { is_enabled: false });
  browser = await TestBrowser.start(w.world.url, w.standIn.url);
});
after(async () => {
  await browser?.close();
  await c?.close();
});

async function loggedIn(email: string): Promise<Visitor> {
  const userId = await w.world.app.db.acrossTenants('a test has an account', (tx) =>
    createUser(tx, { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' }),
  );
  await w.world.newCustomer({ user_id: userId, email, first_name: 'Ada' });
  const visitor = await browser.visitor();
  await visitor.open(`/account/${w.world.harbour}/log-in`);
  await visitor.submit('Log in', { 'Email address': email, Password: PASSWORD });
  return visitor;
}

const sees = (visitor: Visitor, heading: string | RegExp) =>
  visitor.page.getByRole('heading', { level: 1, name: heading }).waitFor();

test('a customer pays on Stripe’s page with a second card after the first is declined, and returns with the booking made', async () => {
  const visitor = await loggedIn('ada@example.com');
  const event = await c.event({ max_occupancy: 3 });
  await visitor.open(`/account/${w.world.harbour}/events/${event}`);
  await visitor.submit('Book: $15.00');
  await visitor.submit('Pay $15.00');
  await sees(visitor, /^Pay Rowing/);
  assert.equal(new URL(visitor.page.url()).origin, w.standIn.url);
  await visitor.submit('Pay with a card that is declined');
  assert.match(await visitor.text(), /Your card was declined\./);
  await visitor.submit('Pay with a card that asks for confirmation');
  await sees(visitor, 'Confirm with your bank');
  // The browser may be faster than Stripe's message.
  w.harbour.messages.mode = 'hold';
  await visitor.submit('Complete');
  await visitor.page.waitForURL(`${w.world.url}/**`);
  assert.equal(visitor.path, `/account/${w.world.harbour}/checkout`);
  await sees(visitor, "You're booked");
  assert.deepEqual(await c.seats(event), { attending: 1, held: 0 });
  await w.harbour.messages.release();
  assert.deepEqual(await c.seats(event), { attending: 1, held: 0 });
  await visitor.close();
});

test('a customer who goes back from Stripe’s page has paid nothing, and can continue', async () => {
  const visitor = await loggedIn('bea@example.com');
  const event = await c.event({ max_occupancy: 3 });
  await visitor.open(`/account/${w.world.harbour}/events/${event}`);
  await visitor.submit('Book: $15.00');
  await visitor.submit('Pay $15.00');
  await sees(visitor, /^Pay Rowing/);
  await visitor.follow('Cancel');
  await sees(visitor, 'Continue your payment');
  await visitor.submit('Cancel the payment');
  assert.deepEqual(await c.seats(event), { attending: 0, held: 0 });
  const [session] = w.harbour.account.objects.all('checkout.session');
  assert.equal(session.status, 'expired');
  await visitor.close();
});
