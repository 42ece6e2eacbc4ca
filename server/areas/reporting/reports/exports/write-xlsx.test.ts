import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { dayNumberOf, readWorkbook } from '../../../../test/outside/read-workbook.ts';
import { fc } from '../../../../test/properties.ts';
import { xlsx, type Cell } from './write-xlsx.ts';

const cells = (row: readonly Cell[]) => row;

async function written(rows: readonly (readonly Cell[])[], limits?: { rows: number; characters: number }) {
  async function* portions() {
    for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3);
  }
  const headings = (rows[0] ?? ['a']).map((_, n) => `column ${n}`);
  const parts: Uint8Array[] = [];
  for await (const part of xlsx({ name: 'report', headings, widths: [], portions: portions(), cells }, limits))
    parts.push(part);
  return readWorkbook(Buffer.concat(parts));
}

const cellsOf = async (cells: readonly Cell[]) => (await written([cells]))[0].rows[1];

const CASES: Record<string, [cell: Cell, type: string, value: unknown, format: string | null]> = {
  'a number': [42, 'number', 42, null],
  'an id of fifteen digits': [123_456_789_012_345, 'number', 123_456_789_012_345, null],
  'a longer id, which a spreadsheet would round': [9_007_199_254_740_991, 'text', '9007199254740991', null],
  'an amount': [{ figure: '-12.50' }, 'number', -12.5, '0.00'],
  'an amount without decimals': [{ figure: '1500' }, 'number', 1500, '0'],
  'an amount with three': [{ figure: '0.005' }, 'number', 0.005, '0.000'],
  'a day': [{ date: '2026-06-01' }, 'number', dayNumberOf('2026-06-01'), 'yyyy-mm-dd'],
  'the first day that spreadsheets count rightly': [{ date: '1900-03-01' }, 'number', 61, 'yyyy-mm-dd'],
  'a day before': [{ date: '1899-12-31' }, 'text', '1899-12-31', null],
  'a time, as the clock on the wall shows it': [
    { wall: '2026-06-01T18:30:15-04:00' },
    'number',
    dayNumberOf('2026-06-01T18:30:15'),
    'yyyy-mm-dd hh:mm:ss',
  ],
  yes: [true, 'boolean', true, null],
  nothing: [null, 'empty', null, null],
  'a text that looks like a formula': ['=SUM(A1:A9)', 'text', '=SUM(A1:A9)', null],
  'a text that looks like a number': ['007', 'text', '007', null],
  'a text with blanks, lines and signs of XML': [' a\n<b> & "c"\r\n', 'text', ' a\n<b> & "c"\r\n', null],
  'a text with what XML can’t write': ['bell \u0007 and _x0041_', 'text', 'bell \u0007 and _x0041_', null],
};

for (const [name, [cell, type, value, format]] of Object.entries(CASES))
  test(`${name} stays what it is`, async () => assert.deepEqual(await cellsOf([cell]), [{ type, value, format }]));

test('a text that is too long for a cell is cut', async () => {
  const [{ value }] = await cellsOf(['x'.repeat(40_000)]);
  assert.equal(value, `${'x'.repeat(32_766)}…`);
});

test('rows that don’t fit in a sheet go to the next, under the same heading', async () => {
  const rows = Array.from({ length: 10 }, (_, n) => [n]);
  const sheets = await written(rows, { rows: 5, characters: Infinity });
  assert.deepEqual(
    sheets.map(({ name, rows: found }) => [name, found.map(([{ value }]) => value)]),
    [
      ['report', ['column 0', 0, 1, 2, 3]],
      ['report 2', ['column 0', 4, 5, 6, 7]],
      ['report 3', ['column 0', 8, 9]],
    ],
  );
  assert.equal((await written(rows, { rows: 11, characters: Infinity })).length, 1, 'it is full, and there is no more');
  assert.equal((await written(rows, { rows: 100, characters: 50 })).length, 5, 'its XML gets too large');
});

test('a workbook without rows has its heading', async () => {
  const [{ rows }] = await written([]);
  assert.deepEqual(
    rows.map((row) => row.map(({ value }) => value)),
    [['column 0']],
  );
});

test('a failure while rows are read ends the file with the same error, and releases the rows', async () => {
  let left = false;
  async function* portions(): AsyncGenerator<Cell[][]> {
    try {
      yield [['one']];
      throw new Error('the database went away');
    } finally {
      left = true;
    }
  }
  await assert.rejects(async () => {
    for await (const _ of xlsx({ name: 'x', headings: ['a'], widths: [], portions: portions(), cells }));
  }, /the database went away/);
  assert.ok(left);
});

test('cells are computed while the file is written, so that memory stays flat', async () => {
  const rows = Array.from({ length: 20_000 }, () => randomBytes(50).toString('hex'));
  async function* portions() {
    yield rows;
  }
  const asked: number[] = [];
  let n = 0;
  const cellsOfText = (text: string) => {
    n++;
    return [text];
  };
  for await (const _ of xlsx({ name: 'x', headings: ['a'], widths: [], portions: portions(), cells: cellsOfText }))
    asked.push(n);
  const steps = asked.map((at, i) => at - (asked[i - 1] ?? 0));
  assert.ok(Math.max(...steps) < rows.length / 4, `${steps}`);
});

test('all texts and numbers are read back as they were written', async () => {
  const rows = fc.array(fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(rows, async (asked) => {
      const [{ rows: found }] = await written(asked);
      assert.deepEqual(
        found.slice(1).map((row) => row.map(({ value }) => value)),
        asked.map((row) => row.map((one) => (one === '' ? null : one))),
      );
    }),
  );
});
