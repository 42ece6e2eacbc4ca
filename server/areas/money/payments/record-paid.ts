/**
 * Writes down of several payments at the same time that their processors took the money: what `recordOutcome` does for one,
 * with as many statements as it needs for one. Only what is plain: whatever else there is to decide, is decided for each
 * alone.
 */
import { at, lockPayments, paidOf, payloadOf, type PaymentRow } from './rows.ts';
import { payeeOf } from './start.ts';
import { paymentSucceeded } from './feed.ts';
import { sql } from '../../../kernel/db/sql.ts';
import type { Outcome } from './processor.ts';
import type { Work } from '../../../kernel/work.ts';

/** What was heard of a payment that has just begun. */
export interface Heard {
  readonly row: PaymentRow;
  readonly outcome: Outcome;
}

/** It is paid, and nothing is to be kept or decided for it alone. */
export const isPlain = ({ row, outcome }: Heard): boolean =>
  outcome.state === 'succeeded' &&
  outcome.external !== null &&
  !row.save_method &&
  payeeOf(row.payee).together !== undefined;

/**
 * All are plain and of one payee. Whatever they are for is locked first, then the payments, each by id.
 * @throws Error if something of them has changed, or is not plain after all: then nothing of this may be kept
 */
export async function recordPaid(work: Work, heard: readonly Heard[]): Promise<void> {
  const payee = payeeOf(heard[0].row.payee).together!;
  const externals = new Map(heard.map(({ row, outcome }) => [row.id, outcome.external!]));
  const ids = [...externals.keys()].toSorted((a, b) => a - b);
  // Asked together: they share a round trip, in this order.
  const [held, before] = await Promise.all([
    payee.lock(
      work,
      heard.map(({ row }) => row.payee_id).toSorted((a, b) => a - b),
    ),
    lockPayments(work, ids),
  ]);
  if (before.length !== ids.length || before.some(({ status, external }) => status !== 'started' || external !== null))
    throw new Error('a payment is no longer as it was begun');
  for (const row of before) {
    work.touch('payment', row.id, row);
    work.record(paymentSucceeded, row.id, payloadOf(work, row));
  }
  if (!(await payee.paid(work, before.map(paidOf), held))) throw new Error('a payment is not taken like the others');
  const [after, waiting] = await Promise.all([
    work.tx.rows<PaymentRow>(sql`
      UPDATE payment p SET status = 'succeeded', external = n.external, action_url = NULL, next_at = NULL, trouble = NULL,
        succeeded_at = ${at(work)}::timestamptz, taken = true, failure = NULL, updated_at = ${at(work)}::timestamptz
      FROM unnest(${ids}::bigint[], ${ids.map((id) => externals.get(id))}::text[]) AS n (id, external)
      WHERE p.provider_id = ${work.providerId} AND p.id = n.id RETURNING p.*`),
    work.tx.rows(sql`SELECT FROM payment_message WHERE provider_id = ${work.providerId}
      AND payment_processor_id = ANY(${before.map((row) => row.payment_processor_id)}::bigint[])
      AND waits_for = ANY(${[...externals.values()]}::text[])`),
  ]);
  if (waiting.length > 0) throw new Error('a message has waited for a payment');
  for (const row of after) work.leave('payment', row.id, row);
}
