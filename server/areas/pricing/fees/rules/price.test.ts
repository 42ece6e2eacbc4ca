import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateDiscount, priceForTotal, priceOf } from './price.ts';
import { anyAmount, anyBoundedFees, anyFees, small } from '../test/any.ts';
import { fc } from '../../../../test/properties.ts';
import { feesOf, listOf, minor, PROSE, texts } from '../test/worked.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const amounts = (lines: readonly { amount: number }[]): number[] => lines.map(({ amount }) => amount);

for (const row of workedTable(PROSE, 'From the price to the total')) {
  test(`${row.currency} ${row['list price']} less ${row.discount} with ${row['fees and taxes']}: ${row.why}`, () => {
    const price = priceOf(minor(row, row['list price']), minor(row, row.discount), feesOf(row));
    assert.deepEqual(texts(row, amounts(price.lines)), listOf(row.lines));
    assert.equal(price.total, minor(row, row.total));
  });
}

for (const row of workedTable(PROSE, 'From the total to the price')) {
  test(`${row.currency} ${row.total} in total with ${row['fees and taxes']}: ${row.why}`, () => {
    const price = priceForTotal(minor(row, row.total), feesOf(row));
    if (row.price === 'refused') return assert.equal(price, null);
    assert.deepEqual(
      [price!.preTax, texts(row, amounts(price!.lines)), price!.rounding, price!.total],
      [minor(row, row.price), listOf(row.lines), minor(row, row.rounding), minor(row, row.total)],
    );
  });
}

for (const row of workedTable(PROSE, 'Several lines')) {
  test(`${row.currency} ${row.discount} off ${row.lines}: ${row.why}`, () => {
    const lines = listOf(row.lines).map((one) => minor(row, one));
    const parts = allocateDiscount(minor(row, row.discount), lines);
    assert.deepEqual(texts(row, parts), listOf(row.parts));
  });
}

for (const row of workedTable(PROSE, 'Several pieces')) {
  test(`${row.currency} ${row['list price']} for ${row.pieces} pieces with ${row['fees and taxes']}: ${row.why}`, () => {
    const price = priceOf(minor(row, row['list price']), minor(row, row.discount), feesOf(row), {
      quantity: Number(row.pieces),
    });
    assert.deepEqual(texts(row, amounts(price.lines)), listOf(row.lines));
    assert.equal(price.total, minor(row, row.total));
  });
}

for (const row of workedTable(PROSE, 'Prices that include tax')) {
  test(`${row.currency} ${row['list price']} including tax, less ${row.discount}, with ${row['fees and taxes']}: ${row.why}`, () => {
    const price = priceOf(minor(row, row['list price']), minor(row, row.discount), feesOf(row), { includesTax: true });
    assert.deepEqual(
      [price.preTax, price.includedTaxes, price.total, price.rounding],
      [...[row.price, row.included, row.total].map((decimal) => minor(row, decimal)), 0],
    );
    assert.deepEqual(texts(row, amounts(price.lines)), listOf(row.lines));
  });
}

test('converting a price to its total and back gives the same price', () => {
  fc.assert(
    fc.property(anyAmount, anyFees, (list, all) => {
      const there = priceOf(list, 0, all);
      const back = priceForTotal(there.total, all)!;
      assert.deepEqual([back.preTax, back.rounding], [list, 0]);
    }),
  );
});

test('an accepted total is kept, with at most one unit of rounding for each line', () => {
  fc.assert(
    fc.property(anyAmount, anyFees, (total, all) => {
      const price = priceForTotal(total, all);
      if (price === null) return;
      assert.equal(price.total, total);
      assert.ok(price.rounding >= 0 && price.rounding <= all.length);
      assert.ok(priceOf(price.preTax + 1, 0, all).total > total, 'the highest price that fits');
    }),
  );
});

test('without flat fees, bounds and taxes on fees, every total has a price', () => {
  fc.assert(
    fc.property(anyAmount, anyFees, (total, all) => {
      const open = all
        .filter((fee) => fee.type === 'percent')
        .map((fee) => ({ ...fee, maxAmount: null, isTaxable: false }));
      assert.notEqual(priceForTotal(total, open), null);
    }),
  );
});

