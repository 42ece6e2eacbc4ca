import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatInstant } from '../../../../kernel/base/values/zone.ts';
import { nextRun, type DayOfWeek, type Plan } from './next-run.ts';

const ZONE = 'America/Toronto';
const weekly = (day_of_week: DayOfWeek, time = '07:00'): Plan => ({ frequency: 'weekly', day_of_week, time });
const monthly = (day_of_month: number, time = '07:00'): Plan => ({ frequency: 'monthly', day_of_month, time });

/** In 2026, clocks go forward on 8 March at 02:00 and back on 1 November at 02:00. */
const CASES: readonly [what: string, plan: Plan, after: string, next: string][] = [
  ['later on the same day', weekly('monday'), '2026-06-01T06:59:59-04:00', '2026-06-01T07:00:00-04:00'],
  ['a week later at the moment itself', weekly('monday'), '2026-06-01T07:00:00-04:00', '2026-06-08T07:00:00-04:00'],
  ['the same time after clocks go forward', weekly('monday'), '2026-03-02T07:00:00-05:00', '2026-03-09T07:00:00-04:00'],
  ['the same time after clocks go back', weekly('sunday'), '2026-10-25T07:00:00-04:00', '2026-11-01T07:00:00-05:00'],
  ['what is skipped comes later', weekly('sunday', '02:30'), '2026-03-07T12:00:00-05:00', '2026-03-08T03:30:00-04:00'],
  [
    'what happens twice comes once',
    weekly('sunday', '01:30'),
    '2026-10-31T12:00:00-04:00',
    '2026-11-01T01:30:00-04:00',
  ],
  ['and not again', weekly('sunday', '01:30'), '2026-11-01T01:30:00-04:00', '2026-11-08T01:30:00-05:00'],
  ['the 31st is the 28th of February', monthly(31), '2026-01-31T07:00:00-05:00', '2026-02-28T07:00:00-05:00'],
  ['the 29th of February in a leap year', monthly(31), '2028-02-01T00:00:00-05:00', '2028-02-29T07:00:00-05:00'],
  ['and the 31st of March', monthly(31), '2026-02-28T07:00:00-05:00', '2026-03-31T07:00:00-04:00'],
  ['the next year', monthly(1), '2026-12-01T07:00:00-05:00', '2027-01-01T07:00:00-05:00'],
];

for (const [what, plan, after, next] of CASES)
  test(`next is ${what}: ${next}`, () =>
    assert.equal(formatInstant(nextRun(plan, Date.parse(after), ZONE), ZONE), next));
