/** Where to subscribe to what one has booked. */
import { at, type Business } from '../business.ts';
import { buttonForm, doneNotice, top } from './parts.ts';
import { calendarFields } from './fields.ts';
import { html, type Html } from '../../../../kernel/api/html.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

interface Links {
  readonly link: string;
  readonly webcal_url: string;
  readonly integrations: readonly { readonly name: string; readonly url: string }[];
}

export interface CalendarView {
  readonly own: Links;
  /** null: they manage no family */
  readonly family: Links | null;
}

export function calendarPage(visit: At, { own, family }: CalendarView): Shown {
  const { site, token } = visit;
  const body = html`${doneNotice(visit)}
<div class="wide page-title"><h1>Add to your calendar</h1><p>Subscribe once. What you book, change or cancel then appears there automatically.</p></div>
${card(visit, 'own', 'For yourself', own)}${family && card(visit, 'family', 'For your whole family', family)}`;
  return page('Your calendar', body, { top: top(site, token) });
}

const card = ({ site, token }: At, name: 'own' | 'family', title: string, links: Links): Html =>
  html`<section class="card big" aria-labelledby="${name}-title"><h2 id="${name}-title">${title}</h2>
<p class="actions"><a class="button" href="${links.webcal_url}">Add to my calendar</a></p>
<p class="about soft">Or add it to ${links.integrations.map(({ name: service, url }, n) => html`${n === 0 ? '' : n === links.integrations.length - 1 ? ' or ' : ', '}<a href="${url}" rel="noreferrer">${service}</a>`)}. In any other calendar, choose to subscribe to a calendar from the web, and paste this address:</p>
<p><code>${links.link}</code></p>
<details><summary>Someone else knows this address?</summary>
<p>Anyone who has the address can see what is in this calendar. With a new address, the old one stops working, and you subscribe again.</p>
${buttonForm({ fields: calendarFields, kept: { family: name === 'family' ? 'yes' : 'no' }, action: at(site, 'profile/calendar'), button: 'Get a new address', tone: 'quiet', token, id: `${name}-` })}</details></section>`;
