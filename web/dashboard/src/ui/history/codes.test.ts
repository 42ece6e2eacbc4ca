import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn } from './codes.ts';

const english = {
  locale: 'en-CA',
  nameIn: (type: 'region' | 'language', code: string) => new Intl.DisplayNames('en', { type }).of(code)!,
  zoneName: (zone: string) => `the time in ${zone}`,
};

test('a history shows stored codes in words', () => {
  const shown = (
    [
      ['valid_for', 'P1Y'],
      ['expires_after', 'P2M'],
      ['offset', 'P1DT2H'],
      ['opens_at', '18:30:00'],
      ['country', 'CA'],
      ['language', 'fr'],
      ['timezone', 'America/Toronto'],
    ] as const
  ).map(([property, value]) => codeIn(property, value, english)?.replace(/\s/g, ' '));
  assert.deepEqual(shown, [
    '1 year',
    '2 months',
    '1 day, 2 hours',
    '6:30 p.m.',
    'Canada',
    'French',
    'the time in America/Toronto',
  ]);
});

test('text that only looks like a code stays as it is', () => {
  for (const [property, value] of [
    ['name', 'CA'],
    ['name', 'P'],
    ['name', 'fr'],
    ['name', 'PT'],
    ['description', 'At 18:30:00'],
  ] as const)
    assert.equal(codeIn(property, value, english), undefined, value);
});
