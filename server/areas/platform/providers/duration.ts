/** Durations in ISO 8601, for example `P1M` or `PT36H`. */
import { addDays } from '../../../kernel/base/values/date.ts';
import { addMonths } from '../../../kernel/base/values/period.ts';
import { instantOfWall, wallAt } from '../../../kernel/base/values/wall.ts';

interface Duration {
  readonly months: number;
  readonly days: number;
  /** exact time, which clock changes do not stretch */
  readonly ms: number;
}

const FORM =
  /^P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?$/;

/** Returns null if the text is not a duration, or has no length. */
export function parseDuration(text: string): Duration | null {
  const match = FORM.exec(text);
  if (!match || text.endsWith('T')) return null;
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const duration = {
    months: years * 12 + months,
    days: weeks * 7 + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
  return duration.months + duration.days + duration.ms > 0 ? duration : null;
}

/**
 * Returns the instant after a duration: adds months and days by the calendar of the zone, at the same time of day, then
 * the exact time. In a month that is too short, uses the last day. Throws RangeError beyond the year 9999.
 */
export function after(epochMs: number, { months, days, ms }: Duration, zone: string): number {
  if (months === 0 && days === 0) return epochMs + ms;
  const { date, time } = wallAt(epochMs, zone);
  const rest = ((epochMs % 1000) + 1000) % 1000;
  return instantOfWall(`${addDays(addMonths(date, months), days)}T${time}`, zone) + rest + ms;
}
