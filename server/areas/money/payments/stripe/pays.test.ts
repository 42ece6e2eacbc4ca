import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newPayment, startDesk, KEY, type Desk } from './test/with-stand-in.ts';
import { Outbound } from '../../../../kernel/base/http-out/outbound.ts';
import { payOnPage, tryOnPage } from './test/sessions.ts';
import { stripe } from './stripe.ts';
import { StripeTrouble } from './trouble.ts';
import type { Outcome, PaymentRequest } from '../processor.ts';

let desk: Desk;
before(async () => {
  desk = await startDesk();
});
after(() => desk.close());

const begin = (p: PaymentRequest) => stripe.begin(desk.c, p);
const look = (p: PaymentRequest, { external }: { external: string | null }) => stripe.look(desk.c, { ...p, external });
const cancel = (p: PaymentRequest, { external }: { external: string | null }) =>
  stripe.cancel(desk.c, { ...p, external });
const saved = (name: Parameters<Desk['account']['saveCard']>[0]) => {
  const { customer, method } = desk.account.saveCard(name);
  return { methodToken: `${customer}/${method}`, ownerToken: customer };
};
const asksOf = (p: PaymentRequest, request: string) =>
  desk.standIn.requests(request).filter(({ form }) => JSON.stringify(form).includes(`"${p.key}"`));
const intents = (p: PaymentRequest) =>
  desk.account.objects.all('payment_intent', ({ metadata }) => metadata.rollcall_payment === p.key);

test('a customer pays on Stripe’s page, and no method is saved unless they asked for it', async () => {
  const p = newPayment();
  const begun = await begin(p);
  assert.equal(begun.state, 'action_required');
  assert.match(begun.external!, /^cs_test_/);
  assert.equal(begun.url, `${desk.standIn.url}/c/pay/${begun.external}`);
  const [{ form, headers }] = asksOf(p, 'POST /v1/checkout/sessions');
  assert.equal(headers['stripe-version'], '2026-10-28.endive');
  assert.deepEqual(
    [form.customer_email, form.customer_creation, form.success_url, form.cancel_url],
    ['anna@example.com', undefined, p.returnTo, p.cancelTo],
  );
  assert.equal((await look(p, begun))!.state, 'action_required');
  assert.equal(payOnPage(desk.account, begun.external!, 'visa'), p.returnTo);
  assert.deepEqual(await look(p, begun), { state: 'succeeded', external: begun.external });
});

test('requests contain nothing about this machine, and no secret in an address', async () => {
  await begin(newPayment());
  for (const { headers, request } of desk.standIn.asked) {
    assert.equal(headers['x-stripe-client-telemetry'], undefined);
    const agent = JSON.parse(String(headers['x-stripe-client-user-agent']));
    assert.deepEqual([agent.platform, agent.telemetry_id], [undefined, undefined]);
    assert.ok(!request.includes('sk_'));
  }
});

test('a method is saved if the customer asked for it, and pays the next time without a page', async () => {
  const p = newPayment({ saveMethod: true });
  const begun = await begin(p);
  payOnPage(desk.account, begun.external!, 'mastercard');
  const { method } = (await look(p, begun))!;
  assert.match(method!.token, /^cus_\w+\/pm_\w+$/);
  const { token, ...printed } = method!;
  assert.deepEqual(printed, {
    type: 'credit_card',
    ownerToken: token.split('/')[0],
    brand: 'Mastercard',
    holder: 'A Payer',
    lastFour: '4444',
    expirationMonth: 12,
    expirationYear: 2034,
    bankName: null,
    email: null,
  });
  const next = newPayment({ methodToken: token, ownerToken: method!.ownerToken });
  const paid = await begin(next);
  assert.equal(paid.state, 'succeeded');
  assert.match(paid.external!, /^pi_/);
  const third = newPayment({ ownerToken: method!.ownerToken });
  assert.equal((await begin(third)).state, 'action_required');
  const [{ form }] = asksOf(third, 'POST /v1/checkout/sessions');
  assert.deepEqual([form.customer, form.customer_email], [method!.ownerToken, undefined]);
});

