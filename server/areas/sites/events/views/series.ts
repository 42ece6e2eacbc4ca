/** Dates of the same class, each with the result of booking it. */
import {
  afterPaying,
  eventPageOf,
  payerName,
  seriesPageOf,
  sitePage,
  waysOn,
  waysOrAsk,
  wayTo,
  type At,
} from '../../frame/index.ts';
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { REFUSALS } from '../../../memberships/customer-memberships/index.ts';
import { SINGLE } from '../fields.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn, timeIn, weekdayIn, zoneIn } from '../../../../kernel/base/languages/times.ts';
import { nameOf } from './parts.ts';
import { doneCard, problemCard } from './labels.ts';
import { spoken } from '../../../../kernel/base/values/spoken-time.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { SeriesView, TriedSession } from '../at-series.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';
import type { Written } from '../messages.ts';

/** The result of a form. */
export interface Answered {
  /** `event` null: not about a single date */
  readonly problems: readonly { readonly event: number | null; readonly text: string }[];
  /** number of booked dates */
  readonly booked: number;
}

export const NO_ANSWER: Answered = { problems: [], booked: 0 };

export function seriesPage(visit: At, written: Written, view: SeriesView, { problems, booked }: Answered): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { id, name, startsAt, zone, sessions } = view;
  const when = (session: number) => momentIn(reader.locale, sessions.find((one) => one.id === session)!.startsAt, zone);
  const lines = problems.map(({ event, text }) => {
    const why = spoken(text, zone);
    return event === null ? why : say('together.why', { name: when(event), why });
  });
  const body = html`${lines.length === 0 ? null : problemCard(written, lines)}${
    booked === 0 ? null : doneCard(say('series.done', { n: booked }))
  }
<div class="card"><h1>${say('series')}</h1>
<p class="lead">${name}: ${weekdayIn(reader.locale, startsAt, zone)}, ${timeIn(reader.locale, startsAt, zone)}
<span class="soft">(${zoneIn(reader.locale, startsAt, zone)})</span></p>
${forWhom(visit, written, view)}
${payersNav(visit, written, view)}
${
  sessions.length === 0
    ? html`<p>${say('series.none')}</p>${waysOrAsk(visit, written, [])}`
    : datesForm(visit, written, view)
}
<p class="turn"><a href="${eventPageOf(site, id)}">${say('series.back', { name })}</a></p></div>`;
  return sitePage(visit, written, `${say('series')}: ${name}`, body, {
    here: null,
    description: say('series'),
    personal: true,
    status: problems.length === 0 ? 200 : 422,
  });
}

function forWhom({ site }: At, written: Written, { id, who, people }: SeriesView): Html | null {
  if (people.length < 2) return null;
  return html`<nav class="menu" aria-label="${written.say('series.for')}"><ul class="people">${people.map(
    (one) =>
      html`<li><a href="${seriesPageOf(site, id)}?who=${one.id}"${
        one.id === who.id ? html` aria-current="true"` : null
      }>${nameOf(written, one)}</a></li>`,
  )}</ul></nav>`;
}

/** Renders the choice of what pays for all dates, each with what is left of it, and what the chosen one leads to. */
function payersNav(
  { site }: At,
  written: Written,
  { id, who, payers, pays, price, sessions }: SeriesView,
): Html | null {
  if (payers.length === 0) return null;
  const { say, reader } = written;
  const used = (membership: number) => sessions.filter((one) => one.membership === membership).length;
  const chosen = pays ?? payers.find((one) => used(one.id) > 0)?.id ?? null;
  const to = (value: number | typeof SINGLE) => `${seriesPageOf(site, id)}?who=${who.id}&pays=${value}`;
  const option = (value: number | typeof SINGLE, text: string) =>
    html`<li><a href="${to(value)}"${value === chosen ? html` aria-current="true"` : null}>${text}</a></li>`;
  const payer = payers.find((one) => one.id === chosen);
  const all = payer ? used(payer.id) : 0;
  const takes = Math.min(all, payer?.left ?? all);
  const after = payer && takes > 0 ? afterPaying(written, { ...payer, takes }) : null;
  const short = takes < all ? say('series.enough', { n: takes, all }) : null;
  const single = price === null ? null : amountIn(reader.locale, price);
  return html`<nav class="menu" aria-label="${say('series.pays')}"><ul class="people">${payers.map((one) =>
    option(one.id, payerName(written, one)),
  )}${single === null ? null : option(SINGLE, say('series.single', { price: single }))}</ul></nav>
${[after, short].filter((line) => line !== null).map((line) => html`<p class="soft">${line}</p>`)}`;
}

function datesForm({ site, token }: At, written: Written, view: SeriesView): Html {
  const { say } = written;
  const { id, who, sessions } = view;
  const open = sessions.some(isOpen);
  const button = who.name === null ? say('series.book') : say('series.book_for', { name: who.name });
  return html`<form method="post" action="${seriesPageOf(site, id)}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}"><input type="hidden" name="customer" value="${who.id}">${view.pays === null ? null : html`<input type="hidden" name="pays" value="${view.pays}">`}
<ul class="rows">${sessions.map((one) => dateRow(site, written, view, one))}</ul>
${open ? html`<div class="actions"><button>${button}</button></div>` : null}</form>`;
}

const isOpen = ({ outcome }: TriedSession): boolean => outcome === 'bookable' || outcome === 'to_pay';

function dateRow(site: At['site'], written: Written, { zone }: SeriesView, session: TriedSession): Html {
  const { say, reader } = written;
  const { id, startsAt, outcome, why } = session;
  const when = momentIn(reader.locale, startsAt, zone);
  if (isOpen(session))
    return html`<li><div class="check"><input type="checkbox" id="date-${id}" name="event" value="${id}" checked><label for="date-${id}">${when}${
      outcome === 'to_pay' ? html` <span class="soft">${say('series.to_pay')}</span>` : null
    }</label></div></li>`;
  return html`<li><div><a href="${eventPageOf(site, id)}">${when}</a>${
    outcome === 'refused'
      ? html`<p class="soft">${spoken(why!, zone)}</p>${wayFrom(site, written, session)}`
      : html`<span class="tag">${say(`series.${outcome === 'booked' ? 'booked' : 'waiting'}`)}</span>`
  }</div></li>`;
}

/** Renders the way on from a date that can't be booked here: its own page has the form. */
function wayFrom(site: At['site'], { say }: Written, { id, code }: TriedSession): Html | null {
  const label =
    code === 'event_full'
      ? say('do.wait')
      : code === 'membership_unpaid'
        ? say('way.pay')
        : (REFUSALS as readonly (string | null)[]).includes(code)
          ? say('way.memberships')
          : say('linked.event');
  return waysOn([wayTo(eventPageOf(site, id), label)]);
}
