/**
 * Messages of Stripe (webhooks). A message only names the object to fetch: messages arrive late, twice and in any
 * order, and the fetched object is current.
 */
import {
  disputeOutcome,
  idOf,
  intentOutcome,
  refundOutcome,
  SESSION_PARTS,
  sessionOutcome,
  setupIntentOutcome,
  SETUP_PARTS,
  setupOutcome,
} from './outcomes.ts';
import { isOurs, setupOf } from './marks.ts';
import { library, stripeOf } from './client.ts';
import { trouble } from './trouble.ts';
import type { About, Message, News, Outcome, ProcessorContext, RawMessage } from '../processor.ts';
import type Stripe from 'stripe';

/** Recommended by Stripe: a recorded message can't be replayed much later. */
const TOLERANCE_SECONDS = 300;
/** Stripe hardly waits longer for the response, and then sends the message again. */
const WHOLE_MS = 15_000;

export async function readMessage(c: ProcessorContext, raw: RawMessage): Promise<Message | null> {
  const event = await genuine(c, raw);
  if (!event) return null;
  try {
    return { id: event.id, type: event.type, news: await newsOf(c, event) };
  } catch (error) {
    throw await trouble(error);
  }
}

async function genuine(
  { settings, now }: ProcessorContext,
  { body, headers }: RawMessage,
): Promise<Stripe.Event | null> {
  const { webhooks } = await library();
  const signature = headers['stripe-signature'];
  if (!settings.webhook_secret || !signature) return null;
  try {
    return webhooks.constructEvent(body, signature, settings.webhook_secret, TOLERANCE_SECONDS, undefined, now);
  } catch {
    return null;
  }
}

/** Readers by the type of object that the message is about. */
const READERS: Readonly<Record<string, (c: ProcessorContext, stripe: Stripe, id: string) => Promise<News[]>>> = {
  'checkout.session': async (c, stripe, id) => {
    const session = await stripe.checkout.sessions.retrieve(id, { expand: [...SESSION_PARTS, ...SETUP_PARTS] });
    const key = setupOf(session, c.provider);
    if (key !== null) return [{ about: { key }, setup: setupOutcome(session) }];
    return isOurs(session, c.provider) ? [paymentNews(session.metadata!, sessionOutcome(session))] : [];
  },
  payment_intent: async (c, stripe, id) => {
    const intent = await stripe.paymentIntents.retrieve(id);
    // The intent of a page is decided by the page: after one card is declined there, another may be tried.
    if (!isOurs(intent, c.provider) || intent.metadata.rollcall_page) return [];
    return [paymentNews(intent.metadata, intentOutcome(intent))];
  },
  // The bank confirms some methods only days later. A card that is declined on the page may be followed by another.
  setup_intent: async (c, stripe, id) => {
    const intent = await stripe.setupIntents.retrieve(id, { expand: ['payment_method'] });
    const key = setupOf(intent, c.provider);
    const setup = setupIntentOutcome(intent);
    return key !== null && setup.state === 'succeeded' ? [{ about: { key }, setup }] : [];
  },
  refund: async (c, stripe, id) => {
    const refund = await stripe.refunds.retrieve(id);
    const about = await paymentOf(c, stripe, idOf(refund.payment_intent));
    const key = refund.metadata?.rollcall_refund ?? null;
    return about ? [{ about, refund: { ...refundOutcome(refund), key } }] : [];
  },
  dispute: async (c, stripe, id) => {
    const dispute = await stripe.disputes.retrieve(id);
    const outcome = disputeOutcome(dispute);
    const about = outcome && (await paymentOf(c, stripe, idOf(dispute.payment_intent)));
    return about ? [{ about, dispute: outcome }] : [];
  },
};

async function newsOf(c: ProcessorContext, event: Stripe.Event): Promise<News[]> {
  const { id, object } = event.data.object as { id?: string; object: string };
  return id !== undefined && Object.hasOwn(READERS, object) ? READERS[object](c, await stripeOf(c, WHOLE_MS), id) : [];
}

/**
 * Returns the news of a payment. After lost responses, one payment can have several pages, and only one of them is
 * paid: its success is about the payment, while the expiry of another is about that page alone.
 */
const paymentNews = (metadata: Stripe.Metadata, payment: Outcome): News => ({
  about: payment.state === 'failed' ? { external: payment.external! } : { key: metadata.rollcall_payment },
  payment,
});

/** Returns the payment of the message; null if it does not belong to this business. */
async function paymentOf(c: ProcessorContext, stripe: Stripe, id: string | null): Promise<About | null> {
  if (id === null) return null;
  const intent = await stripe.paymentIntents.retrieve(id);
  return isOurs(intent, c.provider) ? { key: intent.metadata.rollcall_payment } : null;
}
