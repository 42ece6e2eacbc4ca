/** Pages of free times: what can be booked by the time, its next free times, and the confirmation of one time. */
import { addDays } from '../../../../kernel/base/values/date.ts';
import { amountIn, dayIn, nearDayIn, timeIn, timesIn, zoneIn } from '../../../../kernel/base/languages/times.ts';
import {
  type Business,
  afterPaying,
  at,
  bookPath,
  bookWith,
  choicesList,
  timePath,
  timesPath,
  buttonForm,
  startForm,
  hasSite,
  sitePath,
  sitePage,
  takeFields,
  waysAfter,
  waysOrAsk,
  wayTo,
  type Refused,
} from '../../frame/index.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { firstLine, paragraphs } from '../../events/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { SINGLE } from '../at-slots.ts';
import type { Day, FreeTime, ListView, Offer, SlotView, Taker, TimesView } from '../at-slots.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';
import type { TimesWritten } from '../messages.ts';

type At = Visit<Business>;

/** Returns noon UTC of a calendar date, to format it without a time zone. */
const noon = (date: string): number => Date.parse(`${date}T12:00Z`);

export function bookPage(visit: At, written: TimesWritten, { offers, personal }: ListView): Shown {
  const { site } = visit;
  const { say } = written;
  const body = html`<div class="page-title">
<h1>${say('book.title')}</h1>${offers.length === 0 ? null : html`<p>${say('book.lead')}</p>`}</div>
<section class="card">${
    offers.length === 0
      ? html`<p>${say('book.none')}</p>${
          hasSite(site)
            ? html`<p class="actions"><a class="button" href="${sitePath(site, 'timetable')}">${say('nav.timetable')}</a></p>`
            : null
        }`
      : html`<ul class="rows">${offers.map((one) => offerRow(visit, written, one))}</ul>`
  }</section>`;
  return sitePage(visit, written, say('book.title'), body, {
    here: 'book',
    description: say('book.description', { name: site.name }),
    personal,
  });
}

function offerRow({ site }: At, { say, reader }: TimesWritten, { id, name, description, next }: Offer): Html {
  const to = timesPath(site, { offering: id });
  const when =
    next && `${nearDayIn(reader.locale, next.startsAt, next.zone)}, ${timeIn(reader.locale, next.startsAt, next.zone)}`;
  return html`<li><div><a href="${to}"><strong>${name}</strong></a>${
    description ? html`<p class="soft">${firstLine(description)}</p>` : null
  }${when === null ? null : html`<p>${say('book.next', { when })}</p>`}</div>
<a class="button quiet" href="${to}" aria-label="${say('book.choose')}: ${name}">${say('book.choose')}</a></li>`;
}

interface Around {
  /** id of the event that is being moved; null: a new booking */
  readonly move: number | null;
}

const titleOf = ({ say }: TimesWritten, name: string, move: number | null): string =>
  move === null ? name : say('times.move', { what: name });

export function timesPage(visit: At, written: TimesWritten, view: TimesView, { move }: Around): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { offering, price, days, personal } = view;
  const title = titleOf(written, offering.name, move);
  const times = days.flatMap((day) => day.times);
  const lengths = new Set(times.map(({ startsAt, endsAt }) => (endsAt - startsAt) / 60_000));
  const facts = [
    ...(lengths.size === 1 ? [say('times.minutes', { n: [...lengths][0] })] : []),
    ...(price === null ? [] : [amountIn(reader.locale, price)]),
  ];
  const zones = new Set(times.map(({ zone }) => zone));
  const body = html`<div class="page-title">
<h1>${title}</h1>${facts.length === 0 ? null : html`<p>${facts.join(' · ')}</p>`}</div>
${move === null && offering.description ? html`<div class="lead">${paragraphs(offering.description)}</div>` : null}
${narrowing(visit, written, view, move)}
${
  days.length === 0
    ? nothingFree(visit, written, view, move)
    : html`${nextNote(visit, written, view)}${days.map((day) => dayCard(visit, written, day, move))}`
}
${
  zones.size === 1
    ? html`<p class="soft">${say('times.zone', { zone: zoneIn(reader.locale, times[0].startsAt, times[0].zone) })}</p>`
    : null
}
${ways(visit, written, view, move)}`;
  return sitePage(visit, written, title, body, {
    here: 'book',
    description: say('times.description', { what: offering.name, name: site.name }),
    data: [offerData(visit, view)],
    personal,
    // Search engines index the offering, but not each of its days.
    indexed: move === null && !visit.query.has('day') && !visit.query.has('with'),
  });
}

