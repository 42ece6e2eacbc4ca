/** Times of the areas' next sweeps, in the local time of a test business. Pure. */
import { addDays } from '../../base/values/date.ts';
import { instantOfWall, startOfDay, wallAt } from '../../base/values/zone.ts';

const MIDNIGHT = '00:00';
/** A zone that skips a day has two day starts at one moment. */
const DAYS = 3;

/** The default times of day at which an area sweeps. */
export const USUAL: readonly string[] = [MIDNIGHT];

/**
 * Returns the first of these times of day after `now`, and which ones it is: a clock change may bring two to one
 * moment.
 */
export function nextSweep(now: number, zone: string, times: readonly string[]): { at: number; times: Set<string> } {
  const today = wallAt(now, zone).date;
  let at = Infinity;
  let which = new Set<string>();
  for (let day = 0; day < DAYS; day++) {
    const date = addDays(today, day);
    for (const time of times) {
      const moment = time === MIDNIGHT ? startOfDay(date, zone) : instantOfWall(`${date}T${time}:00`, zone);
      if (moment <= now || moment > at) continue;
      if (moment < at) which = new Set();
      at = moment;
      which.add(time);
    }
  }
  return { at, times: which };
}
