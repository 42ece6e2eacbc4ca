import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anotherServer, insisting, times, until } from '../../../../test/storm.ts';
import { checkLedger } from '../../../money/ledger/index.ts';
import { CheckoutWorld } from '../test/world.ts';
import { done, newRun, weekly, type Run } from '../../../availability/courses/test/world.ts';
import { expireCheckout } from '../expire.ts';
import { MembershipWorld } from '../../../../test/worlds/membership-world.ts';
import { newCustomers, row } from '../../../../test/schedule-world.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';
import { startWorld, type World } from '../../../../test/world.ts';

const DAY = 86_400_000;

let world: World;
let c: CheckoutWorld;
before(async () => {
  world = await startWorld({ own: true, worker: true });
  c = await CheckoutWorld.of(world);
});
after(() => c.close());

/** Returns the seats of all sessions, which have to be equal. */
async function seatsOf({ sessions }: Pick<Run, 'sessions'>): Promise<{ attending: number; held: number }> {
  const all: Awaited<ReturnType<typeof c.seats>>[] = [];
  for (const session of sessions) all.push(await c.seats(session));
  for (const one of all) assert.deepEqual(one, all[0]);
  return all[0];
}

async function buy(customer: number, item: Record<string, unknown>): Promise<any> {
  const id = await c.open(customer);
  await c.add(id, item);
  return c.pay(id, { payment_processor: c.sandbox });
}

const creditOf = async (customer: number): Promise<number> => 0 - ((await c.balances(customer)).credit ?? 0);

/** Returns charges that are not invoiced yet, in minor units. */
const owedBy = async (customer: number): Promise<number> => {
  const { rows } = await c.owner.query(
    `SELECT coalesce(sum(amount_minor), 0)::int AS n FROM customer_balance
      WHERE customer_id = $1 AND account = 'unbilled'`,
    [customer],
  );
  return rows[0].n;
};

/** Buys a whole series and returns the enrolment. */
const enrollmentOf = async (customer: number, run: Run): Promise<number> =>
  (await buy(customer, { item_type: 'CRS_DRP', course_date_series: run.series })).checkout_items[0].result.id;

/** Returns the credits for each session that a dry run shows. */
const credits = (answer: any): number[] =>
  answer.body.effects.filter((e: any) => e.effect === 'session_credited').map((e: any) => e.detail.amount_minor);

async function expire(id: string): Promise<void> {
  await world.work(world.harbour, ({ tx }) =>
    tx.run(sql`UPDATE checkout SET expires_at = now() - interval '1 s' WHERE id = ${id}::bigint`),
  );
  await world.work(world.harbour, (work) => expireCheckout(work, { checkout: Number(id) }));
}

test('a checkout reserves a seat at every session, releases all when it expires, and books all when it is paid', async () => {
  const run = await newRun(world, { sessions: 4 });
  const [me, other] = await newCustomers(world, 2);
  const id = await c.open(me);
  const shown = await c.add(id, { course_date_series: run.series });
  const [item] = shown.checkout_items;
  assert.deepEqual(
    [item.item_type, item.course_date_series, item.total_price.string],
    ['CRS_DRP', run.series, '80.00'],
  );
  assert.equal(item.description, 'Pottery: Autumn, 4 sessions');
  assert.deepEqual(await seatsOf(run), { attending: 0, held: 1 });
  await expire(id);
  assert.deepEqual(await seatsOf(run), { attending: 0, held: 0 });
  const paid = await buy(other, { item_type: 'CRS_DRP', course_date_series: run.series });
  assert.equal(paid.status, 'completed');
  assert.deepEqual(await seatsOf(run), { attending: 1, held: 0 });
  const enrollment = await done(world, 'GET', `/course_enrollments/${paid.checkout_items[0].result.id}`);
  assert.deepEqual(
    [enrollment.paid_by, enrollment.price.string, enrollment.invoice, enrollment.customer],
    ['checkout', '80.00', paid.invoice, other],
  );
  const { line_items: lines } = await done(world, 'GET', `/invoices/${paid.invoice}?expand=line_items.billed_item`);
  assert.deepEqual(
    lines.map((line: any) => [line.type, line.billed_item.type]),
    [['course', 'billed_course_registration']],
  );
  await c.balanced();
});

