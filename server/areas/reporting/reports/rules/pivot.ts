/** Periods of a pivot by name: `2026`, `2026-01`, `2026-W05` (weeks begin on Monday). Pure. */
import { addDays, weekdayOf } from '../../../../kernel/base/values/zone.ts';
import { addMonths } from '../../../../kernel/base/values/period.ts';

/** Returns the first day of the period, and the first day after it. */
export function daysOfPeriod(name: string): readonly [from: string, until: string] {
  const [year, rest] = name.split('-');
  if (rest === undefined) return [`${year}-01-01`, addMonths(`${year}-01-01`, 12)];
  if (!rest.startsWith('W')) return [`${name}-01`, addMonths(`${name}-01`, 1)];
  // 4 January is in the first week of every year.
  const fourth = `${year}-01-04`;
  const monday = addDays(fourth, 1 - weekdayOf(fourth) + 7 * (Number(rest.slice(1)) - 1));
  return [monday, addDays(monday, 7)];
}