test('after a declined card the customer can try another on the page; only the expiry of the page is final', async () => {
  const p = newPayment();
  const begun = await begin(p);
  assert.equal(tryOnPage(desk.account, begun.external!, 'declined'), null);
  assert.equal((await look(p, begun))!.state, 'action_required');
  const bank = tryOnPage(desk.account, begun.external!, 'asks')!;
  assert.match(bank, /\/authenticate\/pi_/);
  const [{ id }] = intents(p);
  desk.account.authenticate(id, false);
  assert.equal((await look(p, begun))!.state, 'action_required');
  tryOnPage(desk.account, begun.external!, 'asks');
  desk.account.authenticate(id, true);
  assert.equal((await look(p, begun))!.state, 'succeeded');
});

test('a page that has expired can no longer be paid, and a payment made before stays paid', async () => {
  const p = newPayment();
  const begun = await begin(p);
  const stopped = await cancel(p, begun);
  assert.equal(stopped.state, 'failed');
  assert.equal(desk.account.objects.get('checkout.session', begun.external!).status, 'expired');
  assert.deepEqual((await cancel(p, begun)).state, 'failed');
  assert.match((await look(p, begun))!.why!, /expired/);
  const paid = newPayment();
  const page = await begin(paid);
  payOnPage(desk.account, page.external!, 'visa');
  assert.equal((await cancel(paid, page)).state, 'succeeded');
});

test('a payment by bank debit is pending until the bank decides, even if the customer returned long ago', async () => {
  for (const arrives of [true, false]) {
    const p = newPayment();
    const begun = await begin(p);
    payOnPage(desk.account, begun.external!, 'visa', true);
    assert.equal((await look(p, begun))!.state, 'pending');
    assert.equal((await cancel(p, begun)).state, 'pending', 'it can’t be stopped');
    desk.account.settle(intents(p)[0].id, arrives);
    assert.equal((await look(p, begun))!.state, arrives ? 'succeeded' : 'failed');
  }
});

test('a declined saved card is explained in words for the customer, which reveal no more than the bank does', async () => {
  const cases = [
    ['declined', /^Your card was declined\. Use a different card/],
    ['poor', /not enough money/],
  ] as const;
  for (const [card, why] of cases) {
    const p = newPayment(saved(card));
    const outcome = await begin(p);
    assert.equal(outcome.state, 'failed');
    assert.match(outcome.why!, why);
    assert.equal((await look(p, outcome))!.state, 'failed');
    assert.deepEqual(await begin(p), outcome, 'asking again charges nothing');
    assert.equal(intents(p).length, 1);
  }
});

test('when a bank requires authentication for a saved card, the customer is sent there', async () => {
  for (const confirms of [true, false]) {
    const p = newPayment(saved('asks'));
    const begun = await begin(p);
    assert.equal(begun.state, 'action_required');
    assert.match(begun.url!, /\/authenticate\/pi_/);
    assert.deepEqual(await begin(p), begun);
    const back = await fetch(`${begun.url}/${confirms ? 'complete' : 'fail'}`, { method: 'POST', redirect: 'manual' });
    assert.equal(back.headers.get('location'), p.returnTo);
    const after = await look(p, begun);
    assert.equal(after!.state, confirms ? 'succeeded' : 'failed');
    if (!confirms) assert.match(after!.why!, /could not confirm/);
    assert.equal(intents(p).length, 1);
  }
});

test('a payment that waits for the bank can be cancelled, and one that was charged cannot', async () => {
  const waits = newPayment(saved('asks'));
  const begun = await begin(waits);
  assert.equal((await cancel(waits, begun)).state, 'failed');
  desk.account.authenticate(begun.external!, true);
  assert.equal((await look(waits, begun))!.state, 'failed', 'the bank’s page no longer does anything');
  const charged = newPayment(saved('visa'));
  assert.equal((await cancel(charged, await begin(charged))).state, 'succeeded');
});

