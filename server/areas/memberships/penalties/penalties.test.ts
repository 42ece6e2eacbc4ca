import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chargeDue } from './index.ts';
import { feedEnd, feedSince, newCustomers, newEvent } from '../../../test/schedule-world.ts';
import { NOON, PenaltyWorld, TWO_FREE } from '../../../test/worlds/penalty-world.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { World } from '../../../test/world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let p: PenaltyWorld;
let world: World;
before(async () => {
  p = await PenaltyWorld.start();
  world = p.world;
});
after(() => p.close());

test('one late cancellation too many leads to a penalty, due after the days of the system, with an explanation', async () => {
  const of = await p.holder({ over: { deferred_charge_days: 3 } });
  const since = await feedEnd(world);
  await p.cancelLate(of, 2);
  await p.read();
  assert.deepEqual(await p.statuses(of), ['open', 'open']);
  assert.deepEqual(await p.owed(of), []);
  const [last] = await p.cancelLate(of);
  await p.read();
  assert.deepEqual(await p.statuses(of), ['in_penalty_sequence', 'in_penalty_sequence', 'upcoming_charge']);
  const [penalty] = await p.penalties(of);
  assert.deepEqual(
    [penalty.status, penalty.amount.string, penalty.due_date, penalty.strikes.length],
    ['upcoming_charge', '10.00', '2026-06-13', 3],
  );
  const [charge] = await p.owed(of);
  assert.deepEqual(
    [charge.id, charge.kind, charge.amount.string, charge.due_date],
    [penalty.account_entry, 'charge', '10.00', '2026-06-13'],
  );
  assert.equal(
    charge.explanation,
    '3 infractions within 30 days, 2 are free: late cancellation on June 11, 2026 (Rowing), late cancellation on June 11, 2026 (Rowing), late cancellation on June 11, 2026 (Rowing).',
  );
  const [, , third] = await p.strikes(of, `&expand=event`);
  assert.deepEqual(
    [third.attendance, third.event.id, third.type, third.sequence_position, third.penalty, third.applies_to],
    [last.attendance, last.event, 'late_cancel', 3, penalty.id, 'late_cancels_or_no_shows'],
  );
  assert.deepEqual(third.rule, { price: penalty.amount, max_infractions: 2, days: 30 });
  const kinds = (await feedSince(world, since)).map((f) => f.kind).filter((kind) => /penalty|strike/.test(kind));
  assert.deepEqual(kinds, [
    'membership_strike.recorded',
    'membership_strike.recorded',
    'membership_strike.recorded',
    'membership_penalty.created',
  ]);
  const [entry] = (await p.get(`/audit_entries?object=membership_penalty&object_id=${penalty.id}`)).results;
  assert.deepEqual([entry.before, entry.after.amount_minor], [null, 1000]);
});

test('a membership that was entered by mistake is not penalized: pending penalties are voided', async () => {
  const of = await p.holder();
  await p.cancelLate(of, 3);
  await p.read();
  assert.equal((await p.owed(of)).length, 1);
  assert.equal(
    (await p.post(`/customer_memberships/${of.owned}/cancel`, { cancellation_reason: 'mistake' })).status,
    200,
  );
  await p.read();
  assert.deepEqual([await p.owed(of), await p.statuses(of)], [[], ['voided', 'voided', 'voided']]);
});

