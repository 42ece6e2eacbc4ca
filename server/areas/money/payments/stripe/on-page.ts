/**
 * Payments on Stripe's page (Checkout), where the customer enters their card: we never see it. The page is open for a
 * day, or until we expire it; after a declined card, the customer can try another there.
 */
import { CANCELLED, NOT_THIS_AMOUNT, refusedSentence } from './rules/sentences.ts';
import { SESSION_PARTS, sessionOutcome } from './outcomes.ts';
import { idempotencyKey, paymentMarks } from './marks.ts';
import { isKeySpent, isKeyTaken, refusal, trouble } from './trouble.ts';
import { isReplay, stripeOf } from './client.ts';
import { toStripe } from './rules/amounts.ts';
import type { Outcome, PaymentRequest, ProcessorContext } from '../processor.ts';
import type Stripe from 'stripe';

/** If Stripe rejects an address that we accept, the customer enters it again. */
export const LIKELY_EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

export async function beginOnPage(c: ProcessorContext, p: PaymentRequest): Promise<Outcome> {
  const amount = toStripe(p.amount, p.currency);
  if (amount === null) return { state: 'failed', external: null, why: NOT_THIS_AMOUNT };
  const stripe = await stripeOf(c);
  try {
    return await open(stripe, sessionOf(p, amount, payerOf(p)), idempotencyKey(c, p.key));
  } catch (error) {
    if (!(await mayOpenAnother(error))) return failed(error);
  }
  try {
    const payer = p.saveMethod ? { customer_creation: 'always' as const } : {};
    return await open(stripe, sessionOf(p, amount, payer), idempotencyKey(c, p.key, '/2'));
  } catch (error) {
    return failed(error);
  }
}

export async function lookAtPage(c: ProcessorContext, id: string): Promise<Outcome> {
  const stripe = await stripeOf(c);
  try {
    return sessionOutcome(await stripe.checkout.sessions.retrieve(id, { expand: SESSION_PARTS }));
  } catch (error) {
    throw await trouble(error);
  }
}

export async function cancelPage(c: ProcessorContext, id: string): Promise<Outcome> {
  const stripe = await stripeOf(c);
  try {
    await stripe.checkout.sessions.expire(id);
    return { state: 'failed', external: id, why: CANCELLED };
  } catch (error) {
    // No longer open: it was paid or has already expired.
    if ((await refusal(error)).keyFails) throw await trouble(error);
    return lookAtPage(c, id);
  }
}

async function open(stripe: Stripe, body: Stripe.Checkout.SessionCreateParams, key: string): Promise<Outcome> {
  const session = await stripe.checkout.sessions.create(body, { idempotencyKey: key });
  if (!isReplay(session)) return sessionOutcome(session);
  return sessionOutcome(await stripe.checkout.sessions.retrieve(session.id, { expand: SESSION_PARTS }));
}

/**
 * Returns true if another page may be opened. Nobody can pay on a page whose address was never returned, so a second
 * one does no harm: it leaves out what Stripe may reject about the payer, and has a key of its own.
 */
export async function mayOpenAnother(error: unknown): Promise<boolean> {
  if ((await isKeySpent(error)) || (await isKeyTaken(error))) return true;
  const { code, param } = await refusal(error);
  return (
    code === 'email_invalid' || param === 'customer_email' || (code === 'resource_missing' && param === 'customer')
  );
}

/** Returns the outcome of a rejected request. `why`: the sentence for the customer. */
export async function failed(error: unknown, why?: string): Promise<Outcome> {
  const { code } = await refusal(error);
  return { state: 'failed', external: null, why: why ?? refusedSentence(code) };
}

type Payer = Pick<Stripe.Checkout.SessionCreateParams, 'customer' | 'customer_email' | 'customer_creation'>;

function payerOf({ ownerToken, saveMethod, customer: { email } }: PaymentRequest): Payer {
  if (ownerToken !== null) return { customer: ownerToken };
  return {
    ...(email !== null && LIKELY_EMAIL.test(email) && { customer_email: email }),
    ...(saveMethod && { customer_creation: 'always' }),
  };
}

/**
 * Returns the parameters of a session. They are identical for every call with the same payment: Stripe compares them
 * with those of earlier requests with the same key.
 */
function sessionOf(p: PaymentRequest, amount: number, payer: Payer): Stripe.Checkout.SessionCreateParams {
  const metadata = paymentMarks(p, true);
  return {
    mode: 'payment',
    ...payer,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: p.currency.toLowerCase(),
          unit_amount: amount,
          product_data: { name: p.description },
        },
      },
    ],
    // The customer pays exactly the invoiced amount in its currency.
    adaptive_pricing: { enabled: false },
    success_url: p.returnTo,
    cancel_url: p.cancelTo,
    client_reference_id: p.key,
    metadata,
    payment_intent_data: {
      description: p.description,
      metadata,
      ...(p.saveMethod && { setup_future_usage: 'off_session' }),
    },
  };
}
