import assert from 'node:assert/strict';
import { afterFailure } from './dunning.ts';
import { fc } from '../../../../test/properties.ts';
import { test } from 'node:test';
import { workedTable } from '../../../../test/worked-table.ts';

test('the consequences of a failure are those of the written algorithm', () => {
  for (const row of workedTable('docs/algorithms/dunning.md', 'After a failure')) {
    const retryDays = row.retry_days === '' ? [] : row.retry_days.split(', ').map(Number);
    const graceDays = row.grace_days === '' ? null : Number(row.grace_days);
    const after = afterFailure({ retryDays, graceDays }, Number(row.failures), '2026-12-01');
    assert.deepEqual(
      [after.status, after.nextOn ?? '', after.blockOn ?? '', after.last ? 'yes' : 'no'],
      [row['the invoice is'], row['next try'], row["can't be used from"], row.last],
    );
  }
});

test('attempts are finite, each is on a later day, and exactly one is the first to be marked as the last', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 10 }), (retryDays) => {
      let day: string | null = '2026-01-31';
      let failures = 0;
      while (day !== null) {
        const after = afterFailure({ retryDays, graceDays: 7 }, ++failures, day);
        assert.equal(after.last, after.nextOn === null);
        assert.equal(after.last, failures > retryDays.length);
        assert.ok(after.nextOn === null || after.nextOn > day);
        day = after.nextOn;
      }
      assert.equal(failures, retryDays.length + 1);
    }),
  );
});
