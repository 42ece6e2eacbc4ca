import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawPdf, MARGIN } from './sheet.ts';

const WIDTH = 400;
const RULE = 120;

/** Draws a text at the start, one at the end, and a rule, and returns the distances of each from the left side. */
async function drawnIn(locale: string) {
  const found = { texts: [] as number[], rule: [] as number[], page: 0 };
  await drawPdf({ size: 'A4', at: 0, title: 'Title', author: 'Author', locale }, (sheet) => {
    const { doc } = sheet;
    found.page = doc.page.width;
    const [text, moveTo, lineTo] = [doc.text.bind(doc), doc.moveTo.bind(doc), doc.lineTo.bind(doc)];
    doc.text = ((content: string, x: number, y: number, options: PDFKit.Mixins.TextOptions) => {
      const free = (options.width ?? 0) - doc.widthOfString(content);
      found.texts.push(x + (options.align === 'right' ? free : 0));
      return text(content, x, y, options);
    }) as typeof doc.text;
    doc.moveTo = (x, y) => (found.rule.push(x), moveTo(x, y));
    doc.lineTo = (x, y) => (found.rule.push(x), lineTo(x, y));
    sheet.text('Start', MARGIN, WIDTH, {});
    sheet.text('End', MARGIN, WIDTH, { align: 'end' });
    sheet.rule('#000000', MARGIN + RULE);
    sheet.end(() => 'Page');
  });
  return found;
}

test('a document in a right-to-left language is mirrored', async () => {
  const [left, right] = [await drawnIn('en'), await drawnIn('he')];
  assert.equal(left.texts[0], MARGIN);
  assert.ok(right.texts[0]! > right.page - MARGIN - WIDTH / 2, 'the text at the start is on the right');
  assert.equal(right.texts[1], right.page - MARGIN - WIDTH, 'the text at the end is on the left of its column');
  assert.deepEqual(left.rule, [MARGIN + RULE, left.page - MARGIN]);
  assert.deepEqual(
    right.rule,
    left.rule.map((x) => right.page - x),
  );
});
