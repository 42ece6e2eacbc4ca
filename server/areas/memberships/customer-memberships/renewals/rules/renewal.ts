/**
 * The billing periods of a recurring plan that have begun: docs/algorithms/renewal.md. Dates are the business's. Pure.
 */
import { periodAt, periodOf, type Cycle, type Dates } from '../../../../../kernel/base/values/cycle.ts';

export interface Renewing {
  readonly cycle: Cycle;
  /** first day of the period that begins next */
  readonly renewsOn: string;
  /** the last day; null: without end */
  readonly end: string | null;
  /** both days are within; an end of null: nobody has ended it */
  readonly holds: readonly { readonly start: string; readonly end: string | null }[];
}

export interface Renewal {
  readonly period: Dates;
  /** false: it begins within a hold, and the price is not due for it */
  readonly billed: boolean;
}

/**
 * The next period, where it has begun by this day; null: none has. Whoever asks again does so with the end of that
 * period.
 */
export function nextRenewal({ cycle, renewsOn, end, holds }: Renewing, today: string): Renewal | null {
  if (renewsOn > today || (end !== null && renewsOn > end)) return null;
  const { end: until } = periodOf(cycle, periodAt(cycle, renewsOn));
  return {
    period: { start: renewsOn, end: until },
    billed: !holds.some((hold) => hold.start <= renewsOn && (hold.end === null || renewsOn <= hold.end)),
  };
}

/** Nobody looks further: a hold without an end lasts for ever. */
const MOST_PERIODS = 60;
const ENDLESS = '2999-12-31';

/** The periods that will begin whose price will be due, as everything stands: those within holds are left out. */
export function* billedAhead(renewing: Renewing): Generator<Renewal> {
  let at = renewing;
  for (let n = 0; n < MOST_PERIODS; n++) {
    const renewal = nextRenewal(at, ENDLESS);
    if (renewal === null) return;
    if (renewal.billed) yield renewal;
    at = { ...at, renewsOn: renewal.period.end };
  }
}
