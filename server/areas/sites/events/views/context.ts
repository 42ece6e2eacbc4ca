/** Instructors and venue of an event, and alternatives to it. */
import { eventPageOf, sitePath, type At } from '../../frame/index.ts';
import { mapOf } from '../../../places/venues/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { paragraphs } from './parts.ts';
import { picture } from '../../../../kernel/pages/picture.ts';
import type { EventView } from '../event-view.ts';
import type { OtherTime } from '../instead.ts';
import type { Written } from '../messages.ts';

export const teachersCard = ({ site }: At, { say }: Written, { teachers }: EventView): Html | null =>
  teachers.length === 0
    ? null
    : html`<section class="card" aria-labelledby="teachers"><h2 id="teachers">${say('teachers')}</h2>
<ul class="rows">${teachers.map(
        ({ id, name, description, picture: face }) =>
          html`<li>${
            face && picture(face, { alt: '', sizes: '64px', square: 64, lazy: true, class: 'face' })
          }<div><strong>${name}</strong>${paragraphs(description)}</div>
${
  site.slug === null
    ? null
    : html`<a href="${sitePath(site, 'timetable')}?teacher=${id}">${say('teachers.more', { name })}</a>`
}</li>`,
      )}</ul></section>`;

/** Renders the link to the call of an event that also takes place at its venue. */
export const callCard = ({ say }: Written, { both, join, cancelled }: EventView): Html | null =>
  both === null || cancelled
    ? null
    : html`<section class="card" aria-labelledby="call"><h2 id="call">${both.online.name}</h2>${paragraphs(
        both.online.description,
      )}${joinText(say, join, 'online.who')}</section>`;

const joinText = (say: Written['say'], join: string | null, whom: 'online.text' | 'online.who'): Html =>
  join === null
    ? html`<p>${say(whom)}</p>`
    : html`<p class="actions"><a class="button quiet" href="${join}">${say('online.join')}</a></p>`;

export function placeCard(_visit: At, { say }: Written, { place, join, cancelled }: EventView): Html | null {
  if (place === null || cancelled) return null;
  const { online, name, address, description } = place;
  const map = online ? null : mapOf(place);
  if (online)
    return html`<section class="card" aria-labelledby="place"><h2 id="place">${name}</h2>${paragraphs(description)}
${joinText(say, join, 'online.text')}</section>`;
  if (map === null && description === '') return null;
  return html`<section class="card" aria-labelledby="place"><h2 id="place">${say('place')}</h2>
<p><strong>${name}</strong>${address ? html`<br><bdi>${address}</bdi>` : null}</p>${paragraphs(description)}
${
  map === null ? null : html`<p class="actions"><a href="${map}" rel="noopener noreferrer">${say('map')}</a></p>`
}</section>`;
}

const rows = ({ site }: At, { reader }: Written, events: readonly OtherTime[]): Html =>
  html`<ul class="rows">${events.map(
    ({ id, name, startsAt, zone }) =>
      html`<li><div><a href="${eventPageOf(site, id)}"><strong>${name}</strong></a>
<p class="soft">${momentIn(reader.locale, startsAt, zone)}</p></div></li>`,
  )}</ul>`;

export const timesCard = (visit: At, written: Written, { otherTimes }: EventView): Html | null =>
  otherTimes.length === 0
    ? null
    : html`<section class="card" aria-labelledby="times-title"><h2 id="times-title">${written.say('times')}</h2>
${rows(visit, written, otherTimes)}</section>`;

export const similarCard = (visit: At, written: Written, { similar }: EventView): Html | null =>
  similar.length === 0
    ? null
    : html`<section class="card" aria-labelledby="similar-title"><h2 id="similar-title">${written.say('similar')}</h2>
${rows(visit, written, similar)}</section>`;
