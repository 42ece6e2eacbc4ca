/** Payments with a saved method, without a page. If the bank requires authentication, the customer is sent there. */
import { CANCELLED, NOT_THIS_AMOUNT, refusedSentence } from './rules/sentences.ts';
import { intentOutcome } from './outcomes.ts';
import { idempotencyKey, isMarkedFor, paymentMarks } from './marks.ts';
import { isKeySpent, refusal, trouble } from './trouble.ts';
import { isReplay, library, stripeOf } from './client.ts';
import { readToken } from './methods.ts';
import { toStripe } from './rules/amounts.ts';
import type { Outcome, PaymentRequest, ProcessorContext } from '../processor.ts';
import type Stripe from 'stripe';

/** Number of a customer's payments that are searched for a lost one. */
const MAX_SEARCHED = 300;
const SEARCHED_MS = 30 * 86_400_000;

/**
 * Begins a payment. Searches for it first: a key is valid for only a day or so, and a payment that was begun before
 * must not be charged again when Stripe has forgotten the key.
 */
export async function beginWithMethod(c: ProcessorContext, p: PaymentRequest): Promise<Outcome> {
  const amount = toStripe(p.amount, p.currency);
  if (amount === null) return { state: 'failed', external: null, why: NOT_THIS_AMOUNT };
  const stripe = await stripeOf(c);
  for (const again of ['', '/2']) {
    try {
      const known = await find(c, stripe, p);
      if (known) return await goOn(c, stripe, p, known);
      return await goOn(c, stripe, p, await charge(c, stripe, p, amount, again));
    } catch (error) {
      if (!(await isKeySpent(error)) || again !== '') return failed(error);
    }
  }
  throw new Error('the last try either returns or throws');
}

/** Finds the payment; null if Stripe does not know it. */
export async function findWithMethod(c: ProcessorContext, p: PaymentRequest): Promise<Outcome | null> {
  const found = await find(c, await stripeOf(c), p).catch(async (error) => {
    throw await trouble(error);
  });
  return found && intentOutcome(found);
}

export async function lookAtIntent(c: ProcessorContext, id: string): Promise<Outcome> {
  try {
    return intentOutcome(await (await stripeOf(c)).paymentIntents.retrieve(id));
  } catch (error) {
    throw await trouble(error);
  }
}

export async function cancelIntent(c: ProcessorContext, id: string): Promise<Outcome> {
  const stripe = await stripeOf(c);
  try {
    await stripe.paymentIntents.cancel(id);
    return { state: 'failed', external: id, why: CANCELLED };
  } catch (error) {
    // Already paid or cancelled.
    if ((await refusal(error)).keyFails) throw await trouble(error);
    return lookAtIntent(c, id);
  }
}

/** Charges the method. A decline by the bank is a result. @throws StripeError for anything else */
async function charge(
  c: ProcessorContext,
  stripe: Stripe,
  p: PaymentRequest,
  amount: number,
  again: string,
): Promise<Stripe.PaymentIntent> {
  const { customer, method } = readToken(p.methodToken!);
  return decided(stripe, () =>
    stripe.paymentIntents.create(
      {
        amount,
        currency: p.currency.toLowerCase(),
        customer,
        payment_method: method,
        automatic_payment_methods: { enabled: true },
        confirm: true,
        off_session: true,
        return_url: p.returnTo || c.baseUrl,
        description: p.description,
        metadata: paymentMarks(p, false),
      },
      { idempotencyKey: idempotencyKey(c, p.key, again) },
    ),
  );
}

/**
 * Continues after a decline. A bank that declined because it requires authentication is asked again, as if the customer
 * were present.
 */
async function goOn(
  c: ProcessorContext,
  stripe: Stripe,
  p: PaymentRequest,
  intent: Stripe.PaymentIntent,
): Promise<Outcome> {
  const { status, last_payment_error: error } = intent;
  if (status !== 'requires_payment_method' || error?.code !== 'authentication_required') return intentOutcome(intent);
  const asking = await decided(stripe, () =>
    stripe.paymentIntents.confirm(
      intent.id,
      { payment_method: readToken(p.methodToken!).method, return_url: p.returnTo || c.baseUrl },
      { idempotencyKey: idempotencyKey(c, p.key, '/ask') },
    ),
  );
  return intentOutcome(asking);
}

/** Returns the current intent, also if the bank declined, or the response is a replay. */
async function decided(
  stripe: Stripe,
  ask: () => Promise<Stripe.Response<Stripe.PaymentIntent>>,
): Promise<Stripe.PaymentIntent> {
  const { errors } = await library();
  try {
    const intent = await ask();
    return isReplay(intent) ? await stripe.paymentIntents.retrieve(intent.id) : intent;
  } catch (error) {
    // The bank declined, or the intent was decided in the meantime; other errors have no intent.
    if (error instanceof errors.StripeError && error.payment_intent)
      return stripe.paymentIntents.retrieve(error.payment_intent.id);
    throw error;
  }
}

async function find(c: ProcessorContext, stripe: Stripe, p: PaymentRequest): Promise<Stripe.PaymentIntent | null> {
  const { customer } = readToken(p.methodToken!);
  let searched = 0;
  const listed = stripe.paymentIntents.list({
    customer,
    created: { gte: Math.floor((c.now - SEARCHED_MS) / 1000) },
    limit: 100,
  });
  for await (const intent of listed) {
    if (isMarkedFor(intent, p)) return intent;
    if (++searched >= MAX_SEARCHED) return null;
  }
  return null;
}

async function failed(error: unknown): Promise<Outcome> {
  return { state: 'failed', external: null, why: refusedSentence((await refusal(error)).code) };
}
