/**
 * The delay of an action: an ISO 8601 duration. Years, months, weeks and days are calendar units, so that "a day later"
 * is the same time of day in the zone of the business; hours, minutes and seconds are absolute. See
 * docs/algorithms/workflows.md.
 */
import { addDays, instantOfWall, wallAt } from '../../../../kernel/base/values/zone.ts';
import { addMonths } from '../../../../kernel/base/values/period.ts';

export interface Delay {
  readonly months: number;
  readonly days: number;
  readonly ms: number;
}

export const NO_DELAY: Delay = { months: 0, days: 0, ms: 0 };

const DURATION =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/;

/** Two years at most: a longer delay is certainly a mistake. */
const LONGEST_DAYS = 731;
const MS_PER_DAY = 86_400_000;

/**
 * Parses a delay. Null if the text is no duration, is empty (`P`, `PT`), or longer than two years. No fractions, no
 * sign.
 */
export function parseDelay(text: string): Delay | null {
  const match = DURATION.exec(text);
  if (!match || text.endsWith('P') || text.endsWith('T')) return null;
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const delay = {
    months: years * 12 + months,
    days: weeks * 7 + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
  const longest = delay.months * 30.4375 + delay.days + delay.ms / MS_PER_DAY;
  return longest <= LONGEST_DAYS ? delay : null;
}

/**
 * Returns the instant after the delay. Adds months first (in a month that is too short, the last day), then days,
 * keeping the wall time: one that a clock change skips moves forward, of one that occurs twice it is the earlier. The
 * remaining time is added last.
 */
export function dueAt(epochMs: number, { months, days, ms }: Delay, zone: string): number {
  if (months === 0 && days === 0) return epochMs + ms;
  const { date, time } = wallAt(epochMs, zone);
  const on = addDays(addMonths(date, months), days);
  return instantOfWall(`${on}T${time}`, zone) + (((epochMs % 1000) + 1000) % 1000) + ms;
}
