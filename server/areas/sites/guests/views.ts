/** The page on which people without an account enter their name, and the link to it. */
import {
  at,
  formCard,
  wordCard,
  type CardLook,
  mailedCodeFields,
  ticketFields,
  nowAt,
  type At,
  sitePage,
  statusOf,
  withReturn,
  writtenFor,
  writtenWith,
} from '../frame/index.ts';
import { CONFIRM_PAGE } from './mail.ts';
import { EMPTY, hidden, type Draft, type Fields } from '../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../kernel/pages/show-form.ts';
import { GUEST, guestSay } from './messages.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { momentIn, soonIn } from '../../../kernel/base/languages/times.ts';
import type { GuestBooking } from './booking.ts';
import type { Selling } from './buy.ts';
import type { Shown } from '../../../kernel/pages/visit.ts';

/**
 * Renders the link next to the log-in link; null if the business sells only to people with an account. `path`: from
 * `guestRoute`.
 */
export const guestLink = (visit: At, path: string): Html | null =>
  visit.site.sellsToGuests ? html`<a class="button quiet" href="${path}">${guestSay(visit)('guest.link')}</a>` : null;

export function guestPage(visit: At, selling: Selling, fields: Fields, draft: Draft): Shown {
  const { site, token } = visit;
  const [say, written] = [guestSay(visit), writtenFor(visit)];
  const { self, from, name, about, free, above, script } = selling;
  const button = say(free ? 'guest.book' : 'guest.pay');
  const body = html`${errorSummary(fields, draft, '', written.say)}
<div class="card"><h1>${name}</h1>${about}<p class="lead">${say('guest.lead', { name: site.name })}</p>${above}
${showForm({ fields, draft, action: self, button, token, say: written.say })}
<p class="turn actions"><a href="${withReturn(at(site, 'log-in'), from)}">${say('guest.log_in')}</a><a href="${from}">${say('guest.back')}</a></p></div>`;
  return sitePage(visit, written, name, body, {
    here: null,
    description: '',
    personal: false,
    card: true,
    ...(script && { script }),
    self,
    status: statusOf(draft),
  });
}

/** Formats the time at which the places become available to others, in the reader's language. */
const untilOf = (visit: At, { held_until: until, timezone }: GuestBooking): string =>
  soonIn(writtenWith(visit, GUEST).reader.locale, until, nowAt(visit), timezone);

const what = (visit: At, { name, starts_at: at, timezone }: GuestBooking): Html =>
  html`<p><strong>${name}</strong><br>${momentIn(writtenWith(visit, GUEST).reader.locale, at, timezone)}</p>`;

/**
 * Renders the page identically whether or not the address was confirmed before, so that it reveals nothing about the
 * owner of the address.
 */
export function checkPage(visit: At, booking: GuestBooking, draft: Draft): Shown {
  if (booking.settled_at !== null && booking.mailed) return settledPage(visit, booking);
  const say = guestSay(visit);
  const key = booking.held_until > nowAt(visit) ? 'check.lead' : 'confirm.late';
  const common = writtenFor(visit).say;
  return formCard(visit, say('check.title'), {
    lead: say(key, { name: visit.site.name, until: untilOf(visit, booking) }),
    above: what(visit, booking),
    action: at(visit.site, 'guest/check-mail'),
    fields: { code: mailedCodeFields(common).code, booking: hidden(20) },
    draft: { ...draft, kept: { ...draft.kept, booking: String(booking.id) } },
    button: say('mail.button'),
    turn: html`<p>${say('check.known')}</p><p class="soft">${common('check_mail.spam')}</p>
<p><a href="${booking.page}">${say('guest.back')}</a></p>`,
  });
}

/** Renders a page with a single button, the action that the link in the email is for. */
const linkCard = (
  visit: At,
  booking: GuestBooking,
  secret: string,
  { title, ...look }: Pick<CardLook, 'lead' | 'button'> & { title: string; act?: string },
): Shown =>
  formCard(visit, title, {
    above: what(visit, booking),
    action: at(visit.site, CONFIRM_PAGE),
    fields: { ...ticketFields, act: hidden(10) },
    draft: { ...EMPTY, kept: { ticket: secret, act: look.act ?? '' } },
    turn: html`<p><a href="${booking.page}">${guestSay(visit)('guest.back')}</a></p>`,
    ...look,
  });

export function confirmPage(visit: At, booking: GuestBooking, secret: string): Shown {
  if (booking.settled_at !== null) return settledPage(visit, booking);
  const say = guestSay(visit);
  const until = untilOf(visit, booking);
  return linkCard(visit, booking, secret, {
    title: say('confirm.title'),
    lead: say(booking.held_until > nowAt(visit) ? 'confirm.held' : 'confirm.late', { until }),
    button: say('mail.button'),
  });
}

export function fullPage(visit: At, booking: GuestBooking, secret: string): Shown {
  const say = guestSay(visit);
  return linkCard(visit, booking, secret, {
    title: say('full.title'),
    lead: say('full.text', { until: untilOf(visit, booking) }),
    button: say('full.wait'),
    act: 'wait',
  });
}

const onwards = (visit: At, { page }: GuestBooking) => ({ href: page, label: guestSay(visit)('guest.back') });

export const waitingPage = (visit: At, booking: GuestBooking): Shown =>
  wordCard(
    visit,
    guestSay(visit)('waiting.title'),
    html`${what(visit, booking)}<p>${guestSay(visit)('waiting.text')}</p>`,
    { way: onwards(visit, booking) },
  );

export const settledPage = (visit: At, booking: GuestBooking): Shown =>
  wordCard(
    visit,
    guestSay(visit)('settled.title'),
    html`${what(visit, booking)}<p>${guestSay(visit)('settled.text')}</p>`,
    { way: onwards(visit, booking) },
  );

export const refusedPage = (visit: At, booking: GuestBooking, why: string): Shown =>
  wordCard(visit, guestSay(visit)('refused.title'), html`${what(visit, booking)}<p>${why}</p>`, {
    way: onwards(visit, booking),
    status: 409,
  });

export const gonePage = (visit: At): Shown =>
  wordCard(visit, guestSay(visit)('over.title'), html`<p>${guestSay(visit)('over.text')}</p>`, {
    way: { href: visit.site.home, label: guestSay(visit)('guest.back') },
    status: 410,
  });
