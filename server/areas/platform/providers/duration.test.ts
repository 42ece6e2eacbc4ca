import assert from 'node:assert/strict';
import { test } from 'node:test';
import { after, parseDuration } from './duration.ts';
import { formatInstant, parseInstant } from '../../../kernel/base/values/zone.ts';

const ZONE = 'America/Toronto';
const later = (from: string, by: string) =>
  formatInstant(after(parseInstant(from, ZONE)!, parseDuration(by)!, ZONE), ZONE);

test('a duration is read as ISO 8601 defines it', () => {
  assert.deepEqual(parseDuration('P1Y2M3W4DT5H6M7S'), { months: 14, days: 25, ms: ((5 * 60 + 6) * 60 + 7) * 1000 });
  for (const text of ['', 'P', 'PT', 'P0D', 'P1', '1M', 'P-1D', 'P1.5D', 'P1DT', 'p1d', 'P1D2M', 'P9999999D'])
    assert.equal(parseDuration(text), null, text);
});

test('months and days are counted by the calendar, hours by the clock', () => {
  assert.equal(later('2027-01-31T10:00', 'P1M'), '2027-02-28T10:00:00-05:00');
  assert.equal(later('2027-01-31T10:00', 'P1Y1M'), '2028-02-29T10:00:00-05:00');
  // Clocks go forward on March 14.
  assert.equal(later('2027-03-13T10:00', 'P1D'), '2027-03-14T10:00:00-04:00');
  assert.equal(later('2027-03-13T10:00', 'PT24H'), '2027-03-14T11:00:00-04:00');
  assert.equal(later('2027-03-13T02:30', 'P1D'), '2027-03-14T03:30:00-04:00');
  assert.equal(later('2027-01-01T00:00', 'P1W'), '2027-01-08T00:00:00-05:00');
});
