/** The question before a late cancellation that costs something: what is lost, and the way back. */
import { buttonForm, eventPageOf, sitePage, type At } from '../../frame/index.ts';
import { cancelFields } from '../fields.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { whileBooked } from './cancelling.ts';
import type { EventView, Participant } from '../event-view.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';
import type { Written } from '../messages.ts';

export function confirmCancelPage(visit: At, written: Written, view: EventView, one: Participant): Shown {
  const { site, token } = visit;
  const { say, reader } = written;
  const page = eventPageOf(site, view.id);
  const title = one.name === null ? say('confirm.cancel') : say('confirm.cancel_for', { name: one.name });
  const body = html`<div class="card"><h1>${title}</h1>
<p><strong>${view.name}</strong>, ${momentIn(reader.locale, view.startsAt, view.zone)}</p>
${whileBooked(one, view, visit, written).map((text) => html`<p>${text}</p>`)}
${buttonForm({
  action: `${page}/cancel`,
  button: say('confirm.anyway'),
  tone: 'danger',
  token,
  fields: cancelFields,
  kept: { customer: String(one.id), in_time: 'no', confirmed: 'yes' },
  below: html`<a class="button" href="${page}">${say('confirm.keep')}</a>`,
})}</div>`;
  return sitePage(visit, written, title, body, { here: null, description: title, personal: true, self: page });
}
