/**
 * States of payments, refunds and disputes. Reports about them arrive late, twice, in any order, or never. So states
 * are ranked, and a report only ever raises the state: the result is the same in any order. The table is in
 * docs/algorithms/payments.md.
 */

/** The states that a processor can report for a payment. */
export type PaymentEvidence = 'action_required' | 'pending' | 'failed' | 'succeeded';
export type PaymentState = 'started' | PaymentEvidence;

export type RefundState = 'pending' | 'succeeded' | 'failed';
export type DisputeState = 'open' | 'lost' | 'won';

/** States by rank. Money that has arrived stays arrived: no later "failed" undoes "succeeded". */
export const PAYMENT_STATES = [
  'started',
  'action_required',
  'pending',
  'failed',
  'succeeded',
] as const satisfies readonly PaymentState[];

/**
 * States by rank. A bank may return a refund days after it was sent. A failed refund stays failed: it is retried as a
 * new refund.
 */
export const REFUND_STATES = ['started', 'pending', 'succeeded', 'failed'] as const satisfies readonly (
  | 'started'
  | RefundState
)[];

/** States by rank. A lost dispute may be won later, when the bank decides again. */
export const DISPUTE_STATES = ['open', 'lost', 'won'] as const satisfies readonly DisputeState[];

const higher =
  <S extends string>(ranked: readonly S[]) =>
  (a: S, b: S): S =>
    ranked.indexOf(b) > ranked.indexOf(a) ? b : a;

/** Returns the state after a report. */
export const paymentAfter = higher<PaymentState>(PAYMENT_STATES);
export const refundAfter = higher<'started' | RefundState>(REFUND_STATES);
export const disputeAfter = higher<DisputeState>(DISPUTE_STATES);

/** Returns true if the processor need not be asked again. A message may still turn `failed` into `succeeded`. */
export const isSettled = (state: PaymentState): boolean => state === 'succeeded' || state === 'failed';
