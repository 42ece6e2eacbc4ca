import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditsUsed, perPiece, priceCheckout, type ItemToPrice } from './pricing.ts';
import { fc, runs } from '../../../../test/properties.ts';
import { workedTable } from '../../../../test/worked-table.ts';
import type { Fee } from '../../../pricing/fees/index.ts';

const fee: fc.Arbitrary<Fee> = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  name: fc.constant('Fee'),
  kind: fc.constantFrom('fee', 'tax'),
  isTaxable: fc.boolean(),
  type: fc.constant('percent'),
  rate: fc.integer({ min: 0, max: 300_000 }),
  minAmount: fc.constant(null),
  maxAmount: fc.constant(null),
});

const item: fc.Arbitrary<ItemToPrice> = fc.record({
  unitPrice: fc.integer({ min: 0, max: 50_000 }),
  quantity: fc.integer({ min: 1, max: 5 }),
  on: fc.record({ fees: fc.uniqueArray(fee, { maxLength: 3, selector: ({ id }) => id }), includesTax: fc.boolean() }),
  discount: fc.integer({ min: 0, max: 60_000 }),
  credit: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80_000 })),
});

test('in any checkout, the payment and the credits add up to the total, and the total to its items', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 8 }), fc.integer({ min: 0, max: 200_000 }), (items, account) => {
      const price = priceCheckout(items, account);
      const { totals, due, credit, used, accountCredit } = price;
      assert.equal(due + credit, totals.total);
      assert.equal(
        price.prices.reduce((sum, one) => sum + one.total, 0),
        totals.total,
      );
      assert.equal(used.reduce((sum, one) => sum + one, 0) + accountCredit, credit);
      assert.ok(due >= 0 && credit >= 0 && accountCredit <= account);
      assert.ok(used.every((one, n) => one >= 0 && one <= items[n].credit));
      // Nothing is to be paid while there is credit left.
      assert.ok(due === 0 || (accountCredit === account && used.every((one, n) => one === items[n].credit)));
      // Recalculating from the stored values gives the same result: the preview equals the payment.
      assert.deepEqual(priceCheckout(items, account), price);
      assert.deepEqual(
        creditsUsed(
          totals.total,
          items.map((one) => one.credit),
        ),
        used,
      );
    }),
    runs(10_000),
  );
});

test('the price of several pieces is split over them without a remainder', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 1, max: 100 }), (amount, quantity) => {
      const parts = perPiece(amount, quantity);
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        amount,
      );
      assert.ok(Math.max(...parts) - Math.min(...parts) <= 1);
    }),
  );
});

const numbers = (cell: string): number[] => cell.split(',').map((one) => Number(one.trim()));

test('the worked table shows what credit pays, and what is left', () => {
  for (const row of workedTable('docs/algorithms/checkout.md', 'Price')) {
    const [prices, quantities, discounts, left] = ['unit prices', 'quantities', 'discounts', 'left'].map((title) =>
      numbers(row[title]),
    );
    const items = prices.map((unitPrice, n) => ({
      unitPrice,
      quantity: quantities[n],
      discount: discounts[n],
      credit: left[n],
      on: { fees: [] },
    }));
    const { totals, used, accountCredit, due } = priceCheckout(items, Number(row['account credit']));
    assert.deepEqual(
      [totals.total, used, accountCredit, due],
      [Number(row.total), numbers(row['used of left']), Number(row['from the account']), Number(row['to pay'])],
      JSON.stringify(row),
    );
  }
});
