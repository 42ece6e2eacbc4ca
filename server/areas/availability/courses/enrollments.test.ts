import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { done, enrollFree, newRun } from './test/world.ts';
import { MembershipWorld } from '../../../test/worlds/membership-world.ts';
import { newCustomers, row, seats } from '../../../test/schedule-world.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { until } from '../../../test/storm.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
before(async () => {
  world = await startWorld({ worker: true });
});
after(() => world.close());

const ask = (method: string, path: string, body?: object, as: string = world.machine) =>
  world.ask(method, path, { as, body: body as Record<string, unknown> });
const enroll = (series: number, body: object, as?: string, query = '') =>
  ask('POST', `/course_date_series/${series}/enroll${query}`, body, as);
const effects = (answer: any, kind: string): any[] => answer.body.effects.filter((e: any) => e.effect === kind);

/** Creates memberships that cover an offering type. */
const membersOf = async (venue: number, offering: number): Promise<MembershipWorld> =>
  new MembershipWorld(world, { venue, offering }, await row(world, 'membership_category', { name: 'Passes' }));

const later = (text: string): string => new Date(Date.parse(text) + HOUR).toISOString();

/** Runs at another time, then returns to the present. */
async function at<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const now = world.now;
  world.setNow(now + ms);
  try {
    return await act();
  } finally {
    world.setNow(now);
  }
}

test('enrolling books every session in one transaction, and only once', async () => {
  const { series, sessions } = await newRun(world, { price: '0.00', sessions: 8 });
  const customer = await world.newCustomer();
  const made = await enroll(series, {}, world.customer(customer));
  assert.equal(made.status, 201, made.text);
  assert.deepEqual([made.body.paid_by, made.body.session_count, made.body.status], ['nothing', 8, 'active']);
  assert.deepEqual(made.body.course_sessions.toSorted(), [...sessions].toSorted());
  for (const session of sessions)
    assert.deepEqual(await seats(world, session), { attending: 1, held: 0, waiting: 0, booked: 1 });
  assert.equal((await enroll(series, { customer })).body.code, 'already_enrolled');
});

test('a full session is named, and then none of the others is booked', async () => {
  const { series, sessions } = await newRun(world, { sessions: 3, max_occupancy: 1 });
  const [other, me] = await newCustomers(world, 2);
  await done(world, 'POST', `/events/${sessions[1]}/register`, { customer: other, comped: true });
  const refused = await enroll(series, { customer: me, comped: true });
  assert.deepEqual([refused.status, refused.body.code], [400, 'course_full']);
  const { starts_at } = await done(world, 'GET', `/course_sessions/${sessions[1]}`);
  assert.match(refused.body.message, new RegExp(`on \\w+, ${Number(starts_at.slice(8, 10))} `));
  assert.equal((await seats(world, sessions[0])).booked, 0);
});

test('a series with a price is sold, comped by staff, or paid by a membership with one use for each session', async () => {
  const { series, offering, venue, sessions } = await newRun(world, { sessions: 3 });
  const m = await membersOf(venue, offering);
  const [me, friend] = await newCustomers(world, 2);
  const refused = await enroll(series, {}, world.customer(me));
  assert.equal(refused.body.code, 'course_payment_required');
  assert.match(refused.body.message, /\$80\.00/);
  assert.equal((await enroll(series, { comped: true }, world.customer(me))).body.field_errors.comped.length, 1);
  assert.equal((await enroll(series, { customer: friend, comped: true })).body.paid_by, 'comped');
  const small = await m.give(me, await m.pack(2, {}, { types: ['course'] }));
  assert.equal((await enroll(series, { customer: me, customer_membership: small.id })).body.code, 'allotment_used_up');
  assert.equal(await m.used(small.id), 0);
  const classes = await m.give(me, await m.pack(9, {}, { types: ['event'] }));
  const uncovered = await enroll(series, { customer: me, customer_membership: classes.id });
  assert.equal(uncovered.body.code, 'membership_does_not_cover');
  const pass = await m.give(me, await m.pack(9, {}, { types: ['event', 'course'] }));
  const made = await enroll(series, { customer: me, customer_membership: pass.id });
  assert.equal(made.status, 201, made.text);
  assert.equal(await m.used(pass.id), 3);
  await done(world, 'POST', `/events/${sessions[0]}/unregister`, { customer: me });
  assert.equal(await m.used(pass.id), 2);
  await done(world, 'POST', `/course_enrollments/${made.body.id}/cancel`, {});
  assert.equal(await m.used(pass.id), 0);
});

