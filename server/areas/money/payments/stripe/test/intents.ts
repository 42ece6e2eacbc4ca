/** Payment Intents without a hosted page, with a saved method of the customer. */
import { formOf, textOf, type Form } from './form.ts';
import { invalid, Refusal } from './refusal.ts';
import { checkAmount } from './sessions.ts';
import type { Account } from './account.ts';
import type { Kept } from './objects.ts';

const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function createIntent(account: Account, form: Form): Kept {
  const amount = Number(textOf(form, 'amount'));
  const currency = textOf(form, 'currency');
  checkAmount(amount, currency);
  const method = methodOf(account, form, textOf(form, 'customer'));
  const intent = account.objects.add('payment_intent', {
    amount,
    amount_received: 0,
    currency,
    customer: textOf(form, 'customer'),
    description: textOf(form, 'description'),
    last_payment_error: null,
    latest_charge: null,
    metadata: { ...formOf(form, 'metadata') },
    next_action: null,
    payment_method: method.id,
    setup_future_usage: null,
    status: 'requires_confirmation',
  });
  account.tell('payment_intent.created', intent);
  if (textOf(form, 'confirm') === 'true') confirm(account, intent, form);
  return intent;
}

export function confirmIntent(account: Account, id: string, form: Form): Kept {
  const intent = account.objects.get('payment_intent', id);
  if (!OPEN.includes(intent.status)) throw unexpected(intent, 'confirm');
  if (textOf(form, 'payment_method')) intent.payment_method = methodOf(account, form, intent.customer).id;
  if (!intent.payment_method)
    throw invalid('You cannot confirm this PaymentIntent because it’s missing a payment method.');
  confirm(account, intent, form);
  return intent;
}

export function cancelIntent(account: Account, id: string): Kept {
  const intent = account.objects.get('payment_intent', id);
  if (!OPEN.includes(intent.status)) throw unexpected(intent, 'cancel');
  Object.assign(intent, { status: 'canceled', canceled_at: Math.floor(account.now() / 1000), next_action: null });
  account.tell('payment_intent.canceled', intent);
  return intent;
}

export function detachMethod(account: Account, id: string): Kept {
  const method = account.objects.get('payment_method', id);
  if (!method.customer)
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
  method.customer = null;
  account.tell('payment_method.detached', method);
  return method;
}

function confirm(account: Account, intent: Kept, form: Form): void {
  const offSession = textOf(form, 'off_session') === 'true';
  const returnTo = textOf(form, 'return_url');
  if (!returnTo || !URL.canParse(returnTo))
    throw invalid('You must provide a `return_url`.', 'parameter_missing', 'return_url');
  intent.return_to = returnTo;
  account.charge(intent, !offSession);
}

function methodOf(account: Account, form: Form, customer: string | null): Kept {
  const method = account.objects.get('payment_method', textOf(form, 'payment_method') ?? '', 'payment_method');
  if (customer) account.objects.get('customer', customer, 'customer');
  if (method.customer !== customer)
    throw invalid('The customer does not have a payment method with this ID.', undefined, 'payment_method');
  return method;
}

const unexpected = (intent: Kept, what: string) =>
  new Refusal(400, {
    type: 'invalid_request_error',
    message: `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`,
    code: 'payment_intent_unexpected_state',
    payment_intent: structuredClone(intent),
  });
