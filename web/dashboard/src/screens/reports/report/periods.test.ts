import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysBefore, daysOf, PERIODS } from './periods.ts';
import { isTimeframe, timeframe } from '../../../../../../server/areas/reporting/reports/rules/timeframe.ts';

const DAYS = ['2026-11-26', '2026-01-01', '2028-02-29', '2027-12-31', '2026-03-02'];

test('each period on offer has the same dates as in the interface', () => {
  for (const name of PERIODS) {
    assert.ok(isTimeframe(name), name);
    for (const today of DAYS) assert.deepEqual(daysOf(name, today), timeframe(name, today), `${name} on ${today}`);
  }
});

test('the previous period ends on the day before, and has the same kind', () => {
  for (const [name, today, from, to] of [
    ['this_month', '2026-03-15', '2026-02-01', '2026-02-28'],
    ['last_month', '2026-03-15', '2026-01-01', '2026-01-31'],
    ['this_quarter', '2026-02-10', '2025-10-01', '2025-12-31'],
    ['last_year', '2026-02-10', '2024-01-01', '2024-12-31'],
    ['this_week', '2026-11-26', '2026-11-16', '2026-11-22'],
    ['last_7_days', '2026-11-26', '2026-11-13', '2026-11-19'],
    ['today', '2026-11-26', '2026-11-25', '2026-11-25'],
  ])
    assert.deepEqual(daysBefore(name, today), { from, to }, `${name} on ${today}`);
  assert.equal(daysBefore('no_period', '2026-11-26'), null);
});
