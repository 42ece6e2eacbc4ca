import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyAmount, anyBoundedFees, anyLine, partsSum } from '../test/any.ts';
import { explainLines, explainPrice, lineText, type Explained } from './explain.ts';
import { fc } from '../../../../test/properties.ts';
import { feeOf } from '../test/worked.ts';
import { priceLines } from './lines.ts';
import { priceOf, type Meant } from './price.ts';

test('every amount of a price is the sum of its explanation', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyBoundedFees, fc.boolean(), (list, discount, all, includesTax) => {
      const price = priceOf(list, discount, all, { includesTax });
      const explained = explainPrice(price, 'USD');
      assert.ok(partsSum(explained));
      assert.equal(explained.amount, price.total);
    }),
  );
});

test('every amount of a purchase of several lines is the sum of its explanation', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 5 }), anyAmount, (lines, discount) => {
      const priced = priceLines(lines, discount);
      const names = lines.map((_, i) => `Line ${i + 1}`);
      const explained = explainLines(priced, names, 'USD');
      assert.ok(partsSum(explained));
      assert.deepEqual(
        explained.parts.map(({ text }) => text),
        names,
      );
    }),
  );
});

const said = (text: string, price: number, meant?: Meant, more: string[] = []) => {
  const fees = [...more, text].map((one, id) => feeOf(one, id, 'GBP'));
  return lineText(priceOf(price, 0, fees, meant).lines.at(-1)!, 'GBP');
};

test('a line shows the base of its percentage, and the bound that it reached', () => {
  assert.equal(said('8.875% tax', 4000), '8.875% tax: 8.875% of £40.00');
  assert.match(said('5% fee (0.50–2.00)', 400), /: 5% of £4.00, at least £0.50$/);
  assert.match(said('5% fee (0.50–2.00)', 6000), /: 5% of £60.00, at most £2.00$/);
  assert.equal(said('1.50 fee', 6000), '1.50 fee');
});

test('a tax shows how much of it the price includes', () => {
  assert.equal(said('20% tax', 4000, { includesTax: true }), '20% tax: 20%, included in the price');
  assert.equal(said('1.00 tax', 4000, { includesTax: true }), '1.00 tax, included in the price');
  assert.equal(
    said('20% tax', 4000, { includesTax: true }, ['1.50 fee*']),
    '20% tax: 20%, £6.67 of it included in the price',
  );
});

const outline = ({ text, amount, parts }: Explained, depth = 0): string[] => [
  `${'  '.repeat(depth)}${text}: ${amount}`,
  ...parts.flatMap((part) => outline(part, depth + 1)),
];

test('a purchase is explained from its total down to every list price', () => {
  const fees = [feeOf('1.50 fee*', 1, 'GBP'), feeOf('20% tax', 2, 'GBP')];
  const priced = priceLines(
    [
      { listPrice: 4000, fees, includesTax: true },
      { listPrice: 1000, fees: [] },
    ],
    500,
  );
  assert.deepEqual(outline(explainLines(priced, ['Yoga', 'Mat'], 'GBP')), [
    'Total: 4680',
    '  Yoga: 3780',
    '    Price before fees and taxes: 3000',
    '      List price, including taxes: 4000',
    '      Discount: -400',
    '      Taxes included in the price, listed below: -600',
    '    1.50 fee*: 150',
    '    20% tax: 20%, £6.00 of it included in the price: 630',
    '  Mat: 900',
    '    Price before fees and taxes: 900',
    '      List price: 1000',
    '      Discount: -100',
  ]);
});
