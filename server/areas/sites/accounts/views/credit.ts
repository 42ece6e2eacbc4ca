/** Account credit: how much there is, and each change of it with its reason. */
import { amountText } from '../../../../kernel/values/money.ts';
import { at, type Business } from '../business.ts';
import { doneNotice, moment, top } from './parts.ts';
import { EMPTY, hidden, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/api/html.ts';
import { moveFields } from './fields.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import type { Person } from '../eyes.ts';

type At = Visit<Business>;

export interface Movement {
  /** minor units, signed */
  readonly amount: number;
  readonly explanation: string;
  /** epoch ms */
  readonly at: number;
}

export interface CreditView {
  readonly who: Person;
  /** whom the person before the page acts for, themselves first */
  readonly people: readonly Person[];
  /** minor units */
  readonly credit: number;
  readonly held: number;
  /** the latest first */
  readonly movements: readonly Movement[];
  readonly page: number;
  /** there are earlier ones */
  readonly more: boolean;
}

export function creditPage(visit: At, view: CreditView, draft: Draft = EMPTY): Shown {
  const { site, token } = visit;
  const { who, credit, held, movements } = view;
  const { currency, zone } = site.tenant;
  const say = (minor: number) => amountText({ minor, currency });
  const title = who.name === null ? 'Your account credit' : `Account credit of ${who.name}`;
  const body = html`${errorSummary(draft === EMPTY ? {} : fieldsOf(view), draft) ?? doneNotice(visit)}
<div class="card big"><h1>${title}</h1>
<dl class="sums"><div class="sum"><dt>To spend at ${site.name}</dt><dd>${say(credit)}</dd></div>${held === 0 ? null : html`<div><dt>Set aside for a payment</dt><dd>${say(held)}</dd></div>`}</dl>
<p class="actions"><a class="button" href="${at(site, 'gift-card')}">Redeem ${site.tenant.words.a.gift_card}</a></p>
${others(visit, view)}</div>
<section class="card big" aria-labelledby="history-title"><h2 id="history-title">Where it came from, and where it went</h2>
${
  movements.length === 0
    ? html`<p class="soft">Nothing yet.</p>`
    : html`<ul class="lines">${movements.map(
        (one) =>
          html`<li><div><strong>${one.explanation}</strong><p class="soft">${moment(one.at, zone)}</p></div><span class="amount">${one.amount > 0 ? '+' : '−'}${say(Math.abs(one.amount))}</span></li>`,
      )}</ul>`
}
${pages(visit, view)}</section>
${moveCard(visit, view, draft, token)}`;
  return page(title, body, { status: draft === EMPTY ? 200 : (draft.status ?? 422), top: top(site, token) });
}

const fieldsOf = ({ who, people }: CreditView) => ({
  ...moveFields(
    people.filter(({ id }) => id !== who.id).map(({ id, name }) => [String(id), name ?? 'Yourself'] as const),
  ),
  of: hidden(20),
});

const here = ({ site }: At, of: number): string => `${at(site, 'profile/credit')}?of=${of}`;

const others = (visit: At, { who, people }: CreditView): Html | null =>
  people.length < 2
    ? null
    : html`<p class="actions">${people.filter(({ id }) => id !== who.id).map(({ id, name }) => html`<a href="${here(visit, id)}">${name === null ? 'Your own credit' : `Credit of ${name}`}</a> `)}</p>`;

const pages = (visit: At, { who, page: n, more }: CreditView): Html | null =>
  n === 1 && !more
    ? null
    : html`<p class="actions">${n > 1 ? html`<a href="${here(visit, who.id)}&page=${n - 1}">Later</a> ` : null}${more ? html`<a href="${here(visit, who.id)}&page=${n + 1}">Earlier</a>` : null}</p>`;

const moveCard = ({ site }: At, view: CreditView, draft: Draft, token: string): Html | null =>
  view.people.length < 2 || view.credit === 0
    ? null
    : html`<section class="card" aria-labelledby="move-title"><h2 id="move-title">Move credit within your family</h2>${showForm(
        {
          fields: fieldsOf(view),
          draft: { ...draft, kept: { ...draft.kept, of: String(view.who.id) } },
          action: at(site, 'profile/credit'),
          button: 'Move credit',
          tone: 'quiet',
          token,
        },
      )}</section>`;