test('however often a payment is begun, also concurrently, Stripe creates only one', async () => {
  const p = newPayment();
  const pages = await Promise.all([begin(p), begin(p), begin(p)]);
  assert.equal(new Set(pages.map(({ external }) => external)).size, 1);
  const q = newPayment(saved('visa'));
  const charges = await Promise.all([begin(q), begin(q), begin(q)]);
  assert.equal(new Set(charges.map(({ external }) => external)).size, 1);
  assert.equal(intents(q).length, 1);
  desk.standIn.forgetKeys();
  assert.equal((await begin(q)).external, charges[0].external, 'and days later, when Stripe has forgotten the key');
  assert.equal(intents(q).length, 1);
});

test('after a lost response Stripe is asked again, and the customer is charged once', async () => {
  const p = newPayment(saved('visa'));
  desk.standIn.faults.plan('lose_answer', 'POST /v1/payment_intents');
  assert.equal((await begin(p)).state, 'succeeded');
  assert.equal(intents(p).length, 1);
  const q = newPayment(saved('visa'));
  desk.standIn.faults.plan('error_before', 'POST /v1/payment_intents');
  await assert.rejects(begin(q), StripeTrouble);
  assert.equal((await begin(q)).state, 'succeeded');
});

test('a charge whose response is an error is found, and not repeated with another key', async () => {
  const p = newPayment(saved('visa'));
  desk.standIn.faults.plan('error_after', 'POST /v1/payment_intents');
  await assert.rejects(begin(p), StripeTrouble);
  assert.equal((await begin(p)).state, 'succeeded');
  assert.equal(intents(p).length, 1);
  const none = newPayment(saved('visa'));
  desk.standIn.faults.plan('error_after', 'POST /v1/payment_intents');
  await assert.rejects(begin(none), StripeTrouble);
  for (const intent of intents(none)) intent.metadata = {};
  assert.equal((await begin(none)).state, 'succeeded', 'the key is spent, and nothing of it is found');
});

test('while Stripe can’t be asked the outcome of a payment stays unknown, and later it is found without an id', async () => {
  const p = newPayment(saved('visa'));
  desk.standIn.faults.plan('lose_answer', 'POST /v1/payment_intents', 50);
  await assert.rejects(begin(p), /^StripeTrouble: Stripe could not be asked\. The connection was closed/);
  desk.standIn.faults.clear();
  assert.equal((await look(p, { external: null }))!.state, 'succeeded');
  assert.equal((await cancel(p, { external: null })).state, 'succeeded');
  assert.equal(intents(p).length, 1);
  const never = newPayment(saved('visa'));
  assert.equal(await look(never, { external: null }), null);
  assert.equal((await cancel(never, { external: null })).state, 'failed');
  const page = newPayment();
  desk.standIn.faults.plan('lose_answer', 'POST /v1/checkout/sessions', 50);
  await assert.rejects(begin(page), StripeTrouble);
  desk.standIn.faults.clear();
  assert.equal(await look(page, { external: null }), null, 'nobody knows the address of the page');
  assert.equal((await begin(page)).state, 'action_required');
});

test('if Stripe refuses a page because of the address or the customer, one is opened without them', async () => {
  const wrong = newPayment({ customer: { id: 1, email: 'x@y@z.example', name: 'X' } });
  assert.equal((await begin(wrong)).state, 'action_required');
  assert.equal(asksOf(wrong, 'POST /v1/checkout/sessions')[0].form.customer_email, undefined);
  const unliked = newPayment();
  desk.standIn.faults.plan('error_after', 'POST /v1/checkout/sessions');
  await assert.rejects(begin(unliked), StripeTrouble);
  const begun = await begin(unliked);
  assert.equal(begun.state, 'action_required', 'a key that is spent on an error is given up');
  const gone = newPayment({ ownerToken: 'cus_gone', saveMethod: true });
  assert.equal((await begin(gone)).state, 'action_required');
  assert.equal(asksOf(gone, 'POST /v1/checkout/sessions').at(-1)!.form.customer_creation, 'always');
});

