import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodThrough } from './period.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const or = (text: string): string | null => (text === 'none' ? null : text);

test('periods follow each other as in the worked table', () => {
  for (const row of workedTable('docs/algorithms/ledger.md', 'Worked periods')) {
    const decision = periodThrough(row['close through'], {
      today: row.today,
      closedThrough: or(row.closed),
      firstPosting: or(row.first),
    });
    const said =
      'refused' in decision
        ? `refused: ${decision.refused.replace('_', ' ')}`
        : `${decision.closes.from} to ${decision.closes.to}`;
    assert.equal(said, row.period, JSON.stringify(row));
  }
});