test('a session of a course that is sold only as a whole can’t be booked alone, not even with a membership', async () => {
  const { series, offering, venue, sessions } = await newRun(world, { sessions: 2 });
  const m = await membersOf(venue, offering);
  const [me, enrolled] = await newCustomers(world, 2);
  await m.give(me, await m.pack(9, {}, { types: ['event', 'course'] }));
  const refused = await ask('POST', `/events/${sessions[0]}/register`, { customer: me });
  assert.equal(refused.body.code, 'course_enrollment_required');
  await done(world, 'POST', `/events/${sessions[0]}/register`, { customer: me, comped: true });
  // An enrolled customer can leave one session and return to it.
  await enrollFree(world, series, enrolled);
  await done(world, 'POST', `/events/${sessions[1]}/unregister`, { customer: enrolled });
  const again = await ask('POST', `/events/${sessions[1]}/register`, {}, world.customer(enrolled));
  assert.equal(again.status, 200, again.text);
});

test('joining late gives the remaining sessions for their part of the price, as long as the limit allows', async () => {
  const { series, sessions } = await newRun(world, { sessions: 3, price: '10.00', late_join_limit: 1 });
  const [late] = await newCustomers(world, 1);
  await at(DAY + HOUR, async () => {
    const shown = await done(world, 'GET', `/course_date_series/${series}/explain`);
    assert.deepEqual([shown.price.string, shown.explanation], ['6.66', '2 of 3 sessions: $6.66 of $10.00']);
    assert.deepEqual(
      shown.sessions.map((s: any) => [s.state, s.price.string]),
      [
        ['begun', '3.34'],
        ['left', '3.33'],
        ['left', '3.33'],
      ],
    );
    const made = await enrollFree(world, series, late);
    assert.deepEqual([made.session_count, made.price.string], [2, '6.66']);
  });
  await at(8 * DAY + HOUR, async () => {
    const refused = await enroll(series, { customer: await world.newCustomer(), comped: true });
    assert.equal(refused.body.code, 'course_not_open');
    assert.match(refused.body.message, /2 sessions have begun/);
    const own = await enroll(series, {}, world.customer(await world.newCustomer()));
    assert.equal(
      own.body.message,
      'These course dates have already begun, so it’s too late to join. Choose other dates, or ask the business.',
    );
  });
  assert.deepEqual((await seats(world, sessions[0])).booked, 0);
});

test('staff can leave out upcoming sessions', async () => {
  const { series, sessions } = await newRun(world, { sessions: 4, price: '40.00' });
  const customer = await world.newCustomer();
  const made = await enroll(series, { customer, comped: true, from_session: sessions[2] });
  assert.deepEqual([made.body.session_count, made.body.price.string], [2, '20.00']);
  assert.ok(
    (await enroll(series, { from_session: sessions[2] }, world.customer(customer))).body.field_errors.from_session,
  );
});

test('cancelling an enrollment cancels its upcoming sessions, and frees every place', async () => {
  const { series, sessions } = await newRun(world, { sessions: 3, price: '0.00' });
  const [me, other] = await newCustomers(world, 2);
  const { body } = await enroll(series, { customer: me });
  await enrollFree(world, series, other);
  assert.equal((await ask('POST', `/course_enrollments/${body.id}/cancel`, {}, world.customer(other))).status, 404);
  const mine = world.customer(me);
  const preview = await ask('POST', `/course_enrollments/${body.id}/cancel?dry_run=true`, {}, mine);
  assert.deepEqual(effects(preview, 'enrollment_cancelled')[0].detail, { customer: me, sessions: 3 });
  const ended = await ask('POST', `/course_enrollments/${body.id}/cancel`, {}, mine);
  assert.equal(ended.body.status, 'cancelled', ended.text);
  for (const session of sessions) assert.equal((await seats(world, session)).booked, 1);
  assert.equal((await ask('POST', `/course_enrollments/${body.id}/cancel`, {}, mine)).body.code, 'already_cancelled');
  assert.equal((await enroll(series, { customer: me })).status, 201);
});

