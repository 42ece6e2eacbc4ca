import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notesFor } from './notes.ts';

test('cash suggestions are the next round amounts above the total', () => {
  assert.deepEqual(notesFor(2.5, 2), ['5.00', '10.00', '20.00']);
  assert.deepEqual(notesFor(42, 2), ['45.00', '50.00', '60.00']);
  assert.deepEqual(notesFor(20, 2), ['50.00', '100.00', '200.00'], 'the exact amount needs no suggestion');
  assert.deepEqual(notesFor(1250, 0), ['1500', '2000', '5000'], 'currencies without decimals have larger notes');
  assert.deepEqual(notesFor(0, 2), []);
});
