/**
 * Bookings by staff of events that have a price: the customer owes the price until it is paid or voided, or until the
 * booking is cancelled in time.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import {
  newCustomers,
  newEvent,
  newOffering,
  newPlace,
  row,
  seats,
  type Place,
} from '../../../../test/schedule-world.ts';
import { newPractice, slotsOf } from '../../../../test/worlds/slot-world.ts';
import { newRun } from '../../../availability/courses/test/world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { creditOf } from '../../../money/ledger/index.ts';
import { times, until } from '../../../../test/storm.ts';

let world: World;
let c: CheckoutWorld;
let priced: Place;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  priced = { ...(await newPlace(world)), offering: await newOffering(world, { dropin_price_minor: 2200 }) };
  const tax = {
    kind: 'tax',
    type: 'percent',
    percentage: '13',
    is_taxable: false,
    purchase_types: ['event', 'course'],
  };
  await row(world, 'purchase_fee', { name: 'HST', ...tax });
  const fee = { kind: 'fee', type: 'flat', amount_minor: 100, is_taxable: true, purchase_types: ['event'] };
  await row(world, 'purchase_fee', { name: 'Towel', ...fee });
});
after(() => c.close());

const register = (event: number, body: object, query = '', as = world.machine) =>
  world.post(`/events/${event}/register${query}`, { as, body });
const unregister = (event: number, customer: number, body: object = {}, query = '') =>
  world.post(`/events/${event}/unregister${query}`, { as: world.machine, body: { customer, ...body } });
const explained = (effects: any[], effect: string) => effects.find((e) => e.effect === effect);

/** Returns the customer's charges and credits. */
async function entries(customer: number, fields = 'kind,status,amount'): Promise<any[]> {
  const path = `/account_entries?customer=${customer}&fields=${fields}&sort=id`;
  return (await world.get(path, { as: world.machine })).body.results;
}

const statuses = async (customer: number): Promise<string[]> =>
  (await entries(customer)).map(({ kind, status, amount }) => `${kind} ${status} ${amount.string}`);