test('the dry run of a cancellation shows the resulting strike and penalty, to the cent and the day, and saves nothing', async () => {
  const of = await p.holder();
  await p.cancelLate(of, 2);
  await p.read();
  const { event } = await p.booked(of);
  const preview = (await p.cancel(event, of.customer, '?dry_run=true')).body.effects;
  const [strike] = preview.filter((e: any) => e.effect === 'strike');
  assert.deepEqual(
    [strike.id, strike.detail.infractions, strike.detail.max_infractions, strike.detail.type],
    [of.owned, 3, 2, 'late_cancel'],
  );
  const [penalty] = preview.filter((e: any) => e.effect === 'penalty');
  assert.deepEqual(await p.statuses(of), ['open', 'open']);
  assert.ok(
    !JSON.stringify((await p.cancel(event, of.customer, '?dry_run=true', false)).body.effects).includes('penalty'),
    'in time it costs nothing',
  );
  await p.cancel(event, of.customer);
  await p.read();
  const [charge] = await p.owed(of);
  assert.deepEqual(
    [penalty.detail.amount_minor, penalty.detail.due_date, penalty.detail.explanation],
    [1000, charge.due_date, charge.explanation],
  );
  const again = await p.booked(of);
  const alone = (await p.cancel(again.event, of.customer, '?dry_run=true')).body.effects;
  assert.deepEqual(
    [
      alone.filter((e: any) => e.effect === 'penalty').length,
      alone.find((e: any) => e.effect === 'strike').detail.infractions,
    ],
    [0, 1],
    'the count begins anew',
  );
});

test('a customer sees the penalty before cancelling, but not the infractions of others with whom the membership is shared', async () => {
  const of = await p.holder();
  const [friend] = await newCustomers(world, 1);
  await p.m.share(of.owned, friend);
  await p.cancelLate(of, 2);
  await p.read();
  // An hour before the start, although twelve hours' notice is required.
  await world.work(world.harbour, ({ tx }) =>
    tx.run(
      sql`UPDATE offering_type SET cancellation_notice_interval = 720
        WHERE provider_id = ${world.harbour} AND id = ${p.m.offering}`,
    ),
  );
  const { event } = await p.booked({ customer: friend }, 1);
  const answer = await p.post(`/events/${event}/unregister?dry_run=true`, { customer: friend }, world.customer(friend));
  assert.deepEqual([answer.status, answer.body.late], [200, true]);
  const [penalty] = answer.body.effects.filter((e: any) => e.effect === 'penalty');
  assert.deepEqual(
    [penalty.detail.amount_minor, penalty.detail.infractions, 'explanation' in penalty.detail],
    [1000, 3, false],
  );
});

test('an absence is a strike while it is marked; the penalty is removed and restored with it', async () => {
  const of = await p.holder();
  const bookings = [await p.booked(of, 1), await p.booked(of, 2), await p.booked(of, 3)];
  world.setNow(NOON + 6 * HOUR);
  // Marked from the last to the first, because the order does not matter.
  for (const booking of bookings.toReversed()) await p.mark(booking, 'no_show');
  await p.read();
  assert.deepEqual(
    (await p.strikes(of)).map((s: any) => [s.attendance, s.sequence_position]),
    bookings.map(({ attendance }, i) => [attendance, i + 1]),
  );
  assert.equal((await p.owed(of)).length, 1);
  const since = await feedEnd(world);
  await p.mark(bookings[1], 'attended');
  await p.read();
  assert.deepEqual(
    (await p.strikes(of)).map((s: any) => [s.attendance, s.status, s.end_reason]),
    [
      [bookings[0].attendance, 'open', null],
      [bookings[1].attendance, 'voided', 'corrected'],
      [bookings[2].attendance, 'open', null],
    ],
  );
  assert.deepEqual([(await p.owed(of)).length, (await p.penalties(of)).map((p: any) => p.status)], [0, ['voided']]);
  assert.deepEqual(
    (await feedSince(world, since)).map((f) => f.kind).filter((kind) => /penalt|strike/.test(kind)),
    ['membership_strike.removed', 'membership_penalty.voided'],
  );
  await p.mark(bookings[1], 'no_show');
  await p.read();
  assert.deepEqual(
    (await p.penalties(of)).map((p: any) => p.status),
    ['voided', 'upcoming_charge'],
  );
  assert.equal((await p.strikes(of)).length, 3, 'one booking is one strike, however often it is marked');
});

