/** The page of an event: what it is, how it stands with each of the people, and the button that fits. */
import { html, type Html } from '../../../../kernel/api/html.ts';
import { EMPTY, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { errorSummary } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { dayText, momentText, soonText, spanText, spoken } from '../../../../kernel/values/spoken-time.ts';
import { at, type Business } from '../business.ts';
import { eventPath } from '../../../scheduling/schedule/index.ts';
import { buyFields, eventFields, hiddenFields } from './fields.ts';
import { buttonForm, doneNotice, top, withReturn, wordPage } from './parts.ts';
import type { Account } from '../../../people/identity/index.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import { startOfDay } from '../../../../kernel/values/zone.ts';
import { slotsPath } from '../slots/path.ts';
import { lacksMembership, type EventView, type LateCancellation, type Participant } from '../at-event.ts';
import { isAboutTheTime, type Offer } from '../instead.ts';

type At = Visit<Business>;

interface Around {
  readonly account: Account | null;
  /** what was wrong with a form that was sent */
  readonly draft: Draft;
}

export function eventPage(visit: At, view: EventView, { account, draft }: Around): Shown {
  const { site, token, now } = visit;
  const { zone, startsAt, endsAt, venue, instructors } = view;
  const { Many } = site.tenant.words;
  const wrong = draft !== EMPTY;
  const told: Draft = {
    ...draft,
    errors: Object.fromEntries(Object.entries(draft.errors).map(([name, error]) => [name, spoken(error, zone)])),
  };
  const body = html`${wrong ? errorSummary({}, told) : doneNotice(visit)}
<div class="card"><h1>${view.name}</h1>
<dl class="facts">${fact('Date', dayText(startsAt, zone))}
${fact('Time', html`${spanText(startsAt, endsAt, zone)}${zone === site.tenant.zone ? null : html` <span class="soft">(${zone.replaceAll('_', ' ')})</span>`}`)}
${fact('Where', venue && html`${venue.name}${venue.address ? html`<br><span class="soft">${venue.address}</span>` : null}`)}
${fact('With', instructors.join(', '))}
${fact(Many.spot, placesOf(view, now))}</dl>
${view.description ? html`<div class="about">${view.description.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>` : null}</div>
${view.participants ? view.participants.map((one) => participantCard(visit, view, one)) : account ? joinCard(visit, view, account) : visitorCard(visit, view)}${timesCard(visit, view)}`;
  return page(view.name, body, { status: wrong ? (draft.status ?? 422) : 200, top: account ? top(site, token) : null });
}

const fact = (name: string, value: Html | string | null): Html | null =>
  value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;

/** The same whether there is such an event or not: only who is logged in can learn more. */
export const hiddenEventPage = ({ site }: At, returnTo: string): Shown =>
  wordPage(
    'Page not found',
    html`<p>There's nothing here that everyone can see. If you booked it or are on its ${site.tenant.words.one.waitlist}, log in.</p>`,
    {
      way: { href: withReturn(at(site, 'log-in'), returnTo), label: 'Log in' },
      status: 404,
    },
  );

const OFF = (word: string): Html => html`<strong class="off">${word}</strong>`;

function placesOf({ cancelled, startsAt, endsAt, left, movable }: EventView, now: number): Html | string | null {
  if (cancelled) return OFF('Cancelled');
  if (now >= endsAt) return OFF('Over');
  if (now >= startsAt) return OFF('Has started');
  // What was made for those who booked it has no spots for others.
  if (left === null || movable !== null) return null;
  return left === 0 ? OFF('Full') : `${left} left`;
}

function visitorCard({ site, now }: At, { id, cancelled, endsAt }: EventView): Html | null {
  if (cancelled || now >= endsAt) return null;
  const to = (page: string) => withReturn(at(site, page), eventPath(site.id, id));
  return html`<section class="card" aria-labelledby="in-title"><h2 id="in-title">Want to come?</h2>
<p>Log in to book, join the ${site.tenant.words.one.waitlist} or cancel. New here? Sign up first; you'll come back to this page.</p>
<p class="actions"><a class="button" href="${to('log-in')}">Log in</a><a class="button quiet" href="${to('sign-up')}">Sign up</a></p></section>`;
}

const joinCard = ({ site, token }: At, { id }: EventView, { emailConfirmedAt, email }: Account): Html =>
  html`<section class="card" aria-labelledby="join-title"><h2 id="join-title">Become ${site.tenant.words.a.customer} of ${site.name}</h2>
${
  emailConfirmedAt === null
    ? html`<p>First, open the link that we sent to <strong>${email}</strong>. No link? <a href="${at(site, 'profile')}">Send it again</a> from your account.</p>`
    : html`<p>Join with this account to book. ${site.name} will see your name and email address.</p>${buttonForm({ action: `${eventPath(site.id, id)}/join`, button: `Join ${site.name}`, token })}`
}</section>`;

const timesCard = ({ site }: At, { otherTimes }: EventView): Html | null =>
  otherTimes.length === 0
    ? null
    : html`<section class="card" aria-labelledby="times-title"><h2 id="times-title">Other times</h2>
<ul class="rows">${otherTimes.map(({ id, name, startsAt, zone }) => html`<li><div><a href="${eventPath(site.id, id)}"><strong>${name}</strong></a><p class="soft">${momentText(startsAt, zone)}</p></div></li>`)}</ul></section>`;

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
  const { now, site } = visit;
  const { zone } = view;
  const words = site.tenant.words;
  const { a, A } = words;
  const { spot, waitlist } = words.one;
  const { name, status, suggestion, keptUntil } = one;
  const is = name === null ? "You're" : `${name} is`;
  const why = one.why && spoken(one.why, zone);
  const ahead = now < view.startsAt && !view.cancelled;
  const form = formsOf(visit, view, one);
  const more = one.price === null ? [] : view.offers.map(form.buy);
  const also = more.length > 0 ? `Or get ${a.membership} for it:` : null;
  switch (status) {
    case 'registered':
      return {
        title: `${is} booked`,
        text: [suggestion ? whileBooked(one, view, visit) : why, suggestion ? anotherTime(site, view) : null],
        forms: suggestion ? [form.cancel()] : [],
      };
    case 'attended':
      return { title: name === null ? 'You were here' : `${name} was here`, text: [], forms: [] };
    case 'no_show':
      return {
        title: name === null ? 'You were marked as absent' : `${name} was marked as absent`,
        text: [askText(site, 'Is that wrong?')],
        forms: [],
      };
    case 'spot_reserved': {
      const until = soonText(keptUntil!, now, zone);
      const who = name ?? 'you';
      if (suggestion !== 'claim_spot')
        return {
          title: `${A.spot} was kept for ${who} until ${until}`,
          text: [why],
          forms: [form.leave(`Leave the ${waitlist}`)],
        };
      return {
        title: `${A.spot} is kept for ${who} until ${until}`,
        text: [beforeBooking(one, view, now)],
        forms: [form.book(`Take the ${spot}`), form.leave("Don't take it")],
      };
    }
    case 'on_waitlist': {
      const title = `${is} number ${one.position} on the ${waitlist}`;
      if (suggestion === 'register')
        return {
          title,
          text: [`${A.spot} is free. It goes to the first person who books it.`, beforeBooking(one, view, now)],
          forms: [form.book('Book'), form.leave(`Leave the ${waitlist}`), ...more],
        };
      return {
        title,
        text: [ahead ? `We'll let you know when ${a.spot} opens up.` : why],
        forms: [form.leave(`Leave the ${waitlist}`)],
      };
    }
    default: {
      const title = status === 'late_cancelled' ? `${name ?? 'You'} cancelled late` : `${is} not booked yet`;
      if (suggestion === 'register')
        return { title, text: [beforeBooking(one, view, now), also], forms: [form.book('Book'), ...more] };
      return {
        title: status === 'late_cancelled' || ahead ? title : `${is} not booked`,
        text: [why, ahead && suggestion === null ? wayOn(site, view, one) : null],
        forms: [
          ...(suggestion === 'join_waitlist' ? [form.wait()] : []),
          ...(lacksMembership(one) ? view.offers.map(form.buy) : []),
        ],
      };
    }
  }
}

/** Of what was made for those who booked it. */
const anotherTime = ({ id: business }: Business, { id, movable }: EventView): Html | null =>
  movable === null
    ? null
    : html`<a href="${slotsPath(business, { offering: movable, move: id })}">Choose another time</a>`;

/** What is left to do where no button does it. */
function wayOn(site: Business, { offers, otherTimes }: EventView, one: Participant): Html | string {
  if (lacksMembership(one) && offers.length > 0) return 'You can get one of these:';
  return isAboutTheTime(one.refusedBy) && otherTimes.length > 0
    ? 'You can choose another time below.'
    : askText(site, 'Questions?');
}

/** Whom to ask, as far as the business said how. */
function askText({ name, contact: { email, phone } }: Business, question: string): Html {
  const ways = [
    email && html`<a href="mailto:${email}">${email}</a>`,
    phone && html`<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`,
  ].filter((way) => way !== null && way !== '');
  return html`${question} Ask ${name}${ways.map((way, i) => html`${i === 0 ? ': ' : ' or '}${way as Html}`)}.`;
}

/** Cut-offs are whole minutes before the start: what is nearer is none. */
const hasCutOff = ({ lateFrom }: Participant, { startsAt }: EventView): boolean => startsAt - lateFrom >= 60_000;

function followsText(follows: LateCancellation | null, { tenant: { zone, currency } }: Business): string {
  if (follows === null) return '';
  const { infractions, free, days, penalty } = follows;
  if (penalty !== null)
    return ` It costs ${amountText({ minor: penalty.amount, currency })}, due on ${dayText(startOfDay(penalty.dueOn, zone), zone)}.`;
  return ` It costs nothing yet: ${free} ${free === 1 ? 'is' : 'are'} free within ${days} days, and this would be number ${infractions}.`;
}

function whileBooked(one: Participant, view: EventView, { site, now }: At): string {
  const [{ lateFrom }, { zone }] = [one, view];
  if (!hasCutOff(one, view)) return 'You can cancel until it starts.';
  if (now >= lateFrom)
    return `Cancelling now counts as late. Free cancellation ended on ${momentText(lateFrom, zone)}.${followsText(one.follows, site)}`;
  return `You can cancel until ${momentText(lateFrom, zone)}. After that, cancelling counts as late.`;
}

function beforeBooking(one: Participant, view: EventView, now: number): string | null {
  const [{ lateFrom }, { zone }] = [one, view];
  if (!hasCutOff(one, view)) return null;
  return now >= lateFrom
    ? `Cancelling would count as late, because free cancellation ended on ${momentText(lateFrom, zone)}.`
    : `You can cancel until ${momentText(lateFrom, zone)}. After that, cancelling counts as late.`;
}

/** Buttons say for whom they are, where there are several people. */
function formsOf({ site, token, now }: At, view: EventView, one: Participant) {
  const [{ id }, { id: customer, name, lateFrom, price }] = [view, one];
  const whom = name === null ? '' : ` for ${name}`;
  const button = (
    action: string,
    label: string,
    tone?: 'quiet' | 'danger',
    more: { fields?: Fields; kept?: Record<string, string> } = {},
  ) =>
    buttonForm({
      action: `${eventPath(site.id, id)}/${action}`,
      button: label,
      tone,
      token,
      id: `${action}-${customer}-`,
      fields: more.fields ?? hiddenFields,
      kept: { customer: String(customer), ...more.kept },
    });
  const late = now >= lateFrom;
  return {
    book: (label: string) => button('book', `${label}${whom}${price === null ? '' : `: ${price}`}`),
    leave: (label: string) => button('leave', label + whom, 'quiet'),
    buy: ({ membership, plan, name: what, price }: Offer) =>
      buttonForm({
        action: `${eventPath(site.id, id)}/buy`,
        button: `Get ${what}${whom}: ${price}`,
        tone: 'quiet',
        token,
        id: `buy-${customer}-${membership}-${plan}-`,
        fields: buyFields,
        kept: { customer: String(customer), membership: String(membership), plan: plan === null ? '' : String(plan) },
      }),
    wait: () =>
      button(
        'wait',
        `Join the ${site.tenant.words.one.waitlist}${whom}`,
        undefined,
        hasCutOff(one, view) ? { fields: eventFields(site) } : {},
      ),
    cancel: () =>
      button('cancel', `${late ? 'Cancel late' : `Cancel ${site.tenant.words.one.booking}`}${whom}`, 'danger', {
        kept: { in_time: late ? 'no' : 'yes' },
      }),
  };
}
