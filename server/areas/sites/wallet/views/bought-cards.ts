/** Gift cards that somebody bought: the list, one card, and its code to print. */
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { type Business, at, doneNotice, buttonForm, statusOf } from '../../frame/index.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { here, picture, type Picture } from '../../../../kernel/pages/picture.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { dateIn, type WalletWritten } from '../messages.ts';
import { moneyOf, type WireMoney } from '../../../../kernel/base/values/money.ts';
import { otherAddressFields } from '../fields.ts';
import { walletPage } from '../page.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface BoughtCard {
  readonly id: number;
  readonly amount: WireMoney;
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
  readonly image: Picture | null;
}

/** Returns the state of the card as a sentence. */
function standing(
  written: WalletWritten,
  { status, delivery_status: delivery, deliver_on_date: on, recipient_email: to }: BoughtCard,
): string {
  const { say } = written;
  if (status === 'redeemed' || status === 'expired' || status === 'voided') return say(`card.${status}`);
  return say(`card.${delivery}`, { to, day: dateIn(written, on) });
}

function titleOf({ say, reader }: WalletWritten, { amount, recipient_name: name }: BoughtCard): string {
  const worth = amountIn(reader.locale, moneyOf(amount));
  return name ? say('card.title_for', { amount: worth, name }) : say('card.title', { amount: worth });
}

export interface BoughtCards {
  readonly cards: readonly BoughtCard[];
  /** customers can buy gift cards themselves */
  readonly forSale: boolean;
}

export function boughtCardsPage(visit: At, written: WalletWritten, { cards, forSale }: BoughtCards): Shown {
  const { site } = visit;
  const { say } = written;
  const title = say('cards.title');
  const body = html`<div class="card big"><h1>${title}</h1>
${
  cards.length === 0
    ? html`<p class="soft">${say('nothing')}</p>`
    : html`<ul class="lines">${cards.map(
        (card) =>
          html`<li><div><strong><a href="${at(site, `gift-cards/${card.id}`)}">${titleOf(written, card)}</a></strong>
<p class="soft">${standing(written, card)}</p></div></li>`,
      )}</ul>`
}
<p class="actions">${
    forSale ? html`<a class="button" href="${at(site, 'gift-card/buy')}">${say('buy.title')}</a> ` : null
  }<a href="${at(site, 'gift-card')}">${say('redeem.title')}</a></p></div>`;
  return walletPage(visit, written, title, body, { path: 'gift-cards' });
}

const isOpen = ({ status }: BoughtCard): boolean => status === 'scheduled' || status === 'delivered';

export function boughtCardPage(visit: At, written: WalletWritten, card: BoughtCard, draft: Draft = EMPTY): Shown {
  const { site, token } = visit;
  const { say } = written;
  const { delivery_status: delivery } = card;
  const path = `gift-cards/${card.id}`;
  const title = titleOf(written, card);
  const mine = isOpen(card) && delivery !== 'sent';
  const again = delivery === 'printed';
  const body = html`${errorSummary(otherAddressFields(say), draft, '', say) ?? doneNotice(visit)}
<div class="card"><h1>${title}</h1>
<p>${standing(written, card)}</p>${
    isOpen(card) && card.delivery_help !== null ? html`<p>${card.delivery_help}</p>` : null
  }
${
  mine
    ? buttonForm({ action: `${at(site, path)}/print`, button: say(again ? 'card.print_again' : 'card.print'), token })
    : null
}
${mine ? html`<p class="soft">${say('card.once')}</p>` : null}
<p class="actions"><a href="${at(site, 'gift-cards')}">${say('cards.all')}</a></p></div>
${mine && !again ? addressCard(visit, written, card, draft) : null}`;
  return walletPage(visit, written, title, body, { path, status: statusOf(draft) });
}

const addressCard = ({ site, token }: At, { say }: WalletWritten, card: BoughtCard, draft: Draft): Html =>
  html`<section class="card" aria-labelledby="address-title">
<h2 id="address-title">${say('card.address')}</h2>${showForm({
    fields: otherAddressFields(say),
    draft:
      draft === EMPTY
        ? { ...draft, kept: { recipient_name: card.recipient_name, recipient_email: card.recipient_email } }
        : draft,
    action: at(site, `gift-cards/${card.id}`),
    button: say('card.save'),
    tone: 'quiet',
    token,
    say,
  })}</section>`;

/** Renders the code in the response to a form, at no address of its own: going back doesn't show it again. */
export function printedCardPage(visit: At, written: WalletWritten, card: PrintedCard): Shown {
  const { site, baseUrl } = visit;
  const { say } = written;
  const title = titleOf(written, card);
  const body = html`<div class="card">${
    card.image && picture(here(card.image), { alt: '', sizes: '36rem' })
  }<h1>${title}</h1>
<p>${site.name}</p>
<p class="lead"><strong>${card.code}</strong></p>
<p>${say('card.redeem_at', { url: `${baseUrl}${at(site, 'gift-card')}` })}</p>
${
  card.redeem_by === null
    ? null
    : html`<p>${say('card.until', { day: dateIn(written, card.redeem_by.slice(0, 10)) })}</p>`
}
<p class="soft">${say('card.keep')}</p>
<p class="actions"><a href="${at(site, 'gift-cards')}">${say('card.done')}</a></p></div>`;
  return walletPage(visit, written, title, body, { path: `gift-cards/${card.id}` });
}
