/** The bookings of a person: the first page of their account, and lists of what is coming up and what is past. */
import {
  at,
  codesCard,
  hasSite,
  ownPage,
  section,
  sitePath,
  timesPath,
  writtenFor,
  type AccountWritten as Written,
  type Business,
  type Person,
} from '../../frame/index.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { eventRow, person, toSite, type Upcoming } from './rows.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { blockedCard, toDoCard, type Blocked, type ToDo } from './before.ts';
import { headOf, type AboutView } from './about.ts';
import { dayIn, momentIn } from '../../../../kernel/base/languages/times.ts';
import { passWays } from '../../passes/index.ts';
import { showPart, type Parts } from '../../../../kernel/pages/parts.ts';
import type { Wallets } from '../../../../kernel/base/passes/index.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface Past extends Upcoming {
  /** the person didn't come */
  readonly missed: boolean;
  /** it was cancelled late */
  readonly late: boolean;
  /** id of the offering type */
  readonly offering: number;
  /** it is booked by the time, not from the timetable */
  readonly byTime: boolean;
}

/** A visit at the former product of the business. */
export interface PastVisit {
  /** null: nobody knows the class */
  readonly name: string | null;
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM, by the clock of the business; null: only the day is known */
  readonly time: string | null;
  readonly forWhom: string | null;
  readonly missed: boolean;
  readonly late: boolean;
  /** instructor and place, as far as they are known */
  readonly about: readonly string[];
}

export interface Waiting extends Upcoming {
  readonly position: number | null;
  /** time until which a spot is reserved; null: they are still waiting */
  readonly keptUntil: number | null;
}

export interface BookingParts {
  readonly blocked: readonly Blocked[];
  readonly toDo: readonly ToDo[];
  readonly upcoming: readonly Upcoming[];
  readonly waiting: readonly Waiting[];
  /** latest past bookings, each of another offering */
  readonly past: readonly Past[];
  /** the codes that people show at the door, by customer */
  readonly codes: ReadonlyMap<number, string>;
}

export interface BookingsView extends Parts<BookingParts> {
  /** the reader, and the people whom they act for */
  readonly people: readonly Person[];
  /** wallets of phones for which passes can be issued */
  readonly wallets: Wallets;
}

interface List<T> {
  readonly bookings: readonly T[];
  /** number of the page, from 1 */
  readonly page: number;
  readonly more: boolean;
}

const COMING = 'profile/bookings';
const PAST = 'profile/bookings/past';
const EARLIER = 'profile/bookings/earlier';

/** Renders the first page of the account of a customer. */
export function bookingsPage(visit: At, about: AboutView, view: BookingsView): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const part = <T>(read: T | undefined, show: (part: T) => Html | null): Html | null =>
    showPart(visit, written.reader, read, show);
  const passes = ({ id, name }: Person) => html`${passWays(visit, view.wallets, { customer: id, name, event: null })}
<p><a href="${at(visit.site, 'profile/code')}">${say('code.reset.link')}</a></p>`;
  const body = html`${headOf(visit, written, about)}
${part(view.blocked, (blocked) => html`${blocked.map((one, n) => blockedCard(visit, written, one, n))}`)}
${part(view.toDo, (all) => (all.length === 0 ? null : toDoCard(visit, written, all)))}
${part(view.waiting, (waiting) => (waiting.length === 0 ? null : waitingCard(visit, written, waiting)))}
${part(view.upcoming, (upcoming) => nextCard(visit, written, upcoming))}
${part(view.past, (past) => (past.length === 0 ? null : againCard(visit, written, past)))}
${part(view.codes, (codes) => codesCard(view.people, codes, say, passes))}`;
  return ownPage(visit, say('account.title'), body, { part: 'bookings' });
}

function nextCard(visit: At, written: Written, next: readonly Upcoming[]): Html {
  const { say } = written;
  const body =
    next.length === 0
      ? html`<p>${say('home.next.none')}</p>`
      : html`<ul class="rows">${next.map((one) => eventRow(visit, written, one, null, say('home.open')))}</ul>`;
  return section(
    'next',
    say('home.next'),
    html`${body}${toSite(visit, 'timetable', say('home.timetable'), next.length > 0)}
<p class="actions"><a href="${at(visit.site, 'profile/bookings')}">${say('home.bookings.all')}</a> <a href="${at(visit.site, 'profile/bookings/past')}">${say('home.bookings.past')}</a> <a href="${at(visit.site, 'profile/calendar')}">${say('calendar.add')}</a></p>`,
  );
}

const waitingCard = (visit: At, written: Written, waiting: readonly Waiting[]): Html => {
  const { say, reader } = written;
  const rows = waiting.map((one) =>
    one.keptUntil === null
      ? eventRow(
          visit,
          written,
          one,
          one.position === null ? null : say('home.waiting.place', { n: one.position }),
          say('home.waiting.see'),
        )
      : eventRow(
          visit,
          written,
          one,
          say('home.waiting.kept', { when: momentIn(reader.locale, one.keptUntil, one.zone) }),
          say('home.waiting.take'),
        ),
  );
  return section('waiting', say('home.waiting'), html`<ul class="rows">${rows}</ul>`);
};

