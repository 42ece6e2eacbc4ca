/** Gift cards that somebody bought: a list, one of them, and its code to print. */
import { at, type Business } from '../business.ts';
import { doneNotice, buttonForm, top } from './parts.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/api/html.ts';
import { otherAddressFields } from './fields.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { spokenDate } from '../../../../kernel/values/spoken-time.ts';
import type { Word } from '../../../../kernel/values/words.ts';

type At = Visit<Business>;

export interface BoughtCard {
  readonly id: number;
  readonly amount: { readonly string: string; readonly currency_symbol: string };
  readonly recipient_name: string;
  readonly recipient_email: string;
  readonly status: 'scheduled' | 'delivered' | 'redeemed' | 'expired' | 'voided';
  readonly delivery_status: 'scheduled' | 'sent' | 'failed' | 'to_print' | 'printed';
  readonly delivery_help: string | null;
  /** YYYY-MM-DD */
  readonly deliver_on_date: string;
}

export interface PrintedCard extends BoughtCard {
  readonly code: string;
  readonly redeem_by: string | null;
}

const CARD: Word = 'gift_card';

/** What has become of it, in a sentence. */
function standing({ status, delivery_status: delivery, deliver_on_date: on, recipient_email: to }: BoughtCard): string {
  if (status === 'redeemed') return 'It was redeemed.';
  if (status === 'expired') return 'It has expired.';
  if (status === 'voided') return 'It was taken back.';
  const says = {
    scheduled: `It is sent to ${to} on ${spokenDate(on)}, once it is paid.`,
    sent: `It was sent to ${to}.`,
    failed: `It could not be sent to ${to}.`,
    to_print: 'It is waiting to be printed.',
    printed: 'It was printed.',
  };
  return says[delivery];
}

const title = ({ site }: At, { amount, recipient_name: name }: BoughtCard): string =>
  `${site.tenant.words.One[CARD]} of ${amount.currency_symbol}${amount.string}${name ? ` for ${name}` : ''}`;

export function boughtCardsPage(visit: At, cards: readonly BoughtCard[]): Shown {
  const { site, token } = visit;
  const { Many, a } = site.tenant.words;
  const body = html`<div class="card big"><h1>${Many[CARD]}</h1>
${
  cards.length === 0
    ? html`<p class="soft">Nothing yet.</p>`
    : html`<ul class="lines">${cards.map(
        (card) =>
          html`<li><div><strong><a href="${at(site, `gift-cards/${card.id}`)}">${title(visit, card)}</a></strong><p class="soft">${standing(card)}</p></div></li>`,
      )}</ul>`
}
<p class="actions"><a class="button" href="${at(site, 'gift-card/buy')}">Buy ${a[CARD]}</a> <a href="${at(site, 'gift-card')}">Redeem ${a[CARD]}</a></p></div>`;
  return page(Many[CARD], body, { top: top(site, token) });
}

const isOpen = ({ status }: BoughtCard): boolean => status === 'scheduled' || status === 'delivered';

export function boughtCardPage(visit: At, card: BoughtCard, draft: Draft = EMPTY): Shown {
  const { site, token } = visit;
  const { delivery_status: delivery } = card;
  const here = at(site, `gift-cards/${card.id}`);
  const mine = isOpen(card) && delivery !== 'sent';
  const body = html`${errorSummary(otherAddressFields, draft) ?? doneNotice(visit)}
<div class="card"><h1>${title(visit, card)}</h1>
<p>${standing(card)}</p>${isOpen(card) && card.delivery_help !== null ? html`<p>${card.delivery_help}</p>` : null}
${mine ? buttonForm({ action: `${here}/print`, button: delivery === 'printed' ? 'Print it again' : 'Print it', token }) : null}
${mine ? html`<p class="soft">The code is shown once. Codes from before are no longer valid then.</p>` : null}
<p class="actions"><a href="${at(site, 'gift-cards')}">All ${site.tenant.words.many[CARD]}</a></p></div>
${mine && delivery !== 'printed' ? addressCard(card, draft, token) : null}`;
  return page(title(visit, card), body, {
    status: draft === EMPTY ? 200 : (draft.status ?? 422),
    top: top(site, token),
  });
}

const addressCard = (card: BoughtCard, draft: Draft, token: string): Html =>
  html`<section class="card" aria-labelledby="address-title"><h2 id="address-title">Send it to another address</h2>${showForm(
    {
      fields: otherAddressFields,
      draft:
        draft === EMPTY
          ? { ...draft, kept: { recipient_name: card.recipient_name, recipient_email: card.recipient_email } }
          : draft,
      button: 'Save and send',
      tone: 'quiet',
      token,
    },
  )}</section>`;

/** Answers the form that asked for it, and is in no address: going back does not show it again. */
export const printedCardPage = (visit: At, card: PrintedCard): Shown => {
  const { site, baseUrl } = visit;
  return page(
    title(visit, card),
    html`<div class="card"><h1>${title(visit, card)}</h1>
<p>${site.name}</p>
<p class="lead"><strong>${card.code}</strong></p>
<p>Redeem it at ${baseUrl}${at(site, 'gift-card')}</p>
${card.redeem_by === null ? null : html`<p>It can be redeemed until ${spokenDate(card.redeem_by.slice(0, 10))}.</p>`}
<p class="soft">Print this page now, or write down the code: it is not shown again.</p>
<p class="actions"><a href="${at(site, 'gift-cards')}">Done</a></p></div>`,
  );
};
