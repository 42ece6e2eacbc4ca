/** The next run of a weekly or monthly plan, by the clock of the business. Pure. */
import { addDays, instantOfWall, partsOfDate, wallAt, weekdayOf } from '../../../../kernel/base/values/zone.ts';
import { addMonths } from '../../../../kernel/base/values/period.ts';

export type Plan = { readonly time: string } & (
  | { readonly frequency: 'weekly'; readonly day_of_week: DayOfWeek }
  | { readonly frequency: 'monthly'; readonly day_of_month: number }
);

export const DAYS_OF_WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type DayOfWeek = (typeof DAYS_OF_WEEK)[number];

/** Returns the first day of the plan on or after a day. In a month that is too short, it is the last day. */
function dayFrom(plan: Plan, from: string): string {
  if (plan.frequency === 'weekly')
    return addDays(from, (DAYS_OF_WEEK.indexOf(plan.day_of_week) + 1 - weekdayOf(from) + 7) % 7);
  const { year, month } = partsOfDate(from);
  // January has 31 days: counted from there, a short month doesn't affect later ones.
  const january = `${String(year).padStart(4, '0')}-01-${String(plan.day_of_month).padStart(2, '0')}`;
  const day = addMonths(january, month - 1);
  return day >= from ? day : addMonths(january, month);
}

/**
 * Returns the first time of the plan after a time (epoch milliseconds). A local time skipped by a clock change moves
 * later by the skipped interval; of one that occurs twice, the first is used.
 */
export function nextRun(plan: Plan, after: number, zone: string): number {
  const today = wallAt(after, zone).date;
  for (let from = today; ; from = addDays(from, 1)) {
    from = dayFrom(plan, from);
    const at = instantOfWall(`${from}T${plan.time}`, zone);
    if (at > after) return at;
  }
}
