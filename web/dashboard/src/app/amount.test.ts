import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { amounts } from './amount-ways.ts';
import { typedAmount } from './amount.ts';

afterEach(() => {
  amounts.ways = null;
});

test('an amount is parsed with either decimal separator and any thousands separator', () => {
  for (const [typed, amount] of [
    ['18,00', '18.00'],
    ['18.00', '18.00'],
    [' 12,5 ', '12.5'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['1\u202F234,50', '1234.50'],
    ['1’234.50', '1234.50'],
    ['1.234.567', '1234567'],
    ['1,234,567.8', '1234567.8'],
    ['0,500', '0.500'],
    ['1500', '1500'],
    ['-3,20', '-3.20'],
    ['', ''],
    // These are not amounts, and their meaning is not guessed: the interface refuses them.
    ['1,23,4', '1,23,4'],
    ['1.23,4,5', '1.23,4,5'],
    ['12.34,50', '12.34,50'],
    ['free', 'free'],
  ])
    assert.equal(typedAmount(typed), amount, typed);
});

test('a separator before three digits follows the locales of the user and the business, if they agree', () => {
  for (const [locale, country, typed, amount] of [
    ['de-DE', 'DE', '1.234', '1234'],
    ['de-DE', 'DE', '1,234', '1.234'],
    ['en-US', 'US', '1,234', '1234'],
    ['en-GB', 'DE', '1,234', '1.234'],
    ['en-GB', 'DE', '1.234', '1.234'],
    ['en-GB', 'DE', '18,00', '18.00'],
  ]) {
    amounts.ways = { locale, country };
    assert.equal(typedAmount(typed), amount, `${locale} in ${country}: ${typed}`);
  }
});

/** Fields whose amounts another file parses. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'screens/calendar/fields.tsx': 'screens/calendar/draft.ts',
  'screens/counter/payment-fields.tsx': 'screens/counter/cart.ts',
};

test('every field for an amount is parsed in the same way', () => {
  const folder = dirname(dirname(fileURLToPath(import.meta.url)));
  const source = (file: string): string => readFileSync(`${folder}/${file}`, 'utf8');
  const files = globSync('**/*.tsx', { cwd: folder }).filter((file) => source(file).includes('inputMode="decimal"'));
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((file) => !source(ELSEWHERE[file] ?? file).includes('typedAmount(')),
    [],
  );
});
