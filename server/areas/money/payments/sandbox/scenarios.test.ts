import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from './play.ts';
import { SCENARIOS } from './scenarios.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const told = (column: string): Record<string, string> =>
  Object.fromEntries(
    workedTable('docs/guide/money.md', column === 'scenario' ? 'Trying it out' : 'What can happen').map((row) => [
      row[column],
      row['what happens'],
    ]),
  );

test('the guide names every scenario and every event of the sandbox, and what happens', () => {
  assert.deepEqual(
    told('scenario'),
    Object.fromEntries(Object.entries(SCENARIOS).map(([name, { description }]) => [name, description])),
  );
  assert.deepEqual(told('event'), EVENTS);
});
