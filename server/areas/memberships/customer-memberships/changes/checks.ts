/** Checks of a membership before it is changed. */
import { RetryTransaction } from '../../../../kernel/base/db/retry-transaction.ts';
import { Problem } from '../../../../kernel/base/problem.ts';
import type { Owned } from '../owned.ts';

/** Refuses a membership that has ended. */
export function checkGoesOn({ status, expiration_date }: Owned, remedy: string): void {
  if (status === 'cancelled') throw new Problem('already_cancelled', `The membership was cancelled. ${remedy}`);
  if (status === 'completed')
    throw new Problem('already_ended', `The membership ended on ${expiration_date}. ${remedy}`);
}

/** Refuses changes that a planned downgrade forbids. */
export function checkNoDowngrade({ is_set_for_cancellation, cancellation_reason }: Owned): void {
  if (is_set_for_cancellation && cancellation_reason === 'downgraded')
    throw new Problem(
      'conflict',
      'A downgrade is planned for the last day of this membership. Reactivate the membership first to take the downgrade back.',
    );
}

/** A day before any other: ending a membership immediately displaces every future booking. */
export const FIRST_DAY_EVER = '0001-01-01';

/**
 * Compares a decision made before the locks with the one made after them; if they differ, something changed in between,
 * and the transaction is retried. @throws Again
 */
export function sameOrAgain(before: object, after: object): void {
  if (JSON.stringify(before) !== JSON.stringify(after)) throw new RetryTransaction('the membership changed in between');
}
