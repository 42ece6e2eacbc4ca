/** The page of an event: what it is, how it stands with each of the people, and the button that fits. */
import { html, type Html } from '../../../kernel/api/html.ts';
import { EMPTY, type Draft } from '../../../kernel/pages/form.ts';
import { errorSummary } from '../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../kernel/pages/visit.ts';
import { dayText, momentText, soonText, spanText, spoken } from '../../../kernel/values/spoken-time.ts';
import { at, type Business } from '../business.ts';
import { eventPath } from '../../schedule/index.ts';
import { eventFields, toldFields } from './fields.ts';
import { buttonForm, doneNotice, top, withReturn, wordPage } from './parts.ts';
import type { Account } from '../../identity/index.ts';
import { amountText } from '../../../kernel/values/money.ts';
import { startOfDay } from '../../../kernel/values/zone.ts';
import type { EventView, LateCancellation, Participant } from '../at-event.ts';

type At = Visit<Business>;

interface Around {
  readonly account: Account | null;
  /** what was wrong with a form that was sent */
  readonly draft: Draft;
}

export function eventPage(visit: At, view: EventView, { account, draft }: Around): Shown {
  const { site, token, now } = visit;
  const { zone, startsAt, endsAt, venue, instructors } = view;
  const wrong = draft !== EMPTY;
  const told: Draft = { ...draft, errors: Object.fromEntries(Object.entries(draft.errors).map(([name, error]) => [name, spoken(error, zone)])) };
  const body = html`${wrong ? errorSummary({}, told) : doneNotice(visit)}
<div class="card"><h1>${view.name}</h1>
<dl class="facts">${fact('Date', dayText(startsAt, zone))}
${fact('Time', html`${spanText(startsAt, endsAt, zone)}${zone === site.tenant.zone ? null : html` <span class="soft">(${zone.replaceAll('_', ' ')})</span>`}`)}
${fact('Where', venue && html`${venue.name}${venue.address ? html`<br><span class="soft">${venue.address}</span>` : null}`)}
${fact('With', instructors.join(', '))}
${fact('Places', placesOf(view, now))}</dl>
${view.description ? html`<div class="about">${view.description.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>` : null}</div>
${view.participants ? view.participants.map((one) => participantCard(visit, view, one)) : account ? joinCard(visit, view, account) : logInCard(visit, view)}`;
  return page(view.name, body, { status: wrong ? (draft.status ?? 422) : 200, top: account ? top(site, token) : null });
}

const fact = (name: string, value: Html | string | null): Html | null => (value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null);

/** The same whether there is such an event or not: only who is logged in can learn more. */
export const hiddenEventPage = ({ site }: At, returnTo: string): Shown =>
  wordPage('Page not found', html`<p>There is nothing here for everybody to see. If you booked it or wait for it, log in.</p>`, {
    way: { href: withReturn(at(site, 'log-in'), returnTo), label: 'Log in' },
    status: 404,
  });

const OFF = (word: string): Html => html`<strong class="off">${word}</strong>`;

function placesOf({ cancelled, startsAt, endsAt, left }: EventView, now: number): Html | string | null {
  if (cancelled) return OFF('Cancelled');
  if (now >= endsAt) return OFF('Over');
  if (now >= startsAt) return OFF('Has begun');
  if (left === null) return null;
  return left === 0 ? OFF('Full') : `${left} left`;
}

const logInCard = ({ site, now }: At, { id, cancelled, endsAt }: EventView): Html | null =>
  cancelled || now >= endsAt ? null : html`<section class="card" aria-labelledby="in-title"><h2 id="in-title">Coming?</h2>
<p>Log in to book, to wait for a place, or to cancel.</p>
<p class="actions"><a class="button" href="${withReturn(at(site, 'log-in'), eventPath(site.id, id))}">Log in</a></p></section>`;

const joinCard = ({ site, token }: At, { id }: EventView, { emailConfirmedAt, email }: Account): Html =>
  html`<section class="card" aria-labelledby="join-title"><h2 id="join-title">You are not a customer of ${site.name} yet</h2>
${emailConfirmedAt === null
    ? html`<p>Open the link that we sent to <strong>${email}</strong> first.</p>`
    : html`<p>Join with this account: ${site.name} then sees your name and e-mail address.</p>${buttonForm({ action: `${eventPath(site.id, id)}/join`, button: `Join ${site.name}`, token })}`}</section>`;

interface Said {
  readonly title: string;
  readonly text: readonly (Html | string | null)[];
  readonly forms: readonly Html[];
}

function participantCard(visit: At, view: EventView, one: Participant): Html {
  const { title, text, forms } = saidOf(visit, view, one);
  const id = `person-${one.id}`;
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${text.filter(Boolean).map((line) => html`<p>${line}</p>`)}${forms}</section>`;
}

/** How it stands with this person, and what can be done. */
function saidOf(visit: At, view: EventView, one: Participant): Said {
  const { now } = visit;
  const { zone } = view;
  const { name, status, suggestion, keptUntil } = one;
  const has = name === null ? 'You have' : `${name} has`;
  const why = one.why && spoken(one.why, zone);
  const ahead = now < view.startsAt && !view.cancelled;
  const form = formsOf(visit, view, one);
  switch (status) {
    case 'registered':
      return { title: `${has} a place`, text: [suggestion ? whileBooked(one, view, visit) : why], forms: suggestion ? [form.cancel()] : [] };
    case 'attended':
      return { title: name === null ? 'You were here' : `${name} was here`, text: [], forms: [] };
    case 'no_show':
      return { title: name === null ? 'You were marked as absent' : `${name} was marked as absent`, text: [], forms: [] };
    case 'spot_reserved': {
      const until = soonText(keptUntil!, now, zone);
      const who = name ?? 'you';
      if (suggestion !== 'claim_spot') return { title: `A place was kept for ${who} until ${until}`, text: [why], forms: [form.leave('Leave the waitlist')] };
      return { title: `A place is kept for ${who} until ${until}`, text: [beforeBooking(one, view, now)], forms: [form.book('Take the place'), form.leave('Do not take it')] };
    }
    case 'on_waitlist': {
      const title = `${name === null ? 'You wait' : `${name} waits`} at number ${one.position}`;
      if (suggestion === 'register') return { title, text: ['A place is free: whoever books first gets it.', beforeBooking(one, view, now)], forms: [form.book('Book'), form.leave('Leave the waitlist')] };
      return { title, text: [ahead ? 'We write as soon as there is a place.' : why], forms: [form.leave('Leave the waitlist')] };
    }
    default: {
      const title = status === 'late_cancelled' ? `${name ?? 'You'} cancelled late` : `${has} no place yet`;
      if (suggestion === 'register') return { title, text: [beforeBooking(one, view, now)], forms: [form.book('Book')] };
      return { title, text: [why], forms: suggestion === 'join_waitlist' ? [form.wait()] : [] };
    }
  }
}

/** Cut-offs are whole minutes before the start: what is nearer is none. */
const hasCutOff = ({ lateFrom }: Participant, { startsAt }: EventView): boolean => startsAt - lateFrom >= 60_000;

function followsText(follows: LateCancellation | null, { tenant: { zone, currency } }: Business): string {
  if (follows === null) return '';
  const { infractions, free, days, penalty } = follows;
  if (penalty !== null) return ` It costs ${amountText({ minor: penalty.amount, currency })}, owed from ${dayText(startOfDay(penalty.dueOn, zone), zone)} on.`;
  return ` It costs nothing yet: within ${days} days ${free} ${free === 1 ? 'is' : 'are'} free, and it would be number ${infractions}.`;
}

function whileBooked(one: Participant, view: EventView, { site, now }: At): string {
  const [{ lateFrom }, { zone }] = [one, view];
  if (!hasCutOff(one, view)) return 'It can be cancelled until it begins.';
  if (now >= lateFrom) return `A cancellation counts as late now. It was in time until ${momentText(lateFrom, zone)}.${followsText(one.follows, site)}`;
  return `It can be cancelled until ${momentText(lateFrom, zone)}. From then on a cancellation counts as late.`;
}

function beforeBooking(one: Participant, view: EventView, now: number): string | null {
  const [{ lateFrom }, { zone }] = [one, view];
  if (!hasCutOff(one, view)) return null;
  return now >= lateFrom ? `A cancellation would count as late: the time for it ended ${momentText(lateFrom, zone)}.` : `From ${momentText(lateFrom, zone)} on a cancellation counts as late.`;
}

/** Buttons say for whom they are, where there are several people. */
function formsOf({ site, token, now }: At, view: EventView, one: Participant) {
  const [{ id }, { id: customer, name, lateFrom }] = [view, one];
  const whom = name === null ? '' : ` for ${name}`;
  const button = (action: string, label: string, tone?: 'quiet' | 'danger', more: { fields?: typeof eventFields; kept?: Record<string, string> } = {}) =>
    buttonForm({ action: `${eventPath(site.id, id)}/${action}`, button: label, tone, token, id: `${action}-${customer}-`, fields: more.fields ?? toldFields, kept: { customer: String(customer), ...more.kept } });
  const late = now >= lateFrom;
  return {
    book: (label: string) => button('book', label + whom),
    leave: (label: string) => button('leave', label + whom, 'quiet'),
    wait: () => button('wait', `Join the waitlist${whom}`, undefined, hasCutOff(one, view) ? { fields: eventFields } : {}),
    cancel: () => button('cancel', `${late ? 'Cancel late' : 'Cancel the booking'}${whom}`, 'danger', { kept: { in_time: late ? 'no' : 'yes' } }),
  };
}