test('when staff forgive, the strike and its penalty are removed, later marks do not restore them, and a dry run shows all of it', async () => {
  const of = await p.holder();
  const bookings = [await p.booked(of, 1), await p.booked(of, 2), await p.booked(of, 3)];
  world.setNow(NOON + 6 * HOUR);
  for (const booking of bookings) await p.mark(booking, 'no_show');
  await p.read();
  const [first] = await p.strikes(of);
  const preview = (await p.forgive(first.id, {}, '?dry_run=true')).body.effects.map((e: any) => e.effect);
  assert.deepEqual(preview.toSorted(), ['charge_voided', 'penalty_voided', 'strike_forgiven']);
  assert.equal((await p.owed(of)).length, 1);
  const forgiven = await p.forgive(first.id, { note: 'Was ill' });
  assert.deepEqual(
    [forgiven.body.status, forgiven.body.end_reason, forgiven.body.note],
    ['voided', 'forgiven', 'Was ill'],
  );
  assert.equal((await p.owed(of)).length, 0);
  assert.equal((await p.forgive(first.id)).body.note, 'Was ill', 'forgiving again changes nothing');
  await p.mark(bookings[0], 'attended');
  await p.mark(bookings[0], 'no_show');
  await p.read();
  assert.deepEqual(await p.statuses(of), ['voided', 'open', 'open']);
  await p.cancelLate(of);
  await p.read();
  assert.equal((await p.owed(of)).length, 1);
  assert.equal((await p.forgive(first.id, {}, '', world.staff(['attendances']))).status, 403);
  assert.equal((await p.forgive(first.id, {}, '', world.staff(['customers']))).status, 200);
  assert.equal((await p.forgive(first.id, {}, '', world.customer(of.customer))).status, 403);
});

test('a charged penalty stays; a pending one is voided with the whole system, whose infractions no longer count', async () => {
  const [one, other] = [await p.holder(), await p.holder({ at: world.now })];
  await p.cancelLate(one, 3);
  await p.read();
  world.setNow(NOON + DAY + HOUR);
  await world.work(world.harbour, chargeDue);
  assert.deepEqual(
    (await p.penalties(one)).map((p: any) => [p.status, p.charged_at !== null]),
    [['charged', true]],
  );
  assert.equal((await p.statuses(one)).at(-1), 'charged');
  const [strike] = await p.strikes(one);
  await p.forgive(strike.id);
  await p.read();
  assert.deepEqual(
    [(await p.owed(one)).length, await p.statuses(one)],
    [1, ['voided', 'in_penalty_sequence', 'charged']],
  );
  await p.cancelLate(one, 4);
  await p.cancelLate(other, 3);
  await p.read();
  const path = `/membership_penalty_systems/${one.system}/void_pending`;
  const whole = await p.get(`/membership_penalty_systems/${one.system}`);
  const { object: _object, id: _id, ...sent } = whole;
  const since = await feedEnd(world);
  assert.deepEqual((await p.post(`${path}?dry_run=true`, sent)).body.effects.map((e: any) => e.effect).toSorted(), [
    'charge_voided',
    'penalty_voided',
    'strike_removed',
    'strike_removed',
    'strike_removed',
  ]);
  const voided = await p.post(path, sent);
  assert.deepEqual([voided.status, voided.body.id], [200, one.system]);
  assert.deepEqual(
    (await feedSince(world, since)).map((f) => f.kind).filter((kind) => kind.startsWith('membership_penalty.')),
    ['membership_penalty.voided'],
  );
  assert.deepEqual(
    [(await p.penalties(one)).map((p: any) => p.status), await p.statuses(one)],
    [
      ['charged', 'voided'],
      ['voided', 'in_penalty_sequence', 'charged', 'voided', 'voided', 'voided', 'open'],
    ],
  );
  assert.equal((await p.owed(other)).length, 1, 'another system is not touched');
  await p.cancelLate(one);
  await p.read();
  assert.equal((await p.penalties(one)).length, 2, 'what was voided counts no more');
});

