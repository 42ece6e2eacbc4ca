import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { workedTable } from '../../../test/worked-table.ts';
import { dateOfDayNumber } from './date.ts';
import { addMonths, contains, encloses, minutesBefore, overlaps, period } from './period.ts';

const anyPeriod = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }))
  .map(([start, length]) => period(start, start + length));

test('periods overlap exactly when some moment lies in both', () => {
  fc.assert(
    fc.property(anyPeriod, anyPeriod, (a, b) => {
      const shared = Array.from({ length: 61 }, (_, moment) => moment).some(
        (moment) => contains(a, moment) && contains(b, moment),
      );
      assert.equal(overlaps(a, b), shared);
      assert.equal(overlaps(b, a), shared);
    }),
    runs(1000),
  );
});

test('a period that ends when the next starts does not overlap it', () => {
  assert.equal(overlaps(period(0, 10), period(10, 20)), false);
  assert.equal(overlaps(period(0, 11), period(10, 20)), true);
  assert.equal(contains(period(0, 10), 10), false);
  assert.equal(contains(period(0, 10), 0), true);
});

test('a period without end contains everything after its start', () => {
  assert.equal(encloses(period(5, Infinity), period(5, 1e15)), true);
  assert.equal(encloses(period(5, Infinity), period(4, 6)), false);
  assert.equal(overlaps(period(5, Infinity), period(1e15, Infinity)), true);
});

test('a period that ends before it starts is refused', () => {
  assert.throws(() => period(2, 1), RangeError);
  assert.throws(() => period(Number.NaN, 1), RangeError);
});

test('minutes before a start are real minutes, even across a clock change', () => {
  // Toronto skipped 02:00 to 03:00: two hours before 04:00 was 01:00.
  assert.equal(minutesBefore(Date.parse('2026-03-08T04:00:00-04:00'), 120), Date.parse('2026-03-08T01:00:00-05:00'));
});

for (const row of workedTable('docs/algorithms/time.md', 'Months')) {
  test(`${row.months} months from ${row.from} is ${row.date}`, () =>
    assert.equal(addMonths(row.from, Number(row.months)), row.date));
}

test('adding months agrees with the calendar of the runtime for any date', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -600_000, max: 2_000_000 }).map(dateOfDayNumber),
      fc.integer({ min: -1200, max: 1200 }),
      (date, n) => {
        assert.equal(addMonths(date, n), Temporal.PlainDate.from(date).add({ months: n }).toString());
      },
    ),
  );
  assert.throws(() => addMonths('9999-12-01', 1), RangeError);
  assert.throws(() => addMonths('2026-02-30', 1), RangeError);
});
