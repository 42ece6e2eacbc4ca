/** A recurrence as an English sentence without a full stop, for people who check their settings. */
import { MONTHS, WEEKDAYS } from './spoken-time.ts';
import type { ByDay, Recurrence } from './recurrence-text.ts';

const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/**
 * Returns, for example, "Every Monday and Wednesday until 2026-06-30" or "Every 2 months on the last Friday, 6 times".
 */
export function describeRecurrence(rule: Recurrence): string {
  return how(rule) + ending(rule);
}

function how(rule: Recurrence): string {
  const months = rule.byMonth.length > 0 ? ` in ${list(rule.byMonth.map((month) => MONTHS[month - 1]))}` : '';
  const weekdays = list(rule.byDay.map(dayName));
  if (rule.frequency === 'WEEKLY' && rule.interval === 1 && weekdays) return `Every ${weekdays}${months}`;
  const unit = UNITS[rule.frequency];
  const every = rule.interval === 1 ? `Every ${unit}` : `Every ${rule.interval} ${unit}s`;
  return every + months + onDays(rule, weekdays);
}

/** Describes days. With both parts, a day has to satisfy both: "on the 13th if it is a Friday". */
function onDays(rule: Recurrence, weekdays: string): string {
  const monthDays = list(rule.byMonthDay.toSorted(endLast).map(monthDayName));
  if (monthDays)
    return ` on ${monthDays}${
      weekdays &&
      ` if it is ${list(
        rule.byDay.map((by) => (by.ordinal === null ? `a ${dayName(by)}` : dayName(by))),
        'or',
      )}`
    }`;
  return weekdays && ` on ${weekdays}`;
}

function endLast(a: number, b: number): number {
  return a < 0 === b < 0 ? a - b : b - a;
}

function dayName({ weekday, ordinal }: ByDay): string {
  return ordinal === null ? WEEKDAYS[weekday - 1] : `the ${ordinalName(ordinal)} ${WEEKDAYS[weekday - 1]}`;
}

function ordinalName(ordinal: number): string {
  if (ordinal > 0) return ORDINALS[ordinal - 1] ?? numeral(ordinal);
  if (ordinal === -1) return 'last';
  return `${ORDINALS[-ordinal - 1] ?? numeral(-ordinal)} to last`;
}

function monthDayName(day: number): string {
  return day > 0 ? `the ${numeral(day)}` : `the ${day === -1 ? 'last' : ordinalName(day)} day`;
}

function numeral(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}

function ending({ count, until }: Recurrence): string {
  if (count !== null) return count === 1 ? ', once' : `, ${count} times`;
  if (until === null) return '';
  const [date, time] = until.wall.split('T');
  const clock = until.utc ? ` ${time.slice(0, 5)} UTC` : ` ${time.slice(0, 5)}`;
  return ` until ${date}${time === '23:59:59' && !until.utc ? '' : clock}`;
}

function list(items: string[], conjunction = 'and'): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items[items.length - 1]}`;
}
