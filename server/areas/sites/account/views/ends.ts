/** The end of a recurring plan: what ending it means, and afterwards how it stands. */
import { amountIn, dateIn } from '../../../../kernel/base/languages/times.ts';
import {
  at,
  doneNotice,
  ownPage,
  statusOf,
  writtenFor,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { errorSummary, TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import { followsText, type Follows } from './follows.ts';
import { headOfMembership } from './rows.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Draft } from '../../../../kernel/pages/form.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** A membership of somebody who may end it. */
export interface EndingView {
  readonly id: number;
  readonly name: string;
  /** null: the person who reads the page */
  readonly forWhom: string | null;
  readonly state: 'continues' | 'ends' | 'over';
  /** it is a recurring plan, so somebody has to end it */
  readonly renews: boolean;
  readonly lastDay: string | null;
  /** day on which the price is next due; null: never */
  readonly nextPayment: string | null;
  /** a customer ended it, who may also keep it */
  readonly own: boolean;
  /** the person can put it on hold instead */
  readonly canPause: boolean;
}

/** Consequences of ending it now. */
export interface Ending {
  readonly lastDay: string;
  readonly noticeDays: number;
  readonly committedUntil: string | null;
  /** still due, soonest first; amounts in minor units */
  readonly payments: readonly { readonly dueOn: string; readonly amount: number }[];
  readonly follows: readonly Follows[];
}

/** Renders a button that decides; `seen`: the version of what the page shows. */
const decision = (visit: At, act: 'end' | 'keep', button: string, seen?: string): Html =>
  html`<form method="post" action="${visit.path}"><input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}">
<input type="hidden" name="act" value="${act}">${
    seen === undefined ? null : html`<input type="hidden" name="seen" value="${seen}">`
  }
<div class="actions"><button${act === 'end' ? html` class="danger"` : null}>${button}</button></div></form>`;

function paymentsText({ site }: At, { say, reader }: Written, payments: Ending['payments']): string {
  const last = payments.at(-1);
  if (last === undefined) return say('end.payments.none');
  const amount = amountIn(reader.locale, { minor: last.amount, currency: site.tenant.currency });
  return say('end.payments.last', { n: payments.length, amount, when: dateIn(reader.locale, last.dueOn) });
}

/** Renders what ending it means, and the button that does exactly this, or the page is shown again. */
export function endPage(
  visit: At,
  view: EndingView,
  { ending, version, draft }: { readonly ending: Ending; readonly version: string; readonly draft: Draft },
): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const day = (date: string) => dateIn(reader.locale, date);
  const { lastDay, noticeDays, committedUntil, follows } = ending;
  const terms = [
    ...(committedUntil === null ? [] : [say('end.committed', { when: day(committedUntil) })]),
    ...(noticeDays === 0 ? [] : [say('end.notice', { n: noticeDays })]),
    say('end.undo'),
    ...(follows.some(({ what }) => what === 'booking_cancelled') ? [say('end.undo.bookings')] : []),
  ];
  const booked = follows.some(({ what }) => what.startsWith('booking'));
  const body = html`${errorSummary({}, draft, '', say) ?? doneNotice(visit)}
${headOfMembership(view, say('end.title'))}
<section class="card"><ul class="rows">
<li><div><strong>${say('end.last_day', { when: day(lastDay) })}</strong>${terms.map(
    (text) => html`<p class="soft">${text}</p>`,
  )}</div></li>
<li>${paymentsText(visit, written, ending.payments)}</li>
${follows.map(
  (one) => html`<li>${followsText(visit, written, one)}</li>`,
)}${booked ? null : html`<li>${say('hold.no_bookings')}</li>`}
</ul>
${decision(visit, 'end', say('end.confirm', { when: day(lastDay) }), version)}
${
  view.canPause
    ? html`<p class="actions"><a href="${at(visit.site, `profile/holds/${view.id}`)}">${say('end.pause')}</a></p>`
    : null
}</section>`;
  return ownPage(visit, say('end.title'), body, { part: 'memberships', status: statusOf(draft) });
}

/** Renders how a membership stands that ends, has ended, or doesn't renew. */
export function endedPage(visit: At, view: EndingView, draft: Draft): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const { state, lastDay, nextPayment, own } = view;
  const when = lastDay === null ? null : dateIn(reader.locale, lastDay);
  const title = when === null ? say('end.no_need') : say(state === 'over' ? 'end.over' : 'end.ends', { when });
  const body = html`${errorSummary({}, draft, '', say) ?? doneNotice(visit)}
${headOfMembership(view, title)}
${
  state === 'ends' && when !== null
    ? html`<section class="card"><p>${say('end.last_day', { when })}</p>
<p>${
        nextPayment === null
          ? say('end.payments.none')
          : say('end.payments.next', { when: dateIn(reader.locale, nextPayment) })
      }</p>
${
  own
    ? html`<p class="soft">${say('end.keep.text')}</p>${decision(visit, 'keep', say('end.keep'))}`
    : html`<p class="soft">${say('end.theirs', { name: visit.site.name })}</p>`
}</section>`
    : null
}`;
  return ownPage(visit, title, body, { part: 'memberships', status: statusOf(draft) });
}
