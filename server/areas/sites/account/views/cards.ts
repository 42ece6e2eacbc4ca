/** The payment method that a recurring plan is charged to, and the others that can be chosen. */
import { amountIn, dateIn } from '../../../../kernel/base/languages/times.ts';
import { at, buttonForm, doneNotice, ownPage, statusOf, writtenFor, type Business } from '../../frame/index.ts';
import { errorSummary } from '../../../../kernel/pages/show-form.ts';
import { headOfMembership } from './rows.ts';
import { hidden, type Draft } from '../../../../kernel/pages/form.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { newCardButtons, newCardNotice, type NewCard, type SavingWay } from '../new-card/views.ts';
import { methodText, type SavedMethod } from './payments.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

export interface CardView {
  readonly name: string;
  /** null: the person who reads the page */
  readonly forWhom: string | null;
  /** the next payment; null: none is due */
  readonly next: { readonly on: string; readonly price: Money } | null;
  /** id of the method that is charged next; null: none, invoices are sent */
  readonly charged: number | null;
  /** a payment has failed and is still open */
  readonly unpaid: boolean;
  readonly methods: readonly SavedMethod[];
  /** ways to save a new card, and the address of their form */
  readonly ways: readonly SavingWay[];
  readonly action: string;
  /** the card with which the browser returned */
  readonly added: NewCard | null;
}

const chosen = { method: hidden(20) };

export function cardPage(visit: Visit<Business>, view: CardView, draft: Draft): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const { site, token } = visit;
  const current = view.methods.find(({ id }) => id === view.charged);
  const price = view.next && amountIn(reader.locale, view.next.price);
  const next = view.next && say('card.next', { price: price!, when: dateIn(reader.locale, view.next.on) });
  const row = (one: SavedMethod) => {
    const { whose, until } = methodText(written, one);
    const button = say('card.use', { name: one.name });
    return html`<li><div><strong>${whose}</strong>${
      one.id === view.charged ? html` <span class="tag">${say('card.current')}</span>` : null
    }${until ? html`<p class="soft">${until}</p>` : null}</div>
${
  one.id === view.charged
    ? null
    : buttonForm({ fields: chosen, kept: { method: String(one.id) }, action: visit.path, button, tone: 'quiet', token })
}</li>`;
  };
  const body = html`${errorSummary({}, draft, '', say) ?? newCardNotice(written, view.added) ?? doneNotice(visit)}
${headOfMembership(view, say('card.title'))}
<section class="card"><p>${next} ${say(current ? 'card.charged' : 'card.none', { name: current?.name ?? '' })}</p>
${
  view.unpaid
    ? html`<p>${say('card.unpaid')}</p>
<p class="actions"><a class="button" href="${at(site, 'profile/owed')}">${say('owed.button')}</a></p>`
    : null
}
${view.methods.length === 0 ? null : html`<ul class="rows">${view.methods.map(row)}</ul>`}
${newCardButtons(visit, written, view) ?? html`<p class="soft">${say('card.new')}</p>`}</section>`;
  return ownPage(visit, say('card.title'), body, { part: 'memberships', status: statusOf(draft) });
}
