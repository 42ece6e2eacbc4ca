/**
 * Figures that people see, each walked over HTTP to the rows that made it: at most three requests, by links, ids and
 * `explain` alone.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { BillingWorld } from '../../areas/commerce/billing/test/world.ts';
import { book, newEvent, newOffering, iso } from '../schedule-world.ts';
import { calculateEnded } from '../../areas/scheduling/instructor-pay/index.ts';
import { cents } from './scene.ts';
import { PenaltyWorld } from '../worlds/penalty-world.ts';
import { seed } from '../seeds.ts';
import { startWorld, type World } from '../world.ts';

const HOUR = 3_600_000;
const MAX_REQUESTS = 3;

let b: BillingWorld;
before(async () => {
  b = await BillingWorld.of(await startWorld());
});
after(() => b.close());

/** Returns a reader that refuses one request too many. */
function walk(world: World): (path: string) => Promise<any> {
  let left = MAX_REQUESTS;
  return async (path) => {
    assert.ok(left-- > 0, `the walk is too long: ${path}`);
    const answer = await world.get(path, { as: world.machine });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.body;
  };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Members who pay 40.00 a month and 15% of tax, billed for their first month. */
async function taxedMember(): Promise<{ customer: number; id: number; invoice: number }> {
  const purchase_types = ['recurring_membership'];
  const tax = { name: 'VAT', kind: 'tax', type: 'percent', percentage: '15', purchase_types };
  const { id: fee } = await b.done('POST', '/purchase_fees', tax);
  const { customer, id } = await b.member({ over: { bill_first_period: true } });
  await b.bill();
  await b.done('PATCH', `/purchase_fees/${fee}`, { archived: true });
  const [{ id: invoice }] = (await b.read(`/invoices?payer=${customer}`)).results;
  return { customer, id, invoice };
}

test('a price on the page of a class leads to the offering that it is the price of', async () => {
  const event = await b.c.event({ price: '15.00' });
  const page = await fetch(`${b.world.url}${b.world.site}/events/${event}`);
  assert.match(await page.text(), /\$15\.00 for one visit/);
  const { offering_type } = await walk(b.world)(`/events/${event}?expand=offering_type`);
  assert.equal(offering_type.dropin_price, '15.00');
});

test('a line of an invoice leads to its price, its tax and the membership that was billed', async () => {
  const { id, invoice } = await taxedMember();
  const get = walk(b.world);
  const { line_items, taxes } = await get(`/invoices/${invoice}?expand=line_items,taxes`);
  const [line] = line_items;
  const ofLine = taxes.filter((tax: any) => tax.line_item === line.id);
  assert.equal(cents(line.total_amount_due), 4600);
  assert.equal(cents(line.price) - cents(line.discount) + sum(ofLine.map((tax: any) => cents(tax.amount))), 4600);
  const fee = await get(`/purchase_fees/${ofLine[0].purchase_fee}`);
  assert.deepEqual([fee.percentage, ofLine[0].explanation], ['15', 'VAT: 15% of $40.00']);
  assert.equal(line.billed_item, id);
  assert.equal((await get(`/customer_memberships/${line.billed_item}`)).billed_price.string, '40.00');
});

test('a refunded amount leads to its refunds, the payment and the sale', async () => {
  const customer = await b.world.newCustomer();
  const checkout = await b.c.open(customer);
  await b.c.add(checkout, { item_type: 'CLASS_DRP', event: await b.c.event({ price: '15.00' }) });
  const { payment, invoice } = await b.c.pay(checkout, { payment_processor: b.c.sandbox });
  for (const amount of ['5.00', '2.50'])
    await b.done('POST', `/payments/${payment}/refund`, { amount, reason: 'It rained.' });
  const get = walk(b.world);
  const { refunded_amount, subject } = await get(`/payments/${payment}`);
  const { results } = await get(`/payment_refunds?payment=${payment}`);
  assert.equal(cents(refunded_amount), 750);
  assert.equal(sum(results.map((one: any) => cents(one.amount))), 750);
  assert.deepEqual(new Set(results.map((one: any) => one.explanation)), new Set(['It rained.']));
  assert.equal(subject.object, 'checkout');
  assert.equal((await get(`/checkouts/${subject.id}`)).invoice, invoice);
});

test('a credit from a hold leads to its calculation, the hold and the line of the invoice that it gives back', async () => {
  const { customer, id, invoice } = await taxedMember();
  const today = iso(b.world.now).slice(0, 10);
  const hold = await b.done('POST', '/customer_membership_holds', {
    customer_membership: id,
    start_date: today,
    days: 5,
  });
  const [{ id: entry }] = (await b.read(`/account_entries?customer=${customer}`)).results;
  const get = walk(b.world);
  const credit = await get(`/account_entries/${entry}?expand=returned_line_item`);
  assert.match(credit.explanation, /5 of 31 days of the billing period/);
  assert.deepEqual(
    [credit.returned_line_item.invoice, cents(credit.returned_line_item.total_amount_due)],
    [invoice, 4600],
  );
  const { results } = await get(`/customer_membership_holds?customer_membership=${credit.customer_membership}`);
  assert.deepEqual(
    results.map((one: any) => one.id),
    [hold.id],
  );
  const { resolution } = await get(`/customer_membership_holds/${hold.id}/payment_resolution`);
  assert.equal(cents(resolution.credit), cents(credit.amount));
});

test('the visits left of a pack lead to the bookings that used the others', async () => {
  const customer = await b.world.newCustomer();
  const { id } = await b.m.give(customer, await b.m.pack(5));
  const events = [await b.c.memberEvent(), await b.c.memberEvent()];
  for (const event of events) await b.done('POST', `/events/${event}/register`, { customer });
  const get = walk(b.world);
  const { usage_periods } = await get(`/customer_memberships/${id}/usage`);
  const [{ max_uses, used_count, remaining_count }] = usage_periods;
  assert.deepEqual([max_uses, used_count, remaining_count], [5, 2, 3]);
  const { results } = await get(`/attendances?customer=${customer}`);
  const used = results.filter((one: any) => one.customer_membership === id);
  assert.deepEqual(new Set(used.map((one: any) => one.event)), new Set(events));
});

test('a refusal to book leads to the rule that refuses and its facts', async () => {
  const [customer, event] = [await b.world.newCustomer(), await b.c.memberEvent()];
  const { code, message } = await b.refused('POST', `/events/${event}/register`, { customer });
  const { rules, can_book } = await walk(b.world)(`/events/${event}/explain?customer=${customer}`);
  assert.equal(can_book, false);
  const failed = rules.filter((rule: any) => !rule.passed);
  assert.deepEqual(
    failed.map((rule: any) => [rule.code, rule.message]),
    [[code, message]],
  );
  assert.equal(failed[0].facts.memberships, 0);
});

test('the credit of an upgrade leads to the line of the invoice that was left, and the membership that it replaces', async () => {
  const { customer, id, invoice } = await taxedMember();
  await b.done('POST', `/customer_memberships/${id}/upgrade`, await b.m.recurring([], { price: '90.00' }));
  const [{ id: entry }] = (await b.read(`/account_entries?customer=${customer}&reason=upgrade`)).results;
  const get = walk(b.world);
  const credit = await get(`/account_entries/${entry}?expand=returned_line_item`);
  const line = credit.returned_line_item;
  assert.match(credit.explanation, /31 of 31 days of what was billed, \$46\.00, were left/);
  assert.deepEqual([cents(credit.amount), cents(line.total_amount_due), line.billed_item], [4600, 4600, id]);
  assert.equal((await get(`/invoices/${line.invoice}`)).id, invoice);
  assert.equal((await get(`/customer_memberships/${line.billed_item}`)).status, 'cancelled');
});

test('the pay of a session leads to its rate, its steps and the customers who came', async () => {
  const { world } = b;
  const instructor = await seed(world, 'instructor');
  const RATE = {
    name: 'Usual',
    type: 'per_session',
    base: '30.00',
    tiers: [{ lower_bound: 1, upper_bound: null, per_customer_amount: '2.50' }],
  };
  const rate = await b.done('POST', '/instructor_pay_rates', { ...RATE, instructors: [instructor] });
  const place = { ...b.m.place, offering: await newOffering(world) };
  const event = await newEvent(world, place, { instructors: [instructor] });
  for (let n = 0; n < 2; n++) {
    const { body } = await book(world, event.id, await world.newCustomer());
    world.setNow(Date.parse(event.starts_at));
    await b.patch(`/attendances/${body.attendance}`, { status: 'attended' });
  }
  world.setNow(world.now + 2 * HOUR);
  await world.work(world.harbour, calculateEnded);
  const get = walk(world);
  const { results } = await get(`/instructor_pay_items?events=${event.id}`);
  const item = await get(`/instructor_pay_items/${results[0].id}/explain`);
  assert.deepEqual([cents(results[0].pay), item.rate.id, item.counted_customers], [3500, rate.id, 2]);
  assert.equal(sum(item.steps.map((step: any) => cents(step.amount))), 3500);
  assert.equal((await get(`/attendances?event=${event.id}`)).results.length, 2);
});

test('a number in a report leads to the rows that it counts', async () => {
  const customer = await b.world.newCustomer();
  const event = await b.c.event();
  const { attendance } = await b.done('POST', `/events/${event}/register`, { customer, comped: true });
  // The report is about events that have begun.
  b.world.setNow(b.world.now + 48 * HOUR);
  const get = walk(b.world);
  const { rows } = await get(`/reports/attendances.grouped/data?columns=status,count&customers=${customer}`);
  const [group] = rows;
  const behind = await get(group.rows.slice(group.rows.indexOf('/reports/')));
  assert.deepEqual([rows.length, group.count, behind.rows.length], [1, 1, 1]);
  assert.equal((await get(`/attendances/${attendance}`)).status, group.status);
});

test('the fee of late cancellations leads to the penalty, its strikes and their bookings', async () => {
  const p = await PenaltyWorld.start();
  const of = await p.holder();
  const cancelled = await p.cancelLate(of, 3);
  await p.read();
  const [charge] = await p.owed(of);
  const get = walk(p.world);
  const { subject, amount } = await get(`/account_entries/${charge.id}`);
  assert.deepEqual([subject.object, cents(amount)], ['membership_penalty', 1000]);
  const penalty = await get(`/membership_penalties/${subject.id}?expand=strikes`);
  assert.deepEqual(
    new Set(penalty.strikes.map((one: any) => one.attendance)),
    new Set(cancelled.map((one: any) => one.attendance)),
  );
  const attendance = await get(`/attendances/${penalty.strikes[0].attendance}`);
  assert.equal(attendance.status, 'late_cancelled');
  await p.close();
});
