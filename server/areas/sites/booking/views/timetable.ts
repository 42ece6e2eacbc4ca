/** The timetable of a week or a day, with filters. The address contains every choice. */
import { addDays, daysBetween } from '../../../../kernel/base/values/date.ts';
import { dayIn, daysIn, nearDayIn, shortDayIn, zoneIn } from '../../../../kernel/base/languages/times.ts';
import { eventRow } from './events.ts';
import { eventPageOf, sitePage, sitePath } from '../../frame/index.ts';
import { manifestPath, offlinePath } from '../app/index.ts';
import { TIMETABLE_SCRIPT } from '../live/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { showPart, type Parts } from '../../../../kernel/pages/parts.ts';
import { EVERYTHING, isNarrowed, type Listed, type Narrowed } from '../read/events.ts';
import type { At, Written } from '../site.ts';
import type { Reader } from '../../../../kernel/base/languages/languages.ts';
import type { Choice, Choices, Filters } from '../read/choices.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

export interface TimetableParts {
  readonly choices: Filters;
  readonly listed: {
    readonly events: readonly Listed[];
    /** there are more than are shown */
    readonly more: boolean;
    /** next event, if there is none in this view */
    readonly next: Listed | null;
  };
  readonly personal: boolean;
}

interface Asked {
  /** first day, and number of days */
  readonly from: string;
  readonly days: 1 | 7;
  readonly today: string;
  /** last day that can be requested */
  readonly until: string;
  readonly narrowed: Narrowed;
  readonly now: number;
}

export interface TimetableRead extends Asked, Parts<TimetableParts> {}

interface TimetableView extends Asked, Omit<TimetableParts, 'listed'> {
  readonly events: readonly Listed[];
  readonly more: boolean;
  readonly next: Listed | null;
}

const NO_CHOICES: Filters = { what: [], teachers: [], places: [], categories: [], byAge: false };
const NOTHING_LISTED: TimetableParts['listed'] = { events: [], more: false, next: null };

/** Returns noon UTC of a calendar date, to format it without a time zone. */
const noon = (date: string): number => Date.parse(`${date}T12:00Z`);

/** Returns the address of a view of the timetable. */
export function timetablePath(
  site: At['site'],
  { from, days, narrowed }: Pick<TimetableView, 'days' | 'narrowed'> & { from: string | null },
): string {
  const asked = new URLSearchParams();
  if (from !== null) asked.set(days === 1 ? 'day' : 'week', from);
  else if (days === 1) asked.set('day', 'today');
  for (const name of ['what', 'category', 'teacher', 'place', 'age', 'membership'] as const)
    if (narrowed[name] !== null) asked.set(name, String(narrowed[name]));
  if (narrowed.free) asked.set('free', '1');
  if (narrowed.text !== null) asked.set('q', narrowed.text);
  const text = asked.toString();
  return `${sitePath(site, 'timetable')}${text === '' ? '' : `?${text}`}`;
}

export function timetablePage(visit: At, written: Written, read: TimetableRead): Shown {
  const { choices: known = NO_CHOICES, listed = NOTHING_LISTED, personal: isPersonal = false, ...asked } = read;
  const view: TimetableView = { ...asked, ...listed, choices: known, personal: isPersonal };
  const part = <T>(of: T | undefined, show: (part: T) => Html | null): Html | null =>
    showPart(visit, written.reader, of, show);
  const { site } = visit;
  const { say, reader } = written;
  const { from, days, today, events, personal, choices, narrowed } = view;
  const span =
    days === 1
      ? dayIn(reader.locale, noon(from), 'UTC')
      : daysIn(reader.locale, noon(from), noon(addDays(from, 6)), 'UTC');
  const dates = Array.from({ length: days }, (_, n) => addDays(from, n)).filter(
    (date) => date >= today || events.some((one) => one.date === date),
  );
  const zones = new Set(events.map(({ zone }) => zone));
  const [zone = site.tenant.zone] = zones;
  const body = html`<div class="page-title"${
    personal ? html` data-offline="${offlinePath(site)}"` : null
  }><h1>${say('timetable.title')}</h1><p>${span}</p>${
    events.length === 0
      ? null
      : html`<p class="soft zone" data-own="${say('timetable.own_time')}" data-there="${say(
          'timetable.their_time',
        )}"${personal ? null : html` data-live`}><span>${
          zones.size > 1 ? null : say('timetable.zone', { zone: zoneIn(reader.locale, events[0].startsAt, zone) })
        } </span></p>`
  }</div>
${wayBar(visit, written, view)}
${narrowed.membership === null ? null : html`<p class="soft">${say('timetable.covered')}</p>`}
${part(read.choices, () => html`${search(visit, written, view)}${filters(visit, written, view)}`)}
${view.more ? html`<p class="soft">${say('timetable.more')}</p>` : null}
${part(read.listed, () =>
  events.length === 0
    ? html`<section class="card"><p>${
        isNarrowed(narrowed) ? say('timetable.nothing_found') : say('timetable.nothing')
      }</p>${nextWay(visit, written, view)}</section>`
    : html`${dates.map((date) => daySection(visit, written, date, view))}`,
)}`;
  return sitePage(visit, written, say('timetable.title'), body, {
    here: 'timetable',
    description: say('timetable.description', { name: site.name, days: span }),
    data: events.slice(0, MAX_DATA).map((one) => eventData(visit, one, choices)),
    personal,
    script: TIMETABLE_SCRIPT,
    manifest: manifestPath(site),
    // Search engines index one timetable, not each of its thousands of views.
    indexed: !visit.query.has('week') && !visit.query.has('day') && !isNarrowed(narrowed),
  });
}

