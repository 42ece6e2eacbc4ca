/** Cards and accounts that are saved without a payment, on Stripe's page (Checkout in its setup mode). */
import { failed, LIKELY_EMAIL, mayOpenAnother } from './on-page.ts';
import { idempotencyKey, setupMarks } from './marks.ts';
import { NOT_SAVED } from './rules/sentences.ts';
import { setupOutcome, SETUP_PARTS } from './outcomes.ts';
import { isReplay, stripeOf } from './client.ts';
import { trouble } from './trouble.ts';
import type { Outcome, ProcessorContext, SetupRequest } from '../processor.ts';
import type Stripe from 'stripe';

export async function beginSetup(c: ProcessorContext, s: SetupRequest): Promise<Outcome> {
  const stripe = await stripeOf(c);
  const open = async (body: Stripe.Checkout.SessionCreateParams, more = ''): Promise<Outcome> => {
    const session = await stripe.checkout.sessions.create(body, { idempotencyKey: idempotencyKey(c, s.key, more) });
    return isReplay(session) ? lookAtSession(stripe, session.id) : setupOutcome(session);
  };
  try {
    return await open(sessionOf(s, payerOf(s)));
  } catch (error) {
    if (!(await mayOpenAnother(error))) return failed(error, NOT_SAVED);
  }
  try {
    return await open(sessionOf(s, { customer_creation: 'always' }), '/2');
  } catch (error) {
    return failed(error, NOT_SAVED);
  }
}

export async function lookAtSetup(c: ProcessorContext, { external }: SetupRequest): Promise<Outcome> {
  try {
    return await lookAtSession(await stripeOf(c), external!);
  } catch (error) {
    throw await trouble(error);
  }
}

const lookAtSession = async (stripe: Stripe, id: string): Promise<Outcome> =>
  setupOutcome(await stripe.checkout.sessions.retrieve(id, { expand: SETUP_PARTS }));

type Payer = Pick<Stripe.Checkout.SessionCreateParams, 'customer' | 'customer_email' | 'customer_creation'>;

function payerOf({ ownerToken, customer: { email } }: SetupRequest): Payer {
  if (ownerToken !== null) return { customer: ownerToken };
  return {
    customer_creation: 'always',
    ...(email !== null && LIKELY_EMAIL.test(email) && { customer_email: email }),
  };
}

/** Returns the parameters of a session, identical for every call with the same setup, because Stripe compares them. */
function sessionOf(s: SetupRequest, payer: Payer): Stripe.Checkout.SessionCreateParams {
  const metadata = setupMarks(s);
  return {
    mode: 'setup',
    // Determines the methods that Stripe offers.
    currency: s.currency.toLowerCase(),
    ...payer,
    success_url: s.returnTo,
    cancel_url: s.cancelTo,
    client_reference_id: s.key,
    metadata,
    setup_intent_data: { metadata },
  };
}
