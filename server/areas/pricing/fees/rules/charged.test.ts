import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyAmount, anyBoundedFees } from '../test/any.ts';
import { chargedNow, partsOf, plain, priceOfCharged, toCharged } from './charged.ts';
import { explainPrice } from './explain.ts';
import { fc } from '../../../../test/properties.ts';
import { partsTotal } from './share.ts';
import { priceOf, type Fee } from './price.ts';

const VAT: Fee = {
  id: 1,
  name: 'VAT',
  kind: 'tax',
  isTaxable: false,
  type: 'percent',
  rate: 88_750,
  minAmount: null,
  maxAmount: null,
};
const BOOKING: Fee = { id: 2, name: 'Booking', kind: 'fee', isTaxable: true, type: 'flat', amount: 150 };

test('a price that was charged is billed with the same amounts and explanations, and deducted with their negatives', () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyBoundedFees, (list, discount, fees) => {
      const price = priceOf(list, discount, fees);
      const charged = chargedNow(price, 'USD');
      for (const sign of [1, -1] as const) {
        const billed = priceOfCharged(charged, sign);
        const signed = (amount: number) => (amount === 0 ? 0 : sign * amount);
        assert.equal(billed.total, signed(price.total));
        assert.equal(billed.preTax, signed(price.preTax));
        assert.equal(billed.listPrice, billed.preTax);
        assert.equal(billed.rounding, signed(price.rounding));
        assert.deepEqual(
          billed.lines.map(({ amount }) => amount),
          price.lines.map(({ amount }) => signed(amount)),
        );
        assert.deepEqual(
          explainPrice(billed, 'USD').parts.map(({ text }) => text),
          explainPrice(price, 'USD').parts.map(({ text }) => text),
        );
      }
    }),
  );
});

test('a charged fee keeps its terms: a percentage its rate, a flat amount none', () => {
  const charged = chargedNow(priceOf(1000, 0, [VAT, BOOKING]), 'USD');
  assert.deepEqual(
    charged.fees.map(({ fee, rate, amount }) => ({ fee, rate, amount })),
    [
      { fee: 2, rate: null, amount: 150 },
      { fee: 1, rate: '8.875', amount: 102 },
    ],
  );
  const [booking, vat] = priceOfCharged(charged).lines.map(({ fee }) => fee);
  assert.deepEqual(booking, BOOKING);
  assert.deepEqual(vat, VAT);
});

test('the parts of a charged amount add up to it, and a part without an amount has no line', () => {
  const { fees } = chargedNow(priceOf(1000, 0, [VAT, BOOKING]), 'USD');
  const parts = { preTax: 500, lines: [0, 51], rounding: 1 };
  const charged = toCharged(parts, fees);
  assert.deepEqual([charged.amount, charged.rounding], [552, 1]);
  assert.deepEqual(
    charged.fees.map(({ fee, amount }) => [fee, amount]),
    [[1, 51]],
  );
  assert.deepEqual(partsOf(charged), { preTax: 500, lines: [51], rounding: 1 });
  assert.equal(partsTotal(partsOf(charged)), charged.amount);
  assert.deepEqual(plain(7), { amount: 7, fees: [], rounding: 0 });
});