test('an item already in the checkout is not added twice, and the same person does not enroll twice', async () => {
  const run = await newRun(world, { sessions: 2, single_date_price: '15.00' });
  const [me] = await newCustomers(world, 1);
  const id = await c.open(me);
  await c.add(id, { item_type: 'CRS_DRP', course_date_series: run.series });
  for (const item of [{ course_date_series: run.series }, { course_date: run.sessions[1] }]) {
    const refused = await c.refused('POST', `/checkouts/${id}/add_item`, item);
    assert.deepEqual(Object.keys(refused.field_errors), [Object.keys(item)[0]]);
  }
  assert.ok((await c.refused('POST', `/checkouts/${id}/add_item`, { event: run.sessions[0] })).field_errors.event);
  await c.pay(id, { payment_processor: c.sandbox });
  const again = await c.open(me);
  assert.equal(
    (await c.refused('POST', `/checkouts/${again}/add_item`, { course_date_series: run.series })).code,
    'already_enrolled',
  );
});

test('full sessions are named before anything is reserved', async () => {
  const run = await newRun(world, { sessions: 3, max_occupancy: 1 });
  await c.book(run.sessions[1]);
  const id = await c.open(await world.newCustomer());
  const refused = await c.refused('POST', `/checkouts/${id}/add_item`, { course_date_series: run.series });
  assert.equal(refused.code, 'course_full');
  assert.equal((refused.message.match(/20\d\d/g) ?? []).length, 1);
  assert.deepEqual(await c.seats(run.sessions[0]), { attending: 0, held: 0 });
});

test('enrolling late costs the share of the remaining sessions, with fees, taxes and a code for the course', async () => {
  const run = await newRun(world, { sessions: 3, price: '100.00' });
  await row(world, 'purchase_fee', {
    name: 'HST',
    kind: 'tax',
    type: 'percent',
    percentage: '10',
    is_taxable: false,
    purchase_types: ['course'],
  });
  const other = await newRun(world, { sessions: 1, inHours: 60 });
  const code = await c.code({ usable_purchase_types: ['course'], usable_by_default_for_purchase_types: false });
  const { results } = await done(world, 'GET', `/discount_codes?page_size=100`);
  const discount_code = results.find((one: any) => one.code === code).id;
  await done(world, 'POST', '/discount_code_applicabilities', {
    discount_code,
    item: { id: run.course, type: 'course' },
  });
  const now = world.now;
  world.setNow(now + DAY + 3_600_000);
  try {
    const id = await c.open(await world.newCustomer());
    await c.add(id, { item_type: 'CRS_DRP', course_date_series: run.series });
    const shown = await c.patch(id, { discount_code: code });
    assert.deepEqual(
      [shown.list_price.string, shown.discount.string, shown.total_price.string],
      ['66.66', '13.33', '58.66'],
    );
    assert.match(shown.checkout_items[0].description, /2 of 3 sessions$/);
    const elsewhere = await c.open(await world.newCustomer());
    await c.add(elsewhere, { item_type: 'CRS_DRP', course_date_series: other.series });
    const refused = await c.refused('PATCH', `/checkouts/${elsewhere}`, { discount_code: code });
    assert.equal(refused.code, 'discount_code_not_applicable');
  } finally {
    world.setNow(now);
    await world.work(world.harbour, ({ tx }) =>
      tx.run(sql`DELETE FROM purchase_fee WHERE provider_id = ${world.harbour} AND name = 'HST'`),
    );
  }
});

test('a membership bought in the same checkout pays for each session', async () => {
  const run = await newRun(world, { sessions: 3 });
  const m = new MembershipWorld(
    world,
    { venue: run.venue, offering: run.offering },
    await row(world, 'membership_category', { name: 'Passes' }),
  );
  const membership = await m.pack(4, {}, { types: ['course'] });
  const me = await world.newCustomer();
  const id = await c.open(me);
  const [pack] = (await c.add(id, { item_type: 'MEM_PK', membership })).checkout_items;
  const shown = await c.add(id, { course_date_series: run.series, customer_membership_checkout_item: pack.id });
  assert.deepEqual(
    [shown.checkout_items[1].item_type, shown.checkout_items[1].total_price.string],
    ['CRS_MEM', '0.00'],
  );
  const paid = await c.pay(id, { payment_processor: c.sandbox });
  assert.equal(paid.status, 'completed');
  const [owned, enrollment] = paid.checkout_items.map((item: any) => item.result.id);
  assert.equal(await m.used(owned), 3);
  assert.equal((await done(world, 'GET', `/course_enrollments/${enrollment}`)).customer_membership, owned);
  // Another course needs more than the remaining uses.
  const more = await newRun(world, { sessions: 2, of: run, inHours: 48 });
  const second = await c.open(me);
  const refused = await c.refused('POST', `/checkouts/${second}/add_item`, {
    course_date_series: more.series,
    customer_membership: owned,
  });
  assert.equal(refused.code, 'allotment_used_up');
});

