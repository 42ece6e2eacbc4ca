import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scaleOf } from './scale.ts';

test('every chart includes zero, values keep their proportions, and nothing is outside', () => {
  for (const [values, from, to] of [
    [[5, 10], 0, 100],
    [[-5, 10], 0, 150],
    [[-4, -2], 100, 0],
    [[0, 0], 0, 10],
    [[], 0, 10],
  ] as const) {
    const { at } = scaleOf(values, from, to);
    for (const value of [0, ...values]) {
      assert.ok(at(value) >= Math.min(from, to) && at(value) <= Math.max(from, to), String(value));
      assert.ok(Math.abs(at(2 * value) - at(0) - 2 * (at(value) - at(0))) < 1e-9);
    }
  }
  assert.deepEqual([0, 5, 10].map(scaleOf([5, 10], 0, 100).at), [0, 50, 100]);
});
