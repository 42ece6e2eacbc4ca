/**
 * Consequences of an invoice that could not be paid: docs/algorithms/dunning.md. Days are those of the business. Pure.
 */
import { addDays } from '../../../../kernel/base/values/date.ts';

interface Calendar {
  /** days from each failed attempt to the next one */
  readonly retryDays: readonly number[];
  /** days from the first failure until the membership can't be used; null if it always can */
  readonly graceDays: number | null;
}

export interface AfterFailure {
  readonly status: 'failed' | 'retrying' | 'retry_failed';
  /** YYYY-MM-DD, the day of the next attempt; null if there is none */
  readonly nextOn: string | null;
  /** the day from which the membership can't be used; null if that doesn't change, or it is never blocked */
  readonly blockOn: string | null;
  /** true if there are no more attempts, so the business's choice for that case applies */
  readonly last: boolean;
}

/** `failures`: failed attempts, including this one. `today`: the day of the failure. */
export function afterFailure({ retryDays, graceDays }: Calendar, failures: number, today: string): AfterFailure {
  const wait = retryDays[failures - 1];
  const last = wait === undefined;
  return {
    status: !last ? 'retrying' : failures > 1 ? 'retry_failed' : 'failed',
    nextOn: last ? null : addDays(today, wait),
    blockOn: failures === 1 && graceDays !== null ? addDays(today, graceDays) : null,
    last,
  };
}
