/** The doctor's findings between cells. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cellFindings, compare } from './cells.ts';
import { readConfig } from '../../config.ts';
import { SECRET_KEY } from '../../test/secret-key.ts';
import { sql } from '../../kernel/base/db/sql.ts';
import { startCells, type Cells } from '../../test/cells/cells-world.ts';

let all: Cells;
before(async () => void (all = await startCells()));
after(() => all?.close());

const configOf = (more: Record<string, string> = {}) =>
  readConfig({
    SECRET_KEY,
    DATABASE_URL: 'postgresql:///of-this-cell',
    PUBLIC_URL: all.publicUrl,
    CELL: '1',
    CELLS: all.cells.map(({ number, front }) => `${number}=${front.url}`).join(','),
    ...more,
  });
const wrongs = async (more?: Record<string, string>): Promise<string[]> =>
  (await cellFindings(all.cell(1).world.databaseUrl, configOf(more))).map(({ wrong }) => wrong);

test('it finds nothing wrong with cells that fit together', async () => assert.deepEqual(await wrongs(), []));

test('it finds a cell that is down, settings of another cell, and other keys', async () => {
  const { front } = all.cell(2);
  front.shut();
  assert.match((await wrongs()).join(), /^Cell 2 does not answer/);
  front.reopen();
  assert.match((await wrongs({ CELL: '2' })).join(), /^The database is cell 1, and CELL is 2/);
  const other = Buffer.alloc(32, 'other').toString('base64');
  assert.match((await wrongs({ SECRET_KEY: other })).join(), /^Cell 2 does not answer: it answers 404/);
  // The marks are verified with the key that both can still open with.
  assert.deepEqual(await wrongs({ SECRET_KEY, SECRET_KEY_PREVIOUS: other }), []);
});

test('it finds an address that two businesses have', async () => {
  const [one, two] = all.cells.map(({ world }) => world);
  for (const { app, meadow } of [one, two])
    await app.db.transaction(meadow, (tx) => tx.run(sql`UPDATE provider SET slug = 'the-same'`));
  assert.deepEqual(await wrongs(), ['Businesses in cells 1 and 2 have the same address /the-same.']);
});

/** Returns the findings for the reports of each cell, in order. */
const found = (...told: (readonly (readonly [string, number])[])[]): string[] =>
  compare(new Map(told.map((names, n) => [n + 1, { names }]))).map(({ wrong }) => wrong);

test('it finds a business that is not in exactly one cell', () => {
  assert.deepEqual(found([['business:5', 1]], [['business:6', 2]]), []);
  assert.deepEqual(found([['business:5', 2]], [['business:5', 2]]), []);
  assert.deepEqual(found([['business:5', 1]], [['business:5', 2]]), [
    'Business 5 lives in cells 1 and 2 at the same time.',
  ]);
  assert.deepEqual(found([['business:5', 2]], []), [
    'Business 5 has gone from cell 1 to cell 2, which doesn’t have it.',
  ]);
  assert.deepEqual(found([['host:a.example', 1]], [['host:a.example', 2]]), [
    'Businesses in cells 1 and 2 have the same domain a.example.',
  ]);
});
