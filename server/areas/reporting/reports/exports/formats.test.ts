import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Records } from '../../../../kernel/csv/records.ts';
import { WRITTEN, type Cells, type Table } from './formats.ts';

const ROWS = 5000;
/** Letters that a piece may have; what is written has several times as many. */
const MOST = 60_000;

async function* portions(): AsyncGenerator<Cells[]> {
  yield Array.from({ length: ROWS }, (_, n) => [String(n), `Class ${n}, in the hall`]);
}

const table: Table = {
  name: 'classes',
  columns: [
    { key: 'id', kind: 'plain' },
    { key: 'event.name', kind: 'plain' },
  ],
  portions: portions(),
  values: ([id, name]) => [Number(id), name],
};

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
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < MOST);
  });
