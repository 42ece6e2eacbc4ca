/**
 * Rules for the billing periods of a recurring plan that have begun: docs/algorithms/renewal.md. Dates are the
 * business's. Pure.
 */
import { periodAt, periodOf, type Cycle, type Dates } from '../../../../../kernel/base/values/cycle.ts';

export interface Renewing {
  readonly cycle: Cycle;
  /** first day of the next period */
  readonly renewsOn: string;
  /** last day; null if it has no end */
  readonly end: string | null;
  /** both days included; `end` is null until somebody ends it */
  readonly holds: readonly { readonly start: string; readonly end: string | null }[];
}

export interface Renewal {
  readonly period: Dates;
  /** false if it begins within a hold, so that its price is not due */
  readonly billed: boolean;
}

/**
 * Returns the next period if it has begun by this day; null otherwise. Ask for further periods with the end of that
 * one.
 */
export function nextRenewal({ cycle, renewsOn, end, holds }: Renewing, today: string): Renewal | null {
  if (renewsOn > today || (end !== null && renewsOn > end)) return null;
  const { end: until } = periodOf(cycle, periodAt(cycle, renewsOn));
  return {
    period: { start: renewsOn, end: until },
    billed: !holds.some((hold) => hold.start <= renewsOn && (hold.end === null || renewsOn <= hold.end)),
  };
}

/** Limit of the search: a hold without an end would continue it forever. */
const MAX_PERIODS = 60;
const ENDLESS = '2999-12-31';

/** Yields the upcoming periods whose price will be due, in the current state: those within holds are left out. */
export function* billedAhead(renewing: Renewing): Generator<Renewal> {
  let at = renewing;
  for (let n = 0; n < MAX_PERIODS; n++) {
    const renewal = nextRenewal(at, ENDLESS);
    if (renewal === null) return;
    if (renewal.billed) yield renewal;
    at = { ...at, renewsOn: renewal.period.end };
  }
}
