/** Next steps for somebody who can't book: get what is missing, come back later, choose another time, or ask. */
import { eventPageOf, type At, sitePath } from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { isAboutTheTime } from '../instead.ts';
import { lacksMembership, type EventView, type Participant } from '../event-view.ts';
import type { Written } from '../messages.ts';

/** Renders the next steps that no button covers. */
export function wayOn(visit: At, written: Written, view: EventView, one: Participant): Html {
  const { say } = written;
  const { site } = visit;
  const { offers, otherTimes } = view;
  const other = otherTimes.length > 0 ? say('way.other_time') : null;
  if (lacksMembership(one)) {
    if (offers.length > 0) return html`${say('way.membership')}`;
    return html`${site.slug === null ? null : html`<a href="${sitePath(site, 'memberships')}">${say('nav.memberships')}</a>. `}${askText(visit, written, 'ask')}`;
  }
  if (one.refusedBy === 'registration_not_open')
    return html`${say('way.until_then')} <a href="${eventPageOf(site, view.id)}/calendar.ics">${say('calendar')}</a>${other && html`<br>${other}`}`;
  if (!isAboutTheTime(one.refusedBy)) return askText(visit, written, 'ask');
  if (other !== null) return html`${other}`;
  return site.slug === null
    ? askText(visit, written, 'ask')
    : html`${say('way.none_left')} <a href="${sitePath(site, 'timetable')}">${say('nav.timetable')}</a>`;
}

/** Renders the contact data, as far as the business published it. */
export function askText({ site }: At, { say }: Written, question: 'ask' | 'ask.wrong'): Html {
  const { name, contact } = site;
  const ways = [
    contact.email && html`<a href="mailto:${contact.email}">${contact.email}</a>`,
    contact.phone && html`<a href="tel:${contact.phone.replaceAll(/[^+\d]/g, '')}">${contact.phone}</a>`,
  ].filter((way) => way !== null && way !== '');
  if (ways.length === 0) return html`${say(question, { name })}`;
  const by = question === 'ask' ? 'ask.by' : 'ask.wrong_by';
  return html`${say(by, { name })} ${ways.map((way, i) => html`${i === 0 ? null : ` ${say('ask.or')} `}${way as Html}`)}.`;
}
