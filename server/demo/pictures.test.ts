import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumsOfDrawings } from './drawings.ts';
import { readIndex, readPictures } from './pictures.ts';

test('the demo’s pictures match its drawings, in every size and format', () => {
  const made = Object.fromEntries(readIndex().map(({ name, drawing }) => [name, drawing]));
  const remedy = 'Make them anew: node bin/rollcall.mjs run server/test/demo-pictures.ts';
  assert.deepEqual(made, sumsOfDrawings(), remedy);
  for (const { files, widths } of readPictures().values()) {
    assert.equal(files.length, widths.length * 3);
    for (const { bytes } of files) assert.ok(bytes.length > 100);
  }
});
