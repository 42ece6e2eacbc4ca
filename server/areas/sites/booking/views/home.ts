/** The home page of a business: what is next, where it is, who teaches, what it costs, and how to start. */
import { bookPath, businessData, sitePage, sitePath, startForm, timesPath } from '../../frame/index.ts';
import { mapOf } from '../../../places/venues/index.ts';
import { firstLine, paragraphs } from '../../events/index.ts';
import type { Offered } from '../../appointments/index.ts';
import { coursesCard } from '../courses/views.ts';
import { coursesFor } from '../courses/messages.ts';
import { libraryCard } from '../library/views.ts';
import { libraryFor } from '../library/messages.ts';
import { membershipsCard } from './memberships.ts';
import { shopCard } from '../shop/views.ts';
import { shopFor } from '../shop/messages.ts';
import { eventRow, thumb, type RowLook } from './events.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { icon } from '../icon.ts';
import { nearDayIn } from '../../../../kernel/base/languages/times.ts';
import { picture } from '../../../../kernel/pages/picture.ts';
import { showPart, type Parts } from '../../../../kernel/pages/parts.ts';
import type { At, Written } from '../site.ts';
import type { Introduced, Introductions, Place } from '../read/choices.ts';
import type { Listed as ListedEvent } from '../read/events.ts';
import type { Listed } from '../courses/read.ts';
import type { Sold } from '../read/memberships.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

export interface HomeParts {
  readonly choices: Introductions;
  readonly next: readonly ListedEvent[];
  readonly ownTimes: readonly Offered[];
  readonly courses: readonly Listed[];
  readonly memberships: readonly Sold[];
  readonly sells: { readonly products: boolean; readonly cards: boolean };
  readonly personal: boolean;
}

export interface HomeView extends Parts<HomeParts> {
  /** in epoch milliseconds, by the business's clock */
  readonly now: number;
}

const NO_CHOICES: Introductions = { what: [], teachers: [], places: [] };

export function homePage(visit: At, written: Written, view: HomeView): Shown {
  const { site } = visit;
  const { say } = written;
  const { now, personal = false } = view;
  const choices = view.choices ?? NO_CHOICES;
  const part = <T>(read: T | undefined, show: (read: T) => Html | null): Html | null =>
    showPart(visit, written.reader, read, show);
  const body = html`<div class="hero">${heroOf(
    site,
    html`<h1>${site.name}</h1>
${site.description ? html`<div class="lead">${paragraphs(site.description)}</div>` : null}
<p class="actions"><a class="button" href="${sitePath(site, 'timetable')}">${say('nav.timetable')}</a><a class="button quiet" href="${sitePath(site, 'memberships')}">${say('nav.memberships')}</a></p>`,
  )}</div>
${part(view.next, (next) => nextCard(visit, written, next, { now, choices }))}
${part(view.choices, ({ what }) => (what.length === 0 ? null : offersPart(visit, written, what)))}
${part(view.ownTimes, (ownTimes) => (ownTimes.length === 0 ? null : timesCard(visit, written, ownTimes)))}
${part(view.courses, (courses) => coursesCard(visit, coursesFor(visit), courses, now))}
${part(view.memberships, (memberships) => membershipsCard(visit, written, memberships))}
${part(view.sells, (sells) => shopCard(visit, shopFor(visit), sells))}
${site.offers.includes('library') ? libraryCard(visit, libraryFor(visit)) : null}
${personal ? null : beginCard(visit, written)}
${part(choices, ({ places }) => placesCard(visit, written, places))}
${part(choices, ({ teachers }) => (teachers.length === 0 ? null : teachersCard(visit, written, choices)))}
${contactCard(visit, written)}`;
  return sitePage(visit, written, say('nav.home'), body, {
    here: 'home',
    description: firstOf(site.description) ?? say('home.description', { name: site.name }),
    data: [
      businessData(visit),
      ...choices.places.filter(({ online }) => !online).map((place) => placeData(visit, place)),
    ],
    personal,
  });
}

/**
 * Renders the top of the page. With a cover, the text is in a box at its lower edge, so that it is readable on any
 * picture.
 */
const heroOf = ({ cover }: At['site'], text: Html): Html =>
  cover === null
    ? text
    : html`${picture(cover, {
        alt: '',
        sizes: '(max-width: 60rem) 100vw, 60rem',
        class: 'cover',
      })}<div class="cover-text">${text}</div>`;

/** Search engines show about this many characters. */
const DESCRIPTION_LENGTH = 160;

const firstOf = (text: string): string | null => {
  const [first = ''] = text.trim().split(/\n+/);
  return first === ''
    ? null
    : first.length <= DESCRIPTION_LENGTH
      ? first
      : `${first.slice(0, DESCRIPTION_LENGTH - 1).replace(/\s+\S*$/, '')}…`;
};

function nextCard(visit: At, written: Written, next: readonly ListedEvent[], { now, choices }: RowLook): Html {
  const { say, reader } = written;
  const when = (startsAt: number, zone: string) => nearDayIn(reader.locale, startsAt, zone);
  return html`<section class="card" aria-labelledby="next"><h2 id="next">${say('home.next')}</h2>
${
  next.length === 0
    ? html`<p>${say('home.none')}</p>`
    : html`<ul class="events">${next.map((one) => eventRow(visit, written, one, { now, when, choices }))}</ul>`
}
<p class="actions"><span class="with-icon">${icon('calendar')}<a href="${sitePath(visit.site, 'timetable')}">${say('home.all')}</a></span></p></section>`;
}

