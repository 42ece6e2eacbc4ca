import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/properties.ts';
import {
  allocate,
  currencyOf,
  formatDecimal,
  isCurrency,
  minorDigits,
  money,
  parseDecimal,
  roundHalfEven,
  roundHalfUp,
  wireMoney,
} from './money.ts';

const anyCurrency = fc.constantFrom(...Intl.supportedValuesOf('currency'));
const anyMinor = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });

const READ: [text: string, currency: string, minor: number | null][] = [
  ['10.99', 'GBP', 1099],
  ['10.9', 'GBP', 1090],
  ['10', 'GBP', 1000],
  ['0.05', 'GBP', 5],
  ['-0.05', 'GBP', -5],
  ['-0', 'GBP', 0],
  ['007.50', 'GBP', 750],
  ['1500', 'JPY', 1500],
  ['1.234', 'KWD', 1234],
  ['1.2', 'KWD', 1200],
  ['0.29', 'USD', 29],
  ['1.15', 'USD', 115],
  ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
  ['90071992547409.92', 'USD', null],
  ['10.999', 'GBP', null],
  ['10.990', 'GBP', null],
  ['1.5', 'JPY', null],
  ['1.2345', 'KWD', null],
  ['', 'GBP', null],
  ['.5', 'GBP', null],
  ['5.', 'GBP', null],
  ['+5', 'GBP', null],
  ['1e3', 'GBP', null],
  ['1,000', 'GBP', null],
  ['£5', 'GBP', null],
  [' 5', 'GBP', null],
  ['NaN', 'GBP', null],
  ['Infinity', 'GBP', null],
  ['٥', 'GBP', null],
  ['99999999999999999', 'JPY', null],
];
for (const [text, currency, minor] of READ) {
  test(`"${text}" in ${currency} is ${minor === null ? 'refused' : `${minor} minor units`}`, () => {
    assert.ok(Object.is(parseDecimal(text, currency), minor), `${parseDecimal(text, currency)}`);
  });
}

