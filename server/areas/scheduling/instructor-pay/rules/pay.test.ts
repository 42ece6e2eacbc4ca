import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COUNTED_STATUSES, payFor, tierProblem, type Session, type Terms, type Tier } from './pay.ts';
import { coverageOf } from './coverage.ts';
import { fc } from '../../../../test/properties.ts';
import { formatDecimal, parseDecimal } from '../../../../kernel/base/values/money.ts';
import { rateFor, type Scope } from './select-rate.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const WRITTEN = 'docs/algorithms/instructor-pay.md';
const COUNTS = {
  usual: ['attended', 'registered'],
  attended: ['attended'],
  all: COUNTED_STATUSES,
} as const satisfies Record<string, Terms['counted']>;

function termsOf(row: Record<string, string>): Terms {
  const minor = (text: string): number => parseDecimal(text, row.currency)!;
  const bound = (text: string): number | null => (text === 'none' ? null : minor(text));
  const [base, type] = row.base.split(' ');
  return {
    name: 'Worked',
    type: type === 'hour' ? 'per_hour' : 'per_session',
    base: minor(base),
    tiers:
      row.tiers === 'none'
        ? []
        : row.tiers.split(' ').map((text): Tier => {
            const [, from, to, amount] = /^(\d+)-(\d*):(.+)$/.exec(text)!;
            return { from: Number(from), to: to === '' ? null : Number(to), minor: minor(amount) };
          }),
    counted: COUNTS[row.counts as keyof typeof COUNTS],
    countsComped: row.comped === 'yes',
    paysEmpty: row['empty paid'] === 'yes',
    minimum: bound(row.minimum),
    maximum: bound(row.maximum),
  };
}

function sessionOf({ minutes, bookings }: Record<string, string>): Session {
  const [attended, registered, noShow, late, comped] = bookings.split(' ').map(Number);
  return {
    minutes: Number(minutes),
    bookings: [
      { status: 'attended', comped: false, n: attended },
      { status: 'registered', comped: false, n: registered },
      { status: 'no_show', comped: false, n: noShow },
      { status: 'late_cancelled', comped: false, n: late },
      { status: 'attended', comped: true, n: comped },
    ],
  };
}

for (const row of workedTable(WRITTEN, 'Worked pay'))
  test(`a session pays what the written table says: ${Object.values(row).join(' | ')}`, () => {
    const { minor, counted, steps } = payFor(termsOf(row), sessionOf(row), row.currency);
    assert.deepEqual([formatDecimal({ minor, currency: row.currency }), counted], [row.pay, Number(row.counted)]);
    assert.ok(
      steps.every(({ text }) => /^\S.*\.$/.test(text)),
      JSON.stringify(steps),
    );
  });

const ids = (cell: string): number[] => (cell === '*' ? [] : cell.split(',').map(Number));
const day = (cell: string): string | null => (cell === '*' ? null : cell);

function scopeOf(text: string): Scope {
  const [, id, rest] = /^(\d+): (.*)$/.exec(text)!;
  const [instructors, offeringTypes, venues, first, last] = rest.split(' / ');
  return {
    id: Number(id),
    instructors: ids(instructors),
    offeringTypes: ids(offeringTypes),
    venues: ids(venues),
    startsOn: day(first),
    endsOn: day(last),
    archived: false,
  };
}

const TAUGHT = { instructor: 7, offeringType: 3, venue: 5, day: '2026-03-10' };

for (const row of workedTable(WRITTEN, 'Worked choices'))
  test(`the written rate applies: ${row.rates}`, () => {
    const rates = row.rates === 'none' ? [] : row.rates.split(', ').map(scopeOf);
    for (const all of [rates, rates.toReversed()]) {
      const { rate, rivals } = rateFor(all, TAUGHT);
      assert.equal(String(rate?.id ?? 'none'), row.applies);
      assert.equal(rivals.map(({ id }) => id).join(', ') || 'none', row['as well']);
    }
  });

test('an archived rate covers nothing', () => {
  const rate = scopeOf('1: * / * / * / * / *');
  assert.equal(rateFor([{ ...rate, archived: true }], TAUGHT).rate, null);
});