test('only bookings that a membership of an active system paid for count, and only from the time of its rule', async () => {
  world.setNow(NOON);
  const [customer, without] = await newCustomers(world, 2);
  const membership = await p.m.pack(10);
  const of = { customer, owned: (await p.m.give(customer, membership)).id };
  const missed = await p.booked(of, 1);
  const [before] = await p.cancelLate(of);
  world.setNow(NOON + 2 * HOUR);
  const rules = await p.system(membership, { late_cancel_or_no_show_rule: { ...TWO_FREE, max_infractions: 1 } });
  await p.mark(missed, 'no_show');
  await p.read();
  assert.deepEqual(await p.strikes(of), [], 'it began, and was cancelled, before there was a rule');
  assert.ok(before.attendance);
  const { id: event } = await newEvent(world, p.m.place);
  await p.post(`/events/${event}/register`, { customer: without, comped: true });
  await p.cancel(event, without);
  const inTime = await p.booked(of);
  await p.cancel(inTime.event, customer, '', false);
  await p.cancelLate(of);
  world.setNow(world.now + 1000);
  // Regardless of whether the reader has processed it yet.
  await p.patch(`/membership_penalty_systems/${rules.id}`, { status: 'archived' });
  await p.read();
  world.setNow(world.now + 1000);
  await p.cancelLate(of);
  await p.read();
  assert.equal((await p.get(`/membership_strikes?customer=${without}`)).count, 0);
  assert.deepEqual(await p.statuses(of), ['open'], 'an archived system counts nothing more');
});

test('an absence whose use is credited is a strike nevertheless', async () => {
  const of = await p.holder({
    allotment: { ignore_no_shows: true },
    over: { late_cancel_or_no_show_rule: null, no_show_rule: { price: '5.00', max_infractions: 1, days: 5 } },
  });
  const bookings = [await p.booked(of, 1), await p.booked(of, 2)];
  world.setNow(NOON + 6 * HOUR);
  for (const booking of bookings) await p.mark(booking, 'no_show');
  await p.read();
  assert.equal(await p.m.used(of.owned), 0);
  assert.deepEqual(
    (await p.owed(of)).map((a: any) => a.amount.string),
    ['5.00'],
  );
  await p.cancelLate(of);
  await p.read();
  assert.equal((await p.strikes(of)).length, 2, 'the rule counts absences alone');
});

test('an event that is cancelled, or booked again, removes its strikes', async () => {
  const of = await p.holder();
  const [a, b, c] = await p.cancelLate(of, 3);
  await p.read();
  assert.equal((await p.owed(of)).length, 1);
  assert.equal((await p.post(`/events/${a.event}/cancel`, {})).status, 200);
  await p.read();
  assert.equal((await p.owed(of)).length, 0);
  await p.post(`/events/${b.event}/register`, { customer: of.customer });
  await p.read();
  assert.deepEqual(
    (await p.strikes(of)).map((s: any) => [s.attendance, s.end_reason]),
    [
      [a.attendance, 'event_cancelled'],
      [b.attendance, 'corrected'],
      [c.attendance, null],
    ],
  );
});

test('an event that is moved moves its strikes', async () => {
  const of = await p.holder();
  const [first] = await p.cancelLate(of, 3);
  await p.read();
  assert.equal((await p.owed(of)).length, 1);
  const move = async (day: string) =>
    assert.equal(
      (
        await p.patch(`/events/${first.event}`, {
          starts_at: `${day}T12:00:00-04:00`,
          ends_at: `${day}T13:00:00-04:00`,
        })
      ).status,
      200,
    );
  await move('2026-07-20');
  await p.read();
  assert.deepEqual([(await p.owed(of)).length, (await p.strikes(of))[0].expires_at], [0, '2026-08-19T00:00:00-04:00']);
  await move('2026-07-10');
  await p.read();
  assert.deepEqual(
    (await p.owed(of)).map((charge: any) => charge.explanation.match(/\w+ \d+, 2026/g)),
    [['June 11, 2026', 'June 11, 2026', 'July 10, 2026']],
    'the last one is another now',
  );
});