test('a missed session is made up for in another series, once, in time, and if there is a place', async () => {
  const first = await newRun(world, { sessions: 3, price: '0.00', make_up_days: 20 });
  const other = await newRun(world, { sessions: 4, price: '0.00', inHours: 30, of: first, max_occupancy: 1 });
  const elsewhere = await newRun(world, { sessions: 1, price: '0.00', inHours: 40 });
  const [me, taker] = await newCustomers(world, 2);
  await enroll(first.series, { customer: me });
  const makeUp = (instead: number, missed = first.sessions[0]) =>
    ask('POST', `/course_sessions/${missed}/make_up`, { course_session: instead }, world.customer(me));
  const early = await makeUp(other.sessions[0]);
  assert.deepEqual(
    [early.body.code, early.body.message],
    ['make_up_not_available', 'Cancel your booking of this session first.'],
  );
  await ask('POST', `/events/${first.sessions[0]}/unregister`, {}, world.customer(me));
  assert.match((await makeUp(first.sessions[1])).body.message, /other course dates/);
  assert.match((await makeUp(elsewhere.sessions[0])).body.message, /same course/);
  assert.match((await makeUp(other.sessions[3])).body.message, /on or before/);
  await done(world, 'POST', `/events/${other.sessions[0]}/register`, { customer: taker, comped: true });
  assert.equal((await makeUp(other.sessions[0])).body.code, 'event_full');
  const made = await makeUp(other.sessions[1]);
  assert.equal(made.status, 200, made.text);
  assert.equal(made.body.course_session, other.sessions[1]);
  assert.equal((await seats(world, other.sessions[1])).booked, 1);
  assert.match((await makeUp(other.sessions[2])).body.message, /already chosen/);
  // After cancelling in time, the right is restored.
  await ask('POST', `/events/${other.sessions[1]}/unregister`, {}, world.customer(me));
  assert.equal((await makeUp(other.sessions[2])).status, 200);
  assert.equal((await done(world, 'GET', `/course_make_ups?customer=${me}`)).count, 2);
});

test('a session that was cancelled late can’t be made up for, but an absence can', async () => {
  const first = await newRun(world, { sessions: 2, price: '0.00', make_up_days: 60 });
  const other = await newRun(world, { sessions: 2, price: '0.00', inHours: 60, of: first });
  const [late, absent] = await newCustomers(world, 2);
  for (const customer of [late, absent]) await enroll(first.series, { customer });
  await done(world, 'POST', `/events/${first.sessions[0]}/unregister`, { customer: late, is_late_cancel: true });
  const { results } = await done(world, 'GET', `/attendances?event=${first.sessions[0]}&customer=${absent}`);
  await done(world, 'PATCH', `/attendances/${results[0].id}`, { status: 'no_show' });
  const makeUp = (customer: number) =>
    ask('POST', `/course_sessions/${first.sessions[0]}/make_up`, { customer, course_session: other.sessions[0] });
  assert.equal((await makeUp(late)).body.code, 'make_up_not_available');
  assert.equal((await makeUp(absent)).status, 200);
});

test('a cancelled session gives a right to a make-up session, and cancelling a series ends all enrollments', async () => {
  const first = await newRun(world, { sessions: 2, price: '0.00', make_up_days: 60 });
  const other = await newRun(world, { sessions: 2, price: '0.00', inHours: 60, of: first });
  const [me] = await newCustomers(world, 1);
  const { body } = await enroll(first.series, { customer: me });
  await done(world, 'POST', `/course_sessions/${first.sessions[0]}/cancel`, { message: 'The kiln is broken.' });
  const made = await ask('POST', `/course_sessions/${first.sessions[0]}/make_up`, {
    customer: me,
    course_session: other.sessions[0],
  });
  assert.equal(made.status, 200, made.text);
  const preview = await ask('POST', `/course_date_series/${first.series}/cancel?dry_run=true`, {});
  assert.equal(effects(preview, 'event_cancelled').length, 1);
  assert.equal(effects(preview, 'booking_lost').length, 1);
  assert.equal(effects(preview, 'enrollment_cancelled').length, 1);
  await done(world, 'POST', `/course_date_series/${first.series}/cancel`, {});
  assert.equal((await done(world, 'GET', `/course_enrollments/${body.id}`)).status, 'cancelled');
  assert.equal((await enroll(first.series, { customer: me })).body.code, 'course_not_open');
  assert.equal((await ask('POST', `/course_date_series/${first.series}/cancel`, {})).body.code, 'already_cancelled');
});

