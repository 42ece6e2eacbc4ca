/** Ledger postings of payments. Each is posted once, even if a message arrives twice. */
import type { DisputeRow, PaymentRow, RefundRow } from './rows.ts';
import type { Posting } from '../ledger/index.ts';

const clearing = (payment: PaymentRow, amount: number) => ({
  account: 'clearing' as const,
  detail: String(payment.payment_processor_id),
  amount,
});
const unapplied = (payment: PaymentRow, amount: number) => ({
  account: 'unapplied' as const,
  customer: payment.customer_id,
  amount,
});

/** Returns the posting for money that arrived when its object was no longer available. */
export const notTaken = (payment: PaymentRow): Posting => ({
  kind: 'payment_unapplied',
  about: { object: 'payment', id: payment.id },
  explanation: `Payment ${payment.id} came too late for what it was for.`,
  lines: [clearing(payment, payment.amount_minor), unapplied(payment, -payment.amount_minor)],
});

/**
 * Returns the posting for a refund. From now on the money is the customer's: it can't be used otherwise while the
 * processor sends it.
 */
export const refunded = (payment: PaymentRow, refund: RefundRow): Posting => ({
  kind: 'payment_refund',
  about: { object: 'payment_refund', id: refund.id },
  explanation: refund.explanation,
  lines: [unapplied(payment, refund.amount_minor), clearing(payment, -refund.amount_minor)],
});

/** Returns the posting for a refund that came back: the money is still owed to the customer. */
export const refundReturned = (payment: PaymentRow, refund: RefundRow): Posting => ({
  kind: 'payment_refund_failed',
  about: { object: 'payment_refund', id: refund.id },
  explanation: `Refund ${refund.id} of payment ${payment.id} could not be sent.`,
  lines: [clearing(payment, refund.amount_minor), unapplied(payment, -refund.amount_minor)],
});

export const disputed = (payment: PaymentRow, dispute: DisputeRow): Posting => ({
  kind: 'payment_dispute',
  about: { object: 'payment_dispute', id: dispute.id },
  explanation: `The customer's bank took back payment ${payment.id}.`,
  lines: [{ account: 'dispute', amount: dispute.amount_minor }, clearing(payment, -dispute.amount_minor)],
});

export const disputeWon = (payment: PaymentRow, dispute: DisputeRow): Posting => ({
  kind: 'payment_dispute_won',
  about: { object: 'payment_dispute', id: dispute.id },
  explanation: `The dispute of payment ${payment.id} was won.`,
  lines: [clearing(payment, dispute.amount_minor), { account: 'dispute', amount: -dispute.amount_minor }],
});
