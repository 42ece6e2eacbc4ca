import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { everything } from '../../../test/rare.ts';
import { fc, runs } from '../../../test/properties.ts';
import { readCsv, type Rejection } from './read-csv.ts';

/** Each table is written to the disk and read twice. */
const TABLES = everything ? 300 : 100;

let folder: string;
before(() => (folder = mkdtempSync(join(tmpdir(), 'rollcall-csv-'))));
after(() => rmSync(folder, { recursive: true }));

interface Read {
  heading: readonly string[];
  dialect: string;
  rows: { line: number; cells: readonly string[] }[];
  rejected: Rejection[];
}

async function read(content: string | Buffer): Promise<Read> {
  const file = join(folder, 'table.csv');
  writeFileSync(file, content);
  const rejected: Rejection[] = [];
  const { heading, dialect, rows, again } = await readCsv(file, (r) => rejected.push(r));
  const found = await Array.fromAsync(rows);
  assert.deepEqual(await Array.fromAsync(again()), found, 'the second look sees the same');
  return { heading, dialect, rows: found, rejected };
}

const cellsOf = ({ rows }: Read) => rows.map((row) => row.cells);

interface Printed {
  delimiter: string;
  newline: string;
  encoding: 'utf-8' | 'utf-8 with mark' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  sep: boolean;
  quoteAll: boolean;
}

function encode(text: string, encoding: Printed['encoding']): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-8 with mark':
      return Buffer.from(`\uFEFF${text}`);
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    case 'windows-1252':
      return Buffer.from(text, 'latin1');
  }
}

/** Writes like Excel: quotation marks where the cell needs them. */
function print(table: readonly (readonly string[])[], { delimiter, newline, sep, quoteAll }: Printed): string[] {
  const cell = (text: string): string =>
    quoteAll || /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter)
      ? `"${text.replaceAll('"', '""').replaceAll('\n', newline)}"`
      : text;
  return [...(sep ? [`sep=${delimiter}`] : []), ...table.map((row) => row.map(cell).join(delimiter))];
}

const DELIMITERS = [',', ';', '\t', '|'];
const printed: fc.Arbitrary<Printed> = fc.record({
  delimiter: fc.constantFrom(...DELIMITERS),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be', 'windows-1252'),
  sep: fc.boolean(),
  quoteAll: fc.boolean(),
});

/**
 * Letters that are the same in Windows-1252 and Latin 1, and every character with a meaning in CSV. No hard blank:
 * after "ß" it forms a UTF-8 letter, and in a file with equally many of those, nobody could tell.
 */
const letter = fc.constantFrom('a', 'B', '7', ' ', 'é', 'ß', '"', '""', ',', ';', '\t', '|', '\n', "'", '=', '0');
/**
 * Returns true if lines of a cell have as many separators as rows do, so that the reader takes them for rows: see the
 * tests below.
 */
const isLikeRows = (text: string): boolean => text.includes('\n') && DELIMITERS.some((d) => text.includes(d));
const cell = fc.oneof(
  fc.string({ unit: letter, maxLength: 12 }).filter((text) => !isLikeRows(text)),
  fc.constantFrom('', 'Zumba® "Gold"', 'two\nlines', 'a,b;c'),
);
const HEADING = ['Id', 'Name', 'Größe', 'Note', 'Ünit'];
const table = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc
      .array(fc.tuple(...Array.from({ length: width }, () => cell)), { minLength: 1, maxLength: 8 })
      .map((rows) => [HEADING.slice(0, width), ...rows.map((row, i) => [`r${i}`, ...row.slice(1)])]),
  );

test('any table written in any dialect is read back, each row with its line', async () => {
  await fc.assert(
    fc.asyncProperty(table, printed, async (rows, how) => {
      const lines = print(rows, how);
      const back = await read(encode(`${lines.join(how.newline)}${how.newline}`, how.encoding));
      assert.deepEqual([back.heading, ...cellsOf(back)], rows);
      assert.deepEqual(back.rejected, []);
      const heights = lines.map((text) => text.split(how.newline).length);
      assert.deepEqual(
        back.rows.map((row) => row.line),
        rows.slice(1).map((_, i) => 1 + heights.slice(0, i + 1 + (how.sep ? 1 : 0)).reduce((a, b) => a + b, 0)),
      );
    }),
    runs(TABLES),
  );
});

// Guards against: A file that makes an import do something else
test('one broken line costs only that line, and is reported by its number', async () => {
  const plain = fc
    .string({ unit: fc.constantFrom('a', 'é', ' ', '7', "'"), minLength: 1, maxLength: 6 })
    .map((text) => text.trim() || 'x');
  const plainTable = fc.array(fc.tuple(plain, plain, plain), { minLength: 4, maxLength: 40 });
  const broken = fc.constantFrom(
    'x,"never closed,y',
    '"never closed',
    'x,"closed" too early,y',
    'x,y,"',
    'too,few',
    'one,too,many,cells',
    'x,"y"",z',
  );
  await fc.assert(
    fc.asyncProperty(plainTable, broken, fc.nat(), fc.boolean(), async (rows, bad, at, quoteAll) => {
      const how: Printed = { delimiter: ',', newline: '\n', encoding: 'utf-8', sep: false, quoteAll };
      const lines = print([['Id', 'Name', 'Note'], ...rows], how);
      const line = 1 + (at % lines.length);
      const back = await read([...lines.slice(0, line), bad, ...lines.slice(line)].join('\n'));
      assert.deepEqual(cellsOf(back), rows);
      assert.deepEqual(
        back.rejected.map((r) => r.line),
        [line + 1],
      );
    }),
    runs(TABLES),
  );
});

