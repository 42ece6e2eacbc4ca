/** Limits for the days of an hourly report: each day has rows for every hour of every resource. Pure. */
import { addDays, daysBetween } from '../../../../kernel/base/values/zone.ts';
import { timeframe, type Days } from './timeframe.ts';

export const MAX_DAYS = 366;
const USUAL_DAYS = 28;

export interface DaysAsked {
  readonly day_gte?: string;
  readonly day_lte?: string;
  /** name of a period */
  readonly day_timeframe?: string;
}

/** Returns the requested days, by default the latest 28; an open side is limited by the maximum number of days. */
export function daysAsked({ day_gte, day_lte, day_timeframe }: DaysAsked, today: string): Days {
  const named = day_timeframe === undefined ? null : timeframe(day_timeframe, today);
  const from = later(named?.from, day_gte);
  const to = earlier(named?.to, day_lte);
  if (from !== undefined && to !== undefined) return { from, to };
  if (from !== undefined)
    return {
      from,
      to: from <= today ? earlier(today, within(from, MAX_DAYS - 1))! : within(from, USUAL_DAYS - 1),
    };
  const last = to ?? today;
  return { from: within(last, 1 - USUAL_DAYS), to: last };
}

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';

/** Returns a day some days later or earlier, within the supported range. */
const within = (day: string, n: number): string =>
  n < 0 && daysBetween(FIRST_DAY, day) < -n ? FIRST_DAY : daysBetween(day, LAST_DAY) < n ? LAST_DAY : addDays(day, n);

/** Returns the number of days; 0 if there are none. */
export const lengthOf = ({ from, to }: Days): number => Math.max(daysBetween(from, to) + 1, 0);

const later = (a: string | undefined, b: string | undefined) => (a === undefined || (b !== undefined && b > a) ? b : a);
const earlier = (a: string | undefined, b: string | undefined) =>
  a === undefined || (b !== undefined && b < a) ? b : a;
