/** Events after a payment: refunds, and disputes that the customer's bank opens. */
import type { Account } from './account.ts';
import type { Kept } from './objects.ts';
import { invalid } from './refusal.ts';

export function refund(account: Account, intentId: string, asked: number | null, metadata: object): Kept {
  const intent = account.objects.get('payment_intent', intentId, 'payment_intent');
  const charge = intent.latest_charge && account.objects.find('charge', intent.latest_charge);
  if (!charge)
    throw invalid('This PaymentIntent does not have a successful charge to refund.', 'charge_not_refundable');
  const left = charge.amount - charge.amount_refunded;
  const amount = asked ?? left;
  if (charge.disputed)
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  if (amount > left)
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      undefined,
      'amount',
    );
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const card = account.cardOf(charge.payment_method);
  const made = account.objects.add('refund', {
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: intent.id,
    metadata,
    reason: null,
    status: card.refund === 'pending' ? 'pending' : 'succeeded',
  });
  account.tell('refund.created', made);
  account.tell('charge.refunded', charge);
  if (card.refund === 'failed') endRefund(account, made.id, 'failed');
  return made;
}

/** Completes a pending refund, or lets the bank return one, even after it had succeeded. */
export function endRefund(account: Account, id: string, status: 'succeeded' | 'failed'): void {
  const made = account.objects.get('refund', id);
  made.status = status;
  if (status === 'failed') {
    made.failure_reason = 'expired_or_canceled_card';
    const charge = account.objects.get('charge', made.charge);
    charge.amount_refunded -= made.amount;
    charge.refunded = false;
  }
  account.tell(status === 'failed' ? 'refund.failed' : 'refund.updated', made);
}

export function dispute(account: Account, intentId: string, amount?: number): Kept {
  const intent = account.objects.get('payment_intent', intentId);
  const charge = account.objects.get('charge', intent.latest_charge);
  charge.disputed = true;
  const opened = account.objects.add('dispute', {
    amount: amount ?? charge.amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: intent.id,
    reason: 'fraudulent',
    status: 'needs_response',
    evidence_details: {
      due_by: Math.floor(account.now() / 1000) + 7 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    metadata: {},
  });
  account.tell('charge.dispute.created', opened);
  account.tell('charge.dispute.funds_withdrawn', opened);
  return opened;
}

export function closeDispute(account: Account, id: string, status: 'won' | 'lost'): void {
  const opened = account.objects.get('dispute', id);
  opened.status = status;
  if (status === 'won') account.tell('charge.dispute.funds_reinstated', opened);
  account.tell('charge.dispute.closed', opened);
}
