import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastMonth } from './months.ts';

test('the previous month has its own first and last day, across years and in leap years', () => {
  for (const [day, from, to] of [
    ['2026-11-26', '2026-10-01', '2026-10-31'],
    ['2026-03-31', '2026-02-01', '2026-02-28'],
    ['2028-03-01', '2028-02-01', '2028-02-29'],
    ['2027-01-01', '2026-12-01', '2026-12-31'],
  ])
    assert.deepEqual(lastMonth(day), { from, to });
});