const amount = fc.integer({ min: 0, max: 1_000_000 });

/** Tiers in order, without overlaps; the last may have no end. */
const tiers = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 5 }), amount), { maxLength: 4 })
  .chain((parts) =>
    fc.boolean().map((open) => {
      let last = 0;
      return parts.map(([gap, length, minor], n): Tier => {
        const from = last + gap;
        last = from + length;
        return { from, to: open && n === parts.length - 1 ? null : last, minor };
      });
    }),
  );

const terms: fc.Arbitrary<Terms> = fc.record({
  name: fc.constant('Any'),
  type: fc.constantFrom('per_session', 'per_hour'),
  base: amount,
  tiers,
  counted: fc.subarray([...COUNTED_STATUSES]),
  countsComped: fc.boolean(),
  paysEmpty: fc.boolean(),
  minimum: fc.option(amount),
  maximum: fc.option(fc.integer({ min: 1_000_000, max: 10_000_000 })),
});

const session: fc.Arbitrary<Session> = fc.record({
  minutes: fc.integer({ min: 1, max: 600 }),
  bookings: fc.array(
    fc.record({
      status: fc.constantFrom(...COUNTED_STATUSES, 'not_registered'),
      comped: fc.boolean(),
      n: fc.integer({ min: 0, max: 12 }),
    }),
    { maxLength: 8 },
  ),
});

test('the steps sum to the pay, which is between the minimum and the maximum', () =>
  fc.assert(
    fc.property(terms, session, (of, taught) => {
      const { minor, counted, steps } = payFor(of, taught, 'CAD');
      assert.equal(
        steps.reduce((sum, step) => sum + step.minor, 0),
        minor,
      );
      if (counted > 0 || of.paysEmpty) assert.ok(minor >= (of.minimum ?? 0) && minor <= (of.maximum ?? Infinity));
      else assert.equal(minor, 0);
    }),
  ));

test('one more customer never lowers the pay', () =>
  fc.assert(
    fc.property(terms, session, fc.constantFrom(...COUNTED_STATUSES), (of, taught, status) => {
      const more = { ...taught, bookings: [...taught.bookings, { status, comped: false, n: 1 }] };
      assert.ok(payFor(of, more, 'CAD').minor >= payFor(of, taught, 'CAD').minor);
    }),
  ));

const tier = (from: number, to: number | null): Tier => ({ from, to, minor: 1 });

test('each customer is in at most one tier: ordered tiers without overlaps are accepted, others are refused', () => {
  fc.assert(fc.property(tiers, (all) => assert.equal(tierProblem(all), null)));
  for (const [all, at] of [
    [[tier(3, 2)], 0],
    [[tier(1, 5), tier(5, 9)], 1],
    [[tier(1, null), tier(9, null)], 1],
    [[tier(6, 9), tier(1, 5)], 1],
  ] as const)
    assert.equal(tierProblem(all)?.at, at);
});

const at = (day: string, offeringType = 3) => ({ ...TAUGHT, offeringType, day });

test('coverage counts every session once, and groups those of the same kind', () => {
  const rates = [
    '1: * / 3 / * / * / 2026-03-11',
    '2: * / 4 / * / * / *',
    '3: 7 / 4 / * / * / *',
    '4: 7 / 4 / * / * / *',
  ];
  const plan = [at('2026-03-10'), at('2026-03-11', 4), at('2026-03-12'), at('2026-03-13', 4), at('2026-03-14')];
  assert.deepEqual(coverageOf(plan, rates.map(scopeOf)), {
    sessions: 5,
    covered_sessions: 3,
    uncovered: [{ offering_type: 3, venue: 5, sessions: 2, first_on: '2026-03-12', last_on: '2026-03-14' }],
    ambiguous: [
      {
        offering_type: 4,
        venue: 5,
        sessions: 2,
        first_on: '2026-03-11',
        last_on: '2026-03-13',
        instructor_pay_rates: [4, 3],
      },
    ],
  });
});
