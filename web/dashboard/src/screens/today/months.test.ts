import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysNeeded, monthAfter, shownOf, type Group } from './months.ts';

test('months are counted across years, and the period includes the month before last year’s', () => {
  assert.equal(monthAfter('2026-01-31', -1), '2025-12');
  assert.equal(monthAfter('2026-03', -12), '2025-03');
  assert.deepEqual(daysNeeded('2026-02-10'), { from: '2025-01-01', to: '2026-02-28' });
});

const rows = (month: string): string =>
  `https://r.example/api/v2/reports/retention/data?group=${encodeURIComponent(`{"calendar_month":"${month}"}`)}`;
const group = (month: string, retained: number, members_before: number, churned: number): Group => ({
  calendar_month: month,
  retained,
  members_before,
  churned,
  rows: rows(month),
});
const MEMBERS = [group('2026-09', 10, 10, 0), group('2026-10', 12, 13, 1), group('2026-11', 11, 14, 3)];

const valuesOf = (figure: 'members' | 'joined' | 'left') =>
  shownOf(figure, '2026-11-20', 'calendar_month', MEMBERS).map(({ value }) => value);

test('members, and those who joined and left, add up from month to month', () => {
  assert.deepEqual(valuesOf('members'), [11, 12, 0]);
  assert.deepEqual(valuesOf('joined'), [2, 3, 0]);
  assert.deepEqual(valuesOf('left'), [3, 1, 0]);
});

test('a figure leads to the rows that it counts, and a month without rows leads nowhere', () => {
  const [now, , yearAgo] = shownOf('left', '2026-11-20', 'calendar_month', MEMBERS);
  const query = new URLSearchParams(now.rows!);
  assert.equal(query.get('view'), 'rows');
  assert.equal(query.get('f.group'), '{"calendar_month":"2026-11"}');
  assert.equal(query.get('f.is_churned'), 'true');
  assert.equal(yearAgo.rows, null);
});

test('classes without a limit have no occupancy, which is not zero', () => {
  const [now, before] = shownOf('occupancy', '2026-11-20', 'month', [
    { month: '2026-11', fill_rate: null },
    { month: '2026-10', fill_rate: 0.625 },
  ]);
  assert.deepEqual([now.value, before.value], [null, 0.625]);
});
