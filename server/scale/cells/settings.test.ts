/** Values of CELL and CELLS. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCells } from './settings.ts';

const GOOD = {
  CELL: '2',
  CELLS: '1=https://a.example.net/, 2=http://10.0.0.2:8080',
  SECRET_KEY: 'x',
  DATABASE_URL: 'x',
  PUBLIC_URL: 'x',
};

test('an installation without these settings has one cell', () => {
  assert.equal(readCells({}), null);
});

test('a cell knows its number and the URLs of all cells', () => {
  assert.deepEqual(readCells(GOOD), {
    own: 2,
    addresses: new Map([
      [1, 'https://a.example.net'],
      [2, 'http://10.0.0.2:8080'],
    ]),
  });
});

test('an invalid value is an error that names the variable and the remedy', () => {
  const cases: [Record<string, string | undefined>, RegExp][] = [
    [{ CELL: undefined }, /^CELL must be set/],
    [{ CELLS: undefined }, /^CELLS must be set/],
    [{ SECRET_KEY: undefined }, /^SECRET_KEY must be set/],
    [{ DATABASE_URL: undefined }, /^DATABASE_URL must be set/],
    [{ PUBLIC_URL: undefined }, /^PUBLIC_URL must be set/],
    [{ CELL: '3' }, /^CELL must be one of the cells in CELLS \(1, 2\), not "3"/],
    [{ CELL: 'two' }, /^CELL must be one of/],
    [{ CELLS: '1=https://a.example.net,1=https://b.example.net' }, /^CELL must be one of/],
    [{ CELLS: '2=https://a.example.net,2=https://b.example.net' }, /^CELLS lists a cell twice/],
    [{ CELLS: '2=https://a.example.net/path' }, /^CELLS must name each cell, from 1 to 32/],
    [{ CELLS: '2=ftp://a.example.net' }, /^CELLS must name each cell/],
    [{ CELLS: '33=https://a.example.net' }, /^CELLS must name each cell/],
    [{ CELLS: '2' }, /^CELLS must name each cell/],
  ];
  for (const [change, message] of cases) assert.throws(() => readCells({ ...GOOD, ...change }), { message });
});
