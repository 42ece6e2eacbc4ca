import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import { beside, until } from '../../test/storm.ts';
import { chargeDue } from './index.ts';
import { feedEnd, feedSince, newCustomers, newEvent } from '../../test/schedule-world.ts';
import { MembershipWorld } from '../../test/membership-world.ts';
import { startWorld, type World } from '../../test/world.ts';

const NOON = Date.parse('2026-06-10T16:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: World;
let m: MembershipWorld;
let owner: pg.Client;
before(async () => {
  world = await startWorld({ worker: true });
  m = await MembershipWorld.of(world);
  owner = await beside(world.databaseUrl);
  await quiet();
});
after(async () => {
  await owner.end();
  await world.close();
});

/** What has happened so far has its strikes and penalties. */
const quiet = () =>
  until('the reader has read all', async () => {
    const { rows } = await owner.query(`SELECT (SELECT count(*) FROM feed_item WHERE seq IS NULL) + (SELECT count(*) FROM feed_position p
      WHERE coalesce((SELECT last_seq FROM feed_reader_position r WHERE r.provider_id = p.provider_id AND r.reader = 'penalties'), 0) < p.last_seq) AS n`);
    return rows[0].n === '0';
  });

const machine = () => ({ as: world.machine });
const get = async (path: string, as = world.machine) => {
  const answer = await world.get(path, { as });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const made = async (path: string, body: object) => {
  const answer = await world.post(path, { ...machine(), body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const TWO_FREE = { price: '10.00', max_infractions: 2, days: 30 };
const system = (membership: number, over: object = {}) => made('/membership_penalty_systems', { name: 'House rules', memberships: [membership], late_cancel_or_no_show_rule: TWO_FREE, ...over });

interface Holder {
  readonly customer: number;
  readonly held: number;
  readonly membership: number;
  readonly system: number;
}

/** A customer with a pack of ten under a system, at a moment. */
async function holder({ at = NOON, over = {}, allotment = {} }: { at?: number; over?: object; allotment?: Record<string, unknown> } = {}): Promise<Holder> {
  world.setNow(at);
  const [customer] = await newCustomers(world, 1);
  const membership = await m.pack(10, {}, allotment);
  const held = (await m.give(customer, membership)).id;
  return { customer, held, membership, system: (await system(membership, over)).id };
}

const strikes = async (of: Pick<Holder, 'held'>, query = '') => (await get(`/membership_strikes?customer_membership=${of.held}&sort=id${query}`)).results;
/** By their bookings. */
const inOrder = async (of: Pick<Holder, 'held'>) => (await strikes(of)).toSorted((a: any, b: any) => a.attendance - b.attendance);
const penalties = async (of: Pick<Holder, 'held'>) => (await get(`/membership_penalties?customer_membership=${of.held}&sort=id`)).results;
const statuses = async (of: Pick<Holder, 'held'>): Promise<string[]> => (await strikes(of)).map((s: any) => s.status);
const owed = async (of: Pick<Holder, 'held'>) => (await get(`/membership_adjustments?customer_membership=${of.held}&reason=penalty&voided=false`)).results;

/** Books an event so many hours from now. */
async function booked(of: Pick<Holder, 'customer'>, hours = 24): Promise<{ event: number; attendance: number }> {
  const { id: event } = await newEvent(world, m.place, { in: hours });
  const answer = await world.post(`/events/${event}/register`, { ...machine(), body: { customer: of.customer } });
  assert.equal(answer.status, 200, answer.text);
  return { event, attendance: answer.body.attendance };
}

const cancel = (event: number, customer: number, query = '', late = true) => world.post(`/events/${event}/unregister${query}`, { ...machine(), body: { customer, is_late_cancel: late } });

/** Cancels late what was just booked. */
async function cancelLate(of: Pick<Holder, 'customer'>, hours = 24): Promise<{ event: number; attendance: number }> {
  const booking = await booked(of, hours);
  assert.equal((await cancel(booking.event, of.customer)).status, 200);
  return booking;
}

const mark = async (attendance: number, status: string) => {
  const answer = await world.patch(`/attendances/${attendance}`, { ...machine(), body: { status } });
  assert.equal(answer.status, 200, answer.text);
};
const forgive = (strike: number, body: object = {}, query = '', as = world.machine) => world.post(`/membership_strikes/${strike}/forgive${query}`, { as, body });

test('one late cancellation too many is a penalty, due after the days of the system, which says why', async () => {
  const of = await holder({ over: { deferred_charge_days: 3 } });
  const since = await feedEnd(world);
  for (let n = 0; n < 2; n++) await cancelLate(of);
  await quiet();
  assert.deepEqual(await statuses(of), ['open', 'open']);
  assert.deepEqual(await owed(of), []);
  const last = await cancelLate(of);
  await quiet();
  assert.deepEqual(await statuses(of), ['in_penalty_sequence', 'in_penalty_sequence', 'upcoming_charge']);
  const [penalty] = await penalties(of);
  assert.deepEqual([penalty.status, penalty.amount.string, penalty.due_date, penalty.strikes.length], ['upcoming_charge', '10.00', '2026-06-13', 3]);
  const [charge] = await owed(of);
  assert.deepEqual([charge.id, charge.type, charge.amount.string, charge.due_date], [penalty.membership_adjustment, 'charge', '10.00', '2026-06-13']);
  assert.equal(charge.explanation, '3 infractions within 30 days, 2 are free: late cancellation 2026-06-11 (Rowing), late cancellation 2026-06-11 (Rowing), late cancellation 2026-06-11 (Rowing).');
  const [, , third] = await strikes(of, `&expand=event`);
  assert.deepEqual([third.attendance, third.event.id, third.type, third.sequence_position, third.penalty, third.applies_to], [last.attendance, last.event, 'late_cancel', 3, penalty.id, 'late_cancels_or_no_shows']);
  assert.deepEqual(third.rule, { price: penalty.amount, max_infractions: 2, days: 30 });
  const kinds = (await feedSince(world, since)).map((f) => f.kind).filter((kind) => /penalty|strike/.test(kind));
  assert.deepEqual(kinds, ['membership_strike.recorded', 'membership_strike.recorded', 'membership_strike.recorded', 'membership_penalty.created']);
  const [entry] = (await get(`/audit_entries?object=membership_penalty&object_id=${penalty.id}`)).results;
  assert.deepEqual([entry.before, entry.after.amount_minor], [null, 1000]);
});

test('the dry run of a cancellation tells the strike and the penalty that then follow, to the cent and the day, and keeps nothing', async () => {
  const of = await holder();
  for (let n = 0; n < 2; n++) await cancelLate(of);
  await quiet();
  const { event } = await booked(of);
  const preview = (await cancel(event, of.customer, '?dry_run=true')).body.effects;
  const [strike] = preview.filter((e: any) => e.effect === 'strike');
  assert.deepEqual([strike.id, strike.detail.infractions, strike.detail.max_infractions, strike.detail.type], [of.held, 3, 2, 'late_cancel']);
  const [penalty] = preview.filter((e: any) => e.effect === 'penalty');
  assert.deepEqual(await statuses(of), ['open', 'open']);
  assert.ok(!JSON.stringify((await cancel(event, of.customer, '?dry_run=true', false)).body.effects).includes('penalty'), 'in time it costs nothing');
  await cancel(event, of.customer);
  await quiet();
  const [charge] = await owed(of);
  assert.deepEqual([penalty.detail.amount_minor, penalty.detail.due_date, penalty.detail.explanation], [1000, charge.due_date, charge.explanation]);
  const again = await booked(of);
  const alone = (await cancel(again.event, of.customer, '?dry_run=true')).body.effects;
  assert.deepEqual([alone.filter((e: any) => e.effect === 'penalty').length, alone.find((e: any) => e.effect === 'strike').detail.infractions], [0, 1], 'the count begins anew');
});

test('an absence is a strike as long as it is marked; the penalty goes and comes with it', async () => {
  const of = await holder();
  const bookings = [await booked(of, 1), await booked(of, 2), await booked(of, 3)];
  world.setNow(NOON + 6 * HOUR);
  // Marked from the last to the first: the order does not matter.
  for (const { attendance } of bookings.toReversed()) await mark(attendance, 'no_show');
  await quiet();
  assert.deepEqual((await inOrder(of)).map((s: any) => [s.attendance, s.sequence_position]), bookings.map(({ attendance }, i) => [attendance, i + 1]));
  assert.equal((await owed(of)).length, 1);
  const since = await feedEnd(world);
  await mark(bookings[1].attendance, 'attended');
  await quiet();
  assert.deepEqual((await inOrder(of)).map((s: any) => [s.attendance, s.status, s.end_reason]), [
    [bookings[0].attendance, 'open', null], [bookings[1].attendance, 'voided', 'corrected'], [bookings[2].attendance, 'open', null],
  ]);
  assert.deepEqual([(await owed(of)).length, (await penalties(of)).map((p: any) => p.status)], [0, ['voided']]);
  assert.deepEqual((await feedSince(world, since)).map((f) => f.kind).filter((kind) => /penalt|strike/.test(kind)), ['membership_strike.removed', 'membership_penalty.voided']);
  await mark(bookings[1].attendance, 'no_show');
  await quiet();
  assert.deepEqual((await penalties(of)).map((p: any) => p.status), ['voided', 'upcoming_charge']);
  assert.equal((await strikes(of)).length, 3, 'one booking is one strike, however often it is marked');
});

test('staff forgive: the strike and its penalty go, what is marked later does not bring them back, and a dry run says all of it before', async () => {
  const of = await holder();
  const bookings = [await booked(of, 1), await booked(of, 2), await booked(of, 3)];
  world.setNow(NOON + 6 * HOUR);
  for (const { attendance } of bookings) await mark(attendance, 'no_show');
  await quiet();
  const [first] = await strikes(of);
  const preview = (await forgive(first.id, {}, '?dry_run=true')).body.effects.map((e: any) => e.effect);
  assert.deepEqual(preview.toSorted(), ['charge_voided', 'penalty_voided', 'strike_forgiven']);
  assert.equal((await owed(of)).length, 1);
  const forgiven = await forgive(first.id, { note: 'Was ill' });
  assert.deepEqual([forgiven.body.status, forgiven.body.end_reason, forgiven.body.note], ['voided', 'forgiven', 'Was ill']);
  assert.equal((await owed(of)).length, 0);
  assert.equal((await forgive(first.id)).body.note, 'Was ill', 'forgiving again changes nothing');
  await mark(bookings[0].attendance, 'attended');
  await mark(bookings[0].attendance, 'no_show');
  await quiet();
  assert.deepEqual(await statuses(of), ['voided', 'open', 'open']);
  await cancelLate(of);
  await quiet();
  assert.equal((await owed(of)).length, 1);
  assert.equal((await forgive(first.id, {}, '', world.staff(['attendances']))).status, 403);
  assert.equal((await forgive(first.id, {}, '', world.staff(['customers']))).status, 200);
  assert.equal((await forgive(first.id, {}, '', world.customer(of.customer))).status, 403);
});

test('what is charged stays; what is pending is voided with the whole system, and its infractions count no more', async () => {
  const [one, other] = [await holder(), await holder()];
  for (let n = 0; n < 3; n++) await cancelLate(one);
  await quiet();
  world.setNow(NOON + DAY + HOUR);
  await world.work(world.harbour, chargeDue);
  assert.deepEqual((await penalties(one)).map((p: any) => [p.status, p.charged_at !== null]), [['charged', true]]);
  assert.equal((await statuses(one)).at(-1), 'charged');
  const [strike] = await strikes(one);
  await forgive(strike.id);
  await quiet();
  assert.deepEqual([(await owed(one)).length, await statuses(one)], [1, ['voided', 'in_penalty_sequence', 'charged']]);
  for (let n = 0; n < 4; n++) await cancelLate(one);
  for (let n = 0; n < 3; n++) await cancelLate(other);
  await quiet();
  const path = `/membership_penalty_systems/${one.system}/void_pending`;
  const whole = await get(`/membership_penalty_systems/${one.system}`);
  const { object: _object, id: _id, ...sent } = whole;
  const since = await feedEnd(world);
  assert.deepEqual((await world.post(`${path}?dry_run=true`, { ...machine(), body: sent })).body.effects.map((e: any) => e.effect).toSorted(), ['charge_voided', 'penalty_voided', 'strike_removed', 'strike_removed', 'strike_removed']);
  const voided = await world.post(path, { ...machine(), body: sent });
  assert.deepEqual([voided.status, voided.body.id], [200, one.system]);
  assert.deepEqual((await feedSince(world, since)).map((f) => f.kind).filter((kind) => kind.startsWith('membership_penalty.')), ['membership_penalty.voided']);
  assert.deepEqual([(await penalties(one)).map((p: any) => p.status), await statuses(one)], [['charged', 'voided'], ['voided', 'in_penalty_sequence', 'charged', 'voided', 'voided', 'voided', 'open']]);
  assert.equal((await owed(other)).length, 1, 'another system is not touched');
  await cancelLate(one);
  await quiet();
  assert.equal((await penalties(one)).length, 2, 'what was voided counts no more');
});

test('only what a membership of an active system paid counts, and only from when its rule was there', async () => {
  world.setNow(NOON);
  const [customer, without] = await newCustomers(world, 2);
  const membership = await m.pack(10);
  const of = { customer, held: (await m.give(customer, membership)).id };
  const missed = await booked(of, 1);
  const before = await cancelLate(of);
  world.setNow(NOON + 2 * HOUR);
  const rules = await system(membership, { late_cancel_or_no_show_rule: { ...TWO_FREE, max_infractions: 1 } });
  await mark(missed.attendance, 'no_show');
  await quiet();
  assert.deepEqual(await strikes(of), [], 'it began, and was cancelled, before there was a rule');
  assert.ok(before.attendance);
  const { id: event } = await newEvent(world, m.place);
  await world.post(`/events/${event}/register`, { ...machine(), body: { customer: without, comped: true } });
  await cancel(event, without);
  const inTime = await booked(of);
  await cancel(inTime.event, customer, '', false);
  await cancelLate(of);
  // Whether the reader has come to it by then or not.
  await world.patch(`/membership_penalty_systems/${rules.id}`, { ...machine(), body: { status: 'archived' } });
  await quiet();
  await cancelLate(of);
  await quiet();
  assert.equal((await get(`/membership_strikes?customers=${without}`)).count, 0);
  assert.deepEqual(await statuses(of), ['open'], 'an archived system counts nothing more');
});

test('an absence that gives its use back is a strike all the same', async () => {
  const of = await holder({ allotment: { ignore_no_shows: true }, over: { late_cancel_or_no_show_rule: null, no_show_rule: { price: '5.00', max_infractions: 1, days: 5 } } });
  const bookings = [await booked(of, 1), await booked(of, 2)];
  world.setNow(NOON + 6 * HOUR);
  for (const { attendance } of bookings) await mark(attendance, 'no_show');
  await quiet();
  assert.equal(await m.used(of.held), 0);
  assert.deepEqual((await owed(of)).map((a: any) => a.amount.string), ['5.00']);
  await cancelLate(of);
  await quiet();
  assert.equal((await strikes(of)).length, 2, 'the rule counts absences alone');
});

test('an event that is cancelled, or booked again, takes its strikes back', async () => {
  const of = await holder();
  const [a, b, c] = [await cancelLate(of), await cancelLate(of), await cancelLate(of)];
  await quiet();
  assert.equal((await owed(of)).length, 1);
  assert.equal((await world.post(`/events/${a.event}/cancel`, { ...machine(), body: {} })).status, 200);
  await quiet();
  assert.equal((await owed(of)).length, 0);
  await world.post(`/events/${b.event}/register`, { ...machine(), body: { customer: of.customer } });
  await quiet();
  assert.deepEqual((await strikes(of)).map((s: any) => [s.attendance, s.end_reason]), [[a.attendance, 'event_cancelled'], [b.attendance, 'corrected'], [c.attendance, null]]);
});

test('days are those of the business: thirty days around the change to summer time, however long they are', async () => {
  // In Toronto clocks go forward on 8 March 2026: from 6 March 23:30 to 10 March 23:30 are four days and 95 hours.
  const of = await holder({ at: Date.parse('2026-03-07T04:00Z'), over: { late_cancel_or_no_show_rule: { price: '10.00', max_infractions: 1, days: 5 }, deferred_charge_days: 1 } });
  const first = await booked(of, 0.5);
  world.setNow(Date.parse('2026-03-11T03:00Z'));
  const second = await booked(of, 0.5);
  const third = await booked(of, 1.5);
  world.setNow(Date.parse('2026-03-11T06:00Z'));
  await mark(first.attendance, 'no_show');
  // 00:30 on 11 March there: the sixth day.
  await mark(third.attendance, 'no_show');
  await quiet();
  assert.deepEqual((await owed(of)).length, 0);
  const [strike] = await strikes(of);
  assert.equal(strike.expires_at, '2026-03-11T00:00:00-04:00');
  // 23:30 on 10 March: the fifth.
  await mark(second.attendance, 'no_show');
  await quiet();
  const [charge] = await owed(of);
  assert.match(charge.explanation, /absence 2026-03-06 .* absence 2026-03-10 /);
  assert.equal(charge.due_date, '2026-03-12');
});

test('a penalty is charged on its day by the clock of the business, once', async () => {
  const of = await holder({ at: Date.parse('2026-11-01T03:30Z') });
  for (let n = 0; n < 3; n++) await cancelLate(of);
  await quiet();
  const [{ due_date: due }] = await penalties(of);
  assert.equal(due, '2026-11-01', 'it was 23:30 on 31 October there');
  const since = await feedEnd(world);
  world.setNow(Date.parse('2026-11-01T03:59Z'));
  await world.work(world.harbour, chargeDue);
  assert.equal((await penalties(of))[0].status, 'upcoming_charge');
  world.setNow(Date.parse('2026-11-01T04:01Z'));
  for (let n = 0; n < 2; n++) await world.work(world.harbour, chargeDue);
  assert.equal((await penalties(of))[0].status, 'charged');
  assert.equal((await feedSince(world, since)).filter((f) => f.kind === 'membership_penalty.charged' && f.payload.membership_penalty_system === of.system).length, 1);
});

test('two rules count for themselves, and one infraction is charged once, by the dearer', async () => {
  const of = await holder({ over: { late_cancel_rule: { price: '4.00', max_infractions: 1, days: 30 }, late_cancel_or_no_show_rule: { price: '9.00', max_infractions: 1, days: 30 } } });
  for (let n = 0; n < 2; n++) await cancelLate(of);
  await quiet();
  assert.deepEqual((await owed(of)).map((a: any) => a.amount.string), ['9.00']);
  assert.deepEqual((await statuses(of)).toSorted(), ['charge_skipped', 'in_penalty_sequence', 'in_penalty_sequence', 'upcoming_charge']);
  const [strike] = await strikes(of, '&rule_applies_to=late_cancels_or_no_shows');
  await forgive(strike.id);
  assert.deepEqual([(await owed(of)).length, (await statuses(of)).filter((s) => s === 'voided').length], [0, 2], 'a booking is forgiven under all rules');
});

test('people see their own strikes and penalties, those who pay for others see theirs, and nobody else does', async () => {
  const of = await holder();
  const [friend, stranger] = await newCustomers(world, 2);
  await m.share(of.held, friend);
  for (const who of [of.customer, friend, of.customer]) await cancelLate({ customer: who });
  await quiet();
  const seen = async (customer: number) => {
    const as = world.customer(customer);
    return [(await get('/membership_strikes', as)).count, (await get('/membership_penalties', as)).count];
  };
  assert.deepEqual([await seen(of.customer), await seen(friend), await seen(stranger)], [[3, 1], [1, 0], [0, 0]]);
  const [strike] = await strikes(of);
  assert.equal((await world.get(`/membership_strikes/${strike.id}`, { as: world.customer(stranger) })).status, 404);
  assert.equal((await world.get('/membership_penalty_systems', { as: world.staff(['customers']) })).status, 403);
});

test('a membership has one active system; it says which; rules are checked', async () => {
  const of = await holder();
  assert.equal((await get(`/memberships/${of.membership}`)).penalty_system, of.system);
  assert.equal((await get(`/memberships/${of.membership}?expand=penalty_system`)).penalty_system.name, 'House rules');
  const body = { name: 'Other', memberships: [of.membership] };
  const refused = await world.post('/membership_penalty_systems', { ...machine(), body });
  assert.deepEqual([refused.status, refused.body.code, Object.keys(refused.body.field_errors)], [409, 'already_exists', ['memberships']]);
  const idle = await made('/membership_penalty_systems', { ...body, status: 'archived' });
  assert.deepEqual([idle.status, idle.deferred_charge_days, idle.no_show_rule, idle.archived_at !== null], ['archived', 1, null, true]);
  assert.equal((await world.patch(`/membership_penalty_systems/${idle.id}`, { ...machine(), body: { status: 'active' } })).status, 409);
  assert.equal((await world.patch(`/membership_penalty_systems/${of.system}`, { ...machine(), body: { status: 'archived' } })).body.status, 'archived');
  assert.equal((await world.patch(`/membership_penalty_systems/${idle.id}`, { ...machine(), body: { status: 'active' } })).status, 200);
  assert.equal((await get(`/memberships/${of.membership}`)).penalty_system, idle.id);
  assert.deepEqual((await get(`/membership_penalty_systems?memberships=${of.membership}&status=archived`)).results.map((s: any) => s.id), [of.system]);
  for (const [wrong, field] of [
    [{ ...TWO_FREE, days: 4 }, 'no_show_rule.days'], [{ ...TWO_FREE, max_infractions: 0 }, 'no_show_rule.max_infractions'], [{ ...TWO_FREE, price: '0.00' }, 'no_show_rule.price'], [{ ...TWO_FREE, price: '1.234' }, 'no_show_rule.price'],
  ] as const) {
    const answer = await world.post('/membership_penalty_systems', { ...machine(), body: { name: 'X', memberships: [], no_show_rule: wrong } });
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors)], [400, [field]]);
  }
});

test('a rule whose numbers change counts anew; another price is that of penalties from then on', async () => {
  const of = await holder();
  for (let n = 0; n < 2; n++) await cancelLate(of);
  await quiet();
  const patch = (rule: object) => world.patch(`/membership_penalty_systems/${of.system}`, { ...machine(), body: { late_cancel_or_no_show_rule: rule } });
  await patch({ ...TWO_FREE, price: '12.50' });
  await cancelLate(of);
  await quiet();
  assert.deepEqual((await owed(of)).map((a: any) => a.amount.string), ['12.50']);
  await cancelLate(of);
  await quiet();
  world.setNow(NOON + HOUR);
  await patch({ ...TWO_FREE, max_infractions: 1 });
  await cancelLate(of);
  await quiet();
  assert.equal((await owed(of)).length, 1);
  await cancelLate(of);
  await quiet();
  assert.deepEqual((await owed(of)).map((a: any) => a.amount.string), ['12.50', '10.00']);
});
