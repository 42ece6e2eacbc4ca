import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesBetween } from './changes.ts';

test('a change lists the names that differ, with the old and the new value', () => {
  assert.deepEqual(
    changesBetween({ a: 1, b: [1, 2], c: { x: 1 }, d: null }, { a: 2, b: [1, 2], c: { x: 2 }, d: null }),
    [
      { name: 'a', old: 1, new: 2 },
      { name: 'c', old: { x: 1 }, new: { x: 2 } },
    ],
  );
});

test('for a created row everything with a value is new, for a deleted one everything is old', () => {
  assert.deepEqual(changesBetween(null, { a: 1, b: null, c: false }), [
    { name: 'a', old: null, new: 1 },
    { name: 'c', old: null, new: false },
  ]);
  assert.deepEqual(changesBetween({ a: 1, b: null }, null), [{ name: 'a', old: 1, new: null }]);
  assert.deepEqual(changesBetween(null, null), []);
});

test('a name that every object inherits is listed only if the row has it', () => {
  assert.deepEqual(changesBetween({}, { constructor: 'x' }), [{ name: 'constructor', old: null, new: 'x' }]);
});
