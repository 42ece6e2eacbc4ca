import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../test/properties.ts';
import { wordingFor } from '../../../../kernel/base/values/wording.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import {
  explainBooking,
  mayTakeSeat,
  payable,
  refuseBooking,
  refuseWaiting,
  seatsFor,
  type BookingFacts,
  type Requirement,
} from './booking.ts';
import { NO_OBJECTION } from '../../../memberships/customer-memberships/use/rules/choice.ts';
import { NO_OBJECTION as PAID } from '../../../commerce/checkouts/drop-in/rules/drop-in.ts';
import type { Window } from './window.ts';
import { DEFAULT_WORDS } from '../../../../kernel/base/values/words.ts';

const DOC = 'docs/algorithms/booking.md';
const START = Date.parse('2026-06-10T18:00Z');
const HOUR = 3_600_000;

const window: Window = {
  timeline: null,
  calendarOpensAt: START - 48 * HOUR,
  opensAt: START - 24 * HOUR,
  closesAt: START - HOUR,
  lateCancelsAfter: START - HOUR,
};
const PAYING = [...Object.entries(NO_OBJECTION), ['payment_required', PAID]].map(([code, passed]) => ({
  code,
  passed,
  payable: code === 'payment_required',
  facts: {},
}));
const OBJECTIONS = PAYING.map(({ code }) => code);
const BUY = { staff: 'Sell one.', customer: 'Buy one.' };
const FORM: Requirement = {
  kind: 'form',
  id: 1,
  title: 'Health',
  customer: 1,
  by: 'customer',
  before: 'booking',
  path: '/account/1/forms/1/1',
};
const base: BookingFacts = {
  now: START - 6 * HOUR,
  byStaff: false,
  requirements: [],
  mustSettle: true,
  event: {
    status: 'active',
    kind: 'class',
    startsAt: START,
    endsAt: START + HOUR,
    zone: 'Europe/London',
    maxOccupancy: 2,
    attending: 0,
    held: 0,
    waiting: 0,
    place: 'venue',
    elsewhere: null,
    waitlistMax: null,
    minAge: 13,
    maxAge: 17,
  },
  customer: { birth: '2010-06-10', participating: true, block: null, reservedUntil: null, holdsSeat: false },
  window,
  payment: { refusal: null, rules: PAYING },
};

test('the rules are in the documented order', () => {
  assert.deepEqual(
    explainBooking(base).map((v) => v.code),
    workedTable(DOC, 'Order of the rules').map((row) => row.rule),
  );
});

/** Returns facts that this rule refuses. */
const worst = (byStaff: boolean, code: string): BookingFacts => ({
  ...base,
  byStaff,
  now:
    { registration_not_open: START - 25 * HOUR, registration_closed: START - HOUR, event_started: START }[code] ??
    base.now,
  mustSettle: !byStaff,
  requirements: code === 'requirements_missing' ? [FORM] : [],
  window: code === 'registration_not_allowed' && !byStaff ? null : window,
  event: {
    ...base.event,
    status: code === 'event_cancelled' ? 'cancelled' : 'active',
    attending: code === 'event_full' ? 2 : 0,
  },
  payment: {
    refusal: OBJECTIONS.filter((c) => c === code).map((c) => ({ code: c, message: BUY }))[0] ?? null,
    rules: PAYING,
  },
  customer: {
    ...base.customer,
    participating: code !== 'customer_not_participating',
    block: code === 'registration_blocked' ? { until: null } : null,
    birth:
      { age_unknown: null, age_too_low: '2020-01-01', age_too_high: '1990-01-01' }[code as never] ??
      (code === 'age_unknown' ? null : '2010-06-10'),
  },
});

test('staff are exempt from the documented rules only', () => {
  for (const row of workedTable(DOC, 'Order of the rules')) {
    const refuses = (byStaff: boolean) =>
      explainBooking(worst(byStaff, row.rule)).find((v) => v.code === row.rule)!.passed === false;
    assert.ok(refuses(false), row.rule);
    assert.equal(refuses(true), row['staff are exempt'] === 'no', row.rule);
  }
});

