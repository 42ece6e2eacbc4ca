/** Stripe's objects as outcomes. Only fetched objects count, because they are current. */
import { CANCELLED, EXPIRED, declineSentence, NOT_SAVED, refundSentence, SETUP_EXPIRED } from './rules/sentences.ts';
import { fromStripe } from './rules/amounts.ts';
import { savedMethod } from './methods.ts';
import { StripeTrouble } from './trouble.ts';
import type { DisputeOutcome, Outcome, RefundOutcome } from '../processor.ts';
import type Stripe from 'stripe';

export const idOf = (reference: string | { readonly id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

const whole = <T extends { readonly id: string }>(reference: string | T | null | undefined): T | null =>
  typeof reference === 'string' ? null : (reference ?? null);

/** The parts of a session to expand for all that is read here. */
export const SESSION_PARTS = ['payment_intent.payment_method'];

/**
 * Checks the amount. A payment of another amount would be booked as the requested one, so it is better to stop and let
 * a person look.
 */
function checkAmount(
  { metadata }: { readonly metadata: Stripe.Metadata | null },
  paid: number,
  currency: string,
): void {
  const code = currency.toUpperCase();
  if (metadata?.rollcall_amount !== `${fromStripe(paid, code)} ${code}`)
    throw new StripeTrouble(
      'The amount at Stripe differs from the amount of the payment. Compare them in the Dashboard.',
    );
}

/** Returns the outcome of a session that was fetched with `SESSION_PARTS`. */
export function sessionOutcome(session: Stripe.Checkout.Session): Outcome {
  const external = session.id;
  const intent = whole<Stripe.PaymentIntent>(session.payment_intent);
  if (session.status === 'open')
    return session.url === null
      ? { state: 'pending', external }
      : { state: 'action_required', external, url: session.url };
  if (session.status === 'expired') return { state: 'failed', external, why: EXPIRED };
  if (session.payment_status === 'paid') {
    checkAmount(session, session.amount_total ?? 0, session.currency ?? '');
    return { state: 'succeeded', external, ...(intent && kept(intent)) };
  }
  // Complete but unpaid: the method takes days, unless the bank has declined it in the meantime.
  if (intent?.status === 'requires_payment_method' || intent?.status === 'canceled')
    return { state: 'failed', external, why: whyOf(intent) };
  return { state: 'pending', external };
}

/** The parts of a session in setup mode to expand. */
export const SETUP_PARTS = ['setup_intent.payment_method'];

/** Returns the outcome of a session in setup mode that was fetched with `SETUP_PARTS`. */
export function setupOutcome(session: Stripe.Checkout.Session): Outcome {
  const external = session.id;
  if (session.status === 'open') return { state: 'action_required', external, url: session.url! };
  if (session.status === 'expired') return { state: 'failed', external, why: SETUP_EXPIRED };
  const intent = whole<Stripe.SetupIntent>(session.setup_intent);
  return { ...(intent ? setupIntentOutcome(intent) : { state: 'pending' }), external };
}

/** Returns the outcome of an intent that was fetched with its method. Its page decides until the customer is done. */
export function setupIntentOutcome(intent: Stripe.SetupIntent): Outcome {
  const method = whole<Stripe.PaymentMethod>(intent.payment_method);
  const customer = idOf(intent.customer);
  if (intent.status === 'succeeded' && method && customer !== null) {
    const saved = savedMethod(method, customer);
    return saved
      ? { state: 'succeeded', external: null, method: saved }
      : { state: 'failed', external: null, why: NOT_SAVED };
  }
  if (intent.status === 'canceled' || intent.status === 'requires_payment_method')
    return { state: 'failed', external: null, why: declineSentence(intent.last_setup_error?.code, undefined) };
  return { state: 'pending', external: null };
}

/** Returns the outcome of an intent that we created without a page. */
export function intentOutcome(intent: Stripe.PaymentIntent): Outcome {
  const external = intent.id;
  switch (intent.status) {
    case 'succeeded':
      checkAmount(intent, intent.amount_received, intent.currency);
      return { state: 'succeeded', external };
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url;
      return url ? { state: 'action_required', external, url } : { state: 'pending', external };
    }
    case 'canceled':
      return { state: 'failed', external, why: CANCELLED };
    case 'requires_payment_method':
      return { state: 'failed', external, why: whyOf(intent) };
    default:
      return { state: 'pending', external };
  }
}

const whyOf = ({ last_payment_error: error }: Stripe.PaymentIntent): string =>
  declineSentence(error?.code, error?.decline_code);

/** Returns the method that the customer asked to save: otherwise, the page does not save it. */
function kept(intent: Stripe.PaymentIntent): Pick<Outcome, 'method'> {
  const method = whole<Stripe.PaymentMethod>(intent.payment_method);
  const customer = idOf(intent.customer);
  if (!intent.setup_future_usage || !method || customer === null) return {};
  return { method: savedMethod(method, customer) ?? undefined };
}

export function refundOutcome(refund: Stripe.Refund): RefundOutcome {
  const external = refund.id;
  if (refund.status === 'succeeded') return { state: 'succeeded', external };
  if (refund.status === 'failed' || refund.status === 'canceled')
    return { state: 'failed', external, why: refundSentence(refund.failure_reason) };
  return { state: 'pending', external };
}

const DISPUTES: Readonly<Record<string, DisputeOutcome['state']>> = {
  needs_response: 'open',
  under_review: 'open',
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
  lost: 'lost',
  won: 'won',
};

/** Returns the outcome of a dispute; null if the bank only inquires, and the money has not been withdrawn. */
export function disputeOutcome(dispute: Stripe.Dispute): DisputeOutcome | null {
  const state = DISPUTES[dispute.status];
  if (!state) return null;
  const due = dispute.evidence_details.due_by;
  return {
    external: dispute.id,
    state,
    amount: fromStripe(dispute.amount, dispute.currency.toUpperCase()),
    reason: dispute.reason.replaceAll('_', ' '),
    answerBy: due === null ? null : due * 1000,
  };
}
