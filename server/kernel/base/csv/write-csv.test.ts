import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './write-csv.ts';
import { fc } from '../../../test/properties.ts';
import { Records } from './records.ts';

test('a cell is quoted if necessary, and a line ends with CR LF', () => {
  for (const [cells, line] of [
    [['a', 'b', null, 1], 'a,b,,1'],
    [['say "no"', 'x'], '"say ""no""",x'],
    [['one, two', 'line\nbreak'], '"one, two","line\nbreak"'],
    [[-5, '5.00', { figure: '-5.00' }], '-5,5.00,-5.00'],
  ] as const)
    assert.equal(csvLine(cells), `${line}\r\n`);
});

test('a spreadsheet never calculates text that somebody wrote', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠A'])
    assert.match(csvLine([text]), /^"?'/, JSON.stringify(text));
  assert.equal(csvLine(['=HYPERLINK("x")']), `"'=HYPERLINK(""x"")"\r\n`);
  assert.equal(csvLine(['a=1', '1-1']), 'a=1,1-1\r\n');
  // A German spreadsheet ends the cell at the semicolon, in spite of the quotation marks.
  for (const [text, written] of [
    ['x;=1+1', `"x;'=1+1"`],
    ['x;"=1+1', `"x;""'=1+1"`],
    ['x;@SUM(A1);-1', `"x;'@SUM(A1);'-1"`],
    ['x\t=1', `x\t'=1`],
    ['=1;=2', `"'=1;'=2"`],
    ['x;＝1+1', `"x;'＝1+1"`],
    ['one; two', '"one; two"'],
  ])
    assert.equal(csvLine([text]), `${written}\r\n`);
});

test('written cells are read back', () => {
  const text = fc
    .string({ minLength: 1 })
    .filter(
      (one) =>
        one.trim() === one &&
        !/^[=+\-@＝＋－＠]|[;\t]["]*[=+\-@＝＋－＠]|[\r\n\uFFFD]/.test(one) &&
        !one.includes('\0'),
    );
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (cells) => {
      const records = new Records(',', ({ reason }) => assert.fail(reason));
      assert.deepEqual(records.take(csvLine(cells).slice(0, -2)), [{ line: 1, cells }]);
    }),
  );
});
