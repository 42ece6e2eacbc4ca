import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';

test('a change is told by the names that differ, with what was and what is', () => {
  assert.deepEqual(
    changesBetween({ a: 1, b: [1, 2], c: { x: 1 }, d: null }, { a: 2, b: [1, 2], c: { x: 2 }, d: null }),
    [
      { name: 'a', old: 1, new: 2 },
      { name: 'c', old: { x: 1 }, new: { x: 2 } },
    ],
  );
});

test('of what was made everything with a value is new, of what is gone everything is old', () => {
  assert.deepEqual(changesBetween(null, { a: 1, b: null, c: false }), [
    { name: 'a', old: null, new: 1 },
    { name: 'c', old: null, new: false },
  ]);
  assert.deepEqual(changesBetween({ a: 1, b: null }, null), [{ name: 'a', old: 1, new: null }]);
  assert.deepEqual(changesBetween(null, null), []);
});

test('a name that every object inherits is told only where the row has it', () => {
  assert.deepEqual(changesBetween({}, { constructor: 'x' }), [{ name: 'constructor', old: null, new: 'x' }]);
});
