import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workedTable } from '../../../../test/worked-table.ts';
import { isLate } from './cancelling.ts';

for (const row of workedTable('docs/algorithms/registration-window.md', 'Late cancellations')) {
  const said = row['staff say'];
  test(`${row['minutes to the cut-off']} minutes to the cut-off, staff say "${said}": late ${row.late}`, () => {
    const lateCancelsAfter = 1_000_000_000_000;
    const now = lateCancelsAfter - Number(row['minutes to the cut-off']) * 60_000;
    assert.equal(
      isLate({ now, lateCancelsAfter, staffSays: said === '' ? undefined : said === 'late' }),
      row.late === 'yes',
    );
  });
}
