import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DateEvidence, readDate, type DateFormat } from './read-date.ts';

const MONDAY = '2026-01-05';

test('dates are read in their format only', () => {
  assert.deepEqual(
    [
      readDate('2026-1-5', 'YYYY-MM-DD'),
      readDate('05/01/2026', 'DD/MM/YYYY'),
      readDate('01/05/2026', 'MM/DD/YYYY'),
      readDate('2026-01-05T00:00:00', 'YYYY-MM-DD'),
    ],
    [MONDAY, MONDAY, MONDAY, MONDAY],
  );
  assert.deepEqual(
    [readDate('2026-02-30', 'YYYY-MM-DD'), readDate('05/01/26', 'DD/MM/YYYY'), readDate('05/01/2026', 'YYYY-MM-DD')],
    [null, null, null],
  );
});

test("a date that begins with its year and a spreadsheet's day number mean the same in every format", () => {
  for (const format of ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', null] as const) {
    assert.deepEqual(
      [
        readDate('2026-01-05', format),
        readDate('46027', format),
        readDate('46027.75', format),
        readDate('32216', format),
      ],
      [MONDAY, MONDAY, MONDAY, '1988-03-14'],
    );
  }
  assert.deepEqual(
    [readDate('1988', null), readDate('88', null), readDate('123456', null)],
    [null, null, null],
    'a year is no date',
  );
});

test('dots mean that the day is first, and slashes leave it open unless both ways are the same day', () => {
  assert.deepEqual(
    [
      readDate('14.03.1988', null),
      readDate('3.4.1990', null),
      readDate('03/04/1990', null),
      readDate('05/05/1990', null),
    ],
    ['1988-03-14', '1990-04-03', null, '1990-05-05'],
  );
});

const decided = (...texts: string[]): DateFormat | null => {
  const evidence = new DateEvidence();
  texts.forEach((text, i) => evidence.see(text, i + 2));
  return evidence.decide();
};

test('one date that can be read in only one order decides for the file', () => {
  assert.equal(decided('03/04/1990', '14/3/1988'), 'DD/MM/YYYY');
  assert.equal(decided('3/4/1990', '3/14/1988'), 'MM/DD/YYYY');
  assert.equal(decided('1990-04-03', '14.03.1988', '32216', '05/05/1990', 'unknown', '31/31/1990'), null);
});

test('ambiguous dates are refused with a question that names one of them', () => {
  assert.throws(
    () => decided('05/05/1990', '03/04/1990'),
    /"03\/04\/1990" \(line 3\) can begin with the day or with the month.*--date-format DD\/MM\/YYYY/,
  );
  assert.throws(
    () => decided('14/3/1988', '3/14/1988'),
    /begin with the day, such as "14\/3\/1988" \(line 2\), others with the month, such as "3\/14\/1988" \(line 3\)/,
  );
});
