/** Addresses at which customers subscribe to their bookings. */
import {
  type Business,
  at,
  buttonForm,
  doneNotice,
  calendarFields,
  ownPage,
  section,
  writtenFor,
} from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

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
  const { say } = writtenFor(visit);
  const body = html`${doneNotice(visit)}
<div class="page-title"><h1>${say('calendar.add')}</h1><p>${say('calendar.lead')}</p></div>
${card(visit, 'own', own)}${family && card(visit, 'family', family)}`;
  return ownPage(visit, say('calendar.title'), body, { part: 'bookings' });
}

function card(visit: At, name: 'own' | 'family', links: Links): Html {
  const { site, token } = visit;
  const { say } = writtenFor(visit);
  const services = links.integrations.map(
    ({ name: service, url }, n) => html`${n === 0 ? '' : ', '}<a href="${url}" rel="noreferrer">${service}</a>`,
  );
  return section(
    name,
    say(`calendar.${name}`),
    html`<p class="actions"><a class="button" href="${links.webcal_url}">${say('calendar.button')}</a></p>
<p class="about soft">${say('calendar.services')} ${services}</p>
<p class="about soft">${say('calendar.other')}</p>
<p><code>${links.link}</code></p>
<details><summary>${say('calendar.known')}</summary>
<p>${say('calendar.known.text')}</p>
${buttonForm({
  fields: calendarFields,
  kept: { family: name === 'family' ? 'yes' : 'no' },
  action: at(site, 'profile/calendar'),
  button: say('calendar.reset'),
  tone: 'quiet',
  token,
  id: `${name}-`,
})}</details>`,
  );
}
