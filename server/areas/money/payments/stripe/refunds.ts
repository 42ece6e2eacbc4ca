/**
 * Refunds. Stripe forgets its keys after some days, so an existing refund is searched before a new one is requested.
 */
import { NOT_THIS_REFUND, refusedRefundSentence } from './rules/sentences.ts';
import { idOf, refundOutcome } from './outcomes.ts';
import { idempotencyKey, refundMarks } from './marks.ts';
import { isKeySpent, refusal, StripeTrouble, trouble } from './trouble.ts';
import { isReplay, stripeOf } from './client.ts';
import { toStripe } from './rules/amounts.ts';
import type { ProcessorContext, RefundOutcome, RefundRequest } from '../processor.ts';
import type Stripe from 'stripe';

export async function refund(c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome> {
  const amount = toStripe(r.amount, r.currency);
  if (amount === null) return { state: 'failed', external: null, why: NOT_THIS_REFUND };
  const stripe = await stripeOf(c);
  try {
    const intent = await intentOf(stripe, r.payment.external);
    for (const again of ['', '/2']) {
      const known = await find(stripe, intent, r);
      if (known) return refundOutcome(known);
      try {
        return await create(c, stripe, r, intent, amount, again);
      } catch (error) {
        if (!(await isKeySpent(error)) || again !== '') return await failed(error);
      }
    }
  } catch (error) {
    throw await trouble(error);
  }
  throw new Error('the last try either returns or throws');
}

export async function lookAtRefund(c: ProcessorContext, r: RefundRequest): Promise<RefundOutcome> {
  const stripe = await stripeOf(c);
  try {
    return refundOutcome(await stripe.refunds.retrieve(r.external!));
  } catch (error) {
    throw await trouble(error);
  }
}

async function create(
  c: ProcessorContext,
  stripe: Stripe,
  r: RefundRequest,
  intent: string,
  amount: number,
  again: string,
): Promise<RefundOutcome> {
  const made = await stripe.refunds.create(
    { payment_intent: intent, amount, metadata: refundMarks(r) },
    { idempotencyKey: idempotencyKey(c, r.key, again) },
  );
  return refundOutcome(isReplay(made) ? await stripe.refunds.retrieve(made.id) : made);
}

async function find(stripe: Stripe, intent: string, r: RefundRequest): Promise<Stripe.Refund | null> {
  for await (const made of stripe.refunds.list({ payment_intent: intent, limit: 100 }))
    if (made.metadata?.rollcall_refund === r.key && made.metadata.rollcall_business === String(r.provider)) return made;
  return null;
}

/** Returns the intent of a payment, which refunds require: payments on a page are stored with the id of the page. */
async function intentOf(stripe: Stripe, external: string): Promise<string> {
  if (external.startsWith('pi_')) return external;
  const intent = idOf((await stripe.checkout.sessions.retrieve(external)).payment_intent);
  if (intent === null) throw new StripeTrouble('Stripe does not say which payment the page belongs to.');
  return intent;
}

/**
 * Returns the outcome of a rejected refund. An API key that does not work says nothing about an earlier attempt: the
 * refund waits until the key is corrected.
 */
async function failed(error: unknown): Promise<RefundOutcome> {
  const { code, keyFails } = await refusal(error);
  if (keyFails) throw await trouble(error);
  return { state: 'failed', external: null, why: refusedRefundSentence(code) };
}