async function booked(event: number, customer: number, body: object = {}): Promise<number> {
  const answer = await register(event, { customer, ...body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.attendance;
}

/** Receives the payment of a customer's open charge at the desk, in cash. */
async function take(customer: number): Promise<void> {
  const [{ id }] = (await entries(customer, 'id,status')).filter(({ status }) => status === 'open');
  const checkout = await c.open(customer);
  await c.add(checkout, { item_type: 'ACCT_ENTRY', account_entry: id });
  await c.pay(checkout, { payment_processor: c.desk });
}

const invoicesOf = async (customer: number, field: string): Promise<any[]> =>
  (await c.read(`/invoices?fields=payer,${field}&sort=id&page_size=100`)).results.filter(
    ({ payer }: any) => payer === customer,
  );

const balanced = (): Promise<void> => c.balanced();

/** Returns the account credit that the customer can spend, in minor units. */
const credit = (customer: number): Promise<number> => world.work(world.harbour, (work) => creditOf(work, customer));

test('when staff book an event with a price, the account is charged that price with fees and taxes', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const preview = await register(event.id, { customer: me }, '?dry_run=true');
  assert.equal(preview.status, 200, preview.text);
  assert.deepEqual(await entries(me), []);
  const attendance = await booked(event.id, me);
  const checkout = await c.open((await newCustomers(world, 1))[0]);
  await c.add(checkout, { item_type: 'CLASS_DRP', event: event.id });
  const sold = await c.get(checkout);
  const fields = 'id,kind,status,amount,reason,explanation,subject,due_date,period_start_date,period_end_date';
  const [entry] = await entries(me, fields);
  // (22.00 + 1.00) plus 13%
  assert.equal(entry.amount.string, '25.99');
  assert.equal(entry.amount.string, sold.total_price.string);
  assert.deepEqual([entry.kind, entry.status, entry.reason], ['charge', 'open', 'drop_in']);
  assert.deepEqual(entry.subject, { object: 'attendance', id: attendance });
  assert.match(entry.explanation, /^Rowing on \w+, \w+ \d+, 2026$/);
  const effect = explained(preview.body.effects, 'charge');
  assert.equal(effect.object, 'attendance');
  const { period_start_date, period_end_date, explanation, due_date } = entry;
  assert.deepEqual(effect.detail, {
    amount_minor: 2599,
    reason: 'drop_in',
    explanation,
    due_date,
    period_start_date,
    period_end_date,
  });
  const shown = await world.get(`/attendances/${attendance}?fields=charge.id,charge.status`, { as: world.machine });
  assert.deepEqual(shown.body.charge, { id: entry.id, status: 'open' });
  // Due at the end of the day of the event.
  const { starts_at } = (await world.get(`/events/${event.id}?fields=starts_at`, { as: world.machine })).body;
  assert.equal(due_date, new Date(Date.parse(starts_at.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10));
  await balanced();
});

test('a repeated booking, or one with the same idempotency key, is charged once', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const attendance = await booked(event.id, me);
  assert.equal(await booked(event.id, me), attendance);
  const [other] = await newCustomers(world, 1);
  const keyed = () =>
    world.post(`/events/${event.id}/register`, {
      as: world.machine,
      body: { customer: other },
      headers: { 'idempotency-key': 'book-the-other' },
    });
  assert.deepEqual((await keyed()).body, (await keyed()).body);
  assert.deepEqual([await statuses(me), await statuses(other)], [['charge open 25.99'], ['charge open 25.99']]);
});

test('customers have to pay first, staff without permission to take bookings are refused, and a comped booking charges nothing', async () => {
  const [me, friend] = await newCustomers(world, 2);
  const event = await newEvent(world, priced);
  assert.equal((await register(event.id, {}, '', world.customer(me))).body.code, 'payment_required');
  assert.equal((await register(event.id, { customer: me }, '', world.staff(['revenue']))).status, 403);
  assert.equal((await register(event.id, { customer: me }, '', world.staff(['instructor_attendances']))).status, 403);
  assert.equal((await register(event.id, { customer: me }, '', world.staff(['pos']))).status, 200);
  await booked(event.id, friend, { comped: true });
  assert.deepEqual([await statuses(me), await statuses(friend)], [['charge open 25.99'], []]);
});

test('a membership that can pay is used before the account is charged, and a membership named in the request must pay', async () => {
  await world.patch(`/offering_types/${c.m.place.offering}`, { as: world.machine, body: { dropin_price: '22.00' } });
  const [member] = await newCustomers(world, 1);
  const { id: customer_membership } = await c.m.give(member, await c.m.pack(1));
  const [first, second] = [await newEvent(world, c.m.place), await newEvent(world, c.m.place)];
  await booked(first.id, member);
  assert.deepEqual(await statuses(member), []);
  const named = await register(second.id, { customer: member, customer_membership });
  assert.equal(named.body.code, 'allotment_used_up');
  await booked(second.id, member);
  assert.deepEqual(await statuses(member), ['charge open 25.99']);
});

test('a cancellation in time voids the charge; after a late cancellation or a no-show it remains, and pays for booking again', async () => {
  const [early, late] = await newCustomers(world, 2);
  const event = await newEvent(world, priced);
  await booked(event.id, early);
  const preview = await unregister(event.id, early, {}, '?dry_run=true');
  assert.equal(explained(preview.body.effects, 'charge_voided').detail.amount_minor, 2599);
  assert.equal(explained(preview.body.effects, 'price_given_back'), undefined);
  const attendance = await booked(event.id, late);
  await unregister(event.id, early);
  await unregister(event.id, late, { is_late_cancel: true });
  assert.deepEqual([await statuses(early), await statuses(late)], [['charge voided 25.99'], ['charge open 25.99']]);
  const [{ void_explanation }] = await entries(early, 'void_explanation');
  assert.equal(void_explanation, 'The booking was cancelled in time.');
  assert.equal(await booked(event.id, late), attendance);
  assert.deepEqual(await statuses(late), ['charge open 25.99']);
  await booked(event.id, early);
  assert.deepEqual(await statuses(early), ['charge voided 25.99', 'charge open 25.99']);
  await balanced();
});

test('an amount paid at the desk is returned as account credit when the booking is cancelled in time', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const attendance = await booked(event.id, me);
  await take(me);
  const [charge] = await entries(me, 'status');
  assert.equal(charge.status, 'invoiced');
  const { body } = await world.get(`/attendances/${attendance}?fields=charge.status`, { as: world.machine });
  assert.equal(body.charge.status, 'invoiced');
  const preview = await unregister(event.id, me, {}, '?dry_run=true');
  assert.deepEqual(explained(preview.body.effects, 'price_given_back').detail, {
    customer: me,
    amount_minor: 2599,
    reason: 'cancelled_in_time',
  });
  await unregister(event.id, me);
  await until('the credit is there', async () => (await credit(me)) === 2599);
  assert.deepEqual(
    (await invoicesOf(me, 'reason')).map(({ reason }) => reason),
    [null, 'The booking was cancelled in time.'],
  );
  await balanced();
});

