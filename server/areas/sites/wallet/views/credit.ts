/** Account credit: the balance, and each change with its reason. */
import { amountsFor, type WalletSay, type WalletWritten } from '../messages.ts';
import { type Business, at, doneNotice, statusOf, type Person } from '../../frame/index.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { moveFields } from '../fields.ts';
import { walletPage } from '../page.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface Movement {
  /** in minor units, signed */
  readonly amount: number;
  /** null: it was used for a purchase */
  readonly explanation: string | null;
  /** in epoch milliseconds */
  readonly at: number;
}

export interface CreditView {
  readonly who: Person;
  /** the reader, and then the people whom they act for */
  readonly people: readonly Person[];
  /** in minor units */
  readonly credit: number;
  readonly held: number;
  /** latest first */
  readonly movements: readonly Movement[];
  readonly page: number;
  /** there are earlier ones */
  readonly more: boolean;
}

export function creditPage(visit: At, written: WalletWritten, view: CreditView, draft: Draft = EMPTY): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { who, credit, held, movements } = view;
  const amount = amountsFor(visit, written);
  const title = titleOf(say, view);
  const body = html`${errorSummary(moveFields(say, familyOf(say, view)), draft, '', say) ?? doneNotice(visit)}
<div class="card big"><h1>${title}</h1>
<dl class="sums">
<div class="sum"><dt>${say('credit.spend', { name: site.name })}</dt><dd>${amount(credit)}</dd></div>${
    held === 0 ? null : html`<div><dt>${say('credit.held')}</dt><dd>${amount(held)}</dd></div>`
  }</dl>
<p class="actions"><a class="button" href="${at(site, 'gift-card')}">${say('redeem.title')}</a></p>
${others(visit, say, view)}</div>
<section class="card big" aria-labelledby="history-title"><h2 id="history-title">${say('credit.history')}</h2>
${
  movements.length === 0
    ? html`<p class="soft">${say('nothing')}</p>`
    : html`<ul class="lines">${movements.map(
        (one) =>
          html`<li><div><strong>${one.explanation ?? say('credit.used')}</strong>
<p class="soft">${momentIn(reader.locale, one.at, site.tenant.zone)}</p>
</div><span class="amount">${one.amount > 0 ? '+' : '−'}${amount(Math.abs(one.amount))}</span></li>`,
      )}</ul>`
}
${pages(visit, say, view)}</section>
${moveCard(visit, written, view, draft)}`;
  return walletPage(visit, written, title, body, { path: `${PATH}?of=${who.id}`, status: statusOf(draft) });
}

const PATH = 'profile/credit';

const titleOf = (say: WalletSay, { who: { name } }: CreditView): string =>
  name === null ? say('credit.title') : say('credit.title_of', { name });

/** Returns the people to whom it can be moved: pairs of id and name. */
export const familyOf = (say: WalletSay, { who, people }: Pick<CreditView, 'who' | 'people'>): [string, string][] =>
  people.filter(({ id }) => id !== who.id).map(({ id, name }) => [String(id), name ?? say('credit.self')]);

const here = ({ site }: At, of: number): string => `${at(site, PATH)}?of=${of}`;

const others = (visit: At, say: WalletSay, { who, people }: CreditView): Html | null =>
  people.length < 2
    ? null
    : html`<p class="actions">${people
        .filter(({ id }) => id !== who.id)
        .map(
          ({ id, name }) =>
            html`<a href="${here(visit, id)}">${name === null ? say('credit.own') : say('credit.of', { name })}</a> `,
        )}</p>`;

const pages = (visit: At, say: WalletSay, { who, page: n, more }: CreditView): Html | null =>
  n === 1 && !more
    ? null
    : html`<p class="actions">${
        n > 1 ? html`<a href="${here(visit, who.id)}&page=${n - 1}">${say('credit.later')}</a> ` : null
      }${more ? html`<a href="${here(visit, who.id)}&page=${n + 1}">${say('credit.earlier')}</a>` : null}</p>`;

const moveCard = ({ site, token }: At, { say }: WalletWritten, view: CreditView, draft: Draft): Html | null =>
  view.people.length < 2 || view.credit === 0
    ? null
    : html`<section class="card" aria-labelledby="move-title"><h2 id="move-title">${say('credit.move')}</h2>${showForm({
        fields: moveFields(say, familyOf(say, view)),
        draft: { ...draft, kept: { ...draft.kept, of: String(view.who.id) } },
        action: at(site, PATH),
        button: say('credit.move_button'),
        tone: 'quiet',
        token,
        say,
      })}</section>`;
