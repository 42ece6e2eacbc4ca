import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { anotherServer } from '../../../../test/storm.ts';
import { closeDispute, dispute, endRefund } from './test/after-payment.ts';
import { moneyAt, StripeWorld, type Business } from './test/stripe-world.ts';
import { payOnPage } from './test/sessions.ts';
import { SECRET_KEY } from '../../../../test/secret-key.ts';
import { signature } from './test/messages.ts';
import { startRefund } from '../start.ts';
import { tryPayment } from '../sync.ts';
import type { CardName } from './test/cards.ts';

let w: StripeWorld;
let harbour: Business;
before(async () => {
  w = await StripeWorld.start();
  harbour = w.harbour;
});
after(() => w.close());
beforeEach(() => {
  for (const { messages } of w.both) {
    messages.held.splice(0);
    Object.assign(messages, { mode: 'send', copies: 1 });
  }
});

const HOUR = 3_600_000;
const status = async (id: number, business = harbour) => (await w.row(business, id)).status;
/** Pays on Stripe's page, and lets Stripe send the message. */
async function pay(id: number, card: CardName = 'visa', business = harbour): Promise<void> {
  payOnPage(business.account, (await w.row(business, id)).external!, card);
  await business.messages.settled();
}
const intentOf = async (id: number, { account }: Business = harbour) =>
  account.objects.get('checkout.session', (await w.row(harbour, id)).external!).payment_intent as string;
const refund = (payment: number, amount: number) =>
  w.world.work(harbour.provider, (work) => startRefund(work, { payment, amount, why: 'Rain.' }));
const settles = async () => {
  for (const business of w.both) assert.equal(await w.clearing(business), moneyAt(business.account));
};

test('a connection test says whether the key works, and what customers can pay with', async () => {
  const { world, harbour } = w;
  const check = (token = harbour.token, id = harbour.processor) =>
    world.post(`/payment_processors/${id}/check`, { as: token, body: {} });
  const works = await check();
  assert.equal(works.status, 200, works.text);
  const { last_message_at: _, ...found } = works.body;
  assert.deepEqual(found, {
    works: true,
    explanation: null,
    account: 'A Studio',
    is_test: true,
    takes_payments: true,
    payment_methods: [
      { method: 'card', name: 'Card', is_saved: true },
      { method: 'ideal', name: 'iDEAL', is_saved: false },
      { method: 'sepa_debit', name: 'SEPA Direct Debit', is_saved: true },
    ],
    has_webhook_secret: true,
  });
  assert.equal((await check(w.meadow.token)).status, 404, 'of another business');
  const add = (body: object) => world.post('/payment_processors', { as: harbour.token, body });
  const wrong = await add({
    kind: 'stripe',
    name: 'Wrong key',
    settings: { secret_key: 'sk_test_nobody0000000000', api_url: w.standIn.url },
  });
  const fails = (await check(harbour.token, wrong.body.id)).body;
  assert.deepEqual([fails.works, fails.has_webhook_secret], [false, false]);
  assert.match(fails.explanation, /^Stripe doesn’t know the secret key\. Set a new one\./);
  const cash = await add({ kind: 'offline', name: 'Cash' });
  assert.equal((await check(harbour.token, cash.body.id)).status, 409);
});

test('keys are stored sealed and never shown, and each processor has its own address for messages', async () => {
  const { body, text } = await w.world.get(`/payment_processors/${harbour.processor}`, { as: harbour.token });
  assert.deepEqual(body.secrets, ['secret_key', 'webhook_secret']);
  assert.deepEqual(Object.keys(body.settings), ['api_url']);
  assert.equal(body.message_url, harbour.messages.endpoints[0].url);
  assert.ok(!text.includes(harbour.key) && !text.includes(harbour.secret));
  for (const [settings, name] of [
    [{ secret_key: 'pk_test_0000000000' }, 'secret_key'],
    [{ webhook_secret: 'secret' }, 'webhook_secret'],
    [{ api_url: 'https://stripe.example.com/v1' }, 'api_url'],
  ] as const) {
    const refused = await w.world.patch(`/payment_processors/${harbour.processor}`, {
      as: harbour.token,
      body: { settings },
    });
    assert.equal(refused.status, 400);
    assert.ok(refused.text.includes(name), refused.text);
  }
});

test('a message of Stripe completes a payment while its customer is still on the way back', async () => {
  const id = await w.begin(harbour);
  assert.equal(await status(id), 'action_required');
  assert.match((await w.row(harbour, id)).action_url!, /\/c\/pay\/cs_test_/);
  await pay(id);
  assert.equal(await status(id), 'succeeded');
  assert.equal(w.shop.paidFor.get(id), 1);
  assert.ok(harbour.messages.sent.every((sent) => sent.status === 204));
  await settles();
});

test('repeated, reordered or late messages record nothing untrue', async () => {
  harbour.messages.mode = 'hold';
  const paid = await w.begin(harbour);
  await pay(paid);
  await tryPayment(w.outside(harbour), paid);
  const given = await refund(paid, 1000);
  await w.drive();
  const [sentBack] = await w.rows<any>(harbour.provider, 'payment_refund', paid);
  endRefund(harbour.account, sentBack.external, 'failed');
  const opened = dispute(harbour.account, await intentOf(paid));
  closeDispute(harbour.account, opened.id, 'lost');
  const sent = await harbour.messages.release((all) => [...all.toReversed(), ...all, ...all.toReversed()]);
  assert.ok(sent.every((one) => one.status === 204));
  assert.equal(await status(paid), 'succeeded');
  const [row] = await w.rows<any>(harbour.provider, 'payment_refund', paid);
  assert.deepEqual([row.id, row.status], [given, 'failed']);
  const [lost] = await w.rows<any>(harbour.provider, 'payment_dispute', paid);
  assert.deepEqual([lost.status, lost.amount_minor], ['lost', 2500]);
  assert.equal(w.shop.paidFor.get(paid), 1);
  await settles();
});

