/**
 * Tests of payments under every failure: responses get lost, messages are repeated, reordered, late or lost, the
 * process ends between any two steps, customers change their minds. In the end, our records agree with Stripe's.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeDispute, dispute, endRefund } from './test/after-payment.ts';
import { chance } from '../../../../test/storm.ts';
import { moneyAt, StripeWorld, type Business } from './test/stripe-world.ts';
import { askCancel, refundable, startRefund } from '../start.ts';
import { expireSession, payOnPage, tryOnPage } from './test/sessions.ts';
import { tryPayment, tryRefund } from '../sync.ts';
import type { CardName } from './test/cards.ts';
import type { Fault } from './test/faults.ts';
import type { Kept } from './test/objects.ts';

let w: StripeWorld;
before(async () => {
  w = await StripeWorld.start();
});
after(() => w.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FAULTS: readonly Fault[] = ['lose_answer', 'error_after', 'error_before', 'rate_limited'];
const REQUESTS = ['POST /v1/checkout/sessions', 'POST /v1/payment_intents', 'POST /v1/refunds', 'POST /v1/'];
const CARDS: readonly CardName[] = ['visa', 'asks', 'declined', 'poor', 'refund_pending', 'refund_fails'];

interface Started {
  readonly business: Business;
  readonly id: number;
}

type Chance = ReturnType<typeof chance>;

const intentsOf = ({ business, id }: Started): Kept[] =>
  business.account.objects.all('payment_intent', ({ metadata }) => metadata.rollcall_payment === `payment-${id}`);
const succeededAt = (one: Started): Kept[] => intentsOf(one).filter(({ status }) => status === 'succeeded');
/** Returns the page that the customer was sent to. Nobody knows the address of a page whose response was lost. */
async function pageOf({ business, id }: Started): Promise<Kept | null> {
  const page = /cs_test_\w+$/.exec((await w.row(business, id)).action_url ?? '')?.[0];
  const session = page === undefined ? null : business.account.objects.find('checkout.session', page);
  return session?.status === 'open' ? session : null;
}

/** Random events of one payment, caused by its customer, their bank, staff, or nobody. */
const HAPPENINGS: readonly ((one: Started, luck: Chance) => Promise<unknown> | unknown)[] = [
  async (one) => {
    const page = await pageOf(one);
    if (page) payOnPage(one.business.account, page.id, 'visa');
  },
  async (one, luck) => {
    const page = await pageOf(one);
    if (page) tryOnPage(one.business.account, page.id, luck.of(CARDS));
  },
  async (one) => {
    const page = await pageOf(one);
    if (page) payOnPage(one.business.account, page.id, 'visa', true);
  },
  (one, luck) => {
    for (const { id, status } of intentsOf(one)) {
      if (status === 'requires_action') one.business.account.authenticate(id, luck.below(3) > 0);
      if (status === 'processing') one.business.account.settle(id, luck.below(3) > 0);
    }
  },
  ({ business, id }) => tryPayment(w.outside(business), id),
  ({ business, id }, luck) => luck.below(3) === 0 && w.world.work(business.provider, (work) => askCancel(work, id)),
  async ({ business, id }, luck) => {
    const row = await w.row(business, id);
    if (row.status !== 'succeeded') return;
    const refund = await w.world.work(business.provider, async (work) => {
      const most = await refundable(work, row);
      return most > 0 ? startRefund(work, { payment: id, amount: 1 + luck.below(most), why: 'Rain.' }) : null;
    });
    if (luck.below(2) === 0) w.standIn.faults.plan(luck.of(FAULTS), 'POST /v1/refunds', luck.of([1, 20]));
    if (refund !== null) await tryRefund(w.outside(business), refund);
  },
  // A day later, a page that nobody was sent to expires.
  async (one) => {
    const page = await pageOf(one);
    const { account, provider } = one.business;
    const mark = ({ metadata }: Kept) =>
      metadata.rollcall_business === String(provider) && metadata.rollcall_payment === `payment-${one.id}`;
    for (const { id } of account.objects.all('checkout.session', (s) => s.status === 'open' && mark(s)))
      if (page !== null && id !== page.id) expireSession(account, id);
  },
  async ({ business, id }, luck) => {
    for (const { external, status } of await w.rows<any>(business.provider, 'payment_refund', id))
      if (external && status !== 'failed' && luck.below(2) === 0)
        endRefund(business.account, external, luck.below(3) === 0 ? 'failed' : 'succeeded');
  },
  (one, luck) => {
    const { account } = one.business;
    const [paid] = succeededAt(one);
    const known = account.objects.all('dispute', (d) => d.payment_intent === paid?.id)[0];
    if (paid && !known && account.objects.get('charge', paid.latest_charge).amount_refunded === 0)
      dispute(account, paid.id);
    else if (known?.status === 'needs_response') closeDispute(account, known.id, luck.of(['won', 'lost'] as const));
  },
];