test('days are those of the business: thirty days around the change to summer time, regardless of their length', async () => {
  // In Toronto clocks move forward on 8 March 2026: from 6 March 23:30 to 10 March 23:30 are four days and 95 hours.
  const of = await p.holder({
    at: Date.parse('2026-03-07T04:00Z'),
    over: { late_cancel_or_no_show_rule: { price: '10.00', max_infractions: 1, days: 5 }, deferred_charge_days: 1 },
  });
  const first = await p.booked(of, 0.5);
  world.setNow(Date.parse('2026-03-11T03:00Z'));
  const second = await p.booked(of, 0.5);
  const third = await p.booked(of, 1.5);
  world.setNow(Date.parse('2026-03-11T06:00Z'));
  await p.mark(first, 'no_show');
  // 00:30 on 11 March there: the sixth day.
  await p.mark(third, 'no_show');
  await p.read();
  assert.deepEqual((await p.owed(of)).length, 0);
  const [strike] = await p.strikes(of);
  assert.equal(strike.expires_at, '2026-03-11T00:00:00-04:00');
  // 23:30 on 10 March there: the fifth day.
  await p.mark(second, 'no_show');
  await p.read();
  const [charge] = await p.owed(of);
  assert.match(charge.explanation, /absence on March 6, 2026 .* absence on March 10, 2026 /);
  assert.equal(charge.due_date, '2026-03-12');
});

test('a penalty is charged on its due date by the clock of the business, once', async () => {
  const of = await p.holder({ at: Date.parse('2026-11-01T03:30Z') });
  await p.cancelLate(of, 3);
  await p.read();
  const [{ due_date: due }] = await p.penalties(of);
  assert.equal(due, '2026-11-01', 'it was 23:30 on 31 October there');
  const since = await feedEnd(world);
  world.setNow(Date.parse('2026-11-01T03:59Z'));
  await world.work(world.harbour, chargeDue);
  assert.equal((await p.penalties(of))[0].status, 'upcoming_charge');
  world.setNow(Date.parse('2026-11-01T04:01Z'));
  for (let n = 0; n < 2; n++) await world.work(world.harbour, chargeDue);
  assert.equal((await p.penalties(of))[0].status, 'charged');
  assert.equal(
    (await feedSince(world, since)).filter(
      (f) => f.kind === 'membership_penalty.charged' && f.payload.membership_penalty_system === of.system,
    ).length,
    1,
  );
});

test('two rules count separately, and one infraction is charged once, by the more expensive rule', async () => {
  const of = await p.holder({
    over: {
      late_cancel_rule: { price: '4.00', max_infractions: 1, days: 30 },
      late_cancel_or_no_show_rule: { price: '9.00', max_infractions: 1, days: 30 },
    },
  });
  await p.cancelLate(of, 2);
  await p.read();
  assert.deepEqual(
    (await p.owed(of)).map((a: any) => a.amount.string),
    ['9.00'],
  );
  assert.deepEqual((await p.statuses(of)).toSorted(), [
    'charge_skipped',
    'in_penalty_sequence',
    'in_penalty_sequence',
    'upcoming_charge',
  ]);
  const [strike] = await p.strikes(of, '&rule_applies_to=late_cancels_or_no_shows');
  await p.forgive(strike.id);
  assert.deepEqual(
    [(await p.owed(of)).length, (await p.statuses(of)).filter((s) => s === 'voided').length],
    [0, 2],
    'a booking is forgiven under all rules',
  );
});