workedTable(DOC, 'Worked verdicts').forEach((row, i) => {
  test(`verdict ${i + 1}: ${row.who} at ${row.now}, seats ${row.seats}: ${row['refused with'] || 'booked'}`, () => {
    const [attending, held] = row.seats.split('/').map(Number);
    const kept = row['kept for the customer'];
    const said = refuseBooking({
      ...base,
      now: Date.parse(row.now),
      byStaff: row.who === 'staff',
      event: { ...base.event, attending, held },
      customer: {
        ...base.customer,
        birth: row.born === 'unknown' ? null : row.born || base.customer.birth,
        block: row.blocked ? { until: row.blocked === 'until lifted' ? null : Date.parse(row.blocked) } : null,
        reservedUntil: kept && kept !== 'held' ? Date.parse(kept) : null,
        holdsSeat: kept === 'held',
      },
    });
    assert.equal(said?.code ?? '', row['refused with']);
    assert.equal(said ? wordingFor(row.who as 'staff' | 'customer', said.message, DEFAULT_WORDS) : '', row.message);
  });
});

const anyFacts: fc.Arbitrary<BookingFacts> = fc.record({
  now: fc.integer({ min: START - 72 * HOUR, max: START + 24 * HOUR }),
  byStaff: fc.boolean(),
  requirements: fc.constantFrom<readonly Requirement[]>([], [FORM], [{ ...FORM, before: 'check_in' }]),
  mustSettle: fc.boolean(),
  event: fc.record({
    status: fc.constantFrom('active' as const, 'cancelled' as const),
    kind: fc.constantFrom('class', 'appointment', 'room_rental', 'course'),
    startsAt: fc.constant(START),
    endsAt: fc.constant(START + HOUR),
    zone: fc.constantFrom('America/Toronto', 'Australia/Lord_Howe'),
    maxOccupancy: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
    attending: fc.nat(5),
    held: fc.nat(3),
    waiting: fc.nat(3),
    place: fc.constantFrom('venue', 'online'),
    elsewhere: fc.constantFrom(null, 'venue', 'online'),
    waitlistMax: fc.option(fc.nat(3), { nil: null }),
    minAge: fc.option(fc.nat(90), { nil: null }),
    maxAge: fc.option(fc.nat(90), { nil: null }),
  }),
  customer: fc.record({
    birth: fc.option(fc.constantFrom('2010-06-10', '2008-02-29', '1950-01-01'), { nil: null }),
    participating: fc.boolean(),
    block: fc.option(
      fc.record({ until: fc.option(fc.integer({ min: START - 72 * HOUR, max: START }), { nil: null }) }),
      {
        nil: null,
      },
    ),
    reservedUntil: fc.option(fc.integer({ min: START - 72 * HOUR, max: START }), { nil: null }),
    holdsSeat: fc.boolean(),
  }),
  window: fc.option(fc.constant(window), { nil: null }),
  payment: fc
    .option(fc.constantFrom(...OBJECTIONS), { nil: null })
    .map((code) => ({ refusal: code === null ? null : { code, message: BUY }, rules: PAYING })),
});

test('only requirements before a booking refuse it, and the message names them', () => {
  const two = { ...base, requirements: [FORM, { ...FORM, id: 2, title: 'Injuries' }] };
  const refused = refuseBooking(two)!;
  assert.equal(refused.code, 'requirements_missing');
  assert.equal(
    wordingFor('customer', refused.message, DEFAULT_WORDS),
    'Complete “Health”, “Injuries” before you book this class.',
  );
  assert.equal(refuseBooking({ ...two, mustSettle: false }), null);
  assert.equal(refuseBooking({ ...base, requirements: [{ ...FORM, before: 'check_in' }] }), null);
});

test('without a free seat nobody can book, not even staff', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      if (seatsFor(facts) <= 0) assert.notEqual(refuseBooking(facts), null);
    }),
  );
});

test('booking refuses with the first rule that the explanation shows as refusing', () => {
  fc.assert(
    fc.property(anyFacts, (facts) =>
      assert.deepEqual(refuseBooking(facts), explainBooking(facts).find((v) => !v.passed) ?? null),
    ),
  );
});

test('customers who may join the waitlist lack only a place, and payments that they can make when they get one', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const booking = explainBooking(facts)
        .filter((v) => !v.passed)
        .map((v) => v.code);
      assert.equal(
        refuseWaiting(facts) === null,
        booking.every((code) => code === 'event_full' || code === payable(facts)),
      );
      assert.equal(
        mayTakeSeat(facts),
        booking.every((code) => code === payable(facts)),
      );
    }),
  );
});

