import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { START } from '../../../../../test/clock.ts';
import { StripeStandIn } from './stand-in.ts';

const KEY = 'sk_test_standin000000000';
const SECRET = 'whsec_standin000000000';
const BACK = 'https://book.example.com/back';

let standIn: StripeStandIn;
let stripe: Stripe;
let door: http.Server;
const came: Stripe.Event[] = [];
before(async () => {
  standIn = await new StripeStandIn().listen();
  const { hostname, port } = new URL(standIn.url);
  stripe = new Stripe(KEY, { host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 });
  door = http.createServer(async (request, response) => {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const signature = request.headers['stripe-signature']!;
    came.push(stripe.webhooks.constructEvent(body, signature, SECRET, undefined, undefined, START));
    response.writeHead(204).end();
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/`;
  standIn.account(KEY);
  standIn.messages(KEY).endpoints.push({ url, secret: SECRET });
});
after(async () => {
  await standIn.close();
  door.close();
  door.closeAllConnections();
});

const open = (name = 'Yoga', options?: Stripe.RequestOptions) =>
  stripe.checkout.sessions.create(
    {
      mode: 'payment',
      success_url: BACK,
      cancel_url: `${BACK}?gave_up`,
      line_items: [{ quantity: 1, price_data: { currency: 'cad', unit_amount: 2500, product_data: { name } } }],
    },
    options,
  );
const press = async (page: string, label: string): Promise<Response> => {
  const html = await (await fetch(page)).text();
  const action = new RegExp(`action="([^"]+)"><button>${label}</button>`).exec(html)![1];
  return fetch(new URL(action, page), { method: 'POST', redirect: 'manual' });
};

test('the hosted page works with forms and links alone', async () => {
  const { id, url } = await open();
  const html = await (await fetch(url!)).text();
  assert.match(html, /Pay Yoga[^]*2500 cad/);
  assert.ok(!html.includes('<script'));
  assert.ok(html.includes(`href="${BACK}?gave_up"`));
  const declined = await press(url!, 'Pay with a card that is declined');
  assert.match(await declined.text(), /role="alert">Your card was declined\./);
  const bank = (await press(url!, 'Pay with a card that asks for confirmation')).headers.get('location')!;
  const again = await press(bank, 'Fail');
  assert.equal(again.headers.get('location'), `/c/pay/${id}`);
  const paid = await press(url!, 'Pay');
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, BACK]);
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.payment_method'] });
  const intent = session.payment_intent as Stripe.PaymentIntent;
  assert.deepEqual(
    [
      session.status,
      session.payment_status,
      intent.status,
      (intent.payment_method as Stripe.PaymentMethod).card!.last4,
    ],
    ['complete', 'paid', 'succeeded', '4242'],
  );
});

test('a key returns the same response again, refuses another body, and is not spent by a refused request', async () => {
  const key = { idempotencyKey: 'one' };
  const first = await open('Yoga', key);
  const second = await open('Yoga', key);
  assert.equal(second.id, first.id);
  assert.equal(second.lastResponse.headers['idempotent-replayed'], 'true');
  await assert.rejects(open('Pilates', key), { type: 'StripeIdempotencyError' });
  await assert.rejects(open('', { idempotencyKey: 'two' }), { type: 'StripeInvalidRequestError' });
  assert.ok((await open('Yoga', { idempotencyKey: 'two' })).id);
});

test('messages are signed, and arrive repeated, reordered, late or not at all', async () => {
  const messages = standIn.messages(KEY);
  await messages.settled();
  came.length = 0;
  messages.copies = 2;
  const first = await open();
  await press(first.url!, 'Pay');
  await messages.settled();
  messages.copies = 1;
  const types = () => came.map((event) => event.type);
  const once = ['charge.succeeded', 'payment_intent.succeeded', 'checkout.session.completed'];
  assert.deepEqual(types().toSorted(), [...once, ...once].toSorted());
  assert.equal(new Set(came.map((event) => event.id)).size, once.length);
  came.length = 0;
  messages.mode = 'hold';
  await press((await open()).url!, 'Pay');
  await messages.settled();
  assert.deepEqual(came, []);
  await messages.release((events) => events.toReversed());
  assert.deepEqual(types(), once.toReversed());
  came.length = 0;
  messages.mode = 'lose';
  await press((await open()).url!, 'Pay');
  await messages.settled();
  assert.deepEqual([came.length, messages.events.slice(-3).map(({ type }) => type)], [0, once]);
});

test('responses get lost, but their requests take effect', async () => {
  const count = () => standIn.account(KEY).objects.all('checkout.session').length;
  const before = count();
  standIn.faults.plan('lose_answer', 'POST /v1/checkout/sessions', 20);
  await assert.rejects(open('Yoga', { idempotencyKey: 'three' }), { type: 'StripeConnectionError' });
  standIn.faults.clear();
  assert.equal(count(), before + 1);
  await open('Yoga', { idempotencyKey: 'three' });
  assert.equal(count(), before + 1);
  standIn.faults.plan('error_after', 'POST /v1/checkout/sessions');
  for (let n = 0; n < 2; n++)
    await assert.rejects(open('Yoga', { idempotencyKey: 'four' }), { type: 'StripeAPIError', statusCode: 500 });
  assert.equal(count(), before + 2);
  standIn.faults.plan('silent', 'POST /v1/checkout/sessions', 20);
  await assert.rejects(open('Yoga', { timeout: 50 }), { type: 'StripeConnectionError' });
  standIn.faults.clear();
});

test('an account has no access to the objects of another', async () => {
  const { id } = await open();
  standIn.account('sk_test_other000000000');
  const { hostname, port } = new URL(standIn.url);
  const other = new Stripe('sk_test_other000000000', { host: hostname, port, protocol: 'http' });
  await assert.rejects(other.checkout.sessions.retrieve(id), { code: 'resource_missing' });
  const nobody = new Stripe('sk_test_nobody0000000000', { host: hostname, port, protocol: 'http' });
  await assert.rejects(nobody.checkout.sessions.retrieve(id), { type: 'StripeAuthenticationError' });
});
