/** Checkout Sessions of the stand-in: the requests, and the customer's actions on the hosted page. */
import { formOf, textOf, textsOf, type Form } from './form.ts';
import { invalid, missing, Refusal } from './refusal.ts';
import type { Account } from './account.ts';
import type { CardName } from './cards.ts';
import type { Kept } from './objects.ts';

const KNOWN = new Set([
  'adaptive_pricing',
  'cancel_url',
  'client_reference_id',
  'currency',
  'customer',
  'customer_creation',
  'customer_email',
  'expand',
  'expires_at',
  'line_items',
  'metadata',
  'mode',
  'payment_intent_data',
  'setup_intent_data',
  'submit_type',
  'success_url',
]);
const WHOLE = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);
const STEPS: Readonly<Record<string, number>> = { isk: 100, ugx: 100, bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 };
const DAY = 86_400;

/** Checks the amount. @throws Refusal for an amount that Stripe doesn't charge */
export function checkAmount(amount: number, currency: string | null): void {
  if (!currency || !/^[a-z]{3}$/.test(currency) || ['iqd', 'lyd'].includes(currency))
    throw invalid(`Invalid currency: ${currency}.`, undefined, 'currency');
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw invalid('Invalid positive integer', 'parameter_invalid_integer');
  if (amount % (STEPS[currency] ?? 1) !== 0)
    throw invalid(
      `Invalid amount. Amounts in ${currency} must be divisible by ${STEPS[currency]}.`,
      undefined,
      'amount',
    );
  if (amount < (WHOLE.has(currency) ? 1 : 50))
    throw invalid('Amount must convert to at least 50 cents.', 'amount_too_small');
}

function amountOf(form: Form): { amount: number; currency: string } {
  let amount = 0;
  let currency: string | null = null;
  for (const item of Object.values(formOf(form, 'line_items')) as Form[]) {
    const price = formOf(item, 'price_data');
    currency = textOf(price, 'currency');
    if (!textOf(formOf(price, 'product_data'), 'name'))
      throw invalid('Missing required param: name.', 'parameter_missing');
    amount += Number(textOf(price, 'unit_amount')) * Number(textOf(item, 'quantity'));
  }
  checkAmount(amount, currency);
  return { amount, currency: currency! };
}

export function createSession(account: Account, form: Form): Kept {
  for (const name of Object.keys(form))
    if (!KNOWN.has(name)) throw invalid(`Received unknown parameter: ${name}`, 'parameter_unknown', name);
  const mode = textOf(form, 'mode');
  const setsUp = mode === 'setup';
  if (mode !== 'payment' && !setsUp) throw invalid('You must provide a mode.', 'parameter_missing', 'mode');
  const [customer, email] = [textOf(form, 'customer'), textOf(form, 'customer_email')];
  if (customer && (email || textOf(form, 'customer_creation')))
    throw invalid('You may only specify one of these parameters: customer, customer_email, customer_creation.');
  if (email && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, 'email_invalid', 'customer_email');
  if (customer) account.objects.get('customer', customer, 'customer');
  const success = textOf(form, 'success_url');
  for (const [name, url] of [
    ['success_url', success],
    ['cancel_url', textOf(form, 'cancel_url')],
  ] as const)
    if (!url || !URL.canParse(url)) throw invalid('Not a valid URL', 'url_invalid', name);
  if (setsUp && !textOf(form, 'currency')) throw invalid('Missing required param: currency.', 'parameter_missing');
  const { amount, currency } = setsUp ? { amount: null, currency: textOf(form, 'currency') } : amountOf(form);
  const now = Math.floor(account.now() / 1000);
  const session = account.objects.add('checkout.session', {
    amount_subtotal: amount,
    amount_total: amount,
    cancel_url: textOf(form, 'cancel_url'),
    client_reference_id: textOf(form, 'client_reference_id'),
    currency,
    customer,
    customer_creation: customer ? null : (textOf(form, 'customer_creation') ?? 'if_required'),
    customer_details: null,
    customer_email: email,
    expires_at: Number(textOf(form, 'expires_at') ?? now + DAY),
    line_items_names: Object.values(formOf(form, 'line_items')).map(
      (i) => formOf(formOf(i as Form, 'price_data'), 'product_data').name,
    ),
    metadata: { ...formOf(form, 'metadata') },
    mode,
    payment_intent: null,
    payment_intent_data: formOf(form, 'payment_intent_data'),
    payment_method_types: ['card'],
    payment_status: setsUp ? 'no_payment_required' : 'unpaid',
    setup_intent: null,
    setup_intent_data: formOf(form, 'setup_intent_data'),
    status: 'open',
    success_url: success,
  });
  session.url = `${account.url}/c/pay/${session.id}`;
  return session;
}

