import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateDiscount, explainPrice, lineText, priceForTotal, priceOf, type Explained, type Fee } from './price.ts';
import { formatDecimal, parseDecimal } from '../../../../kernel/values/money.ts';
import { fc } from '../../../../test/properties.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const PROSE = 'docs/algorithms/pricing.md';
const listOf = (text: string): string[] => (text === 'none' || text === '' ? [] : text.split(', '));

/** `5% fee* (0.50–2.00)`, `20% tax`, `1.00 fee`. */
function feeOf(text: string, id: number, currency: string): Fee {
  const [, amount, percent, kind, taxable, min, max] = /^([\d.]+)(%?) (fee|tax)(\*?)(?: \(([\d.]+)–([\d.]+)\))?$/.exec(
    text,
  )!;
  const minor = (decimal: string) => parseDecimal(decimal, currency)!;
  const named = { id, name: text, kind: kind as Fee['kind'], isTaxable: taxable === '*' };
  if (!percent) return { ...named, type: 'flat', amount: minor(amount) };
  const bounds = { minAmount: min ? minor(min) : null, maxAmount: max ? minor(max) : null };
  return { ...named, type: 'percent', rate: Math.round(Number(amount) * 10_000), ...bounds };
}

const feesOf = (row: Record<string, string>): Fee[] =>
  listOf(row['fees and taxes']).map((text, index) => feeOf(text, index + 1, row.currency));
const minor = (row: Record<string, string>, decimal: string): number => parseDecimal(decimal, row.currency)!;
const texts = (row: Record<string, string>, amounts: readonly { amount: number }[]): string[] =>
  amounts.map(({ amount }) => formatDecimal({ minor: amount, currency: row.currency }));

for (const row of workedTable(PROSE, 'From the price to the total')) {
  test(`${row.currency} ${row['list price']} less ${row.discount} with ${row['fees and taxes']}: ${row.why}`, () => {
    const price = priceOf(minor(row, row['list price']), minor(row, row.discount), feesOf(row));
    assert.deepEqual(texts(row, price.lines), listOf(row.lines));
    assert.equal(price.total, minor(row, row.total));
  });
}

for (const row of workedTable(PROSE, 'From the total to the price')) {
  test(`${row.currency} ${row.total} in total with ${row['fees and taxes']}: ${row.why}`, () => {
    const price = priceForTotal(minor(row, row.total), feesOf(row));
    if (row.price === 'refused') return assert.equal(price, null);
    assert.deepEqual(
      [price!.preTax, texts(row, price!.lines), price!.rounding, price!.total],
      [minor(row, row.price), listOf(row.lines), minor(row, row.rounding), minor(row, row.total)],
    );
  });
}

for (const row of workedTable(PROSE, 'Several lines')) {
  test(`${row.currency} ${row.discount} off ${row.lines}: ${row.why}`, () => {
    const lines = listOf(row.lines).map((one) => minor(row, one));
    const parts = allocateDiscount(minor(row, row.discount), lines);
    assert.deepEqual(
      texts(
        row,
        parts.map((amount) => ({ amount })),
      ),
      listOf(row.parts),
    );
  });
}

const amount = fc.integer({ min: 0, max: 10_000_000_000 });
const small = fc.integer({ min: 0, max: 5000 });
const percent = fc.record({
  id: fc.constant(1),
  name: fc.constant('Fee'),
  kind: fc.constantFrom('fee' as const, 'tax' as const),
  isTaxable: fc.boolean(),
  type: fc.constant('percent' as const),
  rate: fc.integer({ min: 0, max: 1_000_000 }),
  minAmount: fc.constant(null),
  maxAmount: fc.option(small),
});
const flat = fc.record({
  id: fc.constant(1),
  name: fc.constant('Fee'),
  kind: fc.constantFrom('fee' as const, 'tax' as const),
  isTaxable: fc.boolean(),
  type: fc.constant('flat' as const),
  amount: small,
});
const fees = fc.array(fc.oneof(percent, flat), { maxLength: 4 });

const partsSum = (of: Explained): boolean =>
  of.parts.length === 0 ||
  (of.parts.reduce((all, one) => all + one.amount, 0) === of.amount && of.parts.every(partsSum));

test('every amount of a price is the sum of what explains it', () => {
  fc.assert(
    fc.property(amount, amount, fees, (list, discount, all) => {
      const price = priceOf(list, discount, all);
      const explained = explainPrice(price, 'USD');
      assert.ok(partsSum(explained));
      assert.equal(explained.amount, price.total);
    }),
  );
});

test('from a price to its total and back is the same price', () => {
  fc.assert(
    fc.property(amount, fees, (list, all) => {
      const there = priceOf(list, 0, all);
      const back = priceForTotal(there.total, all)!;
      assert.deepEqual([back.preTax, back.rounding], [list, 0]);
    }),
  );
});

test('a total that is not refused is kept, with less rounding than one unit a line', () => {
  fc.assert(
    fc.property(amount, fees, (total, all) => {
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
    fc.property(amount, fees, (total, all) => {
      const open = all
        .filter((fee) => fee.type === 'percent')
        .map((fee) => ({ ...fee, maxAmount: null, isTaxable: false }));
      assert.notEqual(priceForTotal(total, open), null);
    }),
  );
});

test('a higher price never has a lower total', () => {
  fc.assert(
    fc.property(amount, small, fees, (list, more, all) => {
      assert.ok(priceOf(list + more, 0, all).total >= priceOf(list, 0, all).total + more);
    }),
  );
});

test('the parts of a discount sum to it, and none is more than its line', () => {
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

const said = (text: string, price: number) => lineText(priceOf(price, 0, [feeOf(text, 1, 'GBP')]).lines[0], 'GBP');

test('a line says what it is a percentage of, and which bound it met', () => {
  assert.equal(said('8.875% tax', 4000), '8.875% tax: 8.875% of £40.00');
  assert.match(said('5% fee (0.50–2.00)', 400), /: 5% of £4.00, at least £0.50$/);
  assert.match(said('5% fee (0.50–2.00)', 6000), /: 5% of £60.00, at most £2.00$/);
  assert.equal(said('1.50 fee', 6000), '1.50 fee');
});
