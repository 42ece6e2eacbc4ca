import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDelay, parseDelay } from './delay.ts';

test('a delay in one unit is displayed for people, and is written back unchanged', () => {
  for (const [iso, said] of [
    ['P3D', { n: 3, unit: 'D' }],
    ['P2W', { n: 2, unit: 'W' }],
    ['P1M', { n: 1, unit: 'MO' }],
    ['PT1M', { n: 1, unit: 'M' }],
    ['PT36H', { n: 36, unit: 'H' }],
  ] as const) {
    assert.deepEqual(parseDelay(iso), said);
    assert.equal(formatDelay(said), iso);
  }
});

test('every notation of no delay means none, and a delay in several units stays unchanged', () => {
  assert.equal(parseDelay(null), null);
  assert.equal(parseDelay('P0D'), null);
  assert.equal(formatDelay({ n: 0, unit: 'D' }), null);
  for (const iso of ['P1DT2H', 'P1Y', 'PT90S']) assert.equal(formatDelay(parseDelay(iso)), iso);
});