/** Search engines get the next ones. */
const MAX_DATA = 25;

/** Number of days with links of their own. */
const STRIP = 7;

/** Returns the first day of the links around the current day. */
const stripFrom = ({ from, days, today }: TimetableView): string =>
  days === 7 || from < today ? from : daysBetween(today, from) < STRIP ? today : addDays(from, -3);

function wayBar({ site }: At, { say, reader }: Written, view: TimetableView): Html {
  const { from, days, today, until } = view;
  const to = (from: string | null, span = days) => timetablePath(site, { ...view, from, days: span });
  const name = days === 1 ? 'day' : 'week';
  const earlier = from > today ? [addDays(from, -days), today].toSorted()[1] : null;
  const later = addDays(from, days);
  const first = stripFrom(view);
  return html`<nav class="ways" aria-label="${say(`timetable.${name}`)}">
<ul class="days">${Array.from({ length: STRIP }, (_, n) => dayWay(view, reader, addDays(first, n), to))}</ul>
<p class="actions">${earlier === null || earlier === from ? null : html`<a href="${to(earlier === today ? null : earlier)}" rel="prev">${say(`timetable.earlier_${name}`)}</a>`}
${earlier === null || earlier === today ? null : html`<a href="${to(null)}">${say('timetable.today')}</a>`}
${later > until ? null : html`<a href="${to(later)}" rel="next">${say(`timetable.later_${name}`)}</a>`}
${days === 1 ? html`<a href="${to(first === today ? null : first, 7)}">${say('timetable.week')}</a>` : null}</p></nav>`;
}

function dayWay(
  { from, days, today }: TimetableView,
  { locale }: Reader,
  date: string,
  to: (from: string, span: 1) => string,
): Html {
  const { weekday, day } = shortDayIn(locale, noon(date), 'UTC');
  const open = days === 1 && date === from;
  const kind = date < today ? html` class="past"` : date === today ? html` class="today"` : null;
  return html`<li><a href="${to(date, 1)}"${open ? html` aria-current="date"` : null}${
    kind
  }><span aria-hidden="true">${weekday} <strong>${day}</strong></span><span class="unseen">${nearDayIn(
    locale,
    noon(date),
    'UTC',
  )}</span></a></li>`;
}

/** Renders the field that finds events by a text; the other filters stay. */
function search({ site }: At, { say }: Written, { from, days, narrowed }: TimetableView): Html {
  const kept = new URLSearchParams(
    timetablePath(site, { from, days, narrowed: { ...narrowed, text: null } }).split('?')[1],
  );
  return html`<form class="find" role="search" method="get" action="${sitePath(site, 'timetable')}">${[...kept].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label class="unseen" for="q">${say('filter.text')}</label><input id="q" type="search" name="q" maxlength="100" placeholder="${say(
    'filter.text',
  )}" value="${narrowed.text ?? ''}"><button class="quiet">${say('filter.find')}</button></form>`;
}

/** A group with more is only in the form of the filters. */
const MAX_CHIPS = 8;

/** Renders the frequent filters as links: each sets one filter, or takes it off. */
function chips({ site }: At, { say }: Written, { choices, narrowed, from, days, today }: TimetableView): Html | null {
  const groups = [
    ['what', choices.what],
    ['teacher', choices.teachers],
    ['place', choices.places],
  ] as const;
  const links = groups.flatMap(([name, all]) =>
    all.length < 2 || all.length > MAX_CHIPS
      ? []
      : all.map((one) => {
          const chosen = narrowed[name] === one.id;
          const to = timetablePath(site, {
            from: from === today ? null : from,
            days,
            narrowed: { ...narrowed, [name]: chosen ? null : one.id },
          });
          return html`<a href="${to}"${chosen ? html` aria-current="true"` : null} aria-label="${say('filter.only', {
            name: one.name,
          })}">${one.name}</a>`;
        }),
  );
  return links.length === 0 ? null : html`<p class="chips">${links}</p>`;
}

