/** The pages of free times: a day with its times, and one time that is about to be taken. */
import { addDays } from '../../../../kernel/values/date.ts';
import { at, type Business } from '../business.ts';
import { buttonForm, doneNotice, top, withReturn, wordPage } from './parts.ts';
import { clockText, dayText, spanText, spokenDate } from '../../../../kernel/values/spoken-time.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary } from '../../../../kernel/pages/show-form.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { html, type Html } from '../../../../kernel/api/html.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { slotPath, slotsPath } from '../slots/path.ts';
import { takeFields } from './fields.ts';
import type { Account } from '../../../people/identity/index.ts';
import type { DayView, FreeTime, SlotView, Taker } from '../slots/at-slots.ts';

type At = Visit<Business>;

interface Around {
  readonly account: Account | null;
  /** id of the event that is to be moved; null: a new one */
  readonly move: number | null;
  readonly draft?: Draft;
  /** said above everything else */
  readonly notice?: string | null;
}

const titleOf = (name: string, move: number | null): string => (move === null ? name : `Choose another time: ${name}`);

export function dayPage(visit: At, view: DayView, { account, move, notice = null }: Around): Shown {
  const { site, token } = visit;
  const { offering, asked, day, times, next } = view;
  const to = (of: string) => slotsPath(site.id, { offering: offering.id, day: of, move });
  const earlier = asked > view.today ? addDays(asked, -1) : null;
  const title = titleOf(offering.name, move);
  const body = html`${notice === null ? doneNotice(visit) : html`<div class="problem" role="alert"><p>${notice}</p></div>`}
<div class="card"><h1>${title}</h1>
${move === null && offering.description ? html`<div class="about">${offering.description.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>` : null}
<form method="get" action="${at(site, 'slots')}"><input type="hidden" name="offering_type" value="${offering.id}">
${move === null ? null : html`<input type="hidden" name="move" value="${move}">`}
<div class="field"><label for="day">Day</label><input id="day" name="day" type="date" value="${day ?? asked}" min="${view.today}" required></div>
<p class="actions"><button class="button quiet">Show this day</button></p></form></div>
<section class="card" aria-labelledby="times-title">${
    day === null
      ? html`<h2 id="times-title">Nothing is free</h2>
<p>There are no free times within a month from ${spokenDate(asked)}. Choose a later day, or ask ${site.name}.</p>`
      : html`<h2 id="times-title">${spokenDate(day)}</h2>
${day === asked ? null : html`<p>Nothing is free on ${spokenDate(asked)}. This is the next day that has free times.</p>`}
${timesOf(visit, times, move)}`
  }
${earlier === null && next === null ? null : html`<div class="turn">${next === null ? null : html`<p><a href="${to(next)}">Next free day: ${spokenDate(next)}</a></p>`}${earlier === null ? null : html`<p><a href="${to(earlier)}">The day before</a></p>`}</div>`}</section>
${move === null ? null : html`<p><a href="${eventPath(site.id, move)}">Keep the time as it is</a></p>`}`;
  return page(title, body, { top: account ? top(site, token) : null, status: notice === null ? 200 : 409 });
}

const who = ({ instructors, venue }: FreeTime): string => [instructors.join(', '), venue].filter(Boolean).join(', ');

/** Where and with whom is said with each, unless it is the same for all of them. */
function timesOf({ site }: At, times: readonly FreeTime[], move: number | null): Html {
  const same = new Set(times.map(who)).size === 1;
  return html`${same ? html`<p class="soft">${who(times[0])}</p>` : null}
<ul class="${same ? 'times' : 'times named'}">${times.map(
    (time) =>
      html`<li><a class="button quiet" href="${slotPath(site.id, time.slot, move)}">${clockText(time.startsAt, time.zone)}${same ? null : html` <span class="soft">${who(time)}</span>`}</a></li>`,
  )}</ul>`;
}

const fact = (name: string, value: Html | string | null): Html | null =>
  value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;

export function slotPage(visit: At, view: SlotView, { account, move, draft = EMPTY }: Around): Shown {
  const { site, token } = visit;
  const { startsAt, endsAt, zone, venue, instructors, offering } = view;
  const wrong = draft !== EMPTY;
  const others = slotsPath(site.id, { offering: offering.id, day: dayOf(view), move });
  const title = titleOf(offering.name, move);
  const body = html`${wrong ? errorSummary({}, draft) : null}
<div class="card"><h1>${title}</h1>
<dl class="facts">${fact('Date', dayText(startsAt, zone))}
${fact('Time', html`${spanText(startsAt, endsAt, zone)}${zone === site.tenant.zone ? null : html` <span class="soft">(${zone.replaceAll('_', ' ')})</span>`}`)}
${fact('Where', venue)}
${fact('With', instructors.join(', '))}</dl>
<p class="turn"><a href="${others}">Choose another time</a></p></div>
${
  view.available
    ? view.takers === null
      ? visitorCard(visit, view, move)
      : move === null
        ? view.takers.map((one) => takerCard(visit, view, one))
        : moveCard(visit, view, move)
    : html`<section class="card" aria-labelledby="gone"><h2 id="gone">This time is no longer free</h2>
<p class="actions"><a class="button" href="${others}">See free times</a></p></section>`
}`;
  return page(title, body, { status: wrong ? (draft.status ?? 422) : 200, top: account ? top(site, token) : null });
}

const dayOf = ({ startsAt, zone }: FreeTime): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(startsAt);

function visitorCard({ site }: At, { slot }: SlotView, move: number | null): Html {
  const to = (name: string) => withReturn(at(site, name), slotPath(site.id, slot, move));
  return html`<section class="card" aria-labelledby="in-title"><h2 id="in-title">Want this time?</h2>
<p>Log in to book it. New here? Sign up first; you'll come back to this page.</p>
<p class="actions"><a class="button" href="${to('log-in')}">Log in</a><a class="button quiet" href="${to('sign-up')}">Sign up</a></p></section>`;
}

function takerCard({ site, token }: At, view: SlotView, one: Taker): Html {
  const id = `person-${one.id}`;
  const whom = one.name === null ? '' : ` for ${one.name}`;
  const owner = one.name === null ? 'Your' : `${one.name}'s`;
  const { one: word, a } = site.tenant.words;
  const text = one.covered
    ? `${owner} ${word.membership} pays for it.`
    : one.price !== null
      ? `It costs ${one.price}. You pay on the next page; we keep the time for you meanwhile.`
      : one.lacksMembership
        ? `${a.membership[0].toUpperCase()}${a.membership.slice(1)} is needed for this. Ask ${site.name}.`
        : 'It costs nothing.';
  const may = one.covered || one.price !== null || !one.lacksMembership;
  const form = buttonForm({
    action: slotPath(site.id, view.slot, null, '/book'),
    button: one.price === null ? `Book${whom}` : `Continue to pay${whom}: ${one.price}`,
    token,
    id: `book-${one.id}-`,
    fields: takeFields,
    kept: { customer: String(one.id) },
  });
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${one.name === null ? 'Book this time' : `Book this time for ${one.name}`}</h2>
<p>${text}</p>${may ? form : null}</section>`;
}

function moveCard({ site, token }: At, view: SlotView, move: number): Html {
  return html`<section class="card" aria-labelledby="move-title"><h2 id="move-title">Move to this time</h2>
<p>${view.late ? 'The time for free changes has passed: the old time counts as a late cancellation, and the new time is paid for as well.' : 'What you have paid stays as it is.'}</p>
${buttonForm({
  action: slotPath(site.id, view.slot, move, '/move'),
  button: view.late ? 'Move late' : 'Move to this time',
  tone: view.late ? 'danger' : undefined,
  token,
  id: 'move-',
  fields: takeFields,
  kept: { late: view.late ? 'yes' : 'no' },
})}</section>`;
}

/** For what is not offered, and for ids that are none. */
export const noTimesPage = ({ site }: At): Shown =>
  wordPage('Page not found', html`<p>There are no times here that can be booked.</p>`, {
    way: { href: at(site, 'profile'), label: 'Your account' },
    status: 404,
  });
