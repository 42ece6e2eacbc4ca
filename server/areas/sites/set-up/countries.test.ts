import assert from 'node:assert/strict';
import { COUNTRIES, CURRENCY_CODES, currencyIn, mainZoneIn, zonesIn } from './countries.ts';
import { isZone } from '../../../kernel/base/values/zone.ts';
import { test } from 'node:test';

test('every country has a currency that the service supports, and a default zone that is one of its own', () => {
  assert.ok(COUNTRIES.length > 240);
  assert.equal(new Set(COUNTRIES).size, COUNTRIES.length, 'no country is listed twice');
  const name = new Intl.DisplayNames('en', { type: 'region' });
  for (const country of COUNTRIES) {
    assert.notEqual(name.of(country), country, `${country} is a country`);
    const zones = zonesIn(country);
    assert.ok(zones.length > 0 && zones.every(isZone), country);
    assert.equal(new Set(zones).size, zones.length, country);
    assert.ok(zones.includes(mainZoneIn(country)), `${country}: ${mainZoneIn(country)}`);
    const currency = currencyIn(country);
    assert.ok(currency === null || CURRENCY_CODES.includes(currency), country);
  }
  assert.deepEqual(
    COUNTRIES.filter((country) => currencyIn(country) === null),
    [],
  );
});

test('the defaults of a country are what people there expect', () => {
  for (const [country, currency, zone] of [
    ['CA', 'CAD', 'America/Toronto'],
    ['DE', 'EUR', 'Europe/Berlin'],
    ['IN', 'INR', 'Asia/Kolkata'],
    ['GB', 'GBP', 'Europe/London'],
    ['UA', 'UAH', 'Europe/Kyiv'],
    ['AR', 'ARS', 'America/Argentina/Buenos_Aires'],
  ] as const)
    assert.deepEqual([currencyIn(country), mainZoneIn(country)], [currency, zone]);
});