function filters(visit: At, written: Written, view: TimetableView): Html | null {
  const { site } = visit;
  const { say } = written;
  const { choices, narrowed, from, days } = view;
  const select = (name: 'what' | 'category' | 'teacher' | 'place', all: readonly Choice[]) =>
    all.length < 2 && narrowed[name] === null
      ? null
      : html`<div class="field"><label for="${name}">${say(`filter.${name}`)}</label><select id="${
          name
        }" name="${name}"><option value="">${say('filter.all')}</option>${all.map(
          (one) =>
            html`<option value="${one.id}"${one.id === narrowed[name] ? html` selected` : null}>${one.name}</option>`,
        )}</select></div>`;
  return html`<details class="filters"${isNarrowed(narrowed) ? html` open` : null}><summary>${say('filter.title')}</summary>${chips(visit, written, view)}
<form method="get" action="${sitePath(site, 'timetable')}"><input type="hidden" name="${days === 1 ? 'day' : 'week'}" value="${from}">${narrowed.membership === null ? null : html`<input type="hidden" name="membership" value="${narrowed.membership}">`}${narrowed.text === null ? null : html`<input type="hidden" name="q" value="${narrowed.text}">`}
<div class="choose">${select('what', choices.what)}${select('category', choices.categories)}${select(
    'teacher',
    choices.teachers,
  )}${select('place', choices.places)}${choices.byAge || narrowed.age !== null ? ageField(say, narrowed.age) : null}
<div class="field check"><input type="checkbox" id="free" name="free" value="1"${narrowed.free ? html` checked` : null}><label for="free">${say('filter.free')}</label></div></div>
<p class="actions"><button class="quiet">${say('filter.show')}</button>${
    isNarrowed(narrowed)
      ? html`<a href="${timetablePath(site, { from, days, narrowed: EVERYTHING })}">${say('filter.clear')}</a>`
      : null
  }</p></form></details>`;
}

const ageField = (say: Written['say'], age: number | null): Html =>
  html`<div class="field"><label for="age">${say('filter.age')}</label><input id="age" name="age" type="number" inputmode="numeric" min="0" max="120" value="${age ?? ''}"></div>`;

/** Returns true for what somebody who looks for a class doesn't need: it is over, or has begun without them. */
const isPast = ({ startsAt, endsAt, mine }: Listed, now: number): boolean =>
  now >= endsAt || (now >= startsAt && mine.length === 0);

function daySection(visit: At, written: Written, date: string, view: TimetableView): Html {
  const { say, reader } = written;
  const { events, now, choices, today } = view;
  const ofDay = events.filter((one) => one.date === date);
  // Today begins with what is next; on days before, everything is past.
  const past = date === today ? ofDay.filter((one) => isPast(one, now)) : [];
  const name = nearDayIn(reader.locale, noon(date), 'UTC');
  const list = (all: readonly Listed[]) =>
    html`<ul class="events">${all.map((one) => eventRow(visit, written, one, { now, choices }))}</ul>`;
  const rest = ofDay.filter((one) => !past.includes(one));
  return html`<section class="day" aria-labelledby="d${date}"><h2 id="d${date}">${name}${
    date === today ? html` <span class="tag">${say('timetable.today')}</span>` : null
  }</h2>
${
  past.length === 0
    ? null
    : html`<details class="earlier"><summary>${say('timetable.past', {
        n: past.length,
      })}</summary>${list(past)}</details>`
}
${
  rest.length === 0
    ? html`<p class="soft">${past.length > 0 ? say('timetable.no_more') : say('timetable.nothing')}</p>`
    : list(rest)
}</section>`;
}

function nextWay({ site }: At, { say, reader }: Written, { next, days, narrowed }: TimetableView): Html {
  const day = next && nearDayIn(reader.locale, next.startsAt, next.zone);
  return html`<p class="actions">${
    next
      ? html`<a class="button" href="${timetablePath(site, { from: next.date, days, narrowed })}">${say('timetable.next', { name: next.name, day: day! })}</a>`
      : null
  }${
    isNarrowed(narrowed)
      ? html`<a href="${timetablePath(site, { from: null, days, narrowed: EVERYTHING })}">${say('filter.clear')}</a>`
      : html`<a href="${site.home}">${say('nav.home')}</a>`
  }</p>`;
}

function eventData({ site, baseUrl }: At, one: Listed, { places }: Choices): object {
  const place = places.find(({ name }) => name === one.venue);
  return {
    '@type': 'https://schema.org/Event',
    name: one.name,
    startDate: one.startsAtText,
    endDate: new Date(one.endsAt).toISOString(),
    url: `${baseUrl}${eventPageOf(site, one.id)}`,
    eventStatus: `https://schema.org/${one.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${place?.online ? 'Online' : 'Offline'}EventAttendanceMode`,
    location: place?.online
      ? { '@type': 'VirtualLocation', url: `${baseUrl}${eventPageOf(site, one.id)}` }
      : { '@type': 'Place', name: one.venue, ...(place?.address && { address: place.address }) },
    organizer: { '@id': `${baseUrl}${site.home}` },
    ...(one.instructors.length > 0 && { performer: one.instructors.map((name) => ({ '@type': 'Person', name })) }),
  };
}
