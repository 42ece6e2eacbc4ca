/** Stripe's pages for the customer, without scripts: paying, and confirming a payment with the bank. */
import { Refusal } from './refusal.ts';
import { payOnPage, saveOnPage } from './sessions.ts';
import type { Account } from './account.ts';
import type { CardName } from './cards.ts';
import type { Kept } from './objects.ts';

/** A page, or the address of a redirect. */
export type PageAnswer = { readonly html: string; readonly status: number } | { readonly location: string };

const text = (value: string): string => value.replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0)};`);
const page = (title: string, body: string, status = 200): PageAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${text(title)}</title><main><h1>${text(title)}</h1>${body}</main></html>`,
});
const button = (action: string, label: string): string =>
  `<form method="post" action="${action}"><button>${text(label)}</button></form>`;

const BUTTONS: readonly [action: CardName | 'later', label: string][] = [
  ['visa', 'Pay'],
  ['asks', 'Pay with a card that asks for confirmation'],
  ['declined', 'Pay with a card that is declined'],
  ['poor', 'Pay with a card without money'],
  ['refund_fails', 'Pay with a card that takes no refund'],
  ['later', 'Pay by bank debit'],
];

function payPage(session: Kept, problem = ''): PageAnswer {
  if (session.status === 'expired') return page('This page has expired', '');
  const to = `/c/pay/${session.id}`;
  if (session.mode === 'setup')
    return page(
      'Save a card',
      `<p role="alert">${text(problem)}</p>${button(`${to}/visa`, 'Save')}${button(`${to}/declined`, 'Save a card that is declined')}<a href="${text(session.cancel_url)}">Cancel</a>`,
    );
  const buttons = BUTTONS.map(([action, label]) => button(`${to}/${action}`, label)).join('');
  const back = `<a href="${text(session.cancel_url)}">Cancel</a>`;
  const total = `${session.amount_total} ${session.currency}`;
  return page(
    `Pay ${session.line_items_names.join(', ')}`,
    `<p>${total}</p><p role="alert">${text(problem)}</p>${buttons}${back}`,
  );
}

/** Returns the page; null if there is none. */
export function answerPage(accounts: readonly Account[], method: string, path: string): PageAnswer | null {
  const [, kind, ...rest] = path.split('/');
  if (kind === 'authenticate') return bankPage(accounts, method, rest);
  if (kind !== 'c' || rest[0] !== 'pay') return null;
  const [, id, action] = rest;
  const account = accounts.find((a) => a.objects.find('checkout.session', id));
  if (!account) return null;
  const session = account.objects.get('checkout.session', id);
  if (method === 'GET' && action === undefined) return payPage(session);
  if (method !== 'POST' || !BUTTONS.some(([name]) => name === action)) return null;
  try {
    const card = action === 'later' ? 'visa' : (action as CardName);
    if (session.mode === 'setup') return { location: saveOnPage(account, id, card) };
    return { location: payOnPage(account, id, card, action === 'later') };
  } catch (error) {
    if (error instanceof Refusal) return payPage(session, error.message);
    throw error;
  }
}

function bankPage(accounts: readonly Account[], method: string, [id, answer]: readonly string[]): PageAnswer | null {
  const account = accounts.find((a) => a.objects.find('payment_intent', id));
  if (!account) return null;
  const intent = account.objects.get('payment_intent', id);
  if (method === 'GET')
    return page(
      'Confirm with your bank',
      button(`/authenticate/${id}/complete`, 'Complete') + button(`/authenticate/${id}/fail`, 'Fail'),
    );
  account.authenticate(id, answer === 'complete');
  const session = account.sessionOf(id);
  // On Stripe's page the customer may try another card; otherwise the business's page is next.
  return { location: session?.status === 'open' ? `/c/pay/${session.id}` : intent.return_to };
}
