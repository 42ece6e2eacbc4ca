/**
 * One account of the stand-in: its objects, and the actions of its customers, their banks and Stripe. Every event goes
 * through `tell`, which creates the messages.
 */
import { CARDS, type Card, type CardName } from './cards.ts';
import { Objects, type Kept } from './objects.ts';
import { Refusal } from './refusal.ts';

const DECLINED = 'Your card was declined.';
const UNAUTHENTICATED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

const offered = (value: 'on' | 'off') => ({ available: value === 'on', display_preference: { value } });

export class Account {
  readonly key: string;
  readonly objects: Objects;
  readonly url: string;
  readonly tell: (type: string, object: Kept) => void;
  readonly now: () => number;

  constructor(
    key: string,
    url: string,
    now: () => number,
    tell: (account: Account, type: string, object: Kept) => void,
  ) {
    this.key = key;
    this.url = url;
    this.now = now;
    this.objects = new Objects(now);
    this.tell = (type, object) => tell(this, type, object);
    this.objects.add('account', { business_profile: { name: 'A Studio' }, charges_enabled: true });
    this.objects.add('payment_method_configuration', {
      is_default: true,
      card: offered('on'),
      ideal: offered('on'),
      klarna: offered('off'),
      sepa_debit: offered('on'),
    });
  }

  /** Creates a customer with a saved card, as if from an earlier payment. */
  saveCard(name: CardName): { customer: string; method: string } {
    const customer = this.objects.add('customer', { email: null, name: null, metadata: {} });
    const method = this.addMethod(name, customer.id);
    return { customer: customer.id, method: method.id };
  }

  addMethod(name: CardName, customer: string | null): Kept {
    const { brand, lastFour } = CARDS[name];
    return this.objects.add('payment_method', {
      type: 'card',
      customer,
      allow_redisplay: 'limited',
      billing_details: { address: null, email: 'payer@example.com', name: 'A Payer', phone: null },
      card: {
        brand,
        display_brand: brand,
        last4: lastFour,
        exp_month: 12,
        exp_year: 2034,
        funding: 'credit',
        country: 'CA',
      },
      metadata: {},
    });
  }

  cardOf(method: string): Card {
    const { last4 } = this.objects.get('payment_method', method).card;
    return Object.values(CARDS).find((card) => card.lastFour === last4)!;
  }

  /**
   * Lets the bank decide about the method of an intent. `present`: the customer can be asked; if not, a bank that
   * requires it declines.
   */
  charge(intent: Kept, present: boolean): void {
    const card = this.cardOf(intent.payment_method);
    if (card.declines) this.#fail(intent, { code: 'card_declined', decline_code: card.declines, message: DECLINED });
    if (card.asks && !present)
      this.#fail(intent, {
        code: 'authentication_required',
        decline_code: 'authentication_required',
        message: 'Your card was declined. This transaction requires authentication.',
      });
    if (!card.asks) return this.succeed(intent);
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: `${this.url}/authenticate/${intent.id}`, return_url: intent.return_to },
    };
    this.tell('payment_intent.requires_action', intent);
  }

  /** Records the customer's response to their bank. */
  authenticate(id: string, confirmed: boolean): void {
    const intent = this.objects.get('payment_intent', id);
    if (intent.status !== 'requires_action') return;
    intent.next_action = null;
    if (confirmed) return this.succeed(intent);
    try {
      this.#fail(intent, { code: 'payment_intent_authentication_failure', message: UNAUTHENTICATED });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  succeed(intent: Kept): void {
    const session = this.sessionOf(intent.id);
    const charge = this.objects.add('charge', {
      amount: intent.amount,
      amount_refunded: 0,
      refunded: false,
      currency: intent.currency,
      customer: intent.customer,
      payment_intent: intent.id,
      payment_method: intent.payment_method,
      paid: true,
      status: 'succeeded',
      disputed: false,
      metadata: intent.metadata,
    });
    Object.assign(intent, {
      status: 'succeeded',
      latest_charge: charge.id,
      amount_received: intent.amount,
      last_payment_error: null,
    });
    this.tell('charge.succeeded', charge);
    this.tell('payment_intent.succeeded', intent);
    if (!session) return;
    const paidLater = session.status === 'complete';
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null });
    this.tell(paidLater ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed', session);
  }

  /** Settles a payment by a method that takes days: the money arrives, or doesn't. */
  settle(id: string, arrives: boolean): void {
    const intent = this.objects.get('payment_intent', id);
    if (arrives) return this.succeed(intent);
    const session = this.sessionOf(id);
    intent.status = 'requires_payment_method';
    intent.last_payment_error = {
      type: 'card_error',
      code: 'payment_intent_payment_attempt_failed',
      message: DECLINED,
    };
    this.tell('payment_intent.payment_failed', intent);
    if (session) this.tell('checkout.session.async_payment_failed', session);
  }

  sessionOf(intent: string): Kept | undefined {
    return this.objects.all('checkout.session', (session) => session.payment_intent === intent)[0];
  }

  /** Declines the intent. @throws Refusal, always */
  #fail(intent: Kept, why: { code: string; decline_code?: string; message: string }): never {
    const { payment_method: method } = intent;
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      next_action: null,
      last_payment_error: {
        type: 'card_error',
        ...why,
        payment_method: method && this.objects.find('payment_method', method),
      },
    });
    this.tell('payment_intent.payment_failed', intent);
    throw new Refusal(402, { type: 'card_error', ...why, payment_intent: structuredClone(intent) });
  }
}
