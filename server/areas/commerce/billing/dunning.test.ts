/**
 * Unpaid invoices: scheduled attempts, access that is blocked and restored, and the consequences of the last attempt.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { BillingWorld } from './test/world.ts';
import { findExpiringCards } from './cards.ts';
import { ownContext } from '../../../test/own-context.ts';
import { backgroundWork } from '../../../kernel/work/unit/background-work.ts';
import { startWorld } from '../../../test/world.ts';

let b: BillingWorld;
beforeEach(async () => {
  b = await BillingWorld.of(await startWorld());
});
afterEach(() => b.close());

const at = (day: string, time = '14:00') => b.world.setNow(Date.parse(`${day}T${time}Z`));

/** Simulates these days: on each, bills the periods that begin, and takes the due dunning steps. */
async function live(...days: string[]): Promise<void> {
  for (const day of days) {
    at(day);
    await b.bill();
    await b.dun();
  }
}

/** Creates a customer whose card will be declined from now on. */
async function declined(over: object = {}): Promise<{ customer: number; id: number; bought: number }> {
  const { customer, id } = await b.member(over);
  await b.card(customer, 'declined_later');
  return { customer, id, bought: (await b.invoices(customer)).length };
}
const last = async (customer: number): Promise<any> => (await b.invoices(customer)).at(-1);
const status = async (customer: number): Promise<string> => (await last(customer)).status;
const unpaid = async (id: number): Promise<number | null> =>
  (await b.read(`/customer_memberships/${id}`)).unpaid_invoice;

test('a failed payment is retried on the scheduled days, and the payer is notified exactly once for each attempt', async () => {
  at('2030-01-10');
  const { customer, id } = await declined();
  await live('2030-02-10');
  assert.equal(await status(customer), 'retrying');
  await live('2030-02-10', '2030-02-12');
  assert.deepEqual(await b.told(customer), ['payment_retrying']);
  assert.equal((await b.subscriptionOf(id)).retry_count, 0);
  await live('2030-02-13');
  assert.equal((await b.subscriptionOf(id)).retry_count, 1);
  await live('2030-02-17', '2030-02-18', '2030-02-25');
  assert.equal(await status(customer), 'retry_failed');
  assert.equal((await b.subscriptionOf(id)).retry_count, 3);
  const { results } = await b.read(`/payments?customer=${customer}&status=failed`);
  assert.equal(results.length, 4);
  const told = await b.told(customer);
  assert.deepEqual(
    told.filter((kind) => kind !== 'membership_suspended'),
    ['payment_retrying', 'payment_retrying', 'payment_retrying', 'payment_failed'],
  );
  await b.c.balanced();
});

test('staff remind of a failed payment, ask for another method, and try it again, until it is paid', async () => {
  at('2030-01-10');
  const { customer } = await declined();
  await live('2030-02-10');
  const { id } = await last(customer);
  const ask = (what: string) => b.world.post(`/invoices/${id}/${what}`, { as: b.world.machine, body: {} });
  for (const [what, type] of [
    ['remind', 'invoice_reminder'],
    ['request_payment_method', 'payment_method_requested'],
  ]) {
    const answer = await ask(what);
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await b.told(customer)).at(-1), type);
  }
  assert.notEqual((await last(customer)).reminded_at, null);
  assert.equal((await ask('retry')).status, 200);
  await b.dun();
  assert.equal((await b.read(`/payments?customer=${customer}&status=failed`)).count, 2);
  await b.card(customer);
  assert.equal((await ask('retry')).status, 200);
  await b.dun();
  assert.equal(await status(customer), 'paid');
  for (const what of ['remind', 'request_payment_method', 'retry']) assert.equal((await ask(what)).status, 409, what);
});

test('a successful attempt ends the retries, and after an outage there are never two attempts on one day', async () => {
  at('2030-03-10');
  const { customer, bought } = await declined();
  await live('2030-04-10', '2030-04-30', '2030-04-30');
  const failed = async () => (await b.read(`/payments?customer=${customer}&status=failed`)).results.length;
  assert.equal(await failed(), 2);
  await b.card(customer);
  await live('2030-05-05');
  const billed = (await b.invoices(customer))
    .slice(bought)
    .filter((one) => one.subject.object === 'payment_subscription');
  assert.deepEqual(
    billed.map((one) => one.status),
    ['paid'],
  );
  assert.equal(await failed(), 2);
  await b.c.balanced();
});

