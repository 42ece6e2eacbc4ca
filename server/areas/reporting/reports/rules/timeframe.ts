/** Named periods of report queries: `this_month`, `last_30_days`. Pure. */
import { addDays, partsOfDate, weekdayOf } from '../../../../kernel/base/values/zone.ts';

/** First and last day, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const NAMED =
  /^(?:(today|yesterday|tomorrow)|(this|last|next)_(week|month|quarter|year)|(last|next)_([1-9]\d{0,3})_days)$/;

/** Examples of names, for the reference. */
export const TIMEFRAME_HINT =
  'Must be a period, for example today, this_week, last_month, this_quarter, last_year or last_30_days.';

export const isTimeframe = (name: string): boolean => NAMED.test(name);

/**
 * Returns the days of a named period on a given day (`YYYY-MM-DD`); weeks begin on Monday, `last_30_days` ends today.
 */
export function timeframe(name: string, today: string): Days | null {
  const [, day, which, unit, direction, count] = NAMED.exec(name) ?? [];
  if (day) {
    const at = addDays(today, day === 'today' ? 0 : day === 'yesterday' ? -1 : 1);
    return { from: at, to: at };
  }
  if (direction) {
    const days = Number(count) - 1;
    return direction === 'last'
      ? { from: addDays(today, -days), to: today }
      : { from: today, to: addDays(today, days) };
  }
  if (!which) return null;
  const step = which === 'this' ? 0 : which === 'last' ? -1 : 1;
  if (unit === 'week') {
    const monday = addDays(today, 1 - weekdayOf(today) + 7 * step);
    return { from: monday, to: addDays(monday, 6) };
  }
  const { year, month } = partsOfDate(today);
  const months = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
  const first = year * 12 + (month - 1) - ((month - 1) % months) + step * months;
  return { from: firstOf(first), to: addDays(firstOf(first + months), -1) };
}

/** Returns the first day of a month, counted from the year 0. */
const firstOf = (months: number): string =>
  `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`;
