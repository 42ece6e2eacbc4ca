import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc, runs } from '../../../test/properties.ts';
import { READABLE, contrast, isColor, readableOn, textOn } from './color.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);

test('contrast is computed as WCAG defines it', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#123456', '#123456'), 1);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
  assert.equal(contrast('#ff0000', '#ffffff').toFixed(2), '4.00');
});

test('every color has a text color that everybody can read', () => {
  fc.assert(
    fc.property(color, (c) => contrast(textOn(c), c) >= READABLE),
    runs(5000),
  );
});

test('any color becomes one that everybody can read on any paper, and stays unchanged if it already is', () => {
  fc.assert(
    fc.property(color, color, (paper, c) => {
      const shown = readableOn(paper, c);
      assert.ok(isColor(shown) && contrast(shown, paper) >= READABLE);
      if (contrast(c, paper) >= READABLE) assert.equal(shown, c);
    }),
    runs(2000),
  );
});

test('a color has six hexadecimal digits', () => {
  for (const good of ['#0a58ca', '#FFFFFF']) assert.ok(isColor(good));
  for (const bad of ['0a58ca', '#fff', '#0a58ca ', '#0a58cg', 'red', '#0a58ca;}', '']) assert.ok(!isColor(bad), bad);
});