/** Further ones are in the timetable. */
const MAX_OFFERS = 12;

function offersPart({ site }: At, { say }: Written, what: readonly Introduced[]): Html {
  return html`<section class="part" aria-labelledby="offers"><h2 id="offers">${say('home.offers')}</h2>
<ul class="offers">${what.slice(0, MAX_OFFERS).map(
    ({ id, name, description, picture: shown }) =>
      html`<li class="card">${
        shown && picture(shown, { alt: '', sizes: '(max-width: 40rem) 100vw, 20rem', lazy: true, class: 'banner' })
      }<h3>${name}</h3>
${description ? html`<p class="soft">${firstLine(description)}</p>` : null}
<p class="actions"><a href="${sitePath(site, 'timetable')}?what=${id}">${say('home.offers.when')}<span class="unseen">: ${name}</span></a></p></li>`,
  )}</ul></section>`;
}

function timesCard({ site }: At, { say }: Written, ownTimes: HomeParts['ownTimes']): Html {
  return html`<section class="card" aria-labelledby="times"><h2 id="times">${say('home.times')}</h2>
<p class="soft with-icon">${icon('clock')}<span>${say('home.times.text')}</span></p>
<ul class="rows">${ownTimes.map(
    ({ id, name, description, picture: shown }) =>
      html`<li>${shown && thumb(shown, 72)}<div><a href="${timesPath(site, { offering: id })}"><strong>${name}</strong></a>${
        description ? html`<p class="soft">${firstLine(description)}</p>` : null
      }</div></li>`,
  )}</ul>
<p class="actions"><a href="${bookPath(site)}">${say('home.times.all')}</a></p></section>`;
}

function beginCard(visit: At, { say }: Written): Html {
  return html`<section class="card" aria-labelledby="begin"><h2 id="begin">${say('home.begin')}</h2>
<p>${say('home.begin.text')}</p>
${startForm(visit, say, sitePath(visit.site, 'timetable'))}</section>`;
}

/** Leaves out a single venue without details: its name alone tells nobody anything. */
const worthTelling = (places: readonly Place[]): readonly Place[] =>
  places.length > 1
    ? places
    : places.filter((one) => mapOf(one) !== null || Boolean(one.description) || one.rooms.length > 0);

/** Renders the venues. Each links to a map, or to its events if its location is unknown. */
function placesCard({ site }: At, { say }: Written, all: readonly Place[]): Html | null {
  const places = worthTelling(all);
  if (places.length === 0) return null;
  return html`<section class="card" aria-labelledby="places"><h2 id="places">${say('home.places')}</h2>
<ul class="rows">${places.map((place) => {
    const map = place.online ? null : mapOf(place);
    const named = html`<span class="unseen">: ${place.name}</span>`;
    return html`<li><div><strong>${place.name}</strong>${
      place.address ? html`<p class="soft with-icon">${icon('map-pin')}<bdi>${place.address}</bdi></p>` : null
    }${place.description ? paragraphs(place.description) : null}${
      place.rooms.length === 0
        ? null
        : html`<ul class="rooms">${place.rooms.map(
            (room) =>
              html`<li>${picture(room.picture, {
                alt: '',
                sizes: '15rem',
                lazy: true,
                class: 'banner',
              })}<span class="soft">${room.name}</span></li>`,
          )}</ul>`
    }</div>
${
  map === null
    ? html`<a href="${sitePath(site, 'timetable')}?place=${place.id}">${say('home.offers.when')}${named}</a>`
    : html`<a href="${map}" rel="noopener noreferrer">${say('home.map')}${named}</a>`
}</li>`;
  })}</ul></section>`;
}

function teachersCard({ site }: At, { say }: Written, { teachers }: Introductions): Html {
  return html`<section class="card" aria-labelledby="teachers"><h2 id="teachers">${say('home.teachers')}</h2>
<ul class="rows">${teachers.map(
    ({ id, name, description, picture: shown }) =>
      html`<li class="person">${
        shown ? thumb(shown, 72) : html`<span class="thumb">${icon('user')}</span>`
      }<div><strong>${name}</strong>${description ? paragraphs(description) : null}</div>
<a href="${sitePath(site, 'timetable')}?teacher=${id}">${say('nav.timetable')}<span class="unseen">: ${name}</span></a></li>`,
  )}</ul></section>`;
}

function contactCard({ site: { contact } }: At, { say }: Written): Html | null {
  const ways = [
    contact.email && html`${icon('mail')}<a href="mailto:${contact.email}">${contact.email}</a>`,
    contact.phone &&
      html`${icon('phone')}<a dir="ltr" href="tel:${contact.phone.replaceAll(/[^+\d]/g, '')}">${contact.phone}</a>`,
  ].filter((way) => way !== null && way !== '');
  return ways.length === 0
    ? null
    : html`<section class="card" aria-labelledby="contact"><h2 id="contact">${say('home.contact')}</h2>
<p class="actions">${ways.map((way) => html`<span class="with-icon">${way as Html}</span>`)}</p></section>`;
}

const placeData = ({ site, baseUrl }: At, { name, address, lat, lng }: Place): object => ({
  '@type': 'Place',
  name: `${site.name}, ${name}`,
  ...(address && { address }),
  ...(lat !== null && lng !== null && { geo: { '@type': 'GeoCoordinates', latitude: lat, longitude: lng } }),
  containedInPlace: { '@id': `${baseUrl}${site.home}` },
});
