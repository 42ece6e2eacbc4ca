/** The page of an event: its details, the state of each person, and the button that fits. */
import {
  type Business,
  at,
  buttonForm,
  withReturn,
  eventPageOf,
  guestPageOf,
  seriesPageOf,
  sitePath,
  sitePage,
  startForm,
  nowAt,
  type At,
} from '../../frame/index.ts';
import { dayIn, momentIn, timesIn, zoneIn } from '../../../../kernel/base/languages/times.ts';
import { eventData } from './data.ts';
import { guestLink } from '../../guests/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { offerPrice, paragraphs, priceIn } from './parts.ts';
import { saidCards, type Said } from './labels.ts';
import { bookable, togetherCard } from './together.ts';
import { renderDeal } from './deal.ts';
import { participantCard } from './person.ts';
import { callCard, placeCard, similarCard, teachersCard, timesCard } from './context.ts';
import { cancelText } from './cancelling.ts';
import type { Account } from '../../../people/identity/index.ts';
import { picture } from '../../../../kernel/pages/picture.ts';
import { askedFor } from '../place.ts';
import { openToGuests, type EventView, type Spots } from '../event-view.ts';
import type { Place } from '../../../scheduling/schedule/index.ts';
import type { Key, Written } from '../messages.ts';
import type { Wallets } from '../../../../kernel/base/passes/index.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';

interface Around {
  readonly account: Account | null;
  /** result of a form */
  readonly said: Said;
  /** wallets of phones for which passes can be issued */
  readonly wallets: Wallets;
}

export function eventPage(visit: At, written: Written, view: EventView, { account, said, wallets }: Around): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { zone, startsAt } = view;
  const main = mainOf(view);
  const body = html`${saidCards(visit, written, view, said)}
<div class="split"><div class="card">${
    view.picture && picture(view.picture, { alt: '', sizes: PICTURE_SIZES, class: 'picture' })
  }<h1>${view.name}</h1>
${facts(visit, written, view)}
${view.description ? html`<div class="about">${paragraphs(view.description)}</div>` : null}</div>
<div class="side">${waysIn(visit, written, view)}${
    view.participants
      ? html`${togetherCard(visit, written, view)}${view.participants.map((one) =>
          participantCard(visit, written, view, { one, wallets, isMain: one.id === main }),
        )}${seriesLink(visit, written, view)}`
      : account
        ? joinCard(visit, written, view, account)
        : visitorCard(visit, written, view)
  }${timesCard(visit, written, view)}</div>
<div class="rest">${teachersCard(
    visit,
    written,
    view,
  )}${placeCard(visit, written, view)}${callCard(written, view)}${similarCard(visit, written, view)}</div></div>`;
  const day = dayIn(reader.locale, startsAt, zone);
  return sitePage(visit, written, view.name, body, {
    here: null,
    description: say('description', { name: view.name, business: site.name, day }),
    data: [eventData(visit, view)],
    personal: account !== null,
    self: eventPageOf(site, view.id),
    status: said.problems.length === 0 ? 200 : 422,
  });
}

/** Returns the id of the person whose button is the main one of the page; null: it is for several people, or none. */
function mainOf(view: EventView): number | null {
  if (bookable(view).length > 0) return null;
  const acts = ['register', 'claim_spot', 'join_waitlist'];
  return view.participants?.find(({ suggestion }) => suggestion !== null && acts.includes(suggestion))?.id ?? null;
}

const fact = (name: string, value: Html | string | null): Html | null =>
  value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;

function facts({ site, now }: At, written: Written, view: EventView): Html {
  const { say, reader } = written;
  const { id, zone, startsAt, endsAt, place, teachers, cancelled } = view;
  const open = !cancelled && now < endsAt;
  return html`<dl class="facts">${fact(
    say('date'),
    html`<time datetime="${view.startsAtText}">${dayIn(reader.locale, startsAt, zone)}</time>`,
  )}
${fact(
  say('time'),
  html`${timesIn(reader.locale, startsAt, endsAt, zone)}
<span class="soft">(${zoneIn(reader.locale, startsAt, zone)})</span>`,
)}
${fact(
  say('where'),
  place &&
    html`${place.name}${
      place.online
        ? html`<br><span class="soft">${say('online')}</span>`
        : place.address
          ? html`<br><bdi class="soft">${place.address}</bdi>`
          : null
    }${view.both && html`<br>${say('online.too')}`}`,
)}
${fact(say('with'), teachers.map(({ name }) => name).join(', '))}
${spotsFacts(written, view, now)}
${open && view.movable === null ? fact(say('price'), priceText(written, view)) : null}</dl>
${open ? html`<p class="actions"><a href="${eventPageOf(site, id)}/calendar.ics">${say('calendar')}</a></p>` : null}`;
}

/** Returns the price; null: it is free for those who may come. */
const priceText = (written: Written, { price, offers }: EventView): string | null => {
  if (price === null) return offers.length > 0 ? written.say('price.membership') : null;
  return price.minor === 0 ? priceIn(written, price) : written.say('price.once', { price: priceIn(written, price) });
};

const OFF = (word: string): Html => html`<strong class="off">${word}</strong>`;

