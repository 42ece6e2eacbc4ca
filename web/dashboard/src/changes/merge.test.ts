import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './merge.ts';

test('what only one of two people changed is kept, and what both changed differently is a conflict', () => {
  const before = { name: 'Yoga', price: '10', note: 'a', hidden: 'on', both: 'x' };
  const mine = { name: 'Yoga 1', price: '12', note: 'a', both: 'y' };
  const theirs = { name: 'Yoga 2', price: '10', note: 'b', hidden: 'on', both: 'y' };
  assert.deepEqual(compare(before, mine, theirs), { mine: ['price', 'hidden'], conflicts: ['name'] });
  assert.deepEqual(compare(before, before, theirs), { mine: [], conflicts: [] });
});