test('customers see what they owe, and pay it online', async () => {
  const [me, other] = await newCustomers(world, 2);
  const event = await newEvent(world, priced);
  await booked(event.id, me);
  const as = world.customer(me);
  const [mine] = (await world.get('/account_entries?fields=id,amount,explanation', { as })).body.results;
  assert.deepEqual([mine.amount.string, mine.explanation.startsWith('Rowing on ')], ['25.99', true]);
  assert.deepEqual((await world.get('/account_entries', { as: world.customer(other) })).body.results, []);
  const checkout = await c.open(me, {}, as);
  await c.add(checkout, { item_type: 'ACCT_ENTRY', account_entry: mine.id }, as);
  const paid = await c.pay(checkout, { payment_processor: c.sandbox }, as);
  assert.equal(paid.status, 'completed');
  assert.deepEqual(await statuses(me), ['charge invoiced 25.99']);
  await balanced();
});

test('staff waive the charge with a reason, and a later cancellation returns nothing', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  await booked(event.id, me);
  const [{ id }] = await entries(me, 'id');
  const body = { explanation: 'First visit' };
  const waive = (as: string) => world.post(`/account_entries/${id}/void`, { as, body });
  assert.equal((await waive(world.staff(['attendances']))).status, 403);
  assert.equal((await waive(world.staff(['customer_payments']))).status, 200);
  assert.deepEqual(await statuses(me), ['charge voided 25.99']);
  const { effects } = (await unregister(event.id, me, {}, '?dry_run=true')).body;
  assert.deepEqual(
    effects.filter(({ effect }: any) => /charge|price/.test(effect)),
    [],
  );
  assert.equal((await unregister(event.id, me)).status, 200);
  await balanced();
});

test('cancelling an event voids its open charges, and reopening it charges them again', async () => {
  const [owing, paid, waived] = await newCustomers(world, 3);
  const { id } = await newEvent(world, priced, { in: 60 });
  for (const customer of [owing, paid, waived]) await booked(id, customer);
  await take(paid);
  const [{ id: charge }] = await entries(waived, 'id');
  await world.post(`/account_entries/${charge}/void`, { as: world.machine, body: { explanation: 'A present' } });
  const ask = async (what: string, query = '') => {
    const answer = await world.post(`/events/${id}/${what}${query}`, { as: world.machine, body: {} });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  await ask('cancel');
  assert.deepEqual(await statuses(owing), ['charge voided 25.99']);
  await until('the price is given back', async () => (await credit(paid)) === 2599);
  const { effects } = await ask('reopen', '?dry_run=true');
  const lost = effects.filter(({ effect }: any) => effect === 'booking_not_restored');
  assert.deepEqual(
    lost.map(({ detail }: any) => [detail.customer, detail.reason]).toSorted(),
    [
      [paid, 'paid_back'],
      [waived, 'cannot_pay'],
    ].toSorted(),
  );
  assert.equal(explained(effects, 'charge').detail.amount_minor, 2599);
  await ask('reopen');
  assert.deepEqual(await statuses(owing), ['charge voided 25.99', 'charge open 25.99']);
  assert.deepEqual(await seats(world, id), { attending: 1, held: 0, waiting: 0, booked: 1 });
  await balanced();
});

test('only one of many customers gets the last place, and only that one is charged', async () => {
  const customers = await newCustomers(world, 6);
  const event = await newEvent(world, priced, { max_occupancy: 1 });
  const answers = await times(customers.length, (n) => register(event.id, { customer: customers[n] }));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400, 400]);
  const charged = (await Promise.all(customers.map(statuses))).flat();
  assert.deepEqual(charged, ['charge open 25.99']);
});

