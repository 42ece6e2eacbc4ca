import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyAmount, anyLine } from '../test/any.ts';
import { fc } from '../../../../test/properties.ts';
import { feesOf, listOf, minor, PROSE, texts, type Row } from '../test/worked.ts';
import { priceLines, type LineToPrice } from './lines.ts';
import { workedTable } from '../../../../test/worked-table.ts';

/** Parses `10.00`, `10.00 (2.00)`, `10.00 fixed`. */
function lineOf(row: Row, text: string): LineToPrice {
  const [, price, own, fixed] = /^([\d.]+)(?: \(([\d.]+)\))?( fixed)?$/.exec(text)!;
  const discount = own ? minor(row, own) : 0;
  return { listPrice: minor(row, price), discount, discountable: !fixed, fees: feesOf(row) };
}

for (const row of workedTable(PROSE, 'Whole purchases')) {
  test(`${row.currency} ${row.discount} off ${row.lines} with ${row['fees and taxes']}: ${row.why}`, () => {
    const asked = listOf(row.lines).map((text) => lineOf(row, text));
    const { lines, totals } = priceLines(asked, minor(row, row.discount));
    const discounts = lines.map(({ discount }) => discount);
    assert.deepEqual(texts(row, discounts), listOf(row.discounts));
    const each = lines.map(({ total }) => total);
    assert.deepEqual(texts(row, each), listOf(row.totals));
    assert.equal(totals.total, minor(row, row.total));
  });
}

test('the amounts of a purchase are the sums of those of its lines, fee by fee', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 6 }), anyAmount, (asked, discount) => {
      const { lines, totals } = priceLines(asked, discount);
      for (const name of ['listPrice', 'discount', 'includedTaxes', 'preTax', 'rounding', 'total'] as const) {
        const sum = lines.reduce((all, line) => all + line[name], 0);
        assert.equal(totals[name], sum, name);
      }
      const fees = totals.fees.reduce((sum, { amount }) => sum + amount, 0);
      assert.equal(totals.total, totals.preTax + fees + totals.rounding);
      assert.equal(totals.total, totals.listPrice - totals.discount - totals.includedTaxes + fees);
    }),
  );
});

test('a discount on the whole is applied in full, unless the discountable lines cost less', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 6 }), anyAmount, (asked, discount) => {
      const { lines } = priceLines(asked, discount);
      const own = asked.map((line) => Math.min(line.discount, line.listPrice));
      const open = asked.reduce((sum, line, i) => sum + (line.discountable ? line.listPrice - own[i] : 0), 0);
      const taken = lines.reduce((sum, line, i) => sum + line.discount - own[i], 0);
      assert.equal(taken, Math.min(discount, open));
      lines.forEach((line, i) => {
        assert.ok(line.discount <= line.listPrice);
        if (!asked[i].discountable) assert.equal(line.discount, own[i]);
      });
    }),
  );
});

test('one fee on several lines is one amount in total, and fees are listed before taxes', () => {
  const tax = { id: 1, name: 'VAT', kind: 'tax', isTaxable: false, type: 'percent', rate: 200_000 } as const;
  const fee = { id: 2, name: 'Booking fee', kind: 'fee', isTaxable: false, type: 'flat', amount: 150 } as const;
  const all = [{ ...tax, minAmount: null, maxAmount: null }, fee];
  const { totals } = priceLines([
    { listPrice: 1000, fees: all },
    { listPrice: 2000, fees: all, includesTax: true },
  ]);
  assert.deepEqual(
    totals.fees.map((one) => [one.fee.name, one.amount, one.included]),
    [
      ['Booking fee', 300, 0],
      ['VAT', 533, 333],
    ],
  );
});

test('sums beyond safe integers are refused, never rounded', () => {
  const line = { listPrice: Number.MAX_SAFE_INTEGER, fees: [] };
  assert.throws(() => priceLines([line, line]), RangeError);
});

test('the totals list fees before taxes, each in the order of the lines', () => {
  const [vat, booking, levy] = ['tax', 'fee', 'tax'].map((kind, id) => {
    return { id, name: `Fee ${id}`, kind: kind as 'fee' | 'tax', isTaxable: false, type: 'flat' as const, amount: 100 };
  });
  const { totals } = priceLines([
    { listPrice: 1000, fees: [vat] },
    { listPrice: 1000, fees: [levy, booking] },
  ]);
  assert.deepEqual(
    totals.fees.map(({ fee }) => fee.id),
    [booking.id, vat.id, levy.id],
  );
});
