import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Records } from '../../../../kernel/base/csv/records.ts';
import { WRITTEN, type Cells, type Table, type TableColumn } from './formats.ts';

const ROWS = 5000;
/** Maximum characters of a piece; the output has several times as many. */
const MAX_ROWS = 60_000;

async function* portions(): AsyncGenerator<Cells[]> {
  yield Array.from({ length: ROWS }, (_, n) => [String(n), `Class ${n}, in the hall`]);
}

const columns: TableColumn[] = [
  { key: 'id', kind: 'plain', from: 0, to: 1, make: ([id]) => Number(id) },
  { key: 'event.name', kind: 'plain', from: 1, to: 2, make: ([name]) => name },
];

const table: Omit<Table, 'portions'> = { name: 'classes', columns };

const EXPECTED = Array.from({ length: ROWS }, (_, id) => ({ id, event: { name: `Class ${id}, in the hall` } }));

const READ: Record<string, (text: string) => unknown> = {
  csv: (text) => {
    const records = new Records(',', ({ reason }) => assert.fail(reason));
    const [, ...found] = text
      .trim()
      .split('\r\n')
      .flatMap((line) => records.take(line));
    return found.map(({ cells: [id, name] }) => ({ id: Number(id), event: { name } }));
  },
  json: (text) => JSON.parse(text),
  jsonl: (text) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
};

for (const [format, read] of Object.entries(READ))
  test(`a large portion is written as ${format} in small pieces, with every row in its place`, async () => {
    const pieces: string[] = [];
    for await (const piece of WRITTEN[format as 'csv'].write({ ...table, portions: portions() }))
      pieces.push(String(piece));
    assert.deepEqual(read(pieces.join('')), EXPECTED);
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < MAX_ROWS);
  });

test('each row has its own values, whatever the rows before it and the other cells of its column contained', async () => {
  const seen: string[] = [];
  const made = (cells: Cells): string => (seen.push(cells.join()), cells.join('/'));
  const rows: Cells[] = [
    ['a', '1', null],
    ['a', '1', null],
    ['a', '2', null],
    ['b', '2', null],
    ['b', '2', ''],
    ['a', '1', null],
  ];
  const pieces: string[] = [];
  const written = WRITTEN.csv.write({
    name: 'pairs',
    columns: [
      { key: 'pair', kind: 'plain', from: 0, to: 2, make: made },
      { key: 'last', kind: 'plain', from: 2, to: 3, make: ([last]) => (last === null ? 'none' : last) },
    ],
    portions: (async function* () {
      yield rows.slice(0, 2);
      yield rows.slice(2);
    })(),
  });
  for await (const piece of written) pieces.push(String(piece));
  assert.deepEqual(pieces.join('').split('\r\n').slice(1), [
    'a/1,none',
    'a/1,none',
    'a/2,none',
    'b/2,none',
    'b/2,',
    'a/1,none',
    '',
  ]);
  assert.deepEqual(seen, ['a,1', 'a,2', 'b,2', 'a,1'], 'what the row before said is not made again');
});