/** Renders the choice of instructor and day, each optional. */
function narrowing(visit: At, { say }: TimesWritten, view: TimesView, move: number | null): Html {
  const { offering, teachers, teacher, asked, today } = view;
  const choice =
    teachers.length < 2
      ? null
      : html`<div class="field"><label for="with">${say('times.with')}</label>
<select id="with" name="with"><option value="">${say('times.anyone')}</option>${teachers.map(
          ({ id, name }) => html`<option value="${id}"${id === teacher ? html` selected` : null}>${name}</option>`,
        )}</select></div>`;
  const chosen = visit.query.has('day') || visit.query.has('with');
  return html`<details class="filters"${chosen ? html` open` : null}><summary>${say(
    choice === null ? 'times.narrow' : 'times.narrow_with',
  )}</summary>
<form method="get" action="${timesPath(visit.site, { offering: offering.id })}">${
    move === null ? null : html`<input type="hidden" name="move" value="${move}">`
  }
<div class="choose">${choice}<div class="field"><label for="day">${say('times.from')}</label><input id="day" name="day" type="date" value="${asked}" min="${today}"></div></div>
<p class="actions"><button class="quiet">${say('times.show')}</button></p></form></details>`;
}

const nextNote = (visit: At, { say, reader }: TimesWritten, { asked, days }: TimesView): Html | null =>
  visit.query.has('day') && days[0].date !== asked
    ? html`<p class="beside">${say('times.nothing_on', { day: dayIn(reader.locale, noon(asked), 'UTC') })}</p>`
    : null;

/** Returns the instructors and venue. They are shown with each time, unless they are the same for the whole day. */
const who = ({ instructors, venue }: FreeTime): string => [instructors.join(', '), venue].filter(Boolean).join(', ');

function dayCard({ site }: At, { reader }: TimesWritten, { date, times }: Day, move: number | null): Html {
  const same = new Set(times.map(who)).size === 1;
  return html`<section class="card" aria-labelledby="d${date}">
<h2 id="d${date}">${dayIn(reader.locale, noon(date), 'UTC')}</h2>
${same ? html`<p class="soft">${who(times[0])}</p>` : null}
<ul class="${same ? 'times' : 'times named'}">${times.map(
    (time) =>
      html`<li><a class="button quiet" href="${timePath(site, time.slot, move)}">${timeIn(reader.locale, time.startsAt, time.zone)}${
        same ? null : html` <span class="soft">${who(time)}</span>`
      }</a></li>`,
  )}</ul></section>`;
}

function nothingFree(
  { site }: At,
  { say, reader }: TimesWritten,
  { asked, offering, teacher }: TimesView,
  move: number | null,
): Html {
  const day = dayIn(reader.locale, noon(asked), 'UTC');
  return html`<section class="card" aria-labelledby="none"><h2 id="none">${say('times.nothing')}</h2>
<p>${say('times.nothing_text', { day, name: site.name })}</p>
${
  teacher === null
    ? null
    : html`<p class="actions"><a class="button" href="${timesPath(site, {
        offering: offering.id,
        day: asked,
        move,
      })}">${say('times.with_anyone')}</a></p>`
}</section>`;
}

function ways({ site }: At, { say, reader }: TimesWritten, view: TimesView, move: number | null): Html {
  const { offering, asked, today, later, teacher } = view;
  const to = (day: string | null) => timesPath(site, { offering: offering.id, day, teacher, move });
  const earlier = asked > today ? addDays(asked, -1) : null;
  return html`<p class="actions">${
    later === null
      ? null
      : html`<a href="${to(later)}" rel="next">${say('times.later', {
          day: nearDayIn(reader.locale, noon(later), 'UTC'),
        })}</a>`
  }
${
  earlier === null
    ? null
    : html`<a href="${to(earlier === today ? null : earlier)}" rel="prev">${say('times.earlier')}</a>`
}
${
  move === null
    ? html`<a href="${bookPath(site)}">${say('book.all')}</a>`
    : html`<a href="${eventPath(site.id, move)}">${say('times.keep')}</a>`
}</p>`;
}

const offerData = ({ site, baseUrl }: At, { offering: { id, name, description } }: TimesView): object => ({
  '@type': 'Service',
  name,
  ...(description && { description }),
  url: `${baseUrl}${timesPath(site, { offering: id })}`,
  provider: { '@id': `${baseUrl}${site.home}` },
});

const fact = (name: string, value: Html | string | null): Html | null =>
  value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;

export type SlotRefused = Refused & { readonly status: number };

export interface AroundSlot extends Around {
  /** refusal of the last attempt */
  readonly problem?: SlotRefused | null;
}

export function slotPage(
  visit: At,
  written: TimesWritten,
  view: SlotView,
  { move, problem = null }: AroundSlot,
): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { startsAt, endsAt, zone, venue, instructors, offering } = view;
  const others = timesPath(site, { offering: offering.id, day: dayOf(view), move });
  const title = titleOf(written, offering.name, move);
  const otherZone = zone === site.tenant.zone ? null : zoneIn(reader.locale, startsAt, zone);
  const body = html`${
    problem === null
      ? null
      : html`<div class="problem" role="alert" tabindex="-1" autofocus>
<h2>${say('problem')}</h2><p>${problem.text}</p>
${waysAfter(visit, written, problem, [wayTo(others, say('way.times'))])}</div>`
  }
