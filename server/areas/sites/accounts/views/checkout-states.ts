/** The pages of a checkout that is not open: a payment runs, it is done, or it is over. Each has a way on. */
import { html, type Html } from '../../../../kernel/api/html.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import { at, type Business } from '../business.ts';
import { buttonForm, wordPage } from './parts.ts';
import { linesOf, sumsOf } from './checkout.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { ticketOnly } from './checkout-fields.ts';
import type { CheckoutView } from '../checkout/view.ts';

type At = Visit<Business>;

export const checkoutPath = (site: { readonly id: number }, ticket: string): string =>
  `${at(site, 'checkout')}?ticket=${encodeURIComponent(ticket)}`;

const LOOKS_EVERY_SECONDS = 4;
/** A bank that takes longer than this takes hours: the page stops asking automatically. */
const LOOKS_AT_MOST = 75;

/**
 * The payment is not decided. The page asks for itself again through a header, so that nothing on it moves meanwhile.
 * `looks`: how often it did.
 */
export function pendingPage({ site, token }: At, { ticket, payAt, lines }: CheckoutView, looks: number): Shown {
  const here = checkoutPath(site, ticket);
  const cancel = buttonForm({
    action: at(site, 'checkout/cancel'),
    button: 'Cancel the payment',
    tone: 'quiet',
    token,
    id: 'cancel-',
    fields: ticketOnly,
    kept: { ticket },
  });
  if (payAt !== null)
    return page(
      'Continue your payment',
      html`<div class="card"><h1>Continue your payment</h1><p>Your bank or the payment service has a question before you can pay.</p>
<p class="actions"><a class="button" href="${payAt}">Continue</a><a href="${here}">I've done that</a></p>${cancel}</div>`,
    );
  const waits = looks < LOOKS_AT_MOST;
  const body = html`<div class="card">${waits ? html`<div class="spin" aria-hidden="true"></div>` : null}<h1>Your payment is being confirmed</h1>
<p>${waits ? 'This usually takes a few seconds. The page updates automatically.' : 'This takes longer than usual. Some banks need a day or two.'}</p>
<p>You can close this page: nothing gets lost, and you won't be charged twice.${lines.some(({ isSpot }) => isSpot) ? ` Your ${site.tenant.words.one.spot} stays yours meanwhile.` : ''}</p>
<p class="actions"><a class="button quiet" href="${here}">Check now</a></p>${cancel}</div>`;
  const headers: Record<string, string> = waits
    ? { refresh: `${LOOKS_EVERY_SECONDS}; url=${here}&looks=${looks + 1}` }
    : {};
  return page('Your payment is being confirmed', body, { headers });
}

/** Everything is bought. */
export function receiptPage({ site }: At, view: CheckoutView): Shown {
  const { lines, sums, invoice, ticket, back } = view;
  const { currency } = site.tenant;
  const booked = lines.filter(({ isSpot }) => isSpot);
  const owed = invoice?.due ?? 0;
  const title = booked.length > 0 && booked.length === lines.length ? "You're booked" : "Thank you. It's all set";
  const paid = sums.due - owed;
  const said =
    owed > 0
      ? `Please pay ${amountText({ minor: owed, currency })} at the desk of ${site.name}.`
      : paid > 0
        ? `We received your payment of ${amountText({ minor: paid, currency })}.`
        : null;
  const body = html`<div class="card"><h1>${title}</h1>
${said ? html`<p>${said}</p>` : null}
${linesOf(lines, site)}
${sumsOf(view, site)}
${invoice ? html`<p class="soft"><a href="${at(site, 'checkout/invoice')}?ticket=${encodeURIComponent(ticket)}">Invoice ${invoice.number} (PDF)</a></p>` : null}
<p class="actions"><a class="button" href="${back.href}">${back.label}</a></p></div>`;
  return page(title, body);
}

export const expiredPage = ({ site }: At, { again, back, lines }: CheckoutView): Shown =>
  over(
    'This took too long',
    html`<p>${lines.some(({ isSpot }) => isSpot) ? `Your ${site.tenant.words.one.spot} was only held for a while, and that time has passed.` : 'The purchase was only kept open for a while.'} You haven't been charged. You can begin again.</p>`,
    { again, back },
  );

export const cancelledPage = (_visit: At, { again, back }: CheckoutView): Shown =>
  over('Cancelled', html`<p>Nothing was bought, and you haven't been charged.</p>`, { again, back });

function over(title: string, text: Html, { again, back }: Pick<CheckoutView, 'again' | 'back'>): Shown {
  const other = again.href === back.href ? null : html`<a href="${back.href}">${back.label}</a>`;
  return page(
    title,
    html`<div class="card"><h1>${title}</h1>${text}<p class="actions"><a class="button" href="${again.href}">${again.label}</a>${other}</p></div>`,
  );
}

export const noCheckoutPage = ({ site }: At): Shown =>
  wordPage(
    'This link no longer works',
    html`<p>It belongs to a purchase that is over, or to somebody else. Nothing was charged through it.</p>`,
    { way: { href: at(site, 'profile'), label: 'Your account' }, status: 410 },
  );
