import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawingOf, linesIn } from './strokes.ts';

test('only points within the field are lines of a signature', () => {
  assert.deepEqual(linesIn('10,20 12,24;600,200'), [
    [
      [10, 20],
      [12, 24],
    ],
    [[600, 200]],
  ]);
  for (const sent of ['', 'x', '10', '601,0', '0,201', '1,2;', '1,2  3,4', '1,2"/><script>', '-1,2', '1.5,2'])
    assert.equal(linesIn(sent), null, sent);
});

test('a single tap is a dot', () => {
  assert.match(drawingOf([[[5, 6]]]), /points="5,6 5,6"/);
});
