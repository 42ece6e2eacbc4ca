/** Reads days and periods from requests as days. */
import { addDays, daysBetween } from '../../../kernel/base/values/zone.ts';
import type { Issues } from '../../../kernel/base/problem.ts';

/** Per request. */
export const MAX_PERIODS = 200;
const MAX_DAYS = 366;

interface Period {
  readonly date: string;
  readonly end_date?: string | null;
}

/**
 * Returns each day with the number of the last entry that names it, in order. Mistakes are reported under the entry;
 * null is skipped.
 */
export function readPeriods(periods: readonly (Period | null)[], path: string, issues: Issues): Map<string, number> {
  const days = new Map<string, number>();
  for (const [n, period] of periods.entries()) {
    if (period === null) continue;
    const { date, end_date: end } = period;
    const last = end ?? date;
    if (last < date) issues.add(`${path}.${n}.end_date`, 'The last day must not be before the first.');
    else if (daysBetween(date, last) >= MAX_DAYS)
      issues.add(`${path}.${n}.end_date`, `A period can have ${MAX_DAYS} days at most.`);
    else for (let i = 0; i <= daysBetween(date, last); i++) days.set(addDays(date, i), n);
  }
  return new Map([...days].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
