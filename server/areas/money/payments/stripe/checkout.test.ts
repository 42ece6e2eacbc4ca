/** Tests of purchases paid with Stripe: from the checkout to Stripe's page and back, as a browser would go. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { CheckoutWorld } from '../../../commerce/checkouts/test/world.ts';
import { expireCheckout } from '../../../commerce/checkouts/expire.ts';
import { moneyAt, StripeWorld, type Business } from './test/stripe-world.ts';

let w: StripeWorld;
let c: CheckoutWorld;
let harbour: Business;
before(async () => {
  w = await StripeWorld.start();
  c = await CheckoutWorld.of(w.world);
  harbour = w.harbour;
  await w.world.patch(`/providers/${w.world.harbour}`, {
    as: w.world.machine,
    body: { domains: ['shop.example.com'] },
  });
});
after(() => c.close());
beforeEach(() => {
  harbour.messages.mode = 'send';
});

const HOUR = 3_600_000;

/** Starts a checkout of one place for 15.00 and a payment with Stripe, up to the point where the customer must act. */
async function started(over: { places?: number; customer?: number; pay?: object } = {}) {
  const event = await c.event({ max_occupancy: over.places ?? 4 });
  const customer = over.customer ?? (await w.world.newCustomer());
  const id = await c.open(customer);
  await c.add(id, { item_type: 'CLASS_DRP', event });
  const checkout = await c.pay(id, { payment_processor: harbour.processor, ...over.pay });
  return { id, event, customer, checkout, page: checkout.next_action?.url as string };
}

/** Presses a button on Stripe's page. Returns the address to which the browser goes. */
async function press(page: string, label: string): Promise<string | null> {
  const html = await (await fetch(page)).text();
  const action = new RegExp(`action="([^"]+)"><button>${label}</button>`).exec(html)![1];
  const answer = await fetch(new URL(action, page), { method: 'POST', redirect: 'manual' });
  await harbour.messages.settled();
  return answer.headers.get('location');
}

async function expires(id: string): Promise<void> {
  await c.owner.query(`UPDATE checkout SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
  await w.world.work(w.world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
}

async function settled(): Promise<void> {
  await c.balanced();
  assert.equal(await w.clearing(harbour), moneyAt(harbour.account));
}

test('a customer pays on Stripe’s page, and has the place before they return', async () => {
  const { id, event, checkout, page } = await started();
  assert.deepEqual([checkout.status, await c.seats(event)], ['pending', { attending: 0, held: 1 }]);
  assert.equal(await press(page, 'Pay with a card that is declined'), null);
  assert.equal((await c.get(id)).status, 'pending', 'another card can follow');
  assert.ok(await press(page, 'Pay'));
  const done = await c.get(id);
  assert.deepEqual([done.status, await c.seats(event)], ['completed', { attending: 1, held: 0 }]);
  assert.equal((await c.read(`/invoices/${done.invoice}`)).status, 'paid');
  await settled();
});

test('if no message of Stripe arrives, the place is still booked', async () => {
  harbour.messages.mode = 'lose';
  const { id, event, page } = await started();
  await press(page, 'Pay');
  assert.equal((await c.get(id)).status, 'pending');
  await w.pass(HOUR / 12);
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['completed', { attending: 1, held: 0 }]);
  await settled();
});

test('a saved card pays the next checkout without a page, and is shown by its last digits', async () => {
  const first = await started({ pay: { save_payment_method: true } });
  await press(first.page, 'Pay');
  const { results } = await c.read(`/payment_methods?customer=${first.customer}`);
  const [method] = results;
  assert.equal(method.credit_card?.last_four ?? method.last_four, '4242', JSON.stringify(method));
  const second = await started({ customer: first.customer, pay: { payment_method: method.id } });
  assert.deepEqual([second.checkout.status, await c.seats(second.event)], ['completed', { attending: 1, held: 0 }]);
  await settled();
});

test('a card is saved on Stripe’s page without a payment, whether its messages arrive or not, and pays the next checkout', async () => {
  for (const mode of ['send', 'lose'] as const) {
    harbour.messages.mode = mode;
    const customer = await w.world.newCustomer();
    const asked = await c.ask('POST', '/payment_method_setups', {
      customer,
      payment_processor: harbour.processor,
      return_to: 'https://shop.example.com/cards',
    });
    assert.equal(asked.status, 200, asked.text);
    const { id, action_url: page, status } = asked.body;
    assert.equal(status, 'action_required');
    assert.equal(await press(page, 'Save a card that is declined'), null);
    assert.equal(await press(page, 'Save'), `https://shop.example.com/cards?payment_method_setup=${id}`);
    if (mode === 'lose') await w.pass(HOUR / 12);
    const done = await c.read(`/payment_method_setups/${id}`);
    assert.deepEqual([done.status, done.action_url, done.failure], ['succeeded', null, null]);
    const next = await started({ customer, pay: { payment_method: done.payment_method } });
    assert.equal(next.checkout.status, 'completed');
  }
  await settled();
});

