import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { addDays, dateOfDayNumber, daysBetween } from './date.ts';
import { addMonths } from './period.ts';
import { periodAt, periodOf, periodStart, shareOfDays, type Cycle } from './cycle.ts';
import { workedTable } from '../../../test/worked-table.ts';

const DOCUMENT = 'docs/algorithms/billing-periods.md';

for (const row of workedTable(DOCUMENT, 'Worked periods')) {
  test(`every ${row.every} from ${row.anchor}${row['fixed day'] && ` on day ${row['fixed day']}`}: ${row.date} falls into period ${row.period}`, () => {
    const [length, unit] = row.every.split(' ');
    const cycle: Cycle = {
      unit: unit as Cycle['unit'],
      length: Number(length),
      anchor: row.anchor,
      ...(row['fixed day'] && { day: Number(row['fixed day']) }),
    };
    const n = periodAt(cycle, row.date);
    assert.deepEqual([n, periodOf(cycle, n)], [Number(row.period), { start: row.from, end: row['until before'] }]);
  });
}

for (const row of workedTable(DOCUMENT, 'Parts of a period')) {
  test(`${row.days} of ${row.period} for ${row.amount} cost ${row.part}`, () => {
    const [start, end] = row.period.split(' ');
    const [from, to] = row.days.split(' ');
    assert.equal(shareOfDays(Number(row.amount), { start, end }, from, to), Number(row.part));
  });
}

const anyDate = fc.integer({ min: 0, max: 40_000 }).map(dateOfDayNumber);
const anyCycle: fc.Arbitrary<Cycle> = fc.record({
  unit: fc.constantFrom('days', 'weeks', 'months'),
  length: fc.integer({ min: 1, max: 24 }),
  anchor: anyDate,
});

test('every date lies in exactly the period with the number that it gets', () => {
  fc.assert(
    fc.property(anyCycle, anyDate, (cycle, date) => {
      const { start, end } = periodOf(cycle, periodAt(cycle, date));
      assert.ok(start <= date && date < end, `${start} ${date} ${end}`);
    }),
    runs(2000),
  );
});

test('periods follow each other without gap or overlap, and count the months from the anchor', () => {
  fc.assert(
    fc.property(anyCycle, fc.integer({ min: -40, max: 40 }), (cycle, n) => {
      assert.ok(periodStart(cycle, n) < periodStart(cycle, n + 1));
      if (cycle.unit === 'months') assert.equal(periodStart(cycle, n), addMonths(cycle.anchor, n * cycle.length));
    }),
  );
});

test('however a period is split, its parts sum to the amount and no part has the wrong sign', () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 365 }), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      anyDate,
      fc.integer({ min: 1, max: 366 }),
      cuts,
      (amount, start, days, at) => {
        const end = addDays(start, days);
        const dates = [start, ...at.map((d) => addDays(start, d % (days + 1))).toSorted(), end];
        const parts = dates.slice(1).map((to, i) => shareOfDays(amount, { start, end }, dates[i], to));
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          amount,
        );
        for (const part of parts) assert.ok(part === 0 || Math.sign(part) === Math.sign(amount));
      },
    ),
    runs(1000),
  );
});

test('a part is never a whole unit away from its exact share', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      anyDate,
      fc.integer({ min: 1, max: 366 }),
      fc.nat(366),
      fc.nat(366),
      (amount, start, days, a, b) => {
        const [from, to] = [
          addDays(start, Math.min(a, b) % (days + 1)),
          addDays(start, Math.max(a, b) % (days + 1)),
        ].toSorted();
        const exact = (amount * daysBetween(from, to)) / days;
        assert.ok(Math.abs(shareOfDays(amount, { start, end: addDays(start, days) }, from, to) - exact) <= 1);
      },
    ),
  );
});

test('dates outside their period are refused, and so is a cycle without length', () => {
  const april = { start: '2026-04-01', end: '2026-05-01' };
  for (const [from, to] of [
    ['2026-03-31', '2026-04-02'],
    ['2026-04-02', '2026-05-02'],
    ['2026-04-03', '2026-04-02'],
  ])
    assert.throws(() => shareOfDays(100, april, from, to), RangeError);
  assert.throws(() => periodStart({ unit: 'months', length: 0, anchor: '2026-01-01' }, 1), RangeError);
});
