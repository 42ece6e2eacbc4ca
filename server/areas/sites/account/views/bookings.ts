/** Lists of bookings: those that are coming up, and those that are past. */
import {
  at,
  hasSite,
  ownPage,
  sitePath,
  timesPath,
  writtenFor,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { eventRow, person, type Upcoming } from './home.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
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

interface List<T> {
  readonly bookings: readonly T[];
  /** number of the page, from 1 */
  readonly page: number;
  readonly more: boolean;
}

const COMING = 'profile/bookings';
const PAST = 'profile/bookings/past';

export const comingPage = (visit: At, list: List<Upcoming>): Shown => {
  const written = writtenFor(visit);
  const { say } = written;
  return listPage(visit, written, {
    ...list,
    path: COMING,
    title: say('home.bookings'),
    none: say('home.next.none'),
    ways: { before: say('home.receipts.earlier'), after: say('home.receipts.later') },
    other: { href: at(visit.site, PAST), label: say('home.bookings.past') },
    row: (one) => eventRow(visit, written, one, null, say('home.open')),
  });
};

export const pastPage = (visit: At, list: List<Past>): Shown => {
  const written = writtenFor(visit);
  const { say } = written;
  return listPage(visit, written, {
    ...list,
    path: PAST,
    title: say('home.bookings.past'),
    none: say('home.bookings.none'),
    ways: { before: say('home.receipts.later'), after: say('home.receipts.earlier') },
    other: { href: at(visit.site, COMING), label: say('home.next') },
    row: (one) => pastRow(visit, written, one),
  });
};

function listPage<T>(
  visit: At,
  { say }: Written,
  list: List<T> & {
    readonly path: string;
    readonly title: string;
    readonly none: string;
    readonly ways: { readonly before: string; readonly after: string };
    readonly other: { readonly href: string; readonly label: string };
    readonly row: (one: T) => Html;
  },
): Shown {
  const { bookings, page, more, path, title, none, ways, other, row } = list;
  const way = (to: number, label: string) => html`<a href="${at(visit.site, `${path}?page=${to}`)}">${label}</a> `;
  const body = html`<div class="page-title"><h1>${title}</h1></div>
<section class="card">${bookings.length === 0 ? html`<p class="soft">${none}</p>` : html`<ul class="rows">${bookings.map(row)}</ul>`}
<p class="actions">${page > 1 ? way(page - 1, ways.before) : null}${more ? way(page + 1, ways.after) : null}<a href="${other.href}">${other.label}</a></p></section>
<p class="actions"><a href="${at(visit.site, 'profile')}">${say('account.back')}</a></p>`;
  return ownPage(visit, title, body);
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
  return html`<li><div><strong><a href="${eventPath(visit.site.id, one.event)}">${one.name}</a></strong>${person(written, one.forWhom)}${state === null ? null : html` <span class="tag">${state}</span>`}
<p class="soft">${momentIn(reader.locale, one.startsAt, one.zone)}</p></div>
${again === null ? null : html`<a class="button quiet" href="${again}" aria-label="${label}: ${one.name}">${label}</a>`}</li>`;
}
