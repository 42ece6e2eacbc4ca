/**
 * How long somebody is bound by a recurring plan, and when it may end: docs/algorithms/cancellation.md. Dates are the
 * business's. Pure.
 */
import { addDays, daysBetween } from '../../../../kernel/base/values/date.ts';
import { periodAt, periodStart, type Cycle } from '../../../../kernel/base/values/cycle.ts';
import type { Pause } from '../use/rules/allotment.ts';
import type { Plan } from './purchase.ts';

/** What was agreed about its end. */
export interface Agreed extends Pick<Plan, 'committedPeriods' | 'commitmentExpirationScheme'> {
  readonly cancellationNoticeDays: number | null;
}

/** A recurring plan as somebody has it. */
export interface Bound {
  readonly start: string;
  /** the last day if nobody cancels it; null: it goes on */
  readonly end: string | null;
  readonly cycle: Cycle;
  /** holds that make it last longer */
  readonly extending: readonly Pause[];
}

/**
 * One is bound from `start` until before `end`; the next contract, where there is one, begins with the period that
 * begins on `next`.
 */
interface Contract {
  readonly start: string;
  readonly end: string;
  readonly next: string;
}

const later = (a: string, b: string): string => (a > b ? a : b);

const periodFrom = (cycle: Cycle, day: string): number => {
  const n = periodAt(cycle, day);
  return periodStart(cycle, n) < day ? n + 1 : n;
};

/** The first day of a billing period that is not before this day. */
export const periodFromOn = (cycle: Cycle, day: string): string => periodStart(cycle, periodFrom(cycle, day));

/**
 * A hold that extends what it falls into moves the end, and may thereby let another one fall into it. One that nobody
 * has ended moves nothing yet.
 */
function extended(start: string, end: string, holds: readonly Pause[]): string {
  return holds
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
    .reduce(
      (until, hold) =>
        hold.end !== null && start <= hold.start && hold.start < until
          ? addDays(until, daysBetween(hold.start, hold.end) + 1)
          : until,
      end,
    );
}

/** Counted in whole periods from the first that is whole, without end: whoever asks takes as many as are needed. */
function* contracts(periods: number, { start, cycle, extending }: Bound): Generator<Contract, never> {
  for (let first = periodFrom(cycle, start), from = start; ; first = periodFrom(cycle, from)) {
    const end = extended(from, periodStart(cycle, first + periods), extending);
    const next = periodFromOn(cycle, end);
    yield { start: from, end, next };
    from = next;
  }
}

/**
 * The last day for which it may be cancelled on this day: the first end of a billing period that keeps the notice and
 * what was committed to.
 */
export function allowedCancellation(
  { committedPeriods, commitmentExpirationScheme, cancellationNoticeDays }: Agreed,
  bound: Bound,
  today: string,
): string {
  const { start, end, cycle } = bound;
  const earliest = addDays(later(later(today, start), addDays(today, cancellationNoticeDays ?? 0)), 1);
  const byItself = (first: string): string => (end !== null && end < addDays(first, -1) ? end : addDays(first, -1));
  if (committedPeriods === null) return byItself(periodFromOn(cycle, earliest));
  for (const contract of contracts(committedPeriods, bound)) {
    if (commitmentExpirationScheme !== 'renew_contract')
      return byItself(periodFromOn(cycle, later(contract.end, earliest)));
    if (contract.next >= earliest) return byItself(contract.next);
  }
  throw new Error('contracts have no end');
}

/** Whether a contract that is renewed begins anew with the billing period of this first day. */
export function renewsContract(
  { committedPeriods, commitmentExpirationScheme }: Pick<Agreed, 'committedPeriods' | 'commitmentExpirationScheme'>,
  bound: Bound,
  on: string,
): boolean {
  if (committedPeriods === null || commitmentExpirationScheme !== 'renew_contract') return false;
  for (const { next } of contracts(committedPeriods, bound)) if (next >= on) return next === on;
  return false;
}
