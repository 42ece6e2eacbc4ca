import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headingRow, isTotal, linesAbove } from './heading.ts';

test('the heading is the row with the most known names of columns, below titles and empty rows', () => {
  const rows = [
    ['Report'],
    ['', ''],
    ['Made on 1/2/2026', ''],
    ['First Name', 'Last Name', 'Email'],
    ['Ada', 'M', 'a@b.c'],
  ];
  assert.equal(headingRow(rows), 3);
  assert.equal(headingRow(rows.slice(3)), 0);
  assert.equal(
    headingRow([
      ['Adresse', 'Wert'],
      ['a@b.c', '1'],
    ]),
    0,
  );
  assert.equal(headingRow([['A title'], ['x', 'y', 'z'], ['1', '2', '3'], ['4', '5', '6']]), 1);
});

test('lines above the heading of a text are found with any delimiter', () => {
  assert.equal(
    linesAbove(['All members', '"Studio, generated at 9"', '', 'Vorname;Nachname;E-Mail', 'Ada;M;a@b.c']),
    3,
  );
  assert.equal(linesAbove(['Email,First Name', 'a@b.c,Ada']), 0);
  assert.equal(linesAbove(['Email', 'a@b.c']), 0);
});

test('a row of totals is none of the rows', () => {
  for (const cells of [['Total: 12 members', '', ''], ['Total', '', '', '99.00'], ['', 'Summe', '', ''], ['TOTALS 7']])
    assert.ok(isTotal(cells), cells.join());
  for (const cells of [
    ['Total Body', 'Monday', '18:00'],
    ['Total', 'Recall', 'total@example.com'],
    ['Summer', '', ''],
  ])
    assert.ok(!isTotal(cells), cells.join());
});
