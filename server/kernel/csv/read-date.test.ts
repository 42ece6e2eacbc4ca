import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDate } from './read-date.ts';

const MONDAY = '2026-01-05';

test('dates are read in their format only', () => {
  assert.deepEqual(
    [readDate('2026-1-5', 'YYYY-MM-DD'), readDate('05/01/2026', 'DD/MM/YYYY'), readDate('01/05/2026', 'MM/DD/YYYY'), readDate('2026-01-05T00:00:00', 'YYYY-MM-DD')],
    [MONDAY, MONDAY, MONDAY, MONDAY],
  );
  assert.deepEqual([readDate('2026-02-30', 'YYYY-MM-DD'), readDate('05/01/26', 'DD/MM/YYYY'), readDate('05/01/2026', 'YYYY-MM-DD')], [null, null, null]);
});