const againCard = (visit: At, written: Written, past: readonly Past[]): Html =>
  section(
    'again',
    written.say('home.again'),
    html`<ul class="rows">${past.map((one) => pastRow(visit, written, one))}</ul>`,
  );

export const comingPage = (visit: At, list: List<Upcoming>): Shown => {
  const written = writtenFor(visit);
  const { say } = written;
  return listPage(visit, {
    ...list,
    path: COMING,
    title: say('home.bookings'),
    none: say('home.next.none'),
    ways: { before: say('home.receipts.earlier'), after: say('home.receipts.later') },
    other: { href: at(visit.site, PAST), label: say('home.bookings.past') },
    row: (one) => eventRow(visit, written, one, null, say('home.open')),
  });
};

export const pastPage = (visit: At, list: List<Past> & { readonly hasVisits: boolean }): Shown => {
  const written = writtenFor(visit);
  const { say } = written;
  return listPage(visit, {
    ...list,
    path: PAST,
    title: say('home.bookings.past'),
    none: say('home.bookings.none'),
    ways: { before: say('home.receipts.later'), after: say('home.receipts.earlier') },
    other: { href: at(visit.site, COMING), label: say('home.next') },
    last: list.hasVisits ? { href: at(visit.site, EARLIER), label: say('home.visits') } : undefined,
    row: (one) => pastRow(visit, written, one),
  });
};

export const visitsPage = (visit: At, list: List<PastVisit>): Shown => {
  const written = writtenFor(visit);
  const { say } = written;
  return listPage(visit, {
    ...list,
    path: EARLIER,
    title: say('home.visits'),
    none: say('home.visits.none'),
    ways: { before: say('home.receipts.later'), after: say('home.receipts.earlier') },
    other: { href: at(visit.site, PAST), label: say('home.bookings.past') },
    row: (one) => visitRow(written, one),
  });
};

function listPage<T>(
  visit: At,
  list: List<T> & {
    readonly path: string;
    readonly title: string;
    readonly none: string;
    readonly ways: { readonly before: string; readonly after: string };
    readonly other: { readonly href: string; readonly label: string };
    /** what comes after the last page */
    readonly last?: { readonly href: string; readonly label: string } | undefined;
    readonly row: (one: T) => Html;
  },
): Shown {
  const { bookings, page, more, path, title, none, ways, other, last, row } = list;
  const way = (to: number, label: string) => html`<a href="${at(visit.site, `${path}?page=${to}`)}">${label}</a> `;
  const body = html`<div class="page-title"><h1>${title}</h1></div>
<section class="card">${
    bookings.length === 0 ? html`<p class="soft">${none}</p>` : html`<ul class="rows">${bookings.map(row)}</ul>`
  }
<p class="actions">${page > 1 ? way(page - 1, ways.before) : null}${more ? way(page + 1, ways.after) : null}${
    last && html`<a href="${last.href}">${last.label}</a> `
  }<a href="${other.href}">${other.label}</a></p></section>`;
  return ownPage(visit, title, body, { part: 'bookings' });
}

/** Returns where the same is booked again; null if the business has no site. */
function againPath({ site }: At, { offering, byTime }: Past): string | null {
  if (byTime) return timesPath(site, { offering });
  return hasSite(site) ? `${sitePath(site, 'timetable')}?what=${offering}` : null;
}

function pastRow(visit: At, written: Written, one: Past): Html {
  const { say, reader } = written;
  const again = againPath(visit, one);
  const label = say('home.again');
  const state = one.missed ? say('home.missed') : one.late ? say('home.late') : null;
  return html`<li><div><strong><a href="${eventPath(visit.site.id, one.event)}">${one.name}</a></strong>${person(written, one.forWhom)}${
    state === null ? null : html` <span class="tag">${state}</span>`
  }
<p class="soft">${momentIn(reader.locale, one.startsAt, one.zone)}</p></div>
${
  again === null ? null : html`<a class="button quiet" href="${again}" aria-label="${label}: ${one.name}">${label}</a>`
}</li>`;
}

function visitRow(written: Written, one: PastVisit): Html {
  const { say, reader } = written;
  // Midnight UTC is the first moment of the day in UTC, which is how the day is written.
  const start = Date.parse(`${one.date}T${one.time ?? '00:00'}:00Z`);
  const when = (one.time === null ? dayIn : momentIn)(reader.locale, start, 'UTC');
  const state = one.missed ? say('home.missed') : one.late ? say('home.late') : null;
  return html`<li><div><strong>${one.name ?? say('home.visit')}</strong>${person(written, one.forWhom)}${
    state === null ? null : html` <span class="tag">${state}</span>`
  }
<p class="soft">${[when, ...one.about].join(' · ')}</p></div></li>`;
}