test('a card that is never entered is not saved, and can be entered again', async () => {
  const customer = await w.world.newCustomer();
  const { body } = await c.ask('POST', '/payment_method_setups', {
    customer,
    payment_processor: harbour.processor,
    return_to: 'https://shop.example.com/cards',
  });
  await w.pass(25 * HOUR);
  const { status, failure } = await c.read(`/payment_method_setups/${body.id}`);
  assert.deepEqual([status, failure], ['failed', 'The card was not entered in time. Try again.']);
});

test('a customer who gives up releases the place, and Stripe’s page no longer accepts a payment', async () => {
  const { id, event, page } = await started();
  assert.equal((await c.ask('DELETE', `/checkouts/${id}`)).status, 204);
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['cancelled', { attending: 0, held: 0 }]);
  assert.match(await (await fetch(page)).text(), /This page has expired/);
});

test('a checkout that expires just after the customer paid is completed, in any order of messages', async () => {
  harbour.messages.mode = 'lose';
  const { id, event, page } = await started({ places: 1 });
  await press(page, 'Pay');
  await expires(id);
  await w.drive();
  assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['completed', { attending: 1, held: 0 }]);
  await settled();
});

test('a place is reserved while the bank takes days to decide, and released if the bank declines', async () => {
  for (const arrives of [true, false]) {
    const { id, event, page } = await started({ places: 1 });
    await press(page, 'Pay by bank debit');
    await expires(id);
    await w.drive();
    assert.deepEqual([(await c.get(id)).status, await c.seats(event)], ['pending', { attending: 0, held: 1 }]);
    const [intent] = harbour.account.objects.all('payment_intent', ({ status }) => status === 'processing');
    harbour.account.settle(intent.id, arrives);
    await harbour.messages.settled();
    const { status, payment_error: error } = await c.get(id);
    assert.equal(status, arrives ? 'completed' : 'open');
    if (!arrives) {
      assert.match(error, /^The payment did not go through/);
      await expires(id);
    }
    assert.deepEqual(await c.seats(event), { attending: arrives ? 1 : 0, held: 0 });
  }
  await settled();
});

test('a partial refund by staff is sent through Stripe, with a credit note', async () => {
  const { checkout, page } = await started();
  await press(page, 'Pay');
  const refund = await w.world.post(`/payments/${checkout.payment}/refund`, {
    as: w.world.machine,
    body: { amount: '5.00', reason: 'The hall was cold.' },
  });
  assert.equal(refund.status, 201, refund.text);
  await w.drive();
  assert.equal((await c.read(`/payment_refunds/${refund.body.id}`)).status, 'succeeded');
  const [made] = harbour.account.objects.all('refund');
  assert.equal(made.amount, 500);
  await settled();
});
