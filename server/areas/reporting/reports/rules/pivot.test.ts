import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOfPeriod } from './pivot.ts';

for (const [name, days] of Object.entries({
  '2026': ['2026-01-01', '2027-01-01'],
  '2026-01': ['2026-01-01', '2026-02-01'],
  '2026-12': ['2026-12-01', '2027-01-01'],
  // 2026 begins on a Thursday and has 53 weeks, 2027 on a Friday.
  '2026-W01': ['2025-12-29', '2026-01-05'],
  '2026-W53': ['2026-12-28', '2027-01-04'],
  '2027-W01': ['2027-01-04', '2027-01-11'],
}))
  test(`the days of ${name} are those from ${days[0]} until before ${days[1]}`, () =>
    assert.deepEqual(daysOfPeriod(name), days));