test('customers see their own strikes and penalties, those who pay for others see theirs, and nobody else does', async () => {
  const of = await p.holder();
  const [friend, stranger] = await newCustomers(world, 2);
  await p.m.share(of.owned, friend);
  for (const who of [of.customer, friend, of.customer]) await p.cancelLate({ customer: who });
  await p.read();
  const seen = async (customer: number) => {
    const as = world.customer(customer);
    return [(await p.get('/membership_strikes', as)).count, (await p.get('/membership_penalties', as)).count];
  };
  assert.deepEqual(
    [await seen(of.customer), await seen(friend), await seen(stranger)],
    [
      [3, 1],
      [1, 0],
      [0, 0],
    ],
  );
  const [strike] = await p.strikes(of);
  assert.equal((await world.get(`/membership_strikes/${strike.id}`, { as: world.customer(stranger) })).status, 404);
  assert.equal((await world.get('/membership_penalty_systems', { as: world.staff(['customers']) })).status, 403);
});

test('a membership has one active system and shows it, and rules are validated', async () => {
  const of = await p.holder();
  assert.equal((await p.get(`/memberships/${of.membership}`)).penalty_system, of.system);
  assert.equal((await p.get(`/memberships/${of.membership}?expand=penalty_system`)).penalty_system.name, 'House rules');
  const body = { name: 'Other', memberships: [of.membership] };
  const refused = await p.post('/membership_penalty_systems', body);
  assert.deepEqual(
    [refused.status, refused.body.code, Object.keys(refused.body.field_errors)],
    [409, 'already_exists', ['memberships']],
  );
  const idle = await p.made('/membership_penalty_systems', { ...body, status: 'archived' });
  assert.deepEqual(
    [idle.status, idle.deferred_charge_days, idle.no_show_rule, idle.archived_at !== null],
    ['archived', 1, null, true],
  );
  assert.equal((await p.patch(`/membership_penalty_systems/${idle.id}`, { status: 'active' })).status, 409);
  assert.equal(
    (await p.patch(`/membership_penalty_systems/${of.system}`, { status: 'archived' })).body.status,
    'archived',
  );
  assert.equal((await p.patch(`/membership_penalty_systems/${idle.id}`, { status: 'active' })).status, 200);
  assert.equal((await p.get(`/memberships/${of.membership}`)).penalty_system, idle.id);
  assert.deepEqual(
    (await p.get(`/membership_penalty_systems?memberships=${of.membership}&status=archived`)).results.map(
      (s: any) => s.id,
    ),
    [of.system],
  );
  for (const [wrong, field] of [
    [{ ...TWO_FREE, days: 4 }, 'no_show_rule.days'],
    [{ ...TWO_FREE, max_infractions: 0 }, 'no_show_rule.max_infractions'],
    [{ ...TWO_FREE, price: '0.00' }, 'no_show_rule.price'],
    [{ ...TWO_FREE, price: '1.234' }, 'no_show_rule.price'],
  ] as const) {
    const answer = await p.post('/membership_penalty_systems', { name: 'X', memberships: [], no_show_rule: wrong });
    assert.deepEqual([answer.status, Object.keys(answer.body.field_errors)], [400, [field]]);
  }
});

test('changing the numbers of a rule restarts its count; a new price applies to later penalties', async () => {
  const of = await p.holder();
  await p.cancelLate(of, 2);
  await p.read();
  const patch = (rule: object) =>
    p.patch(`/membership_penalty_systems/${of.system}`, { late_cancel_or_no_show_rule: rule });
  await patch({ ...TWO_FREE, price: '12.50' });
  await p.cancelLate(of);
  await p.read();
  assert.deepEqual(
    (await p.owed(of)).map((a: any) => a.amount.string),
    ['12.50'],
  );
  await p.cancelLate(of);
  await p.read();
  world.setNow(NOON + HOUR);
  await patch({ ...TWO_FREE, max_infractions: 1 });
  await p.cancelLate(of);
  await p.read();
  assert.equal((await p.owed(of)).length, 1);
  await p.cancelLate(of);
  await p.read();
  assert.deepEqual(
    (await p.owed(of)).map((a: any) => a.amount.string),
    ['12.50', '10.00'],
  );
});
