/** The endpoints of Stripe that the stand-in implements. */
import { cancelIntent, confirmIntent, createIntent, detachMethod } from './intents.ts';
import { createSession, expandOf, expireSession } from './sessions.ts';
import { formOf, textOf, type Form } from './form.ts';
import { missing } from './refusal.ts';
import { refund } from './after-payment.ts';
import type { Account } from './account.ts';
import type { Kept } from './objects.ts';

type Act = (account: Account, form: Form, id: string) => Kept | Kept[];

const retrieve =
  (object: string): Act =>
  (account, _, id) =>
    account.objects.get(object, id);

const ENDPOINTS: readonly [pattern: string, act: Act][] = [
  ['POST /v1/checkout/sessions', createSession],
  ['GET /v1/checkout/sessions/:id', retrieve('checkout.session')],
  ['POST /v1/checkout/sessions/:id/expire', (account, _, id) => expireSession(account, id)],
  ['POST /v1/payment_intents', createIntent],
  [
    'GET /v1/payment_intents',
    ({ objects }, form) => objects.all('payment_intent', (intent) => intent.customer === textOf(form, 'customer')),
  ],
  ['GET /v1/payment_intents/:id', retrieve('payment_intent')],
  ['POST /v1/payment_intents/:id/confirm', (account, form, id) => confirmIntent(account, id, form)],
  ['POST /v1/payment_intents/:id/cancel', (account, _, id) => cancelIntent(account, id)],
  ['POST /v1/payment_methods/:id/detach', (account, _, id) => detachMethod(account, id)],
  ['GET /v1/setup_intents/:id', retrieve('setup_intent')],
  ['GET /v1/payment_methods/:id', retrieve('payment_method')],
  ['GET /v1/customers/:id', retrieve('customer')],
  [
    'POST /v1/refunds',
    (account, form) => {
      const amount = textOf(form, 'amount');
      const metadata = { ...formOf(form, 'metadata') };
      return refund(account, textOf(form, 'payment_intent') ?? '', amount === null ? null : Number(amount), metadata);
    },
  ],
  [
    'GET /v1/refunds',
    ({ objects }, form) => objects.all('refund', (made) => made.payment_intent === textOf(form, 'payment_intent')),
  ],
  ['GET /v1/refunds/:id', retrieve('refund')],
  ['GET /v1/disputes/:id', retrieve('dispute')],
  ['GET /v1/account', ({ objects }) => objects.all('account', () => true)[0]],
  ['GET /v1/payment_method_configurations', ({ objects }) => objects.all('payment_method_configuration', () => true)],
];

const PATTERNS = ENDPOINTS.map(([pattern, act]) => ({
  matches: new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`),
  act,
}));

/** Responds to a request. `name`: the request, for example `GET /v1/refunds/re_1`. @throws Refusal */
export function answerApi(account: Account, name: string, form: Form): object {
  for (const { matches, act } of PATTERNS) {
    const match = matches.exec(name);
    if (!match) continue;
    const answer = act(account, form, match[1] ?? '');
    if (!Array.isArray(answer)) return account.objects.expanded(answer, expandOf(form));
    return listOf(account, answer, form);
  }
  throw missing('endpoint', name);
}

function listOf(account: Account, all: readonly Kept[], form: Form): object {
  const most = Number(textOf(form, 'limit') ?? 10);
  const after = textOf(form, 'starting_after');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const page = all.slice(from, from + most);
  const paths = expandOf(form).map((path) => path.replace(/^data\./, ''));
  return {
    object: 'list',
    has_more: from + most < all.length,
    data: page.map((kept) => account.objects.expanded(kept, paths)),
  };
}