test('staff may book everything that a customer may', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      if (refuseBooking({ ...facts, byStaff: false }) === null)
        assert.equal(refuseBooking({ ...facts, byStaff: true }), null);
    }),
  );
});

/** Actions that only staff can take, and words that only they know. */
const STAFF_WORDS = /\bthe customer\b|\bsell\b|comped|\benter\b|\bset\b|timeline|offering|_|`|\d{4}-\d\d/i;

test('no refusal tells a customer about actions that only staff can take', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      for (const { passed, message } of explainBooking(facts))
        if (!passed) assert.doesNotMatch(wordingFor('customer', message, DEFAULT_WORDS), STAFF_WORDS);
    }),
  );
});

test('every rule has a name and a text, passed or not', () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      for (const { code, message } of explainBooking(facts))
        assert.ok(
          code &&
            (['staff', 'customer'] as const).every((side) => wordingFor(side, message, DEFAULT_WORDS).endsWith('.')),
        );
    }),
  );
  assert.equal(new Set(explainBooking(base).map((v) => v.code)).size, explainBooking(base).length);
});

const refusedFor = (code: string): BookingFacts['payment'] => ({ refusal: { code, message: BUY }, rules: PAYING });
const eventWith = (event: Partial<BookingFacts['event']>): BookingFacts => ({
  ...base,
  event: { ...base.event, ...event },
});

test('a payment that is missing can be made later: it refuses a booking, not the waitlist, and leaves the place free', () => {
  const unpaid = { ...base, payment: refusedFor('payment_required') };
  assert.equal(payable(unpaid), 'payment_required');
  assert.equal(refuseBooking(unpaid)?.code, 'payment_required');
  assert.equal(refuseWaiting(unpaid), null);
  assert.equal(mayTakeSeat(unpaid), true);
  assert.equal(payable(base), null);
});

test('any other objection to a membership refuses the waitlist and the place too', () => {
  for (const code of OBJECTIONS.filter((one) => one !== 'payment_required')) {
    const refused = { ...base, payment: refusedFor(code) };
    assert.equal(payable(refused), null);
    assert.equal(refuseWaiting(refused)?.code, code);
    assert.equal(mayTakeSeat(refused), false);
  }
});

test('a full event does not refuse the waitlist, and offers no place', () => {
  const full = eventWith({ attending: 2 });
  assert.equal(refuseBooking(full)?.code, 'event_full');
  assert.equal(refuseWaiting(full), null);
  assert.equal(mayTakeSeat(full), false);
  assert.equal(seatsFor(eventWith({ maxOccupancy: null, attending: 99 })), Infinity);
});

const fullVerdict = (waiting: number, waitlistMax: number | null) =>
  explainBooking(eventWith({ attending: 2, waiting, waitlistMax })).find(({ code }) => code === 'event_full')!;

const offeredPosition = (waiting: number, max: number | null) =>
  fullVerdict(waiting, max).facts.waitlist_position_offered;
const staffText = (waiting: number) => wordingFor('staff', fullVerdict(waiting, 5).message, DEFAULT_WORDS);

test('a full event offers the next position of its waitlist, until the waitlist is full', () => {
  assert.deepEqual([offeredPosition(0, null), offeredPosition(4, null), offeredPosition(4, 5)], [1, 5, 5]);
  assert.deepEqual([offeredPosition(5, 5), offeredPosition(6, 5), offeredPosition(0, 0)], [null, null, null]);
  assert.match(staffText(4), /Join the waitlist to be number 5/);
  assert.match(staffText(5), /full, and so is its waitlist. Raise max_occupancy/);
});

const withoutBirth = { ...base.customer, birth: null };

test('an unknown age refuses events with either age limit, and no others', () => {
  for (const [minAge, maxAge, code] of [
    [13, null, 'age_unknown'],
    [null, 17, 'age_unknown'],
    [null, null, undefined],
  ] as const)
    assert.equal(refuseBooking({ ...eventWith({ minAge, maxAge }), customer: withoutBirth })?.code, code);
});
