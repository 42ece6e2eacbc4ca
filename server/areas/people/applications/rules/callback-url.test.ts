import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackUrlProblem } from './callback-url.ts';
import { workedTable } from '../../../../test/worked-table.ts';

// Guards against: A callback to somebody else
test('callback URLs are judged as in the worked table', () => {
  for (const row of workedTable('docs/algorithms/callback-urls.md', 'Worked addresses')) {
    const problem = callbackUrlProblem(row.address, row.public === 'yes');
    assert.equal(problem === null, row.allowed === 'yes', `${row.address}: ${problem}`);
    if (problem !== null) assert.ok(row.because !== '' && problem.includes(row.because), `${row.address}: ${problem}`);
  }
});

const long = (length: number): string => `https://app.example.com/${'a'.repeat(length - 24)}`;

test('a URL of 2000 characters is allowed, one of 2001 is not', () => {
  assert.equal(callbackUrlProblem(long(2000), false), null);
  assert.match(callbackUrlProblem(long(2001), false)!, /2000/);
});