test('a single session is sold if the series allows it, and its price is refunded if it is cancelled in time', async () => {
  const whole = await newRun(world, { sessions: 1 });
  const me = await world.newCustomer();
  const id = await c.open(me);
  assert.ok(
    (await c.refused('POST', `/checkouts/${id}/add_item`, { course_date: whole.sessions[0] })).field_errors.course_date,
  );
  const run = await newRun(world, { sessions: 2, single_date_price: '15.00' });
  const [session] = run.sessions;
  const refused = await c.refused('POST', `/events/${session}/register`, {}, world.customer(me));
  assert.equal(refused.code, 'course_session_payment_required');
  const paid = await buy(me, { course_date: session });
  assert.deepEqual(
    [paid.checkout_items[0].item_type, paid.checkout_items[0].course_date, paid.checkout_items[0].event],
    ['CRS_DT_DRP', session, null],
  );
  assert.deepEqual(await c.seats(session), { attending: 1, held: 0 });
  await done(world, 'POST', `/events/${session}/unregister`, { customer: me });
  await until('the price is back', async () => (await creditOf(me)) === 1500);
});

test('a cancelled course credits to the penny what was paid for the sessions that were not held', async () => {
  const run = await newRun(world, { sessions: 3, price: '100.00', cancelled_session_gives: 'credit' });
  const [me, comped] = await newCustomers(world, 2);
  await buy(me, { item_type: 'CRS_DRP', course_date_series: run.series });
  await done(world, 'POST', `/course_date_series/${run.series}/enroll`, { customer: comped, comped: true });
  const preview = await c.ask('POST', `/course_sessions/${run.sessions[1]}/cancel?dry_run=true`, {});
  assert.deepEqual(credits(preview), [3333]);
  await done(world, 'POST', `/course_sessions/${run.sessions[1]}/cancel`, {});
  await until('the session is credited', async () => (await creditOf(me)) === 3333);
  const all = await c.ask('POST', `/course_date_series/${run.series}/cancel?dry_run=true`, {});
  assert.deepEqual(credits(all), [3334, 3333]);
  await done(world, 'POST', `/course_date_series/${run.series}/cancel`, {});
  await until('all of it is credited', async () => (await creditOf(me)) === 10_000);
  const { results } = await done(world, 'GET', `/course_enrollments?course_date_series=${run.series}`);
  assert.deepEqual(
    results.map((one: any) => [one.status, one.credited.string]),
    [
      ['cancelled', '100.00'],
      ['cancelled', '0.00'],
    ],
  );
  assert.equal(await creditOf(comped), 0);
  await c.balanced();
});

test('a cancelled course also credits the sessions that were cancelled before and could have been made up for', async () => {
  const run = await newRun(world, { sessions: 3, price: '90.00', make_up_days: 30 });
  const [me] = await newCustomers(world, 1);
  await buy(me, { item_type: 'CRS_DRP', course_date_series: run.series });
  await done(world, 'POST', `/course_sessions/${run.sessions[1]}/cancel`, {});
  const all = await c.ask('POST', `/course_date_series/${run.series}/cancel?dry_run=true`, {});
  assert.deepEqual(credits(all), [3000, 3000, 3000]);
  await done(world, 'POST', `/course_date_series/${run.series}/cancel`, {});
  await until('all of it is credited', async () => (await creditOf(me)) === 9000);
  await c.balanced();
});

