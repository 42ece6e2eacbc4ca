/**
 * Pages of a checkout that is not open: a payment is running, it is complete, or it has ended. Each has a link to
 * continue.
 */
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { type Business, at, buttonForm, hasSite, sitePath } from '../../frame/index.ts';
import { checkoutForm, checkoutPath } from '../path.ts';
import { linesOf, payingPage, placeLabel, sumsOf } from './checkout.ts';
import { ticketOnly } from './checkout-fields.ts';
import type { CheckoutView } from '../view.ts';
import type { PayingWritten } from '../messages.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

const POLL_SECONDS = 4;
/** A bank that takes longer than this takes hours: the page stops reloading itself. */
const MAX_POLLS = 75;

/**
 * Renders a pending payment. The page reloads itself through a header, so that nothing on it moves in the meantime.
 * `looks`: number of reloads so far.
 */
export function pendingPage(
  visit: At,
  written: PayingWritten,
  { ticket, payAt, lines, calledOff }: CheckoutView,
  looks: number,
): Shown {
  const { site, token } = visit;
  const { say } = written;
  const here = checkoutPath(site, ticket);
  const cancel = buttonForm({
    action: checkoutForm(site, 'cancel', ticket),
    button: say('pending.cancel'),
    tone: 'quiet',
    token,
    id: 'cancel-',
    fields: ticketOnly,
    kept: { ticket },
  });
  if (payAt !== null)
    return payingPage(
      visit,
      written,
      say('continue.title'),
      html`<div class="card"><h1>${say('continue.title')}</h1><p>${say('continue.text')}</p>
<p class="actions"><a class="button" href="${payAt}">${say('continue.button')}</a>
<a href="${here}">${say('continue.done')}</a></p>
${cancel}</div>`,
      { ticket },
    );
  const waits = looks < MAX_POLLS;
  const spot = calledOff === null && lines.some(({ isSpot }) => isSpot) ? ` ${say('pending.spot')}` : '';
  const body = html`<div class="card">${
    waits
      ? html`<div class="spin" aria-hidden="true">
</div>`
      : null
  }<h1>${say('pending.title')}</h1>
<p>${say(waits ? 'pending.soon' : 'pending.long')}</p>
<p>${say('pending.close')}${spot}</p>
<p class="actions"><a class="button quiet" href="${here}">${say('pending.check')}</a></p>${cancel}</div>`;
  const headers: Record<string, string> = waits ? { refresh: `${POLL_SECONDS}; url=${here}&looks=${looks + 1}` } : {};
  return payingPage(visit, written, say('pending.title'), body, { headers, ticket });
}

/** Renders a completed purchase. */
export function receiptPage(visit: At, written: PayingWritten, view: CheckoutView): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { lines, sums, invoice, ticket, back } = view;
  const { currency } = site.tenant;
  const amount = (minor: number) => amountIn(reader.locale, { minor, currency });
  const booked = lines.filter(({ isSpot }) => isSpot);
  const owed = invoice?.due ?? 0;
  const bought = lines.find(({ membership }) => membership !== null)?.membership ?? null;
  // After buying a membership without a class, people book the first one next.
  const covered =
    bought === null || booked.length > 0 || !hasSite(site)
      ? null
      : `${sitePath(site, 'timetable')}?membership=${bought}`;
  const title = say(booked.length > 0 && booked.length === lines.length ? 'receipt.booked' : 'receipt.done');
  const paid = sums.due - owed;
  const said =
    owed > 0
      ? say('receipt.at_desk', { amount: amount(owed), name: site.name })
      : paid > 0
        ? say('receipt.paid', { amount: amount(paid) })
        : null;
  const { embedding } = visit;
  const isMain = covered === null && embedding === null;
  const body = html`<div class="card"><h1>${title}</h1>
${said ? html`<p>${said}</p>` : null}
${linesOf(visit, written, lines)}
${sumsOf(visit, written, view)}
${
  invoice
    ? html`<p class="soft"><a href="${at(site, 'checkout/invoice')}?ticket=${encodeURIComponent(ticket)}">${say(
        'receipt.invoice',
        {
          number: invoice.number,
        },
      )}</a></p>`
    : null
}
<p class="actions">${
    covered === null ? null : html`<a class="button" href="${covered}">${say('receipt.book')}</a>`
  }${embedding && html`<a class="button" href="${embedding.href}">${say('back.site', { name: embedding.host })}</a>`}<a class="${
    isMain ? 'button' : 'button quiet'
  }" href="${back.href}">${placeLabel(visit, written, 'on', back)}</a></p></div>`;
  return payingPage(visit, written, title, body, { ticket });
}

export const expiredPage = (visit: At, written: PayingWritten, view: CheckoutView): Shown =>
  over(
    visit,
    written,
    view,
    'expired.title',
    view.lines.some(({ isSpot }) => isSpot) ? 'expired.spot' : 'expired.text',
  );

export const cancelledPage = (visit: At, written: PayingWritten, view: CheckoutView): Shown =>
  over(visit, written, view, 'cancelled.title', 'cancelled.text');

/** Renders a checkout of a cancelled event, for which nothing is charged. */
export const calledOffPage = (visit: At, written: PayingWritten, view: CheckoutView): Shown =>
  over(visit, written, view, 'off.title', 'cancelled.text');

type Key = Parameters<PayingWritten['say']>[0];

function over(visit: At, written: PayingWritten, view: CheckoutView, key: Key, text: Key): Shown {
  const { say } = written;
  const { again, back, ticket } = view;
  const title = say(key, { name: view.calledOff ?? '' });
  const other =
    again === back.href ? null : html`<a href="${back.href}">${placeLabel(visit, written, 'back', back)}</a>`;
  return payingPage(
    visit,
    written,
    title,
    html`<div class="card"><h1>${title}</h1><p>${say(text)}</p>
<p class="actions"><a class="button" href="${again}">${say('again')}</a>${other}</p></div>`,
    { ticket },
  );
}

/** Renders the same page whether the checkout doesn't exist or belongs to somebody else. */
export function noCheckoutPage(visit: At, written: PayingWritten): Shown {
  const { say } = written;
  const body: Html = html`<div class="card"><h1>${say('gone.title')}</h1><p>${say('gone.text')}</p>
<p class="actions"><a class="button" href="${at(visit.site, 'profile')}">${say('nav.account')}</a></p></div>`;
  return payingPage(visit, written, say('gone.title'), body, { status: 410, ticket: visit.query.get('ticket') ?? '' });
}