test('a higher price never has a lower total', () => {
  fc.assert(
    fc.property(anyAmount, small, anyFees, (list, more, all) => {
      assert.ok(priceOf(list + more, 0, all).total >= priceOf(list, 0, all).total + more);
    }),
  );
});

test('the parts of a discount add up to it, and none exceeds its line', () => {
  fc.assert(
    fc.property(small, fc.array(small, { minLength: 1, maxLength: 8 }), (discount, lines) => {
      const parts = allocateDiscount(discount, lines);
      const all = lines.reduce((a, b) => a + b, 0);
      assert.equal(
        parts.reduce((a, b) => a + b, 0),
        Math.min(discount, all),
      );
      assert.ok(parts.every((part, index) => part >= 0 && part <= lines[index]));
    }),
  );
});

test('a price that includes its taxes equals exactly the amount paid, whatever the taxes', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyBoundedFees, (list, discount, all) => {
      const taxes = all.filter(({ kind }) => kind === 'tax');
      const price = priceOf(list, discount, taxes, { includesTax: true });
      assert.equal(price.total, list - price.discount);
      assert.equal(price.preTax + price.includedTaxes, price.total);
      assert.ok(price.preTax >= 0 && price.lines.every(({ amount }) => amount >= 0));
    }),
  );
});

test('fees are added to a price that includes its taxes, and so are the taxes on them', () => {
  fc.assert(
    fc.property(anyAmount, anyBoundedFees, fc.integer({ min: 1, max: 10 }), (list, all, quantity) => {
      const price = priceOf(list, 0, all, { includesTax: true, quantity });
      const onTop = price.lines.reduce((sum, { amount, included }) => sum + amount - included, 0);
      assert.equal(price.total, list + onTop);
      assert.ok(
        price.lines.every(({ fee, included, amount }) => amount >= included && (fee.kind === 'tax' || included === 0)),
      );
    }),
  );
});

test('the included taxes are those on the price before tax, with at most one unit of price more', () => {
  fc.assert(
    fc.property(anyAmount, anyBoundedFees, (list, all) => {
      const taxes = all.filter(({ kind }) => kind === 'tax');
      const within = priceOf(list, 0, taxes, { includesTax: true });
      const on = (price: number) => priceOf(price, 0, taxes).lines.map(({ amount }) => amount);
      const [least, most] = [on(within.preTax), on(within.preTax + 1)];
      within.lines.forEach(({ amount }, i) => assert.ok(amount >= (least[i] ?? 0) && amount <= most[i]));
    }),
  );
});

test('converting a price to its total and back, with tax included, gives the same price', () => {
  fc.assert(
    fc.property(anyAmount, anyBoundedFees, (list, all) => {
      const taxes = all.filter(({ kind }) => kind === 'tax');
      const there = priceOf(list, 0, taxes);
      const back = priceOf(there.total, 0, taxes, { includesTax: true });
      assert.equal(back.preTax, list);
      assert.deepEqual(
        back.lines.map(({ amount }) => amount),
        there.lines.map(({ amount }) => amount),
      );
    }),
  );
});

test('three pieces on one line cost the same as three lines, apart from the rounding of percentages', () => {
  fc.assert(
    fc.property(small, anyBoundedFees, (piece, all) => {
      const price = piece * 1_000_000;
      const together = priceOf(3 * price, 0, all, { quantity: 3 }).total;
      assert.ok(Math.abs(together - 3 * priceOf(price, 0, all).total) <= 3 * all.length);
    }),
  );
});

test('an invalid amount has no price', () => {
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 60]) assert.throws(() => priceOf(wrong, 0, []), RangeError);
});

test('an included tax is never more than at a price one unit higher', () => {
  fc.assert(
    fc.property(anyAmount, anyBoundedFees, (paid, all) => {
      const taxes = all.filter(({ kind }) => kind === 'tax');
      const { lines, preTax } = priceOf(paid, 0, taxes, { includesTax: true });
      const higher = priceOf(preTax + 1, 0, taxes).lines;
      for (const [n, { included }] of lines.entries()) assert.ok(included <= higher[n].amount);
    }),
  );
});
