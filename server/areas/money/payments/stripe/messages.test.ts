import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { closeDispute, dispute, endRefund, refund as refundThere } from './test/after-payment.ts';
import { newPayment, newRefund, SECRET, startDesk, type Desk } from './test/with-stand-in.ts';
import { payOnPage, tryOnPage } from './test/sessions.ts';
import { stripe } from './stripe.ts';
import { StripeTrouble } from './trouble.ts';
import type { CardName } from './test/cards.ts';
import { signature, type Event } from './test/messages.ts';
import type { PaymentRequest } from '../processor.ts';

let desk: Desk;
before(async () => {
  desk = await startDesk();
});
after(() => desk.close());
beforeEach(() => void desk.messages.held.splice(0));

const MINUTE = 60_000;

/** Pays on the page. Returns the stored id as `external`, and Stripe's own id as `intent`. */
async function paid(p: PaymentRequest, card: CardName = 'visa'): Promise<{ external: string; intent: string }> {
  const { external } = await stripe.begin(desk.c, p);
  payOnPage(desk.account, external!, card);
  return { external: external!, intent: desk.account.objects.get('checkout.session', external!).payment_intent };
}
const told = (type: string): Event => desk.messages.held.findLast((event) => event.type === type)!;
const news = async (event: Event) => (await desk.read(event))!.news;

test('only a message that is signed for this business is accepted', async () => {
  await paid(newPayment());
  const event = told('checkout.session.completed');
  assert.equal((await desk.read(event))!.id, event.id);
  assert.equal(await desk.read(event, { secret: 'whsec_meadow0000000000' }), null);
  assert.equal(await desk.read(event, { at: desk.c.now - 6 * MINUTE }), null, 'a recorded one is not sent again');
  const { webhook_secret: _, ...without } = desk.c.settings;
  assert.equal(await desk.read(event, { c: { ...desk.c, settings: without } }), null);
  const body = Buffer.from(JSON.stringify(event));
  for (const wrong of [undefined, '', 't=1', `t=${Math.floor(desk.c.now / 1000)},v1=00`])
    assert.equal(await stripe.verify(desk.c, { body, headers: { 'stripe-signature': wrong } }), null);
  const altered = { ...event, type: 'checkout.session.expired' };
  const signed = signature(JSON.stringify(event), SECRET, desk.c.now);
  const forged = { body: Buffer.from(JSON.stringify(altered)), headers: { 'stripe-signature': signed } };
  assert.equal(await stripe.verify(desk.c, forged), null);
});

test('messages in any order report the current state, not the state at the time of the message', async () => {
  const p = newPayment();
  const { external } = await stripe.begin(desk.c, p);
  payOnPage(desk.account, external!, 'visa', true);
  const [intent] = desk.account.objects.all('payment_intent', ({ metadata }) => metadata.rollcall_payment === p.key);
  const early = told('checkout.session.completed');
  assert.deepEqual(await news(early), [{ about: { key: p.key }, payment: { state: 'pending', external } }]);
  desk.account.settle(intent.id, true);
  for (const event of [told('checkout.session.async_payment_succeeded'), early])
    assert.deepEqual(await news(event), [{ about: { key: p.key }, payment: { state: 'succeeded', external } }]);
});

test('a card that is declined on the page does not change the payment, and neither does an event that the page reports itself', async () => {
  const p = newPayment();
  const { external } = await stripe.begin(desk.c, p);
  tryOnPage(desk.account, external!, 'declined');
  assert.deepEqual(await news(told('payment_intent.payment_failed')), []);
  payOnPage(desk.account, external!, 'visa');
  assert.deepEqual(await news(told('payment_intent.succeeded')), []);
});

test('the expiry of a page is news about that page alone: the payment may have another', async () => {
  const p = newPayment();
  const { external } = await stripe.begin(desk.c, p);
  await stripe.cancel(desk.c, { ...p, external });
  const [{ about, payment }] = (await news(told('checkout.session.expired'))) as any;
  assert.deepEqual([about, payment.state], [{ external }, 'failed']);
});

test('a payment with a saved card is reported without a checkout session', async () => {
  const { customer, method } = desk.account.saveCard('asks');
  const p = newPayment({ methodToken: `${customer}/${method}` });
  const { external } = await stripe.begin(desk.c, p);
  assert.equal(((await news(told('payment_intent.payment_failed'))) as any)[0].payment.state, 'action_required');
  desk.account.authenticate(external!, true);
  assert.deepEqual(await news(told('payment_intent.succeeded')), [
    { about: { key: p.key }, payment: { state: 'succeeded', external } },
  ]);
});

test('objects of another business on the same account, or of none of ours, are not news', async () => {
  const p = newPayment();
  const { intent } = await paid(p);
  const [one] = desk.messages.held.filter(({ type }) => type === 'checkout.session.completed');
  refundThere(desk.account, intent, 100, {});
  const meadow = { ...desk.c, provider: 8 };
  assert.deepEqual((await desk.read(one, { c: meadow }))!.news, []);
  assert.deepEqual((await desk.read(told('refund.created'), { c: meadow }))!.news, []);
  const theirs = desk.account.objects.add('payment_intent', {
    amount: 500,
    amount_received: 500,
    currency: 'cad',
    status: 'succeeded',
    metadata: {},
  });
  desk.messages.tell('payment_intent.succeeded', theirs);
  assert.deepEqual(await news(told('payment_intent.succeeded')), []);
  desk.messages.tell('customer.created', desk.account.objects.add('customer', { metadata: {} }));
  assert.deepEqual(await news(told('customer.created')), []);
});