test('a cancelled enrolment is credited by the rule of its series, or as staff decide', async () => {
  const kept = await newRun(world, { sessions: 2, cancellation_refunds: 'nothing' });
  const left = await newRun(world, { sessions: 2 });
  const [me, other] = await newCustomers(world, 2);
  const first = await enrollmentOf(me, kept);
  const mine = world.customer(me);
  assert.ok(
    (await c.refused('POST', `/course_enrollments/${first}/cancel`, { refund: true }, mine)).field_errors.refund,
  );
  await c.ask('POST', `/course_enrollments/${first}/cancel`, {}, mine);
  const second = await enrollmentOf(other, kept);
  await done(world, 'POST', `/course_enrollments/${second}/cancel`, { refund: true });
  const third = await enrollmentOf(me, left);
  // The first session is less than a day away: nothing is late until the cut-off of its window.
  await c.ask('POST', `/course_enrollments/${third}/cancel`, {}, mine);
  await until('both have it', async () => (await creditOf(me)) === 8000 && (await creditOf(other)) === 8000);
  assert.deepEqual(await seatsOf(kept), { attending: 0, held: 0 });
  await c.balanced();
});

test('a session that is cancelled and then takes place is either held or credited, never both', async () => {
  const gives = { sessions: 3, make_up_days: 60 };
  const credited = await newRun(world, {
    ...gives,
    price: '60.00',
    cancelled_session_gives: 'credit',
    single_date_price: '0.00',
  });
  const madeUp = await newRun(world, { ...gives, price: '60.00' });
  const other = await newRun(world, { ...gives, inHours: 50, of: madeUp });
  const [me, comes, elsewhere] = await newCustomers(world, 3);
  await enrollmentOf(me, credited);
  for (const customer of [comes, elsewhere]) await enrollmentOf(customer, madeUp);
  for (const { sessions } of [credited, madeUp])
    await done(world, 'POST', `/course_sessions/${sessions[0]}/cancel`, {});
  await until('the session is credited', async () => (await creditOf(me)) === 2000);
  await done(world, 'POST', `/course_sessions/${madeUp.sessions[0]}/make_up`, {
    customer: elsewhere,
    course_session: other.sessions[0],
  });
  const told = async (session: number) =>
    (await c.ask('POST', `/events/${session}/reopen?dry_run=true`, {})).body.effects
      .filter((e: any) => ['booked', 'booking_not_restored'].includes(e.effect))
      .map((e: any) => [e.detail.customer, e.detail.reason ?? e.effect]);
  assert.deepEqual(await told(credited.sessions[0]), [[me, 'paid_back']]);
  assert.deepEqual(Object.fromEntries(await told(madeUp.sessions[0])), {
    [comes]: 'booked',
    [elsewhere]: 'cannot_pay',
  });
  for (const { sessions } of [credited, madeUp]) await done(world, 'POST', `/events/${sessions[0]}/reopen`, {});
  assert.deepEqual(await c.seats(credited.sessions[0]), { attending: 0, held: 0 });
  assert.deepEqual(await c.seats(madeUp.sessions[0]), { attending: 1, held: 0 });
  assert.equal(await creditOf(me), 2000);
  // Cancelled again: nobody is credited twice.
  await done(world, 'POST', `/course_sessions/${credited.sessions[0]}/cancel`, {});
  const again = await c.ask('POST', `/course_date_series/${credited.series}/cancel?dry_run=true`, {});
  assert.deepEqual(credits(again), [2000, 2000]);
  await c.balanced();
});