export function expireSession(account: Account, id: string): Kept {
  const session = account.objects.get('checkout.session', id);
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of ${session.status}.`,
    );
  Object.assign(session, { status: 'expired', url: null });
  account.tell('checkout.session.expired', session);
  return session;
}

/**
 * Returns the intent. It is created when the customer first tries to pay, and is the same for every further attempt.
 */
function intentOf(account: Account, session: Kept): Kept {
  const known = session.payment_intent && account.objects.find('payment_intent', session.payment_intent);
  if (known) return known;
  const data: Form = session.payment_intent_data;
  if (session.customer_creation === 'always' || textOf(data, 'setup_future_usage'))
    session.customer ??= account.objects.add('customer', {
      email: session.customer_email,
      name: null,
      metadata: {},
    }).id;
  const intent = account.objects.add('payment_intent', {
    amount: session.amount_total,
    amount_received: 0,
    currency: session.currency,
    customer: session.customer,
    description: textOf(data, 'description'),
    last_payment_error: null,
    latest_charge: null,
    metadata: { ...formOf(data, 'metadata') },
    next_action: null,
    payment_method: null,
    return_to: session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id),
    setup_future_usage: textOf(data, 'setup_future_usage'),
    status: 'requires_payment_method',
  });
  session.payment_intent = intent.id;
  return intent;
}

/** Saves a card on the hosted page in setup mode. Returns the address at which the customer continues. */
export function saveOnPage(account: Account, id: string, card: CardName): string {
  const session = account.objects.get('checkout.session', id);
  const back = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
  if (session.status === 'complete') return back;
  if (session.status !== 'open') throw missing('checkout.session', id);
  session.customer ??= account.objects.add('customer', { email: session.customer_email, name: null, metadata: {} }).id;
  const method = account.addMethod(card, session.customer);
  const { declines } = account.cardOf(method.id);
  if (declines)
    throw new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
  const intent = account.objects.add('setup_intent', {
    customer: session.customer,
    last_setup_error: null,
    metadata: { ...formOf(session.setup_intent_data, 'metadata') },
    payment_method: method.id,
    status: 'succeeded',
    usage: 'off_session',
  });
  Object.assign(session, { status: 'complete', url: null, setup_intent: intent.id });
  account.tell('setup_intent.succeeded', intent);
  account.tell('checkout.session.completed', session);
  return back;
}

/**
 * Pays on the hosted page. Returns the address at which the customer continues: the business's, or their bank's.
 *
 * @throws Refusal for a card that is declined; they may try another one
 */
export function payOnPage(account: Account, id: string, card: CardName, later = false): string {
  const session = account.objects.get('checkout.session', id);
  if (session.status === 'complete') return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id);
  if (session.status !== 'open') throw missing('checkout.session', id);
  const intent = intentOf(account, session);
  const method = account.addMethod(card, intent.setup_future_usage ? session.customer : null);
  intent.payment_method = method.id;
  session.customer_details = { email: method.billing_details.email, name: method.billing_details.name };
  if (later) {
    intent.status = 'processing';
    Object.assign(session, { status: 'complete', url: null });
    account.tell('payment_intent.processing', intent);
    account.tell('checkout.session.completed', session);
  } else account.charge(intent, true);
  return intent.next_action?.redirect_to_url.url ?? intent.return_to;
}

/** Pays like `payOnPage`, but returns null for a declined card. */
export function tryOnPage(account: Account, id: string, card: CardName): string | null {
  try {
    return payOnPage(account, id, card);
  } catch (error) {
    if (error instanceof Refusal && error.status === 402) return null;
    throw error;
  }
}

export const expandOf = (form: Form): string[] => textsOf(form, 'expand');