test('after the grace period, bookings with the membership are refused until the invoice is paid, with texts for staff and for customers', async () => {
  at('2031-01-10');
  const { customer, id } = await declined();
  const event = await b.c.memberEvent({ in: 24 * 60 });
  const other = await b.c.memberEvent({ in: 24 * 61 });
  const book = (of: number, as?: string) => b.c.ask('POST', `/events/${of}/register`, { customer }, as);
  await live('2031-02-10', '2031-02-16');
  assert.equal((await book(event)).status, 200, 'within the days of grace');
  assert.equal(await unpaid(id), null);
  await live('2031-02-17');
  const { id: invoice, number } = await last(customer);
  assert.equal(await unpaid(id), invoice);
  const [staff, mine] = [await book(other), await book(other, b.world.customer(customer))];
  assert.deepEqual([staff.body.code, mine.body.code], ['membership_unpaid', 'membership_unpaid']);
  assert.match(staff.body.message, new RegExp(`until invoice ${number} is paid. Record its payment`));
  assert.match(mine.body.message, new RegExp(`until invoice ${number} is paid. Pay the invoice`));
  const explained = await b.read(`/events/${other}/explain?customer=${customer}`);
  assert.ok(JSON.stringify(explained).includes('membership_unpaid'));
  assert.ok((await b.told(customer)).includes('membership_suspended'));
  await b.done('POST', `/invoices/${invoice}/record_payment`, {});
  assert.equal((await book(other)).status, 200, 'in the same moment');
  await b.dun();
  assert.equal(await unpaid(id), null);
  const { results } = await b.read(`/feed_items?types=customer_membership.suspended,customer_membership.restored`);
  assert.deepEqual(
    results.map((one: any) => one.type ?? one.kind),
    ['customer_membership.suspended', 'customer_membership.restored'],
  );
  await b.c.balanced();
});

test('if two invoices are unpaid, both have to be paid', async () => {
  at('2031-05-10');
  await b.patch('/billing_settings', { retry_days: [], grace_days: 0 });
  const { customer, id, bought } = await declined();
  await live('2031-06-10', '2031-07-10');
  const [first, second] = (await b.invoices(customer)).slice(bought);
  assert.deepEqual([first.status, second.status], ['failed', 'failed']);
  await b.done('POST', `/invoices/${second.id}/record_payment`, {});
  await b.dun();
  assert.equal(await unpaid(id), first.id);
  await b.done('POST', `/invoices/${first.id}/void`, { reason: 'A present.' });
  await b.dun();
  assert.equal(await unpaid(id), null);
});

test('after the last attempt the membership is paused, and resumes when the invoice is paid', async () => {
  at('2032-01-10');
  await b.patch('/billing_settings', { retry_days: [2], after_last_retry: 'pause' });
  const { customer, id, bought } = await declined();
  await live('2032-02-10', '2032-02-12', '2032-02-13');
  assert.equal((await b.read(`/customer_memberships/${id}`)).status, 'hold');
  await live('2032-03-10');
  assert.equal((await b.invoices(customer)).length, bought + 1, 'no further period is due');
  at('2032-03-20');
  await b.done('POST', `/invoices/${(await last(customer)).id}/record_payment`, {});
  await b.dun();
  assert.equal((await b.read(`/customer_memberships/${id}`)).status, 'active');
  assert.equal(await unpaid(id), null);
  await live('2032-04-10');
  assert.equal((await b.invoices(customer)).length, bought + 2);
  await b.c.balanced();
});

test('after the last attempt the membership is cancelled if the business has chosen that', async () => {
  at('2033-01-10');
  await b.patch('/billing_settings', { retry_days: [], after_last_retry: 'cancel', grace_days: null });
  const { customer, id } = await declined();
  await live('2033-02-10');
  const owned = await b.read(`/customer_memberships/${id}`);
  assert.deepEqual([owned.is_set_for_cancellation, owned.expiration_date], [true, '2033-02-10']);
  assert.equal(await status(customer), 'failed');
  assert.deepEqual(await b.told(customer), ['payment_failed']);
});

