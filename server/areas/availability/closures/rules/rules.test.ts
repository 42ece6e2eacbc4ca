import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf, timesOf } from '../../../scheduling/schedule/index.ts';
import { daysOf } from './days.ts';
import { extendedTo } from './extension.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const PROSE = 'docs/algorithms/closures.md';
const list = (text: string): string[] => (text === '' ? [] : text.split(', '));

for (const { venue, 'starts at': starts, day, why } of workedTable(PROSE, 'The day of an event')) {
  test(`an event belongs to the day on which it starts: ${venue}, ${starts}, ${why}`, () => {
    const at = Date.parse(starts);
    assert.equal(dayOf(timesOf(venue, at, at + 3 * 3_600_000)), day);
  });
}

for (const row of workedTable(PROSE, 'Which days a call closes')) {
  const { dates, from, to, 'days, or the property that is refused': expected } = row;
  test(`the days of a call: ${dates || `${from || 'nothing'} to ${to || 'nothing'}`} is ${expected}`, () => {
    const sent = { ...(dates && { dates: list(dates) }), ...(from && { from }), ...(to && { to }) };
    const found = daysOf(sent, '2026-06-10');
    assert.equal('days' in found ? found.days.join(', ') : found.field, expected);
  });
}

for (const row of workedTable(PROSE, 'Which memberships last longer')) {
  const { starts: start, 'last day': end, held, closed, 'last day after': after } = row;
  test(`a membership until ${end}, held ${held || 'never'}, closed ${closed}, lasts until ${after}`, () => {
    const holds = list(held).map((hold) => {
      const [first, last] = hold.split('–');
      return { start: first, end: last || null };
    });
    assert.equal(extendedTo({ start, end, held: holds }, list(closed)), after);
  });
}

test('a request closes 366 days at most', () => {
  const found = daysOf({ from: '2028-01-01', to: '2028-12-31' }, '2026-06-10');
  assert.equal('days' in found && found.days.length, 366);
  assert.ok('message' in daysOf({ from: '2028-01-01', to: '2029-01-01' }, '2026-06-10'));
});