test('the first on the waitlist for a series is offered a place at every session, and nobody else gets it', async () => {
  const { series, sessions } = await newRun(world, { sessions: 2, price: '0.00', max_occupancy: 1 });
  const [taken, first, second] = await newCustomers(world, 3);
  const wait = (customer: number) =>
    ask('POST', `/course_date_series/${series}/join_waitlist`, {}, world.customer(customer));
  assert.equal((await wait(first)).body.code, 'course_waitlist_not_needed');
  const { body } = await enroll(series, { customer: taken });
  const spot = (await wait(first)).body;
  assert.deepEqual([spot.status, spot.position], ['waiting', 1]);
  assert.equal((await wait(first)).body.id, spot.id);
  assert.equal((await wait(second)).body.position, 2);
  await done(world, 'POST', `/course_enrollments/${body.id}/cancel`, {});
  await until(
    'the place is offered',
    async () => (await done(world, 'GET', `/course_waitlist_spots/${spot.id}`)).status === 'offered',
  );
  for (const session of sessions) assert.equal((await seats(world, session)).held, 1);
  assert.equal((await enroll(series, { customer: second })).body.code, 'course_full');
  assert.equal((await enroll(series, { customer: first })).status, 201);
  assert.equal((await done(world, 'GET', `/course_waitlist_spots/${spot.id}`)).status, 'enrolled');
  for (const session of sessions)
    assert.deepEqual(await seats(world, session), { attending: 1, held: 0, waiting: 0, booked: 1 });
});

test('a customer who leaves the waitlist passes the reserved place on', async () => {
  const { series } = await newRun(world, { sessions: 2, price: '0.00', max_occupancy: 1 });
  const [taken, first, second] = await newCustomers(world, 3);
  const { body } = await enroll(series, { customer: taken });
  const spots: number[] = [];
  for (const customer of [first, second])
    spots.push((await done(world, 'POST', `/course_date_series/${series}/join_waitlist`, { customer })).id);
  const status = async (spot: number) => (await done(world, 'GET', `/course_waitlist_spots/${spot}`)).status;
  await done(world, 'POST', `/course_enrollments/${body.id}/cancel`, {});
  await until('the first has it', async () => (await status(spots[0])) === 'offered');
  await done(world, 'POST', `/course_date_series/${series}/leave_waitlist`, { customer: first });
  await until('the second has it', async () => (await status(spots[1])) === 'offered');
});

test('one notice says that somebody enrolled, and one that a session was moved', async () => {
  const { series, sessions } = await newRun(world, { sessions: 3, price: '0.00' });
  const customer = await world.newCustomer({ email: `course${series}@example.com` });
  await enroll(series, { customer });
  const { starts_at, ends_at } = await done(world, 'GET', `/course_sessions/${sessions[1]}`);
  await done(world, 'PATCH', `/course_sessions/${sessions[1]}`, {
    starts_at: later(starts_at),
    ends_at: later(ends_at),
  });
  const types = async (): Promise<string[]> =>
    (await done(world, 'GET', `/customers/${customer}/messages`)).results
      .map((one: any) => one.kind)
      .filter((kind: string) => kind !== 'event_reminder')
      .toSorted();
  await until('both are there', async () => (await types()).length >= 2);
  assert.deepEqual(await types(), ['course_enrolled', 'course_session_moved']);
});

test('the mail about a cancelled enrollment says what the customer no longer owes', async () => {
  const { series } = await newRun(world, { sessions: 3 });
  const customer = await world.newCustomer({ email: `owing${series}@example.com` });
  const made = await enroll(series, { customer });
  assert.equal(made.status, 201, made.text);
  const [charge] = (await done(world, 'GET', `/account_entries?customer=${customer}`)).results;
  await done(world, 'POST', `/course_enrollments/${made.body.id}/cancel`, {});
  const { id } = await until('the mail is there', async () =>
    (await done(world, 'GET', `/customers/${customer}/messages`)).results.find(
      (one: any) => one.kind === 'course_enrollment_cancelled',
    ),
  );
  const mail = await done(world, 'GET', `/messages/${id}?expand=body`);
  const owed = `$${charge.amount.string}`;
  assert.match(mail.body.text, /no longer enrolled/);
  assert.ok(mail.body.text.includes(`You no longer owe ${owed}.`), mail.body.text);
});
