/** Next steps for somebody who can't book: get what is missing, come back later, choose another time, or ask. */
import { at, eventPageOf, sitePath, waysOn, waysOrAsk, wayTo, type At } from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { isAboutTheTime } from '../instead.ts';
import { lacksMembership, type EventView, type Participant } from '../event-view.ts';
import type { Written } from '../messages.ts';

/** Next steps for somebody who can't book: a sentence, and a button for each. */
export interface WayOn {
  readonly text: string | null;
  readonly ways: Html | null;
}

const NONE: WayOn = { text: null, ways: null };

/** Returns the next steps that no form covers: each refusal offers at least one. */
export function wayOn(visit: At, written: Written, view: EventView, one: Participant): WayOn {
  const { say } = written;
  const { site } = visit;
  const { offers, otherTimes } = view;
  const times = otherTimes.length > 0 ? wayTo('#times-title', say('way.times')) : null;
  // The waitlist has a button of its own.
  if (one.suggestion !== null) return times === null ? NONE : { text: null, ways: waysOn([times]) };
  if (one.refusedBy === 'membership_unpaid')
    return { text: null, ways: waysOn([wayTo(at(site, 'profile/owed'), say('way.pay')), times]) };
  if (lacksMembership(one)) {
    if (offers.length > 0) return { text: say('way.membership'), ways: null };
    const memberships = site.slug === null ? null : wayTo(sitePath(site, 'memberships'), say('way.memberships'));
    return asking(visit, written, [memberships]);
  }
  if (one.refusedBy === 'registration_not_open') {
    const calendar = wayTo(`${eventPageOf(site, view.id)}/calendar.ics`, say('calendar'));
    return { text: say('way.until_then'), ways: waysOn([calendar, times]) };
  }
  if (!isAboutTheTime(one.refusedBy)) return asking(visit, written, []);
  if (times !== null) return { text: null, ways: waysOn([times]) };
  return site.slug === null
    ? asking(visit, written, [])
    : { text: say('way.none_left'), ways: waysOn([wayTo(sitePath(site, 'timetable'), say('way.timetable'))]) };
}

/** Returns the ways to ask the business, after other ways. */
function asking(visit: At, written: Written, others: readonly (Html | null)[]): WayOn {
  return { text: written.say('ask', { name: visit.site.name }), ways: waysOrAsk(visit, written, others) };
}

const telephone = (phone: string): string => `tel:${phone.replaceAll(/[^+\d]/g, '')}`;

/** Renders the question to somebody whose record may be wrong, with the contact data that the business published. */
export function askText({ site }: At, { say }: Written): Html {
  const { name, contact } = site;
  const ways = [
    contact.email && html`<a href="mailto:${contact.email}">${contact.email}</a>`,
    contact.phone && html`<a dir="ltr" href="${telephone(contact.phone)}">${contact.phone}</a>`,
  ].filter((way) => way !== null && way !== '');
  if (ways.length === 0) return html`${say('ask.wrong', { name })}`;
  return html`${say('ask.wrong_by', { name })} ${ways.map(
    (way, i) => html`${i === 0 ? null : ` ${say('ask.or')} `}${way as Html}`,
  )}.`;
}
