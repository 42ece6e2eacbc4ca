import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditPart, spread, totalOf, type Left } from './credit.ts';
import { fc } from '../../../../test/properties.ts';

const line = fc.record({
  preTax: fc.integer({ min: 5, max: 100_000 }),
  fees: fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 4 }),
  rounding: fc.integer({ min: -4, max: 4 }),
});

const minus = (a: Left, b: Left): Left => ({
  preTax: a.preTax - b.preTax,
  fees: a.fees.map((fee, n) => fee - b.fees[n]),
  rounding: a.rounding - b.rounding,
});

const nothing = ({ preTax, fees, rounding }: Left) => [preTax, ...fees, rounding].every((amount) => amount === 0);

test('in whatever parts a line is taken back, each part adds up, no fee is exceeded, and in the end nothing is left', () => {
  fc.assert(
    fc.property(line, fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 12 }), (whole, amounts) => {
      let left: Left = whole;
      for (const amount of amounts.filter((one) => one <= totalOf(whole))) {
        if (amount > totalOf(left)) break;
        const part = creditPart(left, amount);
        assert.equal(totalOf(part), amount);
        left = minus(left, part);
        assert.ok(left.preTax >= 0 && left.fees.every((fee) => fee >= 0));
        assert.ok(Math.abs(left.rounding) <= Math.abs(whole.rounding));
      }
      if (totalOf(left) > 0) left = minus(left, creditPart(left, totalOf(left)));
      assert.ok(nothing(left), JSON.stringify(left));
    }),
  );
});

test('half of a line takes back half of its price and half of each tax', () => {
  assert.deepEqual(creditPart({ preTax: 4000, fees: [800, 200], rounding: 0 }, 2500), {
    preTax: 2000,
    fees: [400, 100],
    rounding: 0,
  });
});

test('more than is left cannot be taken back', () => {
  assert.throws(() => creditPart({ preTax: 100, fees: [20], rounding: 0 }, 121), RangeError);
});

test('what is still due is reduced first; money goes back only as far as money came, and the rest is account credit', () => {
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
