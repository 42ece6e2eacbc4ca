/**
 * Rules for the number of uses left, and for the day of the next: docs/algorithms/allotment.md. Dates are the event's
 * own. Pure.
 */
import {
  addDays,
  dateText,
  daysBetween,
  daysInMonth,
  partsOfDate,
  weekdayOf,
} from '../../../../../kernel/base/values/date.ts';
import { periodAt, periodOf, type Cycle, type Dates } from '../../../../../kernel/base/values/cycle.ts';

export type PeriodKind = 'day' | 'week' | 'month' | 'billing_period' | 'total';

/** A number of uses in a period, and the uses that count against it. */
export interface Pot {
  readonly period: PeriodKind;
  readonly max: number;
  /** maximum number of unused uses that roll over to the next period */
  readonly rollOver: number;
  /** offering types whose uses count: only these, or all except these */
  readonly counts: { readonly only: readonly number[] } | { readonly except: readonly number[] };
}

/** Uses of one offering type for events on one day. */
export interface Use {
  /** null if given or taken manually, for any offering type */
  readonly offeringType: number | null;
  /** YYYY-MM-DD */
  readonly on: string;
  readonly count: number;
}

/** A pause that reduces the allotment: both days are included. */
export interface Pause {
  readonly start: string;
  /** null until somebody ends it */
  readonly end: string | null;
}

/** The facts by which uses are counted. */
export interface Counted {
  /** first and last day; null if it has not begun, or has no end */
  readonly start: string | null;
  readonly end: string | null;
  /** for recurring plans */
  readonly cycle: Cycle | null;
  readonly uses: readonly Use[];
  readonly pauses: readonly Pause[];
}

const ALL_TIME: Dates = { start: '0001-01-01', end: '9999-12-31' };

/**
 * Returns the period that includes a day; `total` is all of the time. Without a cycle, a billing period is the calendar
 * month.
 */
export function periodFor(kind: PeriodKind, on: string, cycle: Cycle | null): Dates {
  if (kind === 'total') return ALL_TIME;
  if (kind === 'day') return { start: on, end: addDays(on, 1) };
  if (kind === 'week') {
    const start = addDays(on, 1 - weekdayOf(on));
    return { start, end: addDays(start, 7) };
  }
  if (kind === 'billing_period' && cycle) return periodOf(cycle, periodAt(cycle, on));
  const { year, month } = partsOfDate(on);
  const start = dateText({ year, month, day: 1 });
  return { start, end: addDays(start, daysInMonth(year, month)) };
}

const within = (on: string, { start, end }: Dates): boolean => start <= on && on < end;

const countsFor = ({ counts }: Pot, offeringType: number | null): boolean =>
  'only' in counts
    ? offeringType !== null && counts.only.includes(offeringType)
    : offeringType === null || !counts.except.includes(offeringType);

export const usedIn = (pot: Pot, dates: Dates, uses: readonly Use[]): number =>
  uses.reduce((sum, use) => (within(use.on, dates) && countsFor(pot, use.offeringType) ? sum + use.count : sum), 0);

interface Prorated {
  readonly activeDays: number;
  readonly totalDays: number;
  readonly original: number;
  readonly max: number;
  readonly pauses: readonly { readonly start: string; readonly end: string }[];
}

/**
 * Reduces a number of uses in a period by the days of pauses, rounding half up. Null if no pause overlaps it, or it has
 * no end.
 */
export function prorate(
  max: number,
  period: Dates,
  { start, end, pauses }: Pick<Counted, 'start' | 'end' | 'pauses'>,
): Prorated | null {
  const all = period === ALL_TIME ? (start === null || end === null ? null : { start, end: addDays(end, 1) }) : period;
  if (all === null) return null;
  const touching = pauses
    .map((p) => ({
      start: p.start > all.start ? p.start : all.start,
      end: p.end === null || p.end >= all.end ? all.end : addDays(p.end, 1),
    }))
    .filter((p) => p.start < p.end);
  if (touching.length === 0) return null;
  const totalDays = daysBetween(all.start, all.end);
  const activeDays = totalDays - touching.reduce((sum, p) => sum + daysBetween(p.start, p.end), 0);
  return {
    activeDays,
    totalDays,
    original: max,
    max: Math.floor((2 * max * activeDays + totalDays) / (2 * totalDays)),
    pauses: touching.map((p) => ({ start: p.start, end: addDays(p.end, -1) })),
  };
}

export interface PotState {
  readonly dates: Dates;
  /** uses in this period: after pauses, with those that rolled over from the period before */
  readonly max: number;
  readonly used: number;
  /** never negative */
  readonly left: number;
  readonly prorated: Prorated | null;
}

const clamp = (n: number, max: number): number => Math.max(0, Math.min(n, max));

/** Returns the state of a pot in the period that includes the day. */
export function stateOf(pot: Pot, on: string, counted: Counted): PotState {
  const dates = periodFor(pot.period, on, counted.cycle);
  const maxOf = (d: Dates): number => prorate(pot.max, d, counted)?.max ?? pot.max;
  const used = usedIn(pot, dates, counted.uses);
  const rolls = pot.rollOver > 0 && pot.period !== 'total';
  const max = maxOf(dates) + (rolls ? rolledInto(pot, dates, counted, maxOf) : 0);
  // Uses that the next period has already taken from this one are no longer available.
  const lent = rolls
    ? Math.max(
        0,
        usedIn(pot, periodFor(pot.period, dates.end, counted.cycle), counted.uses) -
          maxOf(periodFor(pot.period, dates.end, counted.cycle)),
      )
    : 0;
  const left = Math.min(max - used, lent > 0 ? maxOf(dates) - lent - used : Infinity);
  return { dates, max, used, left: Math.max(0, left), prorated: prorate(pot.max, dates, counted) };
}

function rolledInto(pot: Pot, { start }: Dates, counted: Counted, maxOf: (d: Dates) => number): number {
  const before = periodFor(pot.period, addDays(start, -1), counted.cycle);
  // Nothing rolls over from a period before the membership began.
  if (counted.start === null || counted.start >= before.end) return 0;
  return clamp(maxOf(before) - usedIn(pot, before, counted.uses), pot.rollOver);
}

/** Returns the number of uses left on that day; null for unlimited use. */
export function usesLeft(pots: readonly Pot[], on: string, counted: Counted): number | null {
  return pots.length === 0 ? null : Math.min(...pots.map((pot) => stateOf(pot, on, counted).left));
}

/** Number of periods that are searched for the next use; a limit without any in as many has none. */
const PERIODS_AHEAD = 60;

/** Returns the first later day with a use left; null if there is none. */
export function renewsOn(pots: readonly Pot[], on: string, counted: Counted): string | null {
  let day = on;
  for (let i = 0; i < PERIODS_AHEAD; i++) {
    const empty = pots
      .map((pot) => ({ pot, state: stateOf(pot, day, counted) }))
      .filter(({ state }) => state.left === 0);
    if (empty.length === 0) return day === on ? null : day;
    if (empty.some(({ pot }) => pot.period === 'total')) return null;
    day = empty.map(({ state }) => state.dates.end).reduce((a, b) => (a > b ? a : b));
    if (counted.end !== null && day > counted.end) return null;
  }
  return null;
}