test('without any message, Stripe is asked until every outcome is known', async () => {
  harbour.messages.mode = 'lose';
  const paid = await w.begin(harbour);
  const left = await w.begin(harbour);
  const later = await w.begin(harbour);
  await pay(paid);
  payOnPage(harbour.account, (await w.row(harbour, later)).external!, 'visa', true);
  await w.pass(HOUR);
  assert.deepEqual(
    [await status(paid), await status(left), await status(later)],
    ['succeeded', 'action_required', 'pending'],
  );
  harbour.account.settle(await intentOf(later), true);
  for (let n = 0; n < 4; n++) await w.pass(12 * HOUR);
  assert.deepEqual([await status(left), await status(later)], ['failed', 'succeeded']);
  const session = harbour.account.objects.get('checkout.session', (await w.row(harbour, left)).external!);
  assert.equal(session.status, 'expired', 'it can no longer be paid');
  await settles();
});

test('a message that was not signed for this address is refused, regardless of its sender', async () => {
  const id = await w.begin(harbour);
  harbour.messages.mode = 'hold';
  await pay(id);
  const event = harbour.messages.held.find(({ type }) => type === 'checkout.session.completed')!;
  const body = JSON.stringify(event);
  const [{ url }] = harbour.messages.endpoints;
  const send = (to: string, secret: string, text = body) =>
    fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature(body, secret, w.world.now) },
      body: text,
    }).then((answer) => answer.status);
  assert.equal(await send(url, w.meadow.secret), 400);
  assert.equal(await send(url, harbour.secret, body.replace('completed', 'expired')), 400);
  assert.equal(await send(w.meadow.messages.endpoints[0].url, harbour.secret), 400);
  assert.equal(await send(url.replace(/\d+$/, '999999'), harbour.secret), 404);
  assert.equal(await status(id), 'action_required');
  assert.equal(await send(url, harbour.secret), 204);
  assert.equal(await status(id), 'succeeded');
});

test('money that arrives too late for its purchase is refunded to the customer, once', async () => {
  const thing = 77;
  const id = await w.begin(harbour, { payee: { name: w.shop.name, id: thing } });
  w.shop.soldOut.add(thing);
  await pay(id);
  await w.drive();
  const row = await w.row(harbour, id);
  assert.deepEqual([row.status, row.taken, row.refunded_minor], ['succeeded', false, 2500]);
  const [back] = await w.rows<any>(harbour.provider, 'payment_refund', id);
  await harbour.messages.settled();
  assert.equal(back.status, 'succeeded');
  assert.equal(harbour.account.objects.all('refund', (r) => r.id === back.external)[0].amount, 2500);
  await settles();
});

test('a process that is killed after Stripe has charged, and before the payment is recorded, charges once', async () => {
  const method = await w.saveCard(harbour, 'visa');
  harbour.messages.mode = 'lose';
  w.shop.crashes = 1;
  const id = await w.begin(harbour, { method });
  assert.equal(await status(id), 'started');
  w.standIn.forgetKeys();
  await w.pass(HOUR);
  assert.equal(await status(id), 'succeeded');
  const charged = harbour.account.objects.all(
    'payment_intent',
    (one) => one.metadata.rollcall_payment === `payment-${id}`,
  );
  assert.equal(charged.length, 1);
  await settles();
});

test('the keys of one business are used only for its own payments', async () => {
  const asked = w.standIn.asked.length;
  const [here, there] = [await w.begin(harbour), await w.begin(w.meadow)];
  await pay(here);
  await pay(there, 'visa', w.meadow);
  assert.deepEqual([await status(here), await status(there, w.meadow)], ['succeeded', 'succeeded']);
  const made = w.standIn.asked.slice(asked).filter(({ request }) => request === 'POST /v1/checkout/sessions');
  assert.deepEqual(
    made.map(({ account, form }) => [account, (form.metadata as Record<string, string>).rollcall_business]),
    [
      [harbour.key, String(harbour.provider)],
      [w.meadow.key, String(w.meadow.provider)],
    ],
  );
  for (const { provider, account } of w.both)
    for (const one of account.objects.all('payment_intent'))
      assert.equal(one.metadata.rollcall_business, String(provider));
  await settles();
});

test('keys remain usable after the installation’s secret key is changed, but only while the earlier one is known', async () => {
  const id = await w.begin(harbour);
  harbour.messages.mode = 'lose';
  await pay(id);
  const other = Buffer.alloc(32, 'later').toString('base64');
  const env = { OUTBOUND_ALLOW: '127.0.0.1/32', SECRET_KEY: other };
  const without = await anotherServer(w.world, env);
  w.sell();
  const through = ({ app }: typeof without) => ({ ...w.outside(harbour), installation: app.installation });
  const failed = await tryPayment(through(without), id);
  assert.match(String(failed.error), /sealed with a key that is not known/);
  assert.ok(!String(failed.error).includes(harbour.key));
  const withBoth = await anotherServer(w.world, { ...env, SECRET_KEY_PREVIOUS: SECRET_KEY });
  w.sell();
  assert.equal((await tryPayment(through(withBoth), id)).state, 'succeeded');
});
