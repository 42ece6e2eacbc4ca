import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../test/properties.ts';
import { fromStripe, toStripe } from './amounts.ts';

test('an amount is converted to Stripe’s units for its currency, or refused', () => {
  const cases: [minor: number, currency: string, stripe: number | null][] = [
    [1050, 'CAD', 1050],
    [500, 'JPY', 500],
    [500, 'KRW', 500],
    [500, 'XPF', 500],
    [5, 'ISK', 500],
    [5, 'UGX', 500],
    [1000, 'HUF', 1000],
    [1050, 'TWD', 1050],
    [500, 'MGA', 5],
    [550, 'MGA', null],
    [5120, 'KWD', 5120],
    [5124, 'KWD', null],
    [1230, 'BHD', 1230],
    [1235, 'TND', null],
    [1000, 'IQD', null],
    [Number.MAX_SAFE_INTEGER, 'ISK', null],
  ];
  for (const [minor, currency, stripe] of cases)
    assert.equal(toStripe(minor, currency), stripe, `${minor} ${currency}`);
  assert.throws(() => toStripe(1, 'XYZ'), RangeError);
});

test('every amount that Stripe accepts converts back to the same amount', () => {
  const currencies = ['CAD', 'JPY', 'ISK', 'UGX', 'MGA', 'KWD', 'BHD', 'HUF', 'VND'];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), fc.constantFrom(...currencies), (minor, currency) => {
      const stripe = toStripe(minor, currency);
      return stripe === null || fromStripe(stripe, currency) === minor;
    }),
  );
});