/** Pays an amount, and returns the outcome and the amount that Stripe received. */
const asked = async (amount: number, currency: string): Promise<[Outcome, unknown]> => {
  const p = newPayment({ amount, currency });
  const outcome = await begin(p);
  const form = asksOf(p, 'POST /v1/checkout/sessions')[0]?.form as any;
  if (outcome.state === 'action_required') {
    payOnPage(desk.account, outcome.external!, 'visa');
    assert.equal((await look(p, outcome))!.state, 'succeeded');
  }
  return [outcome, form?.line_items[0].price_data.unit_amount];
};

test('an amount is sent in Stripe’s units, and one that Stripe can’t represent is refused', async () => {
  assert.equal((await asked(1500, 'JPY'))[1], '1500');
  assert.equal((await asked(15, 'ISK'))[1], '1500');
  assert.equal((await asked(1500, 'MGA'))[1], '15');
  assert.equal((await asked(1250, 'KWD'))[1], '1250');
  const [odd, unasked] = await asked(1255, 'KWD');
  assert.deepEqual([odd.state, unasked], ['failed', undefined]);
  const [small] = await asked(20, 'CAD');
  assert.match(small.why!, /too small/);
});

test('a key that does not work charges nothing, and payments in progress wait for a working one', async () => {
  const broken = { ...desk.c, settings: { ...desk.c.settings, secret_key: 'sk_test_revoked0000' } };
  const p = newPayment();
  const outcome = await stripe.begin(broken, p);
  assert.equal(outcome.state, 'failed');
  assert.match(outcome.why!, /isn’t available at the moment\. Nothing was charged/);
  assert.equal((await stripe.begin(broken, newPayment(saved('visa')))).state, 'failed');
  const known = { ...newPayment(), external: 'cs_test_1' };
  for (const act of [stripe.look, stripe.cancel])
    await assert.rejects(act(broken, known), /^StripeTrouble: Stripe doesn’t know the secret key\. Set a new one\./);
});

test('an internal address is never called, and the customer reads nothing about it', async () => {
  const outbound = new Outbound({});
  const inside = { ...desk.c, outbound };
  const asked = desk.standIn.asked.length;
  const outcome = await stripe.begin(inside, newPayment());
  assert.equal(outcome.state, 'failed');
  assert.doesNotMatch(outcome.why!, /address|127/);
  assert.equal(desk.standIn.asked.length, asked);
  outbound.close();
});

test('an error names the request, but contains nothing that was sent', async () => {
  const p = newPayment(saved('visa'));
  desk.standIn.faults.plan('error_before', 'GET /v1/payment_intents', 3);
  await assert.rejects(begin(p), (error: Error) => {
    assert.match(error.message, /^Stripe could not do what it was asked \(500\)\. The request is req_/);
    assert.equal(error.cause, undefined);
    assert.ok(!JSON.stringify({ ...error, stack: error.stack }).includes(KEY));
    return true;
  });
  const unliked = newPayment();
  desk.standIn.faults.plan('rate_limited', 'POST /v1/checkout/sessions', 3);
  await assert.rejects(begin(unliked), /limited the number of requests/);
  desk.standIn.faults.clear();
});

test('a payment of another amount than requested is not accepted', async () => {
  const p = newPayment();
  const begun = await begin(p);
  payOnPage(desk.account, begun.external!, 'visa');
  desk.account.objects.get('checkout.session', begun.external!).amount_total = 2400;
  await assert.rejects(look(p, begun), /amount at Stripe differs/);
});

test('a saved method is removed at Stripe, and removing it again is no error', async () => {
  const { methodToken } = saved('visa');
  const [, method] = methodToken.split('/');
  const forget = () => stripe.forget(desk.c, { token: methodToken, ownerToken: null });
  await forget();
  assert.equal(desk.account.objects.get('payment_method', method).customer, null);
  await forget();
  const p = newPayment({ methodToken });
  assert.equal((await begin(p)).state, 'failed');
});