async function disturb(luck: Chance): Promise<void> {
  w.standIn.faults.clear();
  // More failures in a row than the library retries on its own.
  if (luck.below(2) === 0) w.standIn.faults.plan(luck.of(FAULTS), luck.of(REQUESTS), luck.of([1, 20]));
  if (luck.below(4) === 0) w.standIn.forgetKeys();
  w.shop.crashes = luck.below(4) === 0 ? 1 : 0;
  for (const { messages } of w.both) {
    messages.mode = luck.of(['send', 'hold', 'hold', 'lose']);
    messages.copies = 1 + luck.below(2);
    if (luck.below(4) === 0)
      await messages.release((all) => all.toSorted(() => luck.below(3) - 1).filter(() => luck.below(5) > 0));
    // Repeats an old message days later.
    if (messages.events.length > 0 && luck.below(6) === 0) await messages.send(luck.of(messages.events));
  }
}

/** Completes everything that is in progress, without another message. */
async function calm(): Promise<void> {
  w.standIn.faults.clear();
  w.shop.crashes = 0;
  for (const { messages, account } of w.both) {
    messages.mode = 'lose';
    await messages.settled();
    for (const { id, status } of account.objects.all('payment_intent'))
      if (status === 'processing') account.settle(id, true);
  }
  for (let n = 0; n < 8; n++) await w.pass(12 * HOUR);
}

/** Delivers the events that only messages report, disputes and returned refunds: in any order, and more than once. */
async function hearEverything(luck: Chance): Promise<void> {
  for (const { messages } of w.both) {
    const all = [...messages.events, ...messages.events.filter(() => luck.below(3) === 0)];
    for (const event of all.toSorted(() => luck.below(3) - 1))
      for (const { status } of await messages.send(event)) assert.equal(status, 204, event.type);
  }
  await w.pass(HOUR);
}

async function checkPayment(one: Started): Promise<void> {
  const row = await w.row(one.business, one.id);
  const charged = succeededAt(one);
  const context = `payment ${one.id}: ${JSON.stringify(row)}`;
  assert.ok(charged.length <= 1, `charged once: ${context}`);
  assert.equal(row.status, charged.length === 1 ? 'succeeded' : 'failed', context);
  assert.equal(w.shop.paidFor.get(one.id) ?? 0, row.taken ? 1 : 0, context);
  assert.equal(w.shop.failedFor.get(one.id) ?? 0, row.status === 'failed' ? 1 : 0, context);
  assert.equal(charged[0]?.amount ?? row.amount_minor, row.amount_minor, context);
  const { objects } = one.business.account;
  const refunds = await w.rows<any>(one.business.provider, 'payment_refund', one.id);
  const there = objects.all('refund', ({ payment_intent }) => payment_intent === charged[0]?.id);
  assert.equal(new Set(there.map(({ metadata }) => metadata.rollcall_refund)).size, there.length, `once: ${context}`);
  for (const { id, status } of refunds) {
    const made = there.find(({ metadata }) => metadata.rollcall_refund === `refund-${id}`);
    if (made?.status === 'pending') assert.equal(status, 'pending', context);
    else if (made)
      assert.ok(status === made.status || made.status === 'failed', `${status}, ${made.status}: ${context}`);
    else assert.equal(status, 'failed', context);
  }
}

for (const seed of [1, 2]) {
  test(`whatever goes wrong, what is written down is what Stripe has, and nobody is charged or paid back twice (${seed})`, async () => {
    const luck = chance(seed);
    const started: Started[] = [];
    for (let n = 0; n < 16; n++) {
      await disturb(luck);
      const business = luck.of(w.both);
      const method = luck.below(3) === 0 ? await w.saveCard(business, luck.of(CARDS)) : null;
      const about = luck.below(12);
      if (luck.below(24) === 0) w.shop.soldOut.add(about);
      const over = { method, amount: 500 + luck.below(5000), payee: { name: w.shop.name, id: about } };
      started.push({ business, id: await w.begin(business, { ...over, saveMethod: luck.below(3) === 0 }) });
      for (let m = 0; m < 8; m++) {
        if (luck.below(3) === 0) await disturb(luck);
        await luck.of(HAPPENINGS)(luck.of(started.slice(-6)), luck);
        if (luck.below(6) === 0) await w.pass(luck.below(40) * MINUTE);
      }
    }
    await calm();
    for (const one of started) await checkPayment(one);
    await hearEverything(luck);
    for (const business of w.both) assert.equal(await w.clearing(business), moneyAt(business.account));
    for (const one of started) await checkPayment(one);
  });
}
