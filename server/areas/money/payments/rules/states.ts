/**
 * Where payments, refunds and disputes stand. What is heard about them arrives late, twice, in any order, or never. So
 * states are ranked, and hearing something only ever raises the state: whatever the order, the end is the same. The
 * table is in docs/algorithms/payments.md.
 */

/** What a processor can say about a payment. */
export type PaymentEvidence = 'action_required' | 'pending' | 'failed' | 'succeeded';
export type PaymentState = 'started' | PaymentEvidence;

export type RefundState = 'pending' | 'succeeded' | 'failed';
export type DisputeState = 'open' | 'lost' | 'won';

/** Money that arrived has arrived: no later "failed" undoes "succeeded". */
export const PAYMENT_STATES = [
  'started',
  'action_required',
  'pending',
  'failed',
  'succeeded',
] as const satisfies readonly PaymentState[];

/** A bank may return a refund days after it was sent. What failed stays failed: it is tried again as another refund. */
export const REFUND_STATES = ['started', 'pending', 'succeeded', 'failed'] as const satisfies readonly (
  | 'started'
  | RefundState
)[];

/** What was lost may be won later, when the bank decides again. */
export const DISPUTE_STATES = ['open', 'lost', 'won'] as const satisfies readonly DisputeState[];

const higher =
  <S extends string>(ranked: readonly S[]) =>
  (a: S, b: S): S =>
    ranked.indexOf(b) > ranked.indexOf(a) ? b : a;

/** The state after hearing something. */
export const paymentAfter = higher<PaymentState>(PAYMENT_STATES);
export const refundAfter = higher<'started' | RefundState>(REFUND_STATES);
export const disputeAfter = higher<DisputeState>(DISPUTE_STATES);

/** Nobody needs to ask again. A message may still turn `failed` into `succeeded`. */
export const isSettled = (state: PaymentState): boolean => state === 'succeeded' || state === 'failed';
