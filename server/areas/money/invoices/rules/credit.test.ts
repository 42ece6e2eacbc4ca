import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spread } from './credit.ts';

test('the amount due is reduced first; money is refunded only as far as money was paid, and the rest is account credit', () => {
  const cases: [amount: number, due: number, refundable: number, to: 'credit' | 'unapplied', then: number[]][] = [
    [5000, 5000, 0, 'credit', [5000, 0, 0]],
    [5000, 2000, 3000, 'credit', [2000, 3000, 0]],
    [5000, 2000, 3000, 'unapplied', [2000, 0, 3000]],
    [5000, 0, 3000, 'unapplied', [0, 2000, 3000]],
    [1000, 0, 3000, 'unapplied', [0, 0, 1000]],
    [1000, 0, 0, 'unapplied', [0, 1000, 0]],
  ];
  for (const [amount, due, refundable, to, [reduces, toCredit, toRefund]] of cases)
    assert.deepEqual(spread(amount, { due, refundable }, to), { reduces, toCredit, toRefund });
});
