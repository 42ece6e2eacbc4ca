import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRunning, progressOf, STEPS, type Counts } from './steps.ts';

const counts = (n: number, over: Counts = {}): Counts => ({
  ...Object.fromEntries(STEPS.map((step) => [step, n])),
  ...over,
});

test('progress counts the steps that a business needs, and names the first open one', () => {
  assert.deepEqual(progressOf(counts(0)), { done: 0, all: 9, next: 'venue' });
  assert.deepEqual(progressOf(counts(2, { membership: 0, share: 0 })), { done: 7, all: 9, next: 'membership' });
  assert.deepEqual(progressOf(counts(1, { import: 0 })), { done: 9, all: 9, next: null }, 'an import is optional');
});

test('progress is unknown until every count is read', () => {
  assert.equal(progressOf({ ...counts(1), staff: undefined } as Counts), null);
});

test('a business runs once people can book and pay, whatever else is open', () => {
  assert.equal(isRunning(counts(1, { look: 0, staff: 0, site: 0, share: 0 })), true);
  assert.equal(isRunning(counts(1, { payments: 0 })), false);
  assert.equal(isRunning({}), false);
});