test('customers who are booked together are each charged, and the audit and the feed record their charges', async () => {
  const customers = await newCustomers(world, 4);
  const event = await newEvent(world, priced, { max_occupancy: null });
  const answers = await times(customers.length, (n) => register(event.id, { customer: customers[n] }));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  for (const customer of customers) {
    assert.deepEqual(await statuses(customer), ['charge open 25.99']);
    const [{ id }] = await entries(customer, 'id');
    const found = async (path: string) => (await world.get(path, { as: world.machine })).body.results;
    const audit = await found(`/audit_entries?object=account_entry&object_id=${id}`);
    assert.deepEqual(
      audit.map(({ action }: any) => action),
      ['POST /events/{id}/register'],
    );
  }
  await balanced();
});

test('after merging two records of one person, the price is owed once', async () => {
  const [kept, merged] = await newCustomers(world, 2);
  const event = await newEvent(world, priced);
  for (const customer of [kept, merged]) await booked(event.id, customer);
  const body = { from: merged };
  const answer = await world.post(`/customers/${kept}/merge`, { as: world.machine, body });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual((await statuses(kept)).toSorted(), ['charge open 25.99', 'charge voided 25.99']);
  await balanced();
});

test('an appointment booked by staff is charged to each participant, and the dry run says so', async () => {
  const practice = await newPractice(world, { dropin_price_minor: 6000 });
  const [slot] = await slotsOf(world, practice, { people: 2 });
  const customers = await newCustomers(world, 2);
  const ask = (query = '', as = world.machine, body: object = { customers }) =>
    world.post(`/slots/${slot.id}/register${query}`, { as, body });
  assert.equal((await ask('', world.customer(customers[0]), {})).body.code, 'payment_required');
  const { effects } = (await ask('?dry_run=true')).body;
  const charged = effects
    .filter(({ effect }: any) => effect === 'charge')
    .map(({ detail }: any) => detail.amount_minor);
  assert.deepEqual(charged, [6893, 6893]);
  const made = await ask();
  assert.equal(made.status, 200, made.text);
  for (const customer of customers) assert.deepEqual(await statuses(customer), ['charge open 68.93']);
  await unregister(made.body.event, customers[0]);
  assert.deepEqual((await Promise.all(customers.map(statuses))).flat(), ['charge voided 68.93', 'charge open 68.93']);
  await balanced();
});

test('a single session of a course is charged at its own price, with the taxes on courses', async () => {
  const run = await newRun(world, { sessions: 2, single_date_price: '15.00' });
  const [me] = await newCustomers(world, 1);
  const [session] = run.sessions;
  assert.equal((await register(session, {}, '', world.customer(me))).body.code, 'course_session_payment_required');
  await booked(session, me);
  const [entry] = await entries(me, 'amount,reason,status');
  assert.deepEqual([entry.amount.string, entry.reason, entry.status], ['16.95', 'drop_in', 'open']);
  await take(me);
  const [invoice] = await invoicesOf(me, 'line_items.type');
  assert.deepEqual(
    invoice.line_items.map((line: any) => line.type),
    ['course_session'],
  );
  // Courses that are sold as a whole can't be booked in parts.
  const whole = await newRun(world, { sessions: 2 });
  assert.equal((await register(whole.sessions[0], { customer: me })).body.code, 'course_enrollment_required');
  await balanced();
});

test('a customer is not charged for an event that they are paying for in a checkout', async () => {
  const [me] = await newCustomers(world, 1);
  const event = await newEvent(world, priced);
  const checkout = await c.open(me);
  await c.add(checkout, { item_type: 'CLASS_DRP', event: event.id });
  await c.pay(checkout, { payment_processor: c.sandbox, scenario: 'extra_step' });
  const refused = await register(event.id, { customer: me });
  assert.deepEqual([refused.status, refused.body.code], [400, 'already_registered'], refused.text);
});
