import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryReader } from './input.ts';
import { oneOf, text } from '../../base/fields/kinds.ts';
import { Problem } from '../../base/problem.ts';

const reader = new QueryReader({
  first: oneOf(['a', 'b']).optional(),
  second: text({ max: 10 }),
  third: text({ max: 10 }).default('none'),
  fourth: oneOf(['a', 'b']).optional(),
});
const read = (flat: Record<string, string>, strict = false) => reader.read(flat, 'UTC', strict);

test('a query has the parameters that were sent and the values of those that were not, in the declared order', () => {
  const query = read({ fourth: 'b', other: 'x', second: 'y', constructor: 'x' });
  assert.deepEqual(Object.entries(query), [
    ['second', 'y'],
    ['third', 'none'],
    ['fourth', 'b'],
  ]);
});

function namesOf(flat: Record<string, string>, strict: boolean): string[] {
  try {
    read(flat, strict);
    return [];
  } catch (error) {
    return Object.keys((error as Problem).body('').field_errors);
  }
}

test('the mistakes of a query are reported in the declared order, then the unknown names if the caller is strict', () => {
  const wrong = { unknown: 'x', fourth: 'x', first: 'x' };
  assert.deepEqual(namesOf(wrong, false), ['first', 'second', 'fourth']);
  assert.deepEqual(namesOf(wrong, true), ['first', 'second', 'fourth', 'unknown']);
});
