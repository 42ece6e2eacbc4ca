import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentOrImpending, stillAgrees, type Version } from './versions.ts';

const version = (id: number, effectiveAt: number, asksAgain = true): Version => ({ id, effectiveAt, asksAgain });

test('the version in effect is the last one whose time has come, or else the next one', () => {
  const versions = [version(1, 100), version(3, 200), version(2, 200), version(4, 300)];
  for (const [now, expected] of [
    [50, 1],
    [100, 1],
    [199, 1],
    [200, 3],
    [300, 4],
  ])
    assert.equal(currentOrImpending(versions, now)?.id, expected, `at ${now}`);
  assert.equal(currentOrImpending([], 0), undefined);
  assert.equal(currentOrImpending([version(1, 10), version(2, 10)], 0)?.id, 2, 'a corrected one replaces the first');
});

test('an agreement counts until a later version in effect asks again', () => {
  const versions = [version(1, 100), version(2, 200, false), version(3, 300)];
  for (const [agreed, now, expected] of [
    [[], 150, false],
    [[1], 150, true],
    [[1], 250, true],
    [[2], 250, true],
    [[1], 300, false],
    [[2], 300, false],
    [[3], 300, true],
    [[3], 250, true],
  ] as const)
    assert.equal(stillAgrees(versions, new Set(agreed), now), expected, `agreed to ${agreed}, at ${now}`);
});
