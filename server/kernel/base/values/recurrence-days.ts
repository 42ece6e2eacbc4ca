/**
 * Days of a recurrence, in order, as day numbers (days since 1970-01-01); no times, no zone. The rule's periods become
 * spans of days, and the days of each span are filtered. docs/algorithms/recurrence.md explains why, and why the search
 * always ends.
 */
import { dayNumber, daysInMonth, weekday, yearMonthDay } from './date.ts';
import type { Frequency, Recurrence } from './recurrence-text.ts';

/** Days `first` to `last`, within which ordinals and days of the month are counted. */
type Span = { first: number; last: number };

// The Gregorian calendar repeats every 400 years, which are whole weeks. After this many periods in a row without a
// match, every position that the rule can reach has been tried, so nothing will ever match.
const PERIODS_IN_CYCLE: Record<Frequency, number> = { DAILY: 146_097, WEEKLY: 20_871, MONTHLY: 4800, YEARLY: 400 };
const LAST_DAY = dayNumber(9999, 12, 31);

/**
 * Yields days of the rule from the anchor (the day the schedule starts) on. Without COUNT, the search may begin at
 * `from`, which is no later than the first wanted day; COUNT has to be counted from the anchor. Ends with the day
 * `through` at the latest.
 */
export function* recurrenceDays(
  rule: Recurrence,
  anchor: number,
  from: number,
  through: number,
): Generator<number, void> {
  const last = Math.min(through, LAST_DAY);
  const firstPeriod = rule.count === null && from > anchor ? periodBefore(rule, anchor, from) : 0;
  let left = rule.count ?? Infinity;
  let barren = 0;
  for (let period = firstPeriod; barren < PERIODS_IN_CYCLE[rule.frequency]; period++) {
    barren += 1;
    for (const span of spansOfPeriod(rule, anchor, period)) {
      for (let day = Math.max(span.first, anchor); day <= span.last; day++) {
        if (day > last) return;
        if (!matches(rule, anchor, span, day)) continue;
        barren = 0;
        yield day;
        if (--left === 0) return;
      }
    }
    if (lastOfPeriod(rule, anchor, period) > last) return;
  }
}

/** Returns a period of the rule that ends before `from`: periods are counted from the anchor's. */
function periodBefore(rule: Recurrence, anchor: number, from: number): number {
  const start = yearMonthDay(anchor);
  const target = yearMonthDay(from);
  const years = target.year - start.year;
  const elapsed = {
    DAILY: from - anchor,
    WEEKLY: Math.floor((from - anchor) / 7),
    MONTHLY: years * 12 + target.month - start.month,
    YEARLY: years,
  }[rule.frequency];
  return Math.max(0, Math.floor(elapsed / rule.interval) - 1);
}

function spansOfPeriod(rule: Recurrence, anchor: number, period: number): Span[] {
  const steps = period * rule.interval;
  if (rule.frequency === 'DAILY') return [{ first: anchor + steps, last: anchor + steps }];
  if (rule.frequency === 'WEEKLY') {
    const first = weekStarting(rule, anchor) + steps * 7;
    return [{ first, last: first + 6 }];
  }
  const { year, month } = yearMonthDay(anchor);
  if (rule.frequency === 'MONTHLY') {
    const months = year * 12 + month - 1 + steps;
    return monthSpans(Math.floor(months / 12), [(months % 12) + 1]);
  }
  return yearSpans(rule, year + steps, month);
}

function weekStarting(rule: Recurrence, day: number): number {
  return day - ((weekday(day) - rule.weekStart + 7) % 7);
}

/**
 * Returns the spans of a year: its months, or the whole year if the rule has nothing but weekdays (20MO is the 20th
 * Monday of the year).
 */
function yearSpans(rule: Recurrence, year: number, anchorMonth: number): Span[] {
  if (rule.byMonth.length > 0) return monthSpans(year, rule.byMonth);
  if (rule.byMonthDay.length > 0) return monthSpans(year, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  if (rule.byDay.length > 0) return [{ first: dayNumber(year, 1, 1), last: dayNumber(year, 12, 31) }];
  return monthSpans(year, [anchorMonth]);
}

function monthSpans(year: number, months: number[]): Span[] {
  return months.map((month) => ({
    first: dayNumber(year, month, 1),
    last: dayNumber(year, month, daysInMonth(year, month)),
  }));
}

function lastOfPeriod(rule: Recurrence, anchor: number, period: number): number {
  const spans = spansOfPeriod(rule, anchor, period);
  return spans[spans.length - 1].last;
}

function matches(rule: Recurrence, anchor: number, span: Span, day: number): boolean {
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(yearMonthDay(day).month)) return false;
  if (rule.byMonthDay.length > 0 && !isOnMonthDay(rule, day)) return false;
  if (rule.byDay.length > 0) return isOnWeekday(rule, span, day);
  return rule.byMonthDay.length > 0 || isLikeAnchor(rule, anchor, day);
}

function isOnMonthDay(rule: Recurrence, day: number): boolean {
  const date = yearMonthDay(day);
  const fromEnd = date.day - daysInMonth(date.year, date.month) - 1;
  return rule.byMonthDay.includes(date.day) || rule.byMonthDay.includes(fromEnd);
}

function isOnWeekday(rule: Recurrence, span: Span, day: number): boolean {
  const fromStart = Math.floor((day - span.first) / 7) + 1;
  const fromEnd = -(Math.floor((span.last - day) / 7) + 1);
  return rule.byDay.some(
    (by) => by.weekday === weekday(day) && (by.ordinal === null || by.ordinal === fromStart || by.ordinal === fromEnd),
  );
}

/**
 * Returns true if the day matches the anchor's: without BYDAY and BYMONTHDAY, the anchor determines the day of the week
 * or month. Months without that day are skipped.
 */
function isLikeAnchor(rule: Recurrence, anchor: number, day: number): boolean {
  if (rule.frequency === 'DAILY') return true;
  if (rule.frequency === 'WEEKLY') return weekday(day) === weekday(anchor);
  return yearMonthDay(day).day === yearMonthDay(anchor).day;
}
