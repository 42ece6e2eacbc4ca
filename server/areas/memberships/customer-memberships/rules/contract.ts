/**
 * Rules for the commitment to a recurring plan, and for its end: docs/algorithms/cancellation.md. Dates are the
 * business's. Pure.
 */
import { addDays, daysBetween } from '../../../../kernel/base/values/date.ts';
import { periodAt, periodStart, type Cycle } from '../../../../kernel/base/values/cycle.ts';
import type { Pause } from '../use/rules/allotment.ts';
import type { Plan } from './purchase.ts';

/** The agreed terms for its end. */
export interface Agreed extends Pick<Plan, 'committedPeriods' | 'commitmentExpirationScheme'> {
  readonly cancellationNoticeDays: number | null;
}

/** A recurring plan of a customer. */
export interface Bound {
  readonly start: string;
  /** last day without a cancellation; null if it has none */
  readonly end: string | null;
  readonly cycle: Cycle;
  /** holds that extend it */
  readonly extending: readonly Pause[];
}

/**
 * A customer is bound from `start` until before `end`; the next contract, if any, begins with the period that begins on
 * `next`.
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

/** Returns the first day of the first billing period that begins on this day or later. */
const periodFromOn = (cycle: Cycle, day: string): string => periodStart(cycle, periodFrom(cycle, day));

/**
 * Returns the end after holds. A hold within the contract moves its end, so that another hold may fall into it. A hold
 * without an end moves nothing yet.
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

/** Yields contracts in whole periods from the first whole one, without end: the caller takes as many as it needs. */
function* contracts(periods: number, { start, cycle, extending }: Bound): Generator<Contract, never> {
  for (let first = periodFrom(cycle, start), from = start; ; first = periodFrom(cycle, from)) {
    const end = extended(from, periodStart(cycle, first + periods), extending);
    const next = periodFromOn(cycle, end);
    yield { start: from, end, next };
    from = next;
  }
}

/**
 * Returns the last day for which it may be cancelled on this day: the first end of a billing period that respects the
 * notice and the commitment.
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

/** Returns the last day of the commitment that binds the customer on this day; null if none does. */
export function committedUntil(
  { committedPeriods, commitmentExpirationScheme }: Pick<Agreed, 'committedPeriods' | 'commitmentExpirationScheme'>,
  bound: Bound,
  today: string,
): string | null {
  if (committedPeriods === null) return null;
  for (const { end, next } of contracts(committedPeriods, bound)) {
    if (commitmentExpirationScheme !== 'renew_contract') return end > today ? addDays(end, -1) : null;
    if (next > today) return addDays(next, -1);
  }
  throw new Error('contracts have no end');
}

/** Returns true if a renewed contract begins with the billing period of this first day. */
export function renewsContract(
  { committedPeriods, commitmentExpirationScheme }: Pick<Agreed, 'committedPeriods' | 'commitmentExpirationScheme'>,
  bound: Bound,
  on: string,
): boolean {
  if (committedPeriods === null || commitmentExpirationScheme !== 'renew_contract') return false;
  for (const { next } of contracts(committedPeriods, bound)) if (next >= on) return next === on;
  return false;
}