test('added sessions are for everyone who is enrolled, free or prorated, and not for people with single dates', async () => {
  const run = await newRun(world, { sessions: 3, price: '60.00', single_date_price: '25.00', make_up_days: 60 });
  const [bought, comped, single] = await newCustomers(world, 3);
  const mine = await enrollmentOf(bought, run);
  const theirs = await done(world, 'POST', `/course_date_series/${run.series}/enroll`, {
    customer: comped,
    comped: true,
  });
  await buy(single, { course_date: run.sessions[0] });
  const add = (over: object, query = '') =>
    c.ask('POST', `/course_date_series/${run.series}/add_sessions${query}`, {
      dates: weekly(world, 2, 24 * 60),
      cost: 'prorated',
      ...over,
    });
  const preview = await add({}, '?dry_run=true');
  const foreseen = preview.body.effects.filter((e: any) => e.effect === 'sessions_added');
  assert.deepEqual(
    foreseen.map((e: any) => [e.detail.customer, e.detail.course_sessions.length, e.detail.amount_minor]),
    [
      [bought, 2, 4000],
      [comped, 2, 0],
    ],
  );
  assert.equal((await done(world, 'GET', `/course_date_series/${run.series}`)).session_count, 3);
  const made = (await add({ price: '100.00' })).body;
  assert.deepEqual(
    made.enrollments.map((one: any) => [one.customer, one.course_sessions, one.charged.string, one.reason]),
    [
      [bought, made.course_sessions, '40.00', null],
      [comped, made.course_sessions, '0.00', null],
    ],
  );
  for (const session of made.course_sessions) assert.deepEqual(await c.seats(session), { attending: 2, held: 0 });
  assert.equal((await done(world, 'GET', `/course_enrollments/${mine}`)).session_count, 5);
  assert.equal((await done(world, 'GET', `/course_date_series/${run.series}`)).price.string, '100.00');
  assert.equal(await owedBy(bought), 4000);
  const kinds = async (customer: number) =>
    (await done(world, 'GET', `/customers/${customer}/messages`)).results.map((one: any) => one.kind);
  await until('they are told', async () => (await kinds(bought)).includes('course_sessions_added'));
  assert.ok(!(await kinds(single)).includes('course_sessions_added'));
  // An added session credits what was charged for it; the parts of the others are as they were sold.
  const [first, second] = made.course_sessions;
  const gives = { gives: 'credit', tell: false };
  assert.deepEqual(
    credits(await c.ask('POST', `/course_sessions/${run.sessions[1]}/cancel?dry_run=true`, gives)),
    [2000],
  );
  await done(world, 'POST', `/course_sessions/${first}/cancel`, gives);
  await until('its charge is taken back', async () => (await owedBy(bought)) === 2000);
  await done(world, 'POST', `/course_sessions/${second}/cancel`, { gives: 'make_up' });
  assert.equal(await owedBy(bought), 2000, 'who can make up for it gets nothing back');
  await done(world, 'POST', `/course_enrollments/${mine}/cancel`, {});
  await until('the rest is back', async () => (await creditOf(bought)) === 6000);
  await c.balanced();
  assert.equal((await done(world, 'GET', `/course_enrollments/${theirs.id}`)).credited.string, '0.00');
});

test('the ledger check finds a session credit without a posting, and one for a session that was made up for', async () => {
  const run = await newRun(world, { sessions: 3, make_up_days: 60 });
  const other = await newRun(world, { sessions: 3, inHours: 50, of: run });
  const me = await world.newCustomer();
  const enrollment = await enrollmentOf(me, run);
  await done(world, 'POST', `/course_sessions/${run.sessions[0]}/cancel`, { gives: 'credit' });
  await until('the session is credited', async () => (await creditOf(me)) > 0);
  await done(world, 'POST', `/course_sessions/${run.sessions[1]}/cancel`, {});
  const makeUp = await done(world, 'POST', `/course_sessions/${run.sessions[1]}/make_up`, {
    customer: me,
    course_session: other.sessions[0],
  });
  const check = () => world.work(world.harbour, checkLedger);
  assert.deepEqual(await check(), []);
  const tamper = (set: string, session: number) =>
    c.owner.query(
      `UPDATE course_enrollment_date SET ${set} WHERE provider_id = $1 AND course_enrollment_id = $2 AND event_id = $3`,
      [world.harbour, enrollment, session],
    );
  await tamper('credit_minor = credit_minor + 5', run.sessions[0]);
  assert.match(
    (await check()).join('\n'),
    new RegExp(`^course_credits: enrolment ${enrollment}, credit note \\d+: 26\\.72 CAD expected, and 26\\.67`),
  );
  await tamper('credit_minor = credit_minor - 5', run.sessions[0]);
  await tamper("credit_reason = 'session_cancelled', credited_at = now(), credit_minor = 7", run.sessions[1]);
  assert.match((await check()).join('\n'), new RegExp(`^course_make_ups: make-up session ${makeUp.id}: 0\\.00 `));
  await tamper('credit_reason = NULL, credited_at = NULL, credit_minor = NULL', run.sessions[1]);
  await c.balanced();
});