test('an object of another account is not found with this account’s key, regardless of the signature', async () => {
  const other = desk.standIn.account('sk_test_meadow00000000');
  const { customer, method } = other.saveCard('visa');
  const settings = { ...desk.c.settings, secret_key: other.key };
  const p = newPayment({ methodToken: `${customer}/${method}` });
  await stripe.begin({ ...desk.c, settings }, p);
  const event = desk.standIn.messages(other.key).events.find(({ type }) => type === 'payment_intent.succeeded')!;
  await assert.rejects(desk.read(event), /^StripeTrouble: Stripe could not do what it was asked \(resource_missing\)/);
});

test('while Stripe can’t be asked a message is not accepted, so that it arrives again', async () => {
  await paid(newPayment());
  const event = told('checkout.session.completed');
  desk.standIn.faults.plan('error_before', 'GET /v1/checkout', 50);
  await assert.rejects(desk.read(event), /^StripeTrouble/);
  desk.standIn.faults.clear();
  assert.equal((await desk.read(event))!.news.length, 1);
});

test('money is refunded in full or in part, once for each refund, and never more than was paid', async () => {
  const p = newPayment({ amount: 3000 });
  const { external, intent } = await paid(p);
  const part = newRefund(p, external, { amount: 1000 });
  const first = await stripe.refund(desk.c, part);
  assert.equal(first.state, 'succeeded');
  assert.deepEqual(await stripe.refund(desk.c, part), first, 'asked again');
  desk.standIn.forgetKeys();
  assert.deepEqual(await stripe.refund(desk.c, part), first, 'asked again after Stripe has forgotten the key');
  assert.deepEqual(await stripe.lookRefund(desk.c, { ...part, external: first.external }), first);
  const tooMuch = await stripe.refund(desk.c, newRefund(p, external, { amount: 2500 }));
  assert.equal(tooMuch.state, 'failed');
  const rest = newRefund(p, external, { amount: 2000 });
  await Promise.all([stripe.refund(desk.c, rest), stripe.refund(desk.c, rest)]);
  assert.equal(desk.account.objects.all('refund', (r) => r.payment_intent === intent).length, 2);
  const nothingLeft = await stripe.refund(desk.c, newRefund(p, external, { amount: 1 }));
  assert.match(nothingLeft.why!, /already refunded in full/);
});

test('a refund whose response is lost, or an error, is made once', async () => {
  for (const fault of ['lose_answer', 'error_after'] as const) {
    const p = newPayment();
    const { external, intent } = await paid(p);
    const r = newRefund(p, external, { amount: 500 });
    desk.standIn.faults.plan(fault, 'POST /v1/refunds');
    if (fault === 'error_after') await assert.rejects(stripe.refund(desk.c, r), StripeTrouble);
    assert.equal((await stripe.refund(desk.c, r)).state, 'succeeded', fault);
    assert.equal(desk.account.objects.all('refund', (made) => made.payment_intent === intent).length, 1, fault);
  }
  const p = newPayment();
  const { external } = await paid(p);
  const broken = { ...desk.c, settings: { ...desk.c.settings, secret_key: 'sk_test_revoked0000' } };
  await assert.rejects(stripe.refund(broken, newRefund(p, external)), /Set a new one/);
});

test('a refund that the bank accepts later or returns is reported, and so is one made in the Dashboard', async () => {
  const p = newPayment();
  const { external, intent } = await paid(p, 'refund_pending');
  const r = newRefund(p, external, { amount: 700 });
  const pending = await stripe.refund(desk.c, r);
  assert.equal(pending.state, 'pending');
  endRefund(desk.account, pending.external!, 'succeeded');
  const about = { key: p.key };
  assert.deepEqual(await news(told('refund.updated')), [
    { about, refund: { state: 'succeeded', external: pending.external, key: r.key } },
  ]);
  endRefund(desk.account, pending.external!, 'failed');
  const [{ refund }] = (await news(told('refund.failed'))) as any;
  assert.deepEqual([refund.state, refund.key], ['failed', r.key]);
  assert.match(refund.why, /card has expired or was cancelled\. Refund the money in another way/);
  assert.equal((await stripe.lookRefund(desk.c, { ...r, external: pending.external })).state, 'failed');
  const theirs = refundThere(desk.account, intent, 100, {});
  assert.deepEqual(await news(told('refund.created')), [
    { about, refund: { state: 'pending', external: theirs.id, key: null } },
  ]);
});

test('a dispute withdraws the money until the bank decides; an inquiry of the bank does not', async () => {
  for (const [end, state] of [
    ['won', 'won'],
    ['lost', 'lost'],
  ] as const) {
    const p = newPayment({ amount: 15, currency: 'ISK' });
    const { external, intent } = await paid(p);
    const opened = dispute(desk.account, intent);
    const [{ about, dispute: said }] = (await news(told('charge.dispute.created'))) as any;
    assert.deepEqual(about, { key: p.key });
    assert.deepEqual([said.external, said.state, said.amount, said.reason], [opened.id, 'open', 15, 'fraudulent']);
    assert.ok(said.answerBy > desk.c.now);
    assert.match((await stripe.refund(desk.c, newRefund(p, external))).why!, /disputed/);
    closeDispute(desk.account, opened.id, end);
    for (const event of [told('charge.dispute.closed'), told('charge.dispute.created')])
      assert.equal(((await news(event)) as any)[0].dispute.state, state, 'whichever message comes last');
    opened.status = 'warning_needs_response';
    assert.deepEqual(await news(told('charge.dispute.created')), []);
  }
});
