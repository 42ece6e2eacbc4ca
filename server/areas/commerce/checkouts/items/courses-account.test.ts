/** Courses in which staff enroll a customer without a payment: one open charge for all sessions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CheckoutWorld } from '../test/world.ts';
import { done, newRun, type Run } from '../../../availability/courses/test/world.ts';
import { newCustomers, row } from '../../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../../test/world.ts';
import { times, until } from '../../../../test/storm.ts';

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld({ worker: true });
  c = await CheckoutWorld.of(world);
  await row(world, 'purchase_fee', {
    name: 'HST',
    kind: 'tax',
    type: 'percent',
    percentage: '13',
    is_taxable: false,
    purchase_types: ['course'],
  });
});
after(() => c.close());

const enroll = (run: Run, body: object, query = '', as = world.machine) =>
  world.post(`/course_date_series/${run.series}/enroll${query}`, { as, body });

async function enrolled(run: Run, customer: number): Promise<any> {
  const made = await enroll(run, { customer });
  assert.equal(made.status, 201, made.text);
  return made.body;
}

/** Returns the customer's charges and credits. */
const statuses = async (customer: number): Promise<string[]> =>
  (await done(world, 'GET', `/account_entries?customer=${customer}&sort=id`)).results.map(
    ({ kind, status, amount }: any) => `${kind} ${status} ${amount.string}`,
  );

const creditOf = async (customer: number): Promise<number> => 0 - ((await c.balances(customer)).credit ?? 0);

/** Waits until the charges and credits are these. */
const becomes = (customer: number, expected: readonly string[]): Promise<unknown> =>
  until(`it is ${expected.join(', ')}`, async () => (await statuses(customer)).join() === expected.join());

/** Receives the payment of the customer's open charge at the desk. */
async function take(customer: number): Promise<void> {
  const { results } = await done(world, 'GET', `/account_entries?customer=${customer}&status=open`);
  const checkout = await c.open(customer);
  await c.add(checkout, { item_type: 'ACCT_ENTRY', account_entry: results[0].id });
  await c.pay(checkout, { payment_processor: c.desk });
}

test('staff who enroll a customer without a payment charge the account what a checkout would cost', async () => {
  const run = await newRun(world, { sessions: 4 });
  const [me, other] = await newCustomers(world, 2);
  const { body: preview } = await enroll(run, { customer: me }, '?dry_run=true');
  assert.deepEqual(await statuses(me), []);
  const made = await enrolled(run, me);
  assert.deepEqual([made.paid_by, made.price.string, made.session_count, made.invoice], ['account', '80.00', 4, null]);
  const sold = await c.open(other);
  const shown = await c.add(sold, { item_type: 'CRS_DRP', course_date_series: run.series });
  const entry = await done(world, 'GET', `/account_entries/${made.charge}`);
  assert.equal(entry.amount.string, '90.40');
  assert.equal(entry.amount.string, shown.total_price.string);
  assert.deepEqual(
    [entry.kind, entry.status, entry.reason, entry.subject, entry.explanation],
    [
      'charge',
      'open',
      'course_enrollment',
      { object: 'course_enrollment', id: made.id },
      'Pottery: Autumn, 4 sessions',
    ],
  );
  const { starts_at } = await done(world, 'GET', `/course_sessions/${run.sessions[0]}`);
  const next = new Date(Date.parse(starts_at.slice(0, 10)) + 86_400_000).toISOString().slice(0, 10);
  assert.equal(entry.due_date, next, 'when the day of the first session is over');
  const told = preview.effects.find(({ effect }: any) => effect === 'charge');
  assert.deepEqual(
    [told.object, told.detail.amount_minor, told.detail.reason],
    ['course_enrollment', 9040, 'course_enrollment'],
  );
  await c.balanced();
});

test('customers are still refused, and nobody owes anything if it is comped or free', async () => {
  const [priced, free] = [await newRun(world, { sessions: 2 }), await newRun(world, { sessions: 2, price: '0.00' })];
  const [me, friend, third] = await newCustomers(world, 3);
  assert.equal((await enroll(priced, {}, '', world.customer(me))).body.code, 'course_payment_required');
  assert.equal((await enroll(priced, { customer: friend, comped: true })).body.paid_by, 'comped');
  assert.equal((await enrolled(free, third)).paid_by, 'nothing');
  for (const customer of [me, friend, third]) assert.deepEqual(await statuses(customer), []);
});

test('several requests for the same customer charge once', async () => {
  const run = await newRun(world, { sessions: 2 });
  const [me] = await newCustomers(world, 1);
  const answers = await times(4, () => enroll(run, { customer: me }));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400, 400, 400]);
  assert.deepEqual(await statuses(me), ['charge open 90.40']);
});

test('a cancelled session lowers the open charge by its part, and a cancelled enrollment voids the rest', async () => {
  const run = await newRun(world, { sessions: 3, price: '90.00', cancelled_session_gives: 'credit' });
  const [me] = await newCustomers(world, 1);
  const { id, charge } = await enrolled(run, me);
  await done(world, 'POST', `/course_sessions/${run.sessions[1]}/cancel`, {});
  const lowered = ['charge voided 101.70', 'charge open 67.80'];
  await becomes(me, lowered);
  const shown = await done(world, 'GET', `/course_enrollments/${id}`);
  assert.deepEqual([shown.charge === charge, shown.credited.string], [false, '33.90']);
  const entry = await done(world, 'GET', `/account_entries/${shown.charge}`);
  assert.equal(entry.explanation, 'Pottery: Autumn, 2 of 3 sessions');
  await c.balanced();
  await done(world, 'POST', `/course_enrollments/${id}/cancel`, {});
  await becomes(me, ['charge voided 101.70', 'charge voided 67.80']);
  assert.equal(await creditOf(me), 0);
  await c.balanced();
});

test('once the charge is paid, a cancelled session becomes account credit', async () => {
  const run = await newRun(world, { sessions: 3, price: '90.00', cancelled_session_gives: 'credit' });
  const [me] = await newCustomers(world, 1);
  const { id } = await enrolled(run, me);
  await done(world, 'POST', `/course_sessions/${run.sessions[0]}/cancel`, {});
  await becomes(me, ['charge voided 101.70', 'charge open 67.80']);
  await take(me);
  assert.deepEqual(await statuses(me), ['charge voided 101.70', 'charge invoiced 67.80']);
  await done(world, 'POST', `/course_sessions/${run.sessions[1]}/cancel`, {});
  await until('its part is credited', async () => (await creditOf(me)) === 3390);
  await done(world, 'POST', `/course_enrollments/${id}/cancel`, {});
  await until('all of it is credited', async () => (await creditOf(me)) === 6780);
  await c.balanced();
});

test('nothing is given back of a charge that staff voided, or that the rule of the series keeps', async () => {
  const run = await newRun(world, { sessions: 2, cancellation_refunds: 'nothing' });
  const [waived, kept] = await newCustomers(world, 2);
  const first = await enrolled(run, waived);
  await done(world, 'POST', `/account_entries/${first.charge}/void`, { explanation: 'A present.' });
  const preview = await c.ask('POST', `/course_enrollments/${first.id}/cancel?dry_run=true`, { refund: true });
  assert.ok(!preview.body.effects.some(({ effect }: any) => effect === 'session_credited'));
  const second = await enrolled(run, kept);
  for (const { id } of [first, second]) await done(world, 'POST', `/course_enrollments/${id}/cancel`, {});
  assert.deepEqual([await statuses(waived), await statuses(kept)], [['charge voided 90.40'], ['charge open 90.40']]);
  await c.balanced();
});