test('minor units have the digits of ISO 4217, whatever the runtime prints', () => {
  for (const [code, digits] of [
    ['GBP', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['HUF', 2],
    ['PKR', 2],
    ['ISK', 0],
    ['TND', 3],
    ['IDR', 2],
  ] as const) {
    assert.equal(minorDigits(code), digits, code);
  }
  assert.throws(() => minorDigits('XYZ'), /Unknown currency/);
  assert.throws(() => money(1.5, 'GBP'), /minor units/);
  assert.equal(isCurrency('GBP'), true);
  assert.equal(isCurrency('gbp'), false);
});

test('every currency has a symbol and a position', () => {
  fc.assert(
    fc.property(anyCurrency, (code) => {
      const { symbol, position } = currencyOf(code);
      assert.ok(symbol.length > 0);
      assert.ok(position === 'before' || position === 'after');
    }),
  );
  assert.deepEqual(currencyOf('SEK', 'sv'), { code: 'SEK', digits: 2, symbol: 'kr', position: 'after' });
});

test('an amount is sent as number, text, code, symbol and position', () => {
  assert.deepEqual(wireMoney(money(1099, 'GBP')), {
    decimal: 10.99,
    string: '10.99',
    iso_currency_code: 'gbp',
    currency_symbol: '£',
    currency_symbol_position: 'before',
  });
  assert.deepEqual(wireMoney(money(-1500, 'JPY')), {
    decimal: -1500,
    string: '-1500',
    iso_currency_code: 'jpy',
    currency_symbol: '¥',
    currency_symbol_position: 'before',
  });
  assert.equal(wireMoney(money(1050, 'EUR'), 'de').currency_symbol_position, 'after');
});

test('any amount of any currency that is printed is read back as the same minor units', () => {
  fc.assert(
    fc.property(anyMinor, anyCurrency, (minor, code) =>
      assert.equal(parseDecimal(formatDecimal({ minor, currency: code }), code), minor),
    ),
  );
});

const ROUNDED: [numerator: number, denominator: number, even: number, up: number][] = [
  [5, 2, 2, 3],
  [7, 2, 4, 4],
  [-5, 2, -2, -3],
  [-7, 2, -4, -4],
  [1, 3, 0, 0],
  [2, 3, 1, 1],
  [-1, 3, 0, 0],
  [-2, 3, -1, -1],
  [1, 2, 0, 1],
  [-1, 2, 0, -1],
  [6, 3, 2, 2],
  [0, 7, 0, 0],
  [Number.MAX_SAFE_INTEGER, 2, 4503599627370496, 4503599627370496],
];
for (const [numerator, denominator, even, up] of ROUNDED) {
  test(`${numerator}/${denominator} is ${even} with halves to even and ${up} with halves up`, () => {
    assert.ok(Object.is(roundHalfEven(numerator, denominator), even));
    assert.ok(Object.is(roundHalfUp(numerator, denominator), up));
  });
}

test('a rounded quotient is never more than half a unit off, and mirrors under a changed sign', () => {
  fc.assert(
    fc.property(anyMinor, fc.integer({ min: 1, max: 1_000_000 }), (numerator, denominator) => {
      for (const round of [roundHalfEven, roundHalfUp]) {
        const distance = BigInt(round(numerator, denominator)) * BigInt(denominator) - BigInt(numerator);
        assert.ok(2n * (distance < 0n ? -distance : distance) <= BigInt(denominator));
        assert.equal(round(-numerator, denominator) + round(numerator, denominator), 0);
      }
    }),
  );
  assert.throws(() => roundHalfUp(1, 0), RangeError);
  assert.throws(() => roundHalfUp(10n ** 30n, 1), RangeError);
  assert.equal(roundHalfUp(10n ** 30n, 10n ** 28n), 100);
});

const SPLIT: [total: number, weights: number[], parts: number[]][] = [
  [100, [1, 1, 1], [34, 33, 33]],
  [-100, [1, 1, 1], [-34, -33, -33]],
  [5, [3, 7], [2, 3]],
  [10, [0, 1], [0, 10]],
  [1, [1, 1, 1, 1], [1, 0, 0, 0]],
  [0, [1, 2], [0, 0]],
  [0, [0, 0], [0, 0]],
  [101, [50, 30, 20], [51, 30, 20]],
  [7, [5], [7]],
];
for (const [total, weights, parts] of SPLIT) {
  test(`${total} split by ${weights.join(':')} is ${parts.join(', ')}`, () =>
    assert.deepEqual(allocate(total, weights), parts));
}

test('parts sum to the total, and each is the exact share to less than one unit', () => {
  const weights = fc
    .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 30 })
    .filter((all) => all.some((w) => w > 0));
  fc.assert(
    fc.property(anyMinor, weights, (total, all) => {
      const parts = allocate(total, all).map(BigInt);
      const sum = all.reduce((a, b) => a + b, 0);
      assert.equal(
        parts.reduce((a, b) => a + b, 0n),
        BigInt(total),
      );
      for (const [index, part] of parts.entries()) {
        const distance = part * BigInt(sum) - BigInt(total) * BigInt(all[index]);
        assert.ok((distance < 0n ? -distance : distance) < BigInt(sum));
      }
    }),
  );
});

test('an amount that nobody shares is refused', () => {
  assert.throws(() => allocate(1, []), RangeError);
  assert.throws(() => allocate(1, [0, 0]), RangeError);
  assert.throws(() => allocate(1, [-1, 2]), RangeError);
  assert.throws(() => allocate(1, [0.5]), RangeError);
});

test('a number and the bigint of the same value are rounded to the same result', () => {
  fc.assert(
    fc.property(anyMinor, fc.integer({ min: 1, max: 10_000_000 }), (numerator, denominator) => {
      for (const round of [roundHalfEven, roundHalfUp])
        assert.ok(Object.is(round(numerator, denominator), round(BigInt(numerator), BigInt(denominator))));
    }),
  );
});
