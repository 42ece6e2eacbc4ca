/** What follows when an invoice could not be paid: docs/algorithms/dunning.md. Days are the business's. Pure. */
import { addDays } from '../../../../kernel/base/values/date.ts';

export interface Calendar {
  /** days from each try that failed to the next one */
  readonly retryDays: readonly number[];
  /** days from the first failure until the membership can't be used; null: it always can */
  readonly graceDays: number | null;
}

export interface AfterFailure {
  readonly status: 'failed' | 'retrying' | 'retry_failed';
  /** YYYY-MM-DD, the day of the next try; null: there is none */
  readonly nextOn: string | null;
  /** the day from which the membership can't be used; null: as before, or never */
  readonly blockOn: string | null;
  /** nothing is tried any more: what the business wants then is done */
  readonly last: boolean;
}

/** `failures`: tries that have failed, this one included. `today`: the day on which it failed. */
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
