/** Rules for the term and the billing periods of a recurring plan. Pure. */
import { addDays, weekdayOf } from '../../../../kernel/base/values/date.ts';
import { periodAt, periodOf, periodStart, type Cycle } from '../../../../kernel/base/values/cycle.ts';

/** The billing periods of a plan. */
export interface Billed {
  readonly periodLength: number;
  readonly periodUnit: 'months' | 'weeks';
  readonly fixedDayOfMonth: number | null;
  /** 1 is Monday */
  readonly fixedDayOfWeek: number | null;
}

export interface Plan extends Billed {
  readonly committedPeriods: number | null;
  readonly commitmentExpirationScheme: 'stop_contract' | 'renew_contract' | 'continue_by_period';
}

/**
 * Returns the periods from the start on. With a fixed day they begin on that day, and the days before it belong to a
 * period that began earlier.
 */
export function cycleFrom(
  { periodLength: length, periodUnit: unit, fixedDayOfMonth: day, fixedDayOfWeek }: Billed,
  start: string,
): Cycle {
  if (unit === 'weeks')
    return {
      unit,
      length,
      anchor: fixedDayOfWeek === null ? start : addDays(start, -((weekdayOf(start) - fixedDayOfWeek + 7) % 7)),
    };
  return day === null ? { unit, length, anchor: start } : { unit, length, anchor: start, day };
}

/** Returns the day on which the second payment of a plan that starts on this day is due. */
export function firstPeriodEnd(plan: Billed, start: string): string {
  const cycle = cycleFrom(plan, start);
  return periodOf(cycle, periodAt(cycle, start)).end;
}

/**
 * Returns the last day of a contract that ends with its commitment, counted from the first whole period; null if it has
 * no end.
 */
export function lastDayOf(plan: Plan, start: string): string | null {
  if (plan.committedPeriods === null || plan.commitmentExpirationScheme !== 'stop_contract') return null;
  const cycle = cycleFrom(plan, start);
  const n = periodAt(cycle, start);
  const first = periodStart(cycle, n) === start ? n : n + 1;
  return addDays(periodStart(cycle, first + plan.committedPeriods), -1);
}