<div class="card"><h1>${title}</h1>
<dl class="facts">${fact(say('time.date'), dayIn(reader.locale, startsAt, zone))}
${fact(
  say('time.time'),
  html`${timesIn(reader.locale, startsAt, endsAt, zone)}${
    otherZone === null ? null : html` <span class="soft">(${otherZone})</span>`
  }`,
)}
${fact(say('time.where'), venue)}
${fact(say('times.with'), instructors.join(', '))}</dl>
<p class="turn"><a href="${others}">${say('time.other')}</a></p></div>
${
  view.available
    ? takerCards(visit, written, view, move)
    : html`<section class="card" aria-labelledby="gone"><h2 id="gone">${say('time.gone')}</h2>
<p class="actions"><a class="button" href="${others}">${say('time.see')}</a></p></section>`
}`;
  return sitePage(visit, written, title, body, {
    here: 'book',
    description: say('times.description', { what: offering.name, name: site.name }),
    personal: view.personal,
    indexed: false,
    status: problem?.status ?? 200,
    self: timePath(site, view.slot, move),
  });
}

function takerCards(visit: At, written: TimesWritten, view: SlotView, move: number | null): Html | Html[] {
  if (!view.personal) return visitorCard(visit, written, view, move);
  if (view.takers === null) return joinCard(visit, written);
  return move === null
    ? view.takers.map((one) => takerCard(visit, written, view, one))
    : moveCard(visit, written, view, move);
}

const dayOf = ({ startsAt, zone }: FreeTime): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(startsAt);

function visitorCard(visit: At, { say }: TimesWritten, { slot }: SlotView, move: number | null): Html {
  return html`<section class="card" aria-labelledby="in-title"><h2 id="in-title">${say('time.want')}</h2>
<p>${say('start.text')}</p>
${startForm(visit, say, timePath(visit.site, slot, move))}</section>`;
}

const joinCard = ({ site }: At, { say }: TimesWritten): Html =>
  html`<section class="card"><p>${say('time.join', { name: site.name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile')}">${say('nav.account')}</a></p></section>`;

function takerCard(visit: At, written: TimesWritten, view: SlotView, one: Taker): Html {
  const { site, token } = visit;
  const { say, reader } = written;
  const id = `person-${one.id}`;
  const { name, covered, payers } = one;
  const price = one.price && amountIn(reader.locale, one.price);
  const form = (button: string, pays: number | typeof SINGLE | null, tone?: 'quiet'): Html =>
    buttonForm({
      action: timePath(site, view.slot, null, '/book'),
      button,
      tone,
      token,
      id: `book-${one.id}-${pays ?? ''}-`,
      fields: takeFields,
      kept: { customer: String(one.id), pays: pays === null ? '' : String(pays) },
    });
  const book = name === null ? say('time.book') : say('time.book_for', { name });
  const pay = (cost: string) =>
    name === null ? say('time.pay', { price: cost }) : say('time.pay_for', { price: cost, name });
  const [text, forms] = ((): [string | null, Html | null] => {
    if (payers.length > 0) {
      const choices = payers.map((payer, i) => ({
        text: afterPaying(written, payer),
        form: form(bookWith(written, payer, name), payer.id, i === 0 ? undefined : 'quiet'),
      }));
      const single =
        price === null ? [] : [{ text: say('time.single', { price }), form: form(pay(price), SINGLE, 'quiet') }];
      return [null, choicesList([...choices, ...single])];
    }
    if (covered) return [name === null ? say('time.covered') : say('time.covered_for', { name }), form(book, null)];
    if (price !== null) return [say('time.price', { price }), form(pay(price), null)];
    if (!one.lacksMembership) return [say('time.free'), form(book, null)];
    const memberships = hasSite(site) ? wayTo(sitePath(site, 'memberships'), say('way.memberships')) : null;
    return [say('time.lacks', { name: site.name }), waysOrAsk(visit, written, [memberships])];
  })();
  return html`<section class="card" aria-labelledby="${id}">
<h2 id="${id}">${name === null ? say('time.this') : say('time.this_for', { name })}</h2>
${text === null ? null : html`<p>${text}</p>`}${forms}</section>`;
}

function moveCard({ site, token }: At, { say }: TimesWritten, view: SlotView, move: number): Html {
  return html`<section class="card" aria-labelledby="move-title"><h2 id="move-title">${say('move.title')}</h2>
<p>${say(view.late ? 'move.late' : 'move.in_time')}</p>
${buttonForm({
  action: timePath(site, view.slot, move, '/move'),
  button: say(view.late ? 'move.button_late' : 'move.title'),
  tone: view.late ? 'danger' : undefined,
  token,
  id: 'move-',
  fields: takeFields,
  kept: { late: view.late ? 'yes' : 'no' },
})}</section>`;
}

/** Renders the page for offerings that are not available, and for invalid ids. */
export function noTimesPage(visit: At, written: TimesWritten, { personal }: { readonly personal: boolean }): Shown {
  const { say } = written;
  const body = html`<div class="card"><h1>${say('missing')}</h1><p>${say('missing_text')}</p>
<p class="actions"><a class="button" href="${bookPath(visit.site)}">${say('book.all')}</a></p></div>`;
  return sitePage(visit, written, say('missing'), body, {
    here: 'book',
    description: say('missing_text'),
    personal,
    indexed: false,
    status: 404,
  });
}
