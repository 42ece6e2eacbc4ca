import assert from 'node:assert/strict';
import { test } from 'node:test';
import { date } from './kinds.ts';
import { Issues } from '../problem.ts';
import { workedTable } from '../../../test/worked-table.ts';

for (const row of workedTable('docs/algorithms/time.md', 'Accepted dates'))
  test(`the date of ${row.text}: ${row.date}`, () => {
    const issues = new Issues();
    const read = date().spec.read(row.text, 'on', { issues, text: false, zone: 'America/Toronto' });
    const refused = row.date === 'refused';
    assert.deepEqual([read ?? 'refused', Object.keys(issues.fields)], [row.date, refused ? ['on'] : []]);
  });
