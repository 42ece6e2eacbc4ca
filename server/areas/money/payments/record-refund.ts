/** Records responses and messages about refunds and disputes, in any order and any number of times. */
import { amountText, at, lockPayment, readRefund, type DisputeRow, type PaymentRow, type RefundRow } from './rows.ts';
import { disputeAfter, refundAfter } from './rules/states.ts';
import { paymentDisputeFeed, paymentRefundFeed } from './feed.ts';
import { disputed, disputeWon, refundReturned } from './postings.ts';
import { insertRow, lockRows, updateRow } from '../../../kernel/work/unit/row.ts';
import { instant, sql } from '../../../kernel/base/db/sql.ts';
import { notFound } from '../../../kernel/base/problem.ts';
import { post } from '../ledger/index.ts';
import { recordOutcome } from './record.ts';
import { refundPayload } from './start.ts';
import { waitAfter } from './rules/next.ts';
import type { DisputeOutcome, RefundOutcome } from './processor.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const NO_REASON = 'The payment processor could not send the money.';
const STUCK =
  'The payment processor has not said for weeks what became of this refund. Check its dashboard, then ask again.';

/** Records the outcome of a refund and returns its current state. */
export async function recordRefund(work: Work, id: number, reported: RefundOutcome): Promise<RefundRow['status']> {
  const seen = await readRefund(work, id);
  if (!seen) throw notFound();
  const payment = await lockPayment(work, seen.payment_id);
  const [before] = await lockRows<RefundRow>(work, 'payment_refund', [id]);
  const status = refundAfter(before.status, reported.state);
  const changed = status !== before.status;
  const settled = status === 'succeeded' || status === 'failed';
  const external = before.external ?? reported.external;
  if (changed || external !== before.external) work.touch('payment_refund', id, before);
  else if (settled) return status;
  const next = settled ? null : waitAfter(before.attempts);
  await updateRow(work, 'payment_refund', id, {
    status,
    external,
    next_at: next === null ? null : instant(work.now + next),
    trouble: settled || next !== null ? null : STUCK,
    ...(changed && status === 'succeeded' && { succeeded_at: at(work) }),
    ...(changed && status === 'failed' && { failed_at: at(work), failure: (reported.why ?? NO_REASON).slice(0, 500) }),
  });
  if (!changed) return status;
  if (status === 'succeeded') work.record(paymentRefundFeed.succeeded, id, refundPayload(work, payment, before));
  if (status === 'failed') {
    work.touch('payment', payment.id, payment);
    await post(work, refundReturned(payment, before));
    work.record(paymentRefundFeed.failed, id, refundPayload(work, payment, before));
  }
  return status;
}

/** Records a dispute. A disputed payment was paid, even if no message has said so yet. */
export async function recordDispute(work: Work, paymentId: number, reported: DisputeOutcome): Promise<void> {
  await recordOutcome(work, paymentId, { state: 'succeeded', external: null });
  const payment = await lockPayment(work, paymentId);
  const before = await work.tx.one<DisputeRow>(
    sql`SELECT * FROM payment_dispute WHERE provider_id = ${work.providerId} AND payment_id = ${paymentId}
          AND external = ${reported.external} FOR NO KEY UPDATE`,
  );
  const status = before ? disputeAfter(before.status, reported.state) : reported.state;
  const known = { status, closed_at: status === 'open' ? null : at(work), reason: reported.reason.slice(0, 500) };
  const answer_by = reported.answerBy ? instant(reported.answerBy) : undefined;
  if (!before) {
    const values = {
      payment_id: paymentId,
      external: reported.external,
      amount_minor: reported.amount,
      answer_by,
      ...known,
    };
    const id = await insertRow(work, 'payment_dispute', values);
    const row = { ...values, id, amount_minor: reported.amount } as DisputeRow;
    await post(work, disputed(payment, row));
    work.record(paymentDisputeFeed.created, id, payloadOfDispute(work, payment, row));
    if (status === 'won') await post(work, disputeWon(payment, row));
    return;
  }
  if (status === before.status) return;
  work.touch('payment_dispute', before.id, before);
  await updateRow(work, 'payment_dispute', before.id, { ...known, answer_by });
  if (status === 'won') await post(work, disputeWon(payment, before));
  work.record(paymentDisputeFeed.updated, before.id, payloadOfDispute(work, payment, { ...before, status }));
}

const payloadOfDispute = (work: Work, payment: PaymentRow, row: DisputeRow) => ({
  payment_dispute: row.id,
  payment: payment.id,
  customer: payment.customer_id,
  amount: amountText(work, row.amount_minor),
  status: row.status,
});
