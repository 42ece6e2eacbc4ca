import assert from 'node:assert/strict';
import { daysAfter } from '../../app/days.ts';
import { datesOf, stepDate, weekdayOf, weekOf, type View } from './range.ts';
import { test } from 'node:test';

test('a week begins on the first day of the week in the locale, for each of its days', () => {
  assert.equal(weekdayOf('2026-11-23'), 1);
  assert.equal(weekdayOf('2026-11-29'), 7);
  for (const date of ['2026-11-23', '2026-11-26', '2026-11-29'])
    assert.deepEqual([weekOf(date, 1)[0], weekOf(date, 1)[6]], ['2026-11-23', '2026-11-29']);
  assert.deepEqual([weekOf('2026-11-28', 7)[0], weekOf('2026-11-29', 7)[0]], ['2026-11-22', '2026-11-29']);
});

test('a view shows a day or a week, and advances by the same length, across months and clock changes', () => {
  assert.deepEqual(datesOf('day', '2026-03-08', 1), ['2026-03-08']);
  assert.deepEqual(
    ['week', 'list'].map((view) => [
      datesOf(view as View, '2026-03-05', 1)[0],
      datesOf(view as View, '2026-03-05', 1)[6],
    ]),
    [
      ['2026-03-02', '2026-03-08'],
      ['2026-03-05', '2026-03-11'],
    ],
  );
  assert.equal(stepDate('resources', '2026-03-08', 1), '2026-03-09');
  assert.equal(stepDate('week', '2026-02-27', 1), '2026-03-06');
  assert.equal(stepDate('week', '2026-01-02', -1), '2025-12-26');
  assert.equal(daysAfter('2028-02-28', 1), '2028-02-29');
});
