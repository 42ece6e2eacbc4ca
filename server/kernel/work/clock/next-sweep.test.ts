import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextSweep } from './next-sweep.ts';
import { parseInstant } from '../../base/values/zone.ts';

const TIMES = ['00:00', '03:00'];

const next = (from: string, zone: string, times: readonly string[] = TIMES) => {
  const { at, times: which } = nextSweep(parseInstant(from, zone)!, zone, times);
  return [new Date(at).toISOString(), [...which]];
};

test('a business is swept at the start of each of its days, and at the times that areas declare', () => {
  assert.deepEqual(next('2027-01-10T12:00', 'America/Toronto'), ['2027-01-11T05:00:00.000Z', ['00:00']]);
  assert.deepEqual(next('2027-01-11T00:00', 'America/Toronto'), ['2027-01-11T08:00:00.000Z', ['03:00']]);
  assert.deepEqual(next('2027-01-11T00:00', 'America/Toronto', ['00:00']), ['2027-01-12T05:00:00.000Z', ['00:00']]);
});

test('a clock change moves the sweeps with the local time of the business', () => {
  // Toronto skips the hour from two to three on March 14.
  assert.deepEqual(next('2027-03-14T00:00', 'America/Toronto'), ['2027-03-14T07:00:00.000Z', ['03:00']]);
  assert.deepEqual(next('2027-03-14T03:00', 'America/Toronto'), ['2027-03-15T04:00:00.000Z', ['00:00']]);
  // Asuncion went from midnight to one on October 6, 2024: the day begins at one.
  assert.deepEqual(next('2024-10-05T12:00', 'America/Asuncion'), ['2024-10-06T04:00:00.000Z', ['00:00']]);
});

test('a day that a zone skips has no start of its own', () => {
  // Samoa skipped December 30, 2011.
  assert.deepEqual(next('2011-12-29T12:00', 'Pacific/Apia'), ['2011-12-30T10:00:00.000Z', ['00:00']]);
});

test('each sweep is later than the one before, for a whole year', () => {
  let now = parseInstant('2026-12-31T15:00', 'Europe/London')!;
  for (let n = 0; n < 730; n++) {
    const { at } = nextSweep(now, 'Europe/London', TIMES);
    assert.ok(at > now && at - now <= 22 * 3_600_000, new Date(at).toISOString());
    now = at;
  }
  assert.equal(new Date(now).toISOString(), '2027-12-31T03:00:00.000Z');
});
