import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenUntil, lastDayOf, remainingCredit } from './credit-expiry.ts';
import { parseDecimal } from '../../../../kernel/base/values/money.ts';
import { addDays } from '../../../../kernel/base/values/date.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const FILE = 'docs/algorithms/account-credit.md';
const minor = (text: string): number => parseDecimal(text, 'CAD')!;

test('the last day of credit is a number of days after it was given, or after the setting changed', () => {
  for (const row of workedTable(FILE, 'Worked last days')) {
    const settings = { days: Number(row.days), since: row['setting changed'] };
    assert.equal(lastDayOf(row.given, settings), row['last day'], JSON.stringify(row));
    assert.ok(givenUntil(row['last day'], settings)! >= row.given, JSON.stringify(row));
    const before = givenUntil(addDays(row['last day'], -1), settings);
    assert.ok(before === null || before < row.given, JSON.stringify(row));
  }
});

test('the oldest credit is used first, and reserved credit does not expire', () => {
  for (const row of workedTable(FILE, 'Worked expiry')) {
    const [given, later, taken, held] = ['given until then', 'given later', 'used or moved', 'set aside'].map((name) =>
      minor(row[name]),
    );
    const balance = given + later - taken - held;
    const expires = remainingCredit({ balance, given, taken });
    assert.equal(expires, minor(row.expires), JSON.stringify(row));
    assert.equal(balance - expires, minor(row['left after that']), JSON.stringify(row));
  }
});
