/** Billing periods are invoiced and collected once each, as previewed. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { bill } from '../../../test/worlds/billed.ts';
import { BillingWorld } from './test/world.ts';
import { startWorld } from '../../../test/world.ts';

let b: BillingWorld;
// A new business for each test: memberships of other tests would also begin new periods.
beforeEach(async () => {
  b = await BillingWorld.of(await startWorld());
});
afterEach(() => b.close());

const at = (day: string, time = '14:00') => b.world.setNow(Date.parse(`${day}T${time}Z`));
const sums = (invoices: any[]) =>
  invoices.map((one) => [one.issue_date, one.total_amount_due.string, one.status, one.outstanding_amount.string]);

test('each billing period is invoiced on its first day and charged to the saved card, by the calendar of months', async () => {
  at('2030-01-31');
  const { customer, id } = await b.member();
  const method = await b.card(customer);
  const bought = (await b.invoices(customer)).length;
  at('2030-02-28');
  await b.bill();
  at('2030-03-31');
  await b.bill();
  await b.bill();
  const billed = (await b.invoices(customer)).slice(bought);
  assert.deepEqual(sums(billed), [
    ['2030-02-28', '40.00', 'paid', '0.00'],
    ['2030-03-31', '40.00', 'paid', '0.00'],
  ]);
  assert.equal(billed[0].line_items[0].description, 'Club: February 28, 2030 to March 30, 2030');
  const { results: payments } = await b.read(`/payments?customer=${customer}&sort=id`);
  assert.deepEqual(
    payments.slice(-2).map((one: any) => [one.amount.string, one.status, one.payment_method]),
    [
      ['40.00', 'succeeded', method],
      ['40.00', 'succeeded', method],
    ],
  );
  assert.deepEqual(billed[1].subject, { object: 'payment_subscription', id: (await b.subscriptionOf(id)).id });
  await b.c.balanced();
});

test('periods begin at midnight in the time zone of the business', async () => {
  at('2030-04-15');
  const { customer } = await b.member();
  // Toronto is four hours behind.
  at('2030-05-15', '03:59');
  await b.bill();
  assert.equal((await b.invoices(customer)).length, 0);
  at('2030-05-15', '04:01');
  await b.bill();
  assert.deepEqual(sums(await b.invoices(customer)), [['2030-05-15', '40.00', 'open', '40.00']]);
});

test('a customer without a saved card gets an open invoice, due after the days that the business allows', async () => {
  at('2030-06-01');
  const { customer } = await b.member();
  await b.patch('/billing_settings', { payment_days: 10 });
  at('2030-07-01');
  await b.bill();
  const [one] = await b.invoices(customer);
  assert.deepEqual([one.status, one.due_date], ['open', '2030-07-11']);
});

test('the preview shows exactly what is invoiced: a discount of some cycles, tax, a new price, a hold, a charge and credit', async () => {
  at('2031-01-10');
  const customer = await b.world.newCustomer();
  const code = await b.c.code({ applicable_billing_cycles: 3 });
  const { membership, plan } = await b.m.recurring([], {});
  await b.done('POST', '/purchase_fees', {
    name: 'HST',
    kind: 'tax',
    type: 'percent',
    percentage: '13',
    is_taxable: false,
    purchase_types: ['recurring_membership'],
  });
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'MEM_RECUR', membership, plan });
  await b.patch(`/checkouts/${checkout}`, { discount_code: code });
  await b.c.pay(checkout, { payment_processor: b.c.sandbox, save_payment_method: true });
  const [{ id }] = (await b.read(`/customer_memberships?customer=${customer}`)).results;
  await b.c.owner.query('UPDATE customer_membership SET billed_price_minor = 5000 WHERE provider_id = $1 AND id = $2', [
    b.world.harbour,
    id,
  ]);
  await b.done('POST', '/customer_membership_holds', {
    customer_membership: id,
    start_date: '2031-03-05',
    end_date: '2031-03-20',
    disable_prorates: true,
  });
  await b.done('POST', '/account_entries', {
    customer,
    kind: 'charge',
    amount: '7.00',
    explanation: 'A lost key.',
  });
  await b.done('POST', '/account_entries', { customer, kind: 'credit', amount: '20.00', explanation: 'Sorry.' });
  const { id: subscription } = await b.subscriptionOf(id);
  const { upcoming_invoices: seen } = await b.read(`/payment_subscriptions/${subscription}/upcoming_invoices?count=3`);
  assert.deepEqual(
    seen.map((one: any) => one.billing_date),
    ['2031-02-10', '2031-04-10', '2031-05-10'],
    'the period that begins within the hold is left out',
  );
  const before = (await b.invoices(customer)).length;
  for (const day of ['2031-02-10', '2031-03-10', '2031-04-10', '2031-05-10']) {
    at(day);
    await b.bill();
  }
  const billed = (await b.invoices(customer)).slice(before);
  assert.deepEqual(
    billed.map((one) => [
      one.issue_date,
      one.total_amount_due.string,
      one.charges.reduce((sum: number, charge: any) => sum + Number(charge.amount.string), 0).toFixed(2),
      one.discounts.length,
    ]),
    seen.map((one: any) => [
      one.billing_date,
      one.total.string,
      one.amount_due.string,
      one.line_items.filter((line: any) => line.discount.string !== '0.00').length,
    ]),
  );
  assert.deepEqual(
    seen.map((one: any) => [one.total.string, one.account_credit.string, one.amount_due.string]),
    [
      // 50.00 less 20% is 40.00, plus 5.20 tax; the key; then the credit
      ['52.20', '20.00', '32.20'],
      ['45.20', '0.00', '45.20'],
      // the code was for three payments
      ['56.50', '0.00', '56.50'],
    ],
  );
  await b.c.balanced();
});

test('after an outage of months, everything is billed once, and each day is finished before the next', async () => {
  at('2032-01-10');
  const first = await b.member();
  const second = await b.member({ plan: { billing_period_unit: 'weeks', billing_period_length: 2 } });
  await b.card(first.customer);
  at('2032-03-15');
  await Promise.all([b.bill(), b.bill()]);
  await b.bill();
  const lines = await b.c.owner.query(
    `SELECT p.period_start::text AS day FROM billing_period p
      JOIN invoice i ON i.provider_id = p.provider_id AND i.id = p.invoice_id
     WHERE p.provider_id = $1 AND p.customer_membership_id = ANY($2) ORDER BY i.sequence`,
    [b.world.harbour, [first.id, second.id]],
  );
  assert.deepEqual(
    lines.rows.map(({ day }) => day),
    ['2032-01-24', '2032-02-07', '2032-02-10', '2032-02-21', '2032-03-06', '2032-03-10'],
  );
});

test('the first period of an upgrade or a downgrade is billed, with the credit for the remaining time', async () => {
  at('2033-01-01');
  const { customer, id } = await b.member();
  await bill(b.world, id);
  await b.card(customer);
  const before = (await b.invoices(customer)).length;
  at('2033-01-16');
  const { membership } = await b.m.recurring([], { price: '62.00' });
  const next = await b.done('POST', `/customer_memberships/${id}/upgrade`, { membership });
  await b.bill();
  const [upgraded] = (await b.invoices(customer)).slice(before);
  // 16 of 31 days of 40.00 were left.
  assert.deepEqual(
    [upgraded.issue_date, upgraded.total_amount_due.string, upgraded.status],
    ['2033-01-16', '41.35', 'paid'],
  );
  assert.deepEqual(
    upgraded.adjustments.map((one: any) => one.amount.string),
    ['-20.65'],
  );
  const { membership: smaller } = await b.m.recurring([], { price: '30.00' });
  await b.done('POST', `/customer_memberships/${next.id}/downgrade`, { membership: smaller });
  await b.bill();
  assert.equal((await b.invoices(customer)).length, before + 1, 'it begins later');
  at('2033-02-16');
  await b.bill();
  assert.deepEqual(sums((await b.invoices(customer)).slice(before + 1)), [['2033-02-16', '30.00', 'paid', '0.00']]);
  await b.c.balanced();
});

test('a membership sold elsewhere is billed from the second period on, unless staff choose to bill the first one too', async () => {
  at('2034-01-10');
  const [elsewhere, here] = [await b.member(), await b.member({ over: { bill_first_period: true } })];
  const entered = await b.member({ over: { bill_first_period: true, start_date: '2034-01-20' } });
  await b.done('POST', `/customer_memberships/${entered.id}/cancel`, { cancellation_reason: 'mistake' });
  await b.bill();
  assert.equal((await b.invoices(elsewhere.customer)).length, 0);
  assert.deepEqual(sums(await b.invoices(here.customer)), [['2034-01-10', '40.00', 'open', '40.00']]);
  at('2034-01-20');
  await b.bill();
  assert.equal((await b.invoices(entered.customer)).length, 0, 'it was entered by mistake');
});

test('due charges are invoiced a day after they were added, unless they wait for the next billing period', async () => {
  at('2036-01-10');
  const customer = await b.world.newCustomer();
  await b.card(customer);
  const before = (await b.invoices(customer)).length;
  await b.done('POST', '/account_entries', { customer, kind: 'charge', amount: '7.00', explanation: 'A lost key.' });
  await b.charges();
  assert.equal((await b.invoices(customer)).length, before, 'it can be paid at the desk today');
  at('2036-01-11');
  await b.patch('/billing_settings', { invoice_charges: false });
  await b.charges();
  assert.equal((await b.invoices(customer)).length, before);
  await b.patch('/billing_settings', { invoice_charges: true });
  await b.charges();
  await b.charges();
  assert.deepEqual(sums((await b.invoices(customer)).slice(before)), [['2036-01-11', '7.00', 'paid', '0.00']]);
  await b.c.balanced();
});

test('a charge for a booking can be paid at the desk until the day of the event has ended, and is invoiced after that', async () => {
  at('2036-02-10');
  const customer = await b.world.newCustomer();
  await b.card(customer);
  const before = (await b.invoices(customer)).length;
  const event = await b.c.event({ starts_at: '2036-02-20T18:00:00-05:00', ends_at: '2036-02-20T19:00:00-05:00' });
  await b.done('POST', `/events/${event}/register`, { customer });
  const billedOn = async (day: string) => {
    at(day);
    await b.charges();
    return sums((await b.invoices(customer)).slice(before));
  };
  assert.deepEqual(await billedOn('2036-02-11'), []);
  assert.deepEqual(await billedOn('2036-02-20'), []);
  assert.deepEqual(await billedOn('2036-02-21'), [['2036-02-21', '15.00', 'paid', '0.00']]);
  await b.c.balanced();
});

test('the manager of a family pays for the children with the manager’s card', async () => {
  at('2035-01-10');
  const { parent, child } = await b.family();
  await b.member({ customer: child });
  await b.card(parent);
  const before = (await b.invoices(parent)).length;
  at('2035-02-10');
  await b.bill();
  const [one] = (await b.invoices(parent)).slice(before);
  assert.deepEqual([one.payer, one.status, one.line_items[0].customer], [parent, 'paid', child]);
  await b.c.balanced();
});