/** Renders the links between the two kinds of places; null: there is one, or nothing is left to book. */
function waysIn(
  { site, now }: At,
  { say }: Written,
  { id, both, chosen, cancelled, startsAt, participants }: EventView,
): Html | null {
  const isForNobody = participants?.every(({ status }) => status === 'registered') ?? false;
  if (both === null || cancelled || now >= startsAt || isForNobody) return null;
  const way = (place: Place, name: string) =>
    html`<a href="${eventPageOf(site, id)}${askedFor(place)}"${
      place === chosen ? html` aria-current="true"` : null
    }>${name}</a>`;
  return html`<nav class="chips" aria-label="${say('how')}">${way('venue', say('in_person'))}${way('online', say('online'))}</nav>`;
}

/** Renders the spots that are left, of each kind if there are two. */
function spotsFacts(written: Written, view: EventView, now: number): Html | null {
  const { say } = written;
  const { both, cancelled, startsAt } = view;
  if (both === null || cancelled || now >= startsAt) return fact(say('spots'), spotsOf(written, view, now));
  const of = (spots: Spots) => spotsOf(written, { ...view, ...spots }, now);
  return html`${fact(say('in_person'), of(both.venue))}${fact(say('online'), of(both.online))}`;
}

function spotsOf(
  { say }: Written,
  {
    cancelled,
    startsAt,
    endsAt,
    left,
    waiting,
    movable,
  }: Pick<EventView, 'cancelled' | 'startsAt' | 'endsAt' | 'left' | 'waiting' | 'movable'>,
  now: number,
): Html | string | null {
  if (cancelled) return OFF(say('spots.cancelled'));
  if (now >= endsAt) return OFF(say('spots.over'));
  if (now >= startsAt) return OFF(say('spots.started'));
  // An event that was created for one booking has no spots for others.
  if (left === null || movable !== null) return null;
  if (left > 0) return say('spots.left', { n: left });
  return OFF(waiting > 0 ? say('spots.waiting', { n: waiting }) : say('spots.full'));
}

/** The width of its card. */
const PICTURE_SIZES = '(min-width: 60rem) 36rem, 100vw';

function visitorCard(visit: At, written: Written, view: EventView): Html | null {
  const { site, now } = visit;
  const { say, reader } = written;
  const { id, cancelled, endsAt, opensAt, closesAt, zone } = view;
  if (cancelled || now >= endsAt) return null;
  const when = (moment: number, key: Key) =>
    html`<p><strong>${say(key, { when: momentIn(reader.locale, moment, zone) })}</strong></p>`;
  return html`<section class="card" aria-labelledby="in-title"><h2 id="in-title">${say('visitor')}</h2>
${now < opensAt ? when(opensAt, 'visitor.opens') : now >= closesAt ? when(closesAt, 'visitor.closed') : null}
<p>${say('start.text')}</p>
${now < closesAt ? html`<p class="soft">${cancelText(written, view, now) ?? say('cancel.until_start')}</p>` : null}
${startForm(
  visit,
  say,
  `${eventPageOf(site, id)}${askedFor(view.chosen)}`,
  now < closesAt ? renderDeal(written, view, now, { price: priceText(written, view), lateFrom: view.lateFrom }) : null,
)}
${
  openToGuests(view, nowAt(visit))
    ? html`<p class="actions">${guestLink(visit, `${guestPageOf(site, id)}${askedFor(view.chosen)}`)}</p>`
    : null
}
${offersList(site, written, view)}</section>`;
}

const seriesLink = ({ site }: At, { say }: Written, { id, repeats }: EventView): Html | null =>
  repeats ? html`<p class="actions"><a href="${seriesPageOf(site, id)}">${say('series')}</a></p>` : null;

/** Renders the memberships that a visitor could come with. */
const offersList = (site: Business, written: Written, { offers }: EventView): Html | null =>
  offers.length === 0 || site.slug === null
    ? null
    : html`<div class="about"><p>${written.say('visitor.offers')}</p><ul>${offers.map(
        (offer) =>
          html`<li><a href="${sitePath(site, 'memberships')}/${offer.membership}">${offer.name}</a>: ${offerPrice(written, offer)}</li>`,
      )}</ul></div>`;

const joinCard = (
  { site, token }: At,
  { say }: Written,
  { id }: EventView,
  { emailConfirmedAt, email }: Account,
): Html => {
  const { name } = site;
  return html`<section class="card" aria-labelledby="join-title"><h2 id="join-title">${say('join', { name })}</h2>
${
  emailConfirmedAt === null
    ? html`<p>${say('join.confirm', { email })}</p><p><a href="${at(site, 'profile')}">${say('join.again')}</a></p>`
    : html`<p>${say('join.text', { name })}</p>${buttonForm({
        action: `${eventPageOf(site, id)}/join`,
        button: say('join.button', { name }),
        token,
      })}`
}</section>`;
};

/** Renders the same page whether or not the event exists: only people who are logged in can learn more. */
export function hiddenEventPage(visit: At, written: Written): Shown {
  const { say } = written;
  const way = withReturn(at(visit.site, 'log-in'), visit.path);
  const body = html`<div class="card"><h1>${say('hidden')}</h1><p>${say('hidden.text')}</p>
<p class="actions"><a class="button" href="${way}">${say('nav.log_in')}</a></p></div>`;
  return sitePage(visit, written, say('hidden'), body, {
    here: null,
    description: say('hidden'),
    personal: false,
    self: visit.path,
    indexed: false,
    status: 404,
  });
}
