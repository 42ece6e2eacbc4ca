/** Rows and links that several pages of the account have. */
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { sitePath, type AccountWritten as Written, type Business } from '../../frame/index.ts';
import type { Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface Upcoming {
  readonly event: number;
  readonly name: string;
  readonly startsAt: number;
  /** of its venue */
  readonly zone: string;
  /** null: the person who reads the page */
  readonly forWhom: string | null;
}

/** Renders a link to the site. A business without one has no timetable to link to. */
export const toSite = ({ site }: At, page: 'timetable' | 'memberships', label: string, quiet: boolean): Html | null =>
  site.home.startsWith('/account/')
    ? null
    : html`<p class="actions"><a class="button${quiet ? ' quiet' : ''}" href="${sitePath(site, page)}">${label}</a></p>`;

export const person = ({ say }: Written, forWhom: string | null): Html | null =>
  forWhom === null ? null : html` <span class="tag">${say('home.for', { name: forWhom })}</span>`;

/** Renders the title of a page about a membership. */
export const headOfMembership = (
  { name, forWhom }: { readonly name: string; readonly forWhom: string | null },
  title: string,
): Html =>
  html`<div class="page-title"><h1>${title}</h1>
<p>${name}${forWhom === null ? null : html` <span class="tag">${forWhom}</span>`}</p></div>`;

/** Renders a row about an event, with a link to its page. */
export const eventRow = ({ site }: At, written: Written, one: Upcoming, about: string | null, way: string): Html =>
  html`<li><div><strong>${one.name}</strong>${person(written, one.forWhom)}
<p class="soft">${momentIn(written.reader.locale, one.startsAt, one.zone)}${
    about === null ? null : html`<br>${about}`
  }</p></div>
<a class="button quiet" href="${eventPath(site.id, one.event)}" aria-label="${way}: ${one.name}">${way}</a></li>`;
