/** Of which days a report of hours is: every day costs hours of everything there is, so there are never too many. Pure. */
import { addDays, daysBetween } from '../../../../kernel/base/values/zone.ts';
import { timeframe, type Days } from './timeframe.ts';

export const DAYS_AT_MOST = 366;
const USUAL_DAYS = 28;

export interface DaysAsked {
  readonly day_gte?: string;
  readonly day_lte?: string;
  /** the name of a period */
  readonly day_timeframe?: string;
}

/** The days that were asked for, the latest 28 if none were; a side that is left open ends where the most days do. */
export function daysAsked({ day_gte, day_lte, day_timeframe }: DaysAsked, today: string): Days {
  const named = day_timeframe === undefined ? null : timeframe(day_timeframe, today);
  const from = later(named?.from, day_gte);
  const to = earlier(named?.to, day_lte);
  if (from !== undefined && to !== undefined) return { from, to };
  if (from !== undefined)
    return {
      from,
      to: from <= today ? earlier(today, within(from, DAYS_AT_MOST - 1))! : within(from, USUAL_DAYS - 1),
    };
  const last = to ?? today;
  return { from: within(last, 1 - USUAL_DAYS), to: last };
}

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** Some days later or earlier, as far as there are days. */
const within = (day: string, n: number): string =>
  n < 0 && daysBetween(FIRST_DAY, day) < -n ? FIRST_DAY : daysBetween(day, LAST_DAY) < n ? LAST_DAY : addDays(day, n);

/** How many days they are; 0: none. */
export const lengthOf = ({ from, to }: Days): number => Math.max(daysBetween(from, to) + 1, 0);

const later = (a: string | undefined, b: string | undefined) => (a === undefined || (b !== undefined && b > a) ? b : a);
const earlier = (a: string | undefined, b: string | undefined) =>
  a === undefined || (b !== undefined && b < a) ? b : a;
