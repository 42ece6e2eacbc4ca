import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRenewal } from './renewal.ts';
import { periodStart, type Cycle } from '../../../kernel/values/cycle.ts';
import { workedTable } from '../../../test/worked-table.ts';

const RENEWAL = 'docs/algorithms/renewal.md';

const list = (cell: string): string[] => (cell === '' ? [] : cell.split(', '));
const orNull = (cell: string): string | null => (cell === '' ? null : cell);
const holds = (cell: string) => list(cell).map((one) => ({ start: one.slice(0, 10), end: orNull(one.slice(14)) }));

workedTable(RENEWAL, 'Worked renewals').forEach((row, i) => {
  test(`renewals ${i + 1}: every ${row.every} from ${row['first day']} to ${row['last day'] || 'no end'}, holds ${row.holds || 'none'}: ${row.told || 'none'} until ${row['looked at on']}`, () => {
    const [length, unit] = row.every.split(' ');
    const cycle: Cycle = { unit: unit as Cycle['unit'], length: Number(length), anchor: row['first day'] };
    const told: string[] = [];
    let renewsOn = periodStart(cycle, 1);
    for (let next = nextRenewal({ cycle, renewsOn, end: orNull(row['last day']), holds: holds(row.holds) }, row['looked at on']); next !== null; ) {
      if (next.billed) told.push(next.period.start);
      renewsOn = next.period.end;
      next = nextRenewal({ cycle, renewsOn, end: orNull(row['last day']), holds: holds(row.holds) }, row['looked at on']);
    }
    assert.deepEqual(told, list(row.told));
  });
});