test('a customer who can’t have an added session is left out of it, and named with the reason', async () => {
  const run = await newRun(world, { sessions: 1, price: '0.00', max_occupancy: 2 });
  const m = new MembershipWorld(world, run, await row(world, 'membership_category', { name: 'Passes' }));
  const [few, many] = await newCustomers(world, 2);
  for (const [customer, uses] of [
    [few, 2],
    [many, 5],
  ]) {
    const { id } = await m.give(customer, await m.pack(uses, {}, { types: ['course'] }));
    await done(world, 'POST', `/course_date_series/${run.series}/enroll`, { customer, customer_membership: id });
  }
  const body = { dates: weekly(world, 2, 24 * 30), cost: 'prorated' };
  const { enrollments } = await done(world, 'POST', `/course_date_series/${run.series}/add_sessions`, body);
  const got = new Map(enrollments.map((one: any) => [one.customer, one]));
  assert.equal((got.get(many) as any).course_sessions.length, 2);
  assert.equal((got.get(few) as any).course_sessions.length, 1);
  assert.match((got.get(few) as any).reason, /used up|no use/i);
  const past = await c.refused('POST', `/course_date_series/${run.series}/add_sessions`, {
    dates: weekly(world, 1, -48),
    cost: 'free',
  });
  assert.deepEqual(Object.keys(past.field_errors), ['dates']);
  await c.refused('POST', `/course_sessions/${run.sessions[0]}/cancel`, { gives: 'make_up' });
});

test('an enrolment cancelled while its session is cancelled does not come back with the session, whatever pays', async () => {
  const run = await newRun(world, { sessions: 2, price: '0.00' });
  const m = new MembershipWorld(world, run, await row(world, 'membership_category', { name: 'Passes' }));
  const [leaves, makesUp] = await newCustomers(world, 2);
  const other = await newRun(world, { sessions: 2, inHours: 50, of: run, price: '0.00' });
  await done(world, 'PATCH', `/course_date_series/${run.series}`, { make_up_days: 60 });
  const pack = await m.pack(9, {}, { types: ['course'] });
  const enrolled: number[] = [];
  for (const customer of [leaves, makesUp]) {
    const { id } = await m.give(customer, pack);
    const body = { customer, customer_membership: id };
    enrolled.push((await done(world, 'POST', `/course_date_series/${run.series}/enroll`, body)).id);
  }
  await done(world, 'POST', `/course_sessions/${run.sessions[0]}/cancel`, {});
  await done(world, 'POST', `/course_enrollments/${enrolled[0]}/cancel`, {});
  await done(world, 'POST', `/course_sessions/${run.sessions[0]}/make_up`, {
    customer: makesUp,
    course_session: other.sessions[0],
  });
  await done(world, 'POST', `/events/${run.sessions[0]}/reopen`, {});
  assert.deepEqual(await c.seats(run.sessions[0]), { attending: 0, held: 0 });
});

test('if 50 buyers pay at the same time for the last 5 places of 8 sessions, 5 of them get every session', async () => {
  const run = await newRun(world, { sessions: 8, max_occupancy: 5 });
  const customers = await newCustomers(world, 50);
  const other = await anotherServer(world);
  const ask = insisting([world.url, other.url], world.machine);
  const outcomes = await times(50, async (i) => {
    const { body: opened } = await ask(i, 'POST', '/checkouts', { customer: customers[i] });
    const item = { item_type: 'CRS_DRP', course_date_series: run.series };
    const added = await ask(i, 'POST', `/checkouts/${opened.id}/add_item`, item);
    if (added.status !== 200) return added.body.code;
    const paid = await ask(i, 'POST', `/checkouts/${opened.id}/pay`, { payment_processor: c.sandbox });
    return c.outcome(opened.id, paid.body);
  });
  await other.close();
  const tally = Object.fromEntries([...Map.groupBy(outcomes, (one) => one)].map(([what, all]) => [what, all.length]));
  assert.deepEqual(tally, { completed: 5, course_full: 45 });
  assert.deepEqual(await seatsOf(run), { attending: 5, held: 0 });
  const { rows } = await c.owner.query(
    `SELECT a.customer_id, count(*)::int AS n FROM attendance a WHERE a.event_id = ANY($1) AND a.status = 'registered'
      GROUP BY 1`,
    [run.sessions],
  );
  assert.deepEqual(
    rows.map((one) => one.n),
    [8, 8, 8, 8, 8],
  );
  await c.balanced();
});
