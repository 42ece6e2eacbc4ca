import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, datesOf, resized, sessionsOf, weekly, without } from './plan.ts';

const FIRST = { date: '2026-11-30', from: '18:00', to: '20:00' };
const datesIn = (plan: ReturnType<typeof weekly>): string[] => sessionsOf(plan).map(({ date }) => date);

test('sessions follow the first one week by week, across the end of a year', () => {
  assert.deepEqual(datesIn(weekly(FIRST, 6)), [
    '2026-11-30',
    '2026-12-07',
    '2026-12-14',
    '2026-12-21',
    '2026-12-28',
    '2027-01-04',
  ]);
  assert.deepEqual(datesIn(weekly(FIRST, 1)), ['2026-11-30']);
});

test('a removed session leaves a gap, and an added one follows the last', () => {
  const plan = without(weekly(FIRST, 4), 2);
  assert.deepEqual(datesIn(plan), ['2026-11-30', '2026-12-07', '2026-12-21']);
  assert.deepEqual(datesIn(resized(plan, 4)), ['2026-11-30', '2026-12-07', '2026-12-21', '2026-12-28']);
  assert.deepEqual(datesIn(resized(plan, 1)), ['2026-11-30']);
});

test('a change of the first session applies to the others, but not to one with times of its own', () => {
  const plan = changed(changed(weekly(FIRST, 3), 1, { date: '2026-12-08', from: '17:00' }), 0, {
    date: '2026-12-01',
    to: '21:00',
  });
  assert.deepEqual(sessionsOf(plan), [
    { date: '2026-12-01', from: '18:00', to: '21:00' },
    { date: '2026-12-08', from: '17:00', to: '21:00' },
    { date: '2026-12-15', from: '18:00', to: '21:00' },
  ]);
});

test('a session that ends at or after midnight ends on the next day', () => {
  assert.deepEqual(datesOf(weekly({ date: '2026-12-31', from: '22:00', to: '00:30' }, 1)), [
    { starts_at: '2026-12-31T22:00', ends_at: '2027-01-01T00:30' },
  ]);
  assert.deepEqual(datesOf(weekly(FIRST, 1)), [{ starts_at: '2026-11-30T18:00', ends_at: '2026-11-30T20:00' }]);
});

test('nothing is invented for a date or a time that is not typed yet', () => {
  assert.deepEqual(datesOf(weekly({ date: '', from: '', to: '' }, 2)), [
    { starts_at: 'T', ends_at: 'T' },
    { starts_at: 'T', ends_at: 'T' },
  ]);
});
