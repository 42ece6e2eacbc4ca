/** Changing a recurring plan: the plans to choose from, and what a change means. */
import { amountIn, dateIn } from '../../../../kernel/base/languages/times.ts';
import {
  doneNotice,
  ownPage,
  section,
  statusOf,
  writtenFor,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { errorSummary, TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import { followsText, type Follows } from './follows.ts';
import { headOfMembership } from './rows.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { repeatedPrice } from '../../events/index.ts';
import type { Draft } from '../../../../kernel/pages/form.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** A plan on sale. */
export interface Choice {
  readonly membership: number;
  readonly plan: number;
  readonly name: string;
  readonly price: Money;
  readonly every: { readonly length: number; readonly unit: 'days' | 'weeks' | 'months' };
}

/** A recurring plan of somebody who may change it. */
export interface Changing {
  readonly id: number;
  readonly name: string;
  /** null: the person who reads the page */
  readonly forWhom: string | null;
  readonly choices: readonly Choice[];
}

export interface Preview {
  readonly when: 'now' | 'later';
  readonly choice: Choice;
  /** last day of the current plan */
  readonly lastDay: string;
  /** what is left of the current plan, in minor units */
  readonly left: number;
  /** part of it that is taken off the price */
  readonly credit: Money;
  readonly due: Money;
  readonly follows: readonly Follows[];
}

/** Renders the plans: those with a preview, each with its consequences, and links to the others. */
export function choicesPage(visit: At, changing: Changing, previews: readonly Preview[], draft: Draft): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const others = changing.choices.filter(({ plan }) => previews.every(({ choice }) => choice.plan !== plan));
  const row = ({ plan, name, price, every }: Choice) =>
    html`<li><div><strong>${name}</strong><p class="soft">${repeatedPrice(visit, { price, every })}</p></div>
<a class="button quiet" href="${visit.path}?plan=${plan}" aria-label="${say('hold.see')}: ${name}">${say('hold.see')}</a></li>`;
  const none = changing.choices.length === 0;
  const body = html`${errorSummary({}, draft, '', say) ?? doneNotice(visit)}
${headOfMembership(changing, say('change.title'))}
${
  none
    ? html`<section class="card"><p>${say('change.none', { name: visit.site.name })}</p>
</section>`
    : html`<p class="soft">${say('change.choose')}</p>`
}
${previews.map((one) => previewCard(visit, written, changing, one))}
${others.length === 0 ? null : html`<section class="card"><ul class="rows">${others.map(row)}</ul></section>`}`;
  return ownPage(visit, say('change.title'), body, { part: 'memberships', status: statusOf(draft) });
}

/** Renders one plan, with a link to the others. */
export function changePage(visit: At, changing: Changing, preview: Preview): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const body = html`${doneNotice(visit)}
${headOfMembership(changing, say('change.title'))}
${previewCard(visit, written, changing, preview)}
<p class="actions"><a href="${visit.path}">${say('change.other')}</a></p>`;
  return ownPage(visit, say('change.title'), body, { part: 'memberships' });
}

/** Renders what a change means, and the button that leads to its payment. */
function previewCard(visit: At, written: Written, changing: Changing, preview: Preview): Html {
  const { say, reader } = written;
  const { when, choice, lastDay, left, credit, due, follows } = preview;
  const money = (amount: Money) => amountIn(reader.locale, amount);
  const names = { old: changing.name, next: choice.name };
  const rest = left - credit.minor;
  const lines = [
    when === 'now' ? say('change.now', names) : say('change.later', { ...names, when: dateIn(reader.locale, lastDay) }),
    say('change.price', { price: repeatedPrice(visit, choice) }),
    ...(credit.minor > 0 ? [say('change.credit', { amount: money(credit), old: changing.name })] : []),
    ...(rest > 0 ? [say('change.rest', { amount: money({ ...credit, minor: rest }) })] : []),
    say('change.due', { amount: money(due) }),
    ...follows.map((one) => followsText(visit, written, one)),
    ...(follows.length === 0 ? [say('hold.no_bookings')] : []),
  ];
  const other = when === 'now' ? 'later' : 'now';
  const button = due.minor > 0 ? say('change.pay', { amount: money(due) }) : say('change.confirm');
  return section(
    `plan-${choice.plan}`,
    choice.name,
    html`<ul class="rows">${lines.map((line) => html`<li>${line}</li>`)}</ul>
<form method="post" action="${visit.path}"><input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}">
<input type="hidden" name="plan" value="${choice.plan}"><input type="hidden" name="when" value="${when}">
<div class="actions"><button aria-label="${button}, ${choice.name}">${button}</button></div></form>
<p class="actions"><a href="${visit.path}?plan=${choice.plan}&amp;when=${other}">${say(`change.to_${other}`)}</a></p>`,
  );
}
