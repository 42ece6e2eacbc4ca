import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_DAYS, daysAsked, lengthOf, type DaysAsked } from './utilisation-days.ts';
import { fc, runs } from '../../../../test/properties.ts';

const TODAY = '2026-06-30';

const cases: readonly [DaysAsked, string, string][] = [
  [{}, '2026-06-03', '2026-06-30'],
  [{ day_gte: '2026-06-20' }, '2026-06-20', '2026-06-30'],
  [{ day_gte: '2020-01-01' }, '2020-01-01', '2020-12-31'],
  [{ day_gte: '2026-07-10' }, '2026-07-10', '2026-08-06'],
  [{ day_lte: '2026-03-28' }, '2026-03-01', '2026-03-28'],
  [{ day_gte: '2026-01-05', day_lte: '2026-01-11' }, '2026-01-05', '2026-01-11'],
  [{ day_lte: '0001-01-01' }, '0001-01-01', '0001-01-01'],
  [{ day_gte: '9999-12-31' }, '9999-12-31', '9999-12-31'],
  [{ day_timeframe: 'last_month' }, '2026-05-01', '2026-05-31'],
  [{ day_timeframe: 'last_month', day_gte: '2026-05-20' }, '2026-05-20', '2026-05-31'],
  [{ day_timeframe: 'last_month', day_lte: '2026-05-20' }, '2026-05-01', '2026-05-20'],
];
for (const [asked, from, to] of cases)
  test(`${JSON.stringify(asked)} on ${TODAY} means ${from} to ${to}`, () => {
    assert.deepEqual(daysAsked(asked, TODAY), { from, to });
  });

const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2050-01-01'), noInvalidDate: true });
const text = day.map((at) => at.toISOString().slice(0, 10));

test('with an open side, there are never too many days, and never none', () => {
  fc.assert(
    fc.property(fc.constantFrom('day_gte', 'day_lte'), text, text, (side, asked, today) => {
      const length = lengthOf(daysAsked({ [side]: asked }, today));
      assert.ok(length >= 1 && length <= MAX_DAYS, String(length));
    }),
    runs(200),
  );
});
