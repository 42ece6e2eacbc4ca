import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyAmount, anyLine } from '../test/any.ts';
import { fc } from '../../../../test/properties.ts';
import { remainingParts, partsTotal, shareOf, type PriceParts } from './share.ts';
import { listOf, minor, PROSE, texts } from '../test/worked.ts';
import { priceLines } from './lines.ts';
import { workedTable } from '../../../../test/worked-table.ts';

const amountsOf = ({ preTax, lines }: PriceParts): number[] => [preTax, ...lines];

for (const row of workedTable(PROSE, 'Refunds')) {
  test(`${row.currency} ${row.refunds} of ${row.parts}: ${row.why}`, () => {
    const [preTax, ...lines] = listOf(row.parts).map((decimal) => minor(row, decimal));
    const price = { preTax, lines, rounding: 0 };
    const given: PriceParts[] = [];
    const give = () => {
      for (const amount of listOf(row.refunds)) given.push(shareOf(remainingParts(price, given), minor(row, amount)));
    };
    if (row['given back'] === 'refused') return assert.throws(give, RangeError);
    give();
    assert.deepEqual(
      given.map((one) => texts(row, amountsOf(one)).join(' + ')),
      listOf(row['given back']),
    );
  });
}

const anyPrice = fc.tuple(anyLine, fc.integer({ min: 0, max: 2 })).map(([line, rounding]): PriceParts => {
  const { preTax, lines } = priceLines([line]).lines[0];
  return { preTax, lines: lines.map(({ amount }) => amount), rounding };
});

test('refunded parts add up to the amount, and never exceed what is left of any part', () => {
  fc.assert(
    fc.property(anyPrice, anyAmount, (price, wished) => {
      const amount = Math.min(wished, partsTotal(price));
      const share = shareOf(price, amount);
      assert.equal(partsTotal(share), amount);
      const left = remainingParts(price, [share]);
      assert.ok([...amountsOf(left), left.rounding].every((one) => one >= 0));
    }),
  );
});

test('refunds in any steps that add up to the total return every part exactly', () => {
  fc.assert(
    fc.property(anyPrice, fc.array(anyAmount, { maxLength: 5 }), (price, steps) => {
      const given: PriceParts[] = [];
      for (const step of [...steps, Infinity]) {
        const left = remainingParts(price, given);
        given.push(shareOf(left, Math.min(step, partsTotal(left))));
      }
      assert.deepEqual(remainingParts(price, given), { preTax: 0, lines: price.lines.map(() => 0), rounding: 0 });
    }),
  );
});

test('an invalid amount is not refunded', () => {
  const price = { preTax: 1000, lines: [200], rounding: 0 };
  for (const wrong of [-1, 0.5, Number.NaN, 1201]) assert.throws(() => shareOf(price, wrong), RangeError);
});
