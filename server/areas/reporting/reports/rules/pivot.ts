/** The periods of a pivot by their names: `2026`, `2026-01`, `2026-W05` (weeks begin on Monday). Pure. */
import { addDays, weekdayOf } from '../../../../kernel/base/values/zone.ts';
import { addMonths } from '../../../../kernel/base/values/period.ts';

/** The first day of the period, and the first that is no longer in it. */
export function daysOfPeriod(name: string): readonly [from: string, until: string] {
  const [year, rest] = name.split('-');
  if (rest === undefined) return [`${year}-01-01`, addMonths(`${year}-01-01`, 12)];
  if (!rest.startsWith('W')) return [`${name}-01`, addMonths(`${name}-01`, 1)];
  // The 4th of January is in the first week of every year.
  const fourth = `${year}-01-04`;
  const monday = addDays(fourth, 1 - weekdayOf(fourth) + 7 * (Number(rest.slice(1)) - 1));
  return [monday, addDays(monday, 7)];
}