test('another payment method is charged immediately, even after the last attempt', async () => {
  at('2034-01-10');
  await b.patch('/billing_settings', { retry_days: [] });
  const { customer, id } = await declined();
  await live('2034-02-10');
  assert.equal(await status(customer), 'failed');
  const good = await b.card(customer);
  const { id: subscription } = await b.subscriptionOf(id);
  await b.patch(`/payment_subscriptions/${subscription}`, { payment_method: good });
  await b.dun();
  const open = await b.read(`/invoices?payer=${customer}&status=failed,retrying,retry_failed,open,pending`);
  assert.deepEqual(open.results, []);
  await b.c.balanced();
});

test('staff can retry a failed payment immediately, each attempt counts, and a refusal says why there is nothing to retry', async () => {
  at('2034-05-10');
  const { customer, id } = await declined();
  const { id: subscription } = await b.subscriptionOf(id);
  const retry = `/payment_subscriptions/${subscription}/retry`;
  assert.equal((await b.refused('POST', retry, {})).status, 409);
  await live('2034-06-10');
  const waiting = await b.subscriptionOf(id);
  const { id: invoice } = await last(customer);
  assert.equal(waiting.unpaid_invoice, invoice);
  assert.deepEqual(
    [waiting.next_retry_at.slice(0, 10), waiting.suspends_at.slice(0, 10)],
    ['2034-06-13', '2034-06-17'],
  );
  const unpaidOnes = async (is: boolean) =>
    (await b.read(`/payment_subscriptions?is_unpaid=${is}`)).results.map((one: any) => one.id);
  assert.deepEqual(
    [(await unpaidOnes(true)).includes(subscription), (await unpaidOnes(false)).includes(subscription)],
    [true, false],
  );
  await b.done('POST', retry, {});
  await b.dun();
  const preview = await b.subscriptionOf(id);
  assert.equal(preview.retry_count, 1);
  assert.equal(preview.next_retry_at.slice(0, 10), '2034-06-15', 'the second wait of the calendar begins today');
  await b.card(customer);
  await b.done('POST', retry, {});
  await b.dun();
  const paid = await b.subscriptionOf(id);
  assert.deepEqual(
    [paid.unpaid_invoice, paid.next_retry_at, paid.suspends_at, await status(customer)],
    [null, null, null, 'paid'],
  );
  assert.equal((await b.refused('POST', retry, {})).status, 409);
  await b.c.balanced();
});

test('an invoice that could not be charged is tried when it is overdue, if a card has been saved in the meantime', async () => {
  at('2035-01-10');
  await b.patch('/billing_settings', { payment_days: 5, retry_days: [3], grace_days: 1 });
  const [saves, never] = [await b.member(), await b.member()];
  await live('2035-02-10', '2035-02-15');
  await b.card(saves.customer);
  await live('2035-02-16', '2035-02-17');
  const of = async ({ customer }: { customer: number }) => (await b.invoices(customer))[0].status;
  assert.deepEqual([await of(saves), await of(never)], ['paid', 'open']);
  assert.equal(await unpaid(saves.id), null);
  assert.notEqual(await unpaid(never.id), null);
  assert.deepEqual(await b.told(never.customer), ['membership_suspended']);
});

test('a payer whose card will have expired is notified once before the next payment', async () => {
  at('2036-01-10');
  const { customer } = await b.member();
  const method = await b.card(customer);
  await b.c.owner.query(
    'UPDATE payment_method SET expiration_month = 1, expiration_year = 2036 WHERE provider_id = $1 AND id = $2',
    [b.world.harbour, method],
  );
  const look = () => backgroundWork(ownContext(b.world), b.world.harbour, 'test', (work) => findExpiringCards(work));
  at('2036-01-26');
  await look();
  assert.deepEqual(await b.told(customer), []);
  at('2036-01-27');
  await look();
  at('2036-01-28');
  await look();
  assert.deepEqual(await b.told(customer), ['card_expires']);
});
