import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agesDisagree, neverOpen } from './bounds.ts';

const AGES: [number | null, number | null, boolean][] = [
  [null, null, true],
  [18, null, true],
  [null, 12, true],
  [6, 6, true],
  [12, 6, false],
];
for (const [min, max, possible] of AGES) {
  test(`ages from ${min} to ${max} are ${possible ? 'accepted' : 'refused'}`, () =>
    assert.equal(agesDisagree({ min, max }) === null, possible));
}

const INTERVALS: [number | null, number | null, boolean][] = [
  [null, 60, true],
  [1440, null, true],
  [1440, 60, true],
  [0, 60, true],
  [60, 60, false],
  [30, 60, false],
];
for (const [opens, closes, possible] of INTERVALS) {
  test(`registration from ${opens} until ${closes} minutes before the start is ${possible ? 'accepted' : 'refused'}`, () =>
    assert.equal(neverOpen({ opens, closes }) === null, possible));
}
