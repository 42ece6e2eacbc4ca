/**
 * Records several successful payments together: like `recordOutcome`, with as many statements for all as for one.
 * Handles only the plain case: payments that need any other decision are recorded one by one.
 */
import { at, lockPayments, toPaidPayment, payloadOf, type PaymentRow } from './rows.ts';
import { payeeOf } from './start.ts';
import { paymentFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import type { Outcome } from './processor.ts';
import type { PaidPayment } from './payees.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

/** The response about a payment that has just begun. */
export interface Heard {
  readonly row: PaymentRow;
  readonly outcome: Outcome;
}

/** Returns true if the payment succeeded, and nothing else is to be saved or decided. */
export const isPlain = ({ row, outcome }: Heard): boolean =>
  outcome.state === 'succeeded' &&
  outcome.external !== null &&
  !row.save_method &&
  payeeOf(row.payee).together !== undefined;

/**
 * Records payments that are all plain and have the same payee. Locks the objects that are paid first, then the
 * payments, each by id. Returns the ids of those that are paid now, including those that a message has already
 * reported; any other payment must be recorded alone.
 * @throws Error if one can't be recorded like the others: the caller must roll back
 */
export async function recordPaid(work: Work, reported: readonly Heard[]): Promise<ReadonlySet<number>> {
  const payee = payeeOf(reported[0].row.payee).together!;
  const externals = new Map(reported.map(({ row, outcome }) => [row.id, outcome.external!]));
  // Sent together: they share a round trip, in this order.
  const [held, before] = await Promise.all([
    payee.lock(work, inOrder(reported.map(({ row }) => row.payee_id))),
    lockPayments(work, inOrder([...externals.keys()])),
  ]);
  const begun = before.filter(({ status, external }) => status === 'started' && external === null);
  const known = before.filter(
    ({ id, status, external, next_at }) => status === 'succeeded' && next_at === null && external === externals.get(id),
  );
  if (begun.length > 0) await takeAll(work, begun, externals, (paid) => payee.paid(work, paid, held));
  return new Set([...begun, ...known].map(({ id }) => id));
}

const inOrder = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);

async function takeAll(
  work: Work,
  begun: readonly PaymentRow[],
  externals: ReadonlyMap<number, string>,
  offer: (paid: readonly PaidPayment[]) => Promise<boolean>,
): Promise<void> {
  for (const row of begun) {
    work.touch('payment', row.id, row);
    work.record(paymentFeed.succeeded, row.id, payloadOf(work, row));
  }
  if (!(await offer(begun.map(toPaidPayment)))) throw new Error('a payment was taken only in part');
  const names = begun.map(({ id }) => externals.get(id)!);
  const [after, waiting] = await Promise.all([
    work.tx.rows<PaymentRow>(sql`
      UPDATE payment p SET status = 'succeeded', external = n.external, action_url = NULL, next_at = NULL,
        trouble = NULL,
        succeeded_at = ${at(work)}::timestamptz, taken = true, failure = NULL, updated_at = ${at(work)}::timestamptz
      FROM unnest(${begun.map(({ id }) => id)}::bigint[], ${names}::text[]) AS n (id, external)
      WHERE p.provider_id = ${work.providerId} AND p.id = n.id RETURNING p.*`),
    work.tx.rows(sql`SELECT FROM payment_message WHERE provider_id = ${work.providerId}
      AND payment_processor_id = ANY(${begun.map((row) => row.payment_processor_id)}::bigint[])
      AND waits_for = ANY(${names}::text[])`),
  ]);
  if (waiting.length > 0) throw new Error('a message has waited for a payment');
  for (const row of after) work.leave('payment', row.id, row);
}