test('a missing quotation mark costs its line, even if another one far below would close it', async () => {
  const lines = Array.from({ length: 22 }, (_, i) => `${i},Yoga,Hall,9:00`);
  lines[2] = '2,"Yoga,Hall,9:00';
  lines[20] = '20,Plank 5",Hall,9:00';
  const back = await read(['Id,Class,Room,Time', ...lines, ''].join('\n'));
  assert.deepEqual([back.rows.length, back.rejected.map((r) => r.line)], [21, [4]]);
  assert.deepEqual(back.rows.find((row) => row.line === 22)?.cells, ['20', 'Plank 5"', 'Hall', '9:00']);
});

test('a cell may contain many lines of prose', async () => {
  const prose = 'Dear all,\nplease bring a mat, a towel, water.\n\n- no shoes\n- be early\nYours, "the desk"';
  const back = await read(`Id,Note,Room\n1,"${prose.replaceAll('"', '""')}",Hall\n2,x,Hall\n`);
  assert.deepEqual(cellsOf(back), [
    ['1', prose, 'Hall'],
    ['2', 'x', 'Hall'],
  ]);
  assert.deepEqual(
    back.rows.map((row) => row.line),
    [2, 8],
  );
});

async function said(content: string | Buffer): Promise<[string, string]> {
  const { dialect, rows } = await read(content);
  return [dialect, rows[0].cells[0]];
}

test("the file's encoding and separator are detected and reported", async () => {
  const table = 'Name;Ort\nJürgen;Köln\n';
  assert.deepEqual(await said(table), ['UTF-8, separated by semicolons', 'Jürgen']);
  assert.deepEqual(await said(Buffer.from(table, 'latin1')), ['Windows-1252, separated by semicolons', 'Jürgen']);
  assert.deepEqual(await said(Buffer.from([...Buffer.from('Name;Ort\n'), 0x80, ...Buffer.from(' 5;x\n')])), [
    'Windows-1252, separated by semicolons',
    '€ 5',
  ]);
  assert.deepEqual(await said(Buffer.from(table.replaceAll(';', '\t'), 'utf16le')), [
    'UTF-16, separated by tabs',
    'Jürgen',
  ]);
  assert.deepEqual(await said(Buffer.from(table, 'utf16le').swap16()), ['UTF-16, separated by semicolons', 'Jürgen']);
  assert.deepEqual(await said('sep=|\r\nName|Ort\r\nJürgen|Köln\r\n'), ['UTF-8, separated by bars', 'Jürgen']);
  assert.deepEqual(await said('Name, first;Ort, town\nJürgen;Köln\n'), ['UTF-8, separated by semicolons', 'Jürgen']);
  assert.deepEqual(await said('Name\nJürgen\n'), ['UTF-8, separated by commas', 'Jürgen']);
});

test('a damaged letter in a UTF-8 file costs its row and leaves the letters of the others alone', async () => {
  const back = await read(
    Buffer.concat([Buffer.from('Name,Ort\nJürgen,Köln\nJ'), Buffer.from([0xfc]), Buffer.from('rg,Bonn\nÉva,Győr\n')]),
  );
  assert.equal(back.dialect, 'UTF-8, separated by commas');
  assert.deepEqual(
    [cellsOf(back), back.rejected.map((r) => [r.line, r.column])],
    [
      [
        ['Jürgen', 'Köln'],
        ['Éva', 'Győr'],
      ],
      [[3, 'Name']],
    ],
  );
});

test('empty lines, rows of only separators and trailing separators are accepted', async () => {
  const back = await read('Id,Name,,\r\n\r\n1,a,,\r\n,,,\r\n   \r\n2,b\r\n3,c,,,\r\n');
  assert.deepEqual(
    [back.heading, cellsOf(back), back.rejected],
    [
      ['Id', 'Name'],
      [
        ['1', 'a'],
        ['2', 'b'],
        ['3', 'c'],
      ],
      [],
    ],
  );
});

test('a heading that cannot be read, names a column twice, or is missing is an error with its remedy', async () => {
  await assert.rejects(read('Id,"Name\n1,a\n2,b\n'), /names of the columns .* cannot be read: line 1 .*Remedy/);
  await assert.rejects(read('Id,Id\n1,a\n'), /two columns named "Id".*Remedy/);
  await assert.rejects(read(''), /is empty.*Remedy/);
  await assert.rejects(
    readCsv(folder, () => {}),
    /is not a file.*Remedy/,
  );
});

// Guards against: A file that makes an import do something else
test('a row that is too long is skipped, with or without an end, and the others are read', async () => {
  const long = 'x'.repeat(1_100_000);
  const back = await read(`Id,Name\n1,a\n2,${long}\n3,"${'y\n'.repeat(1200)}\n4,d\n`);
  assert.deepEqual(
    [back.rows[0].cells, back.rows.at(-1)!.cells],
    [
      ['1', 'a'],
      ['4', 'd'],
    ],
  );
  assert.deepEqual(
    back.rejected.slice(0, 2).map((r) => r.line),
    [3, 4],
  );
});
