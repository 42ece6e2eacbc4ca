/** The page of a booking that an email links to: what it is, what a cancellation returns or costs, and the button. */
import { at, buttonForm, eventPageOf, sitePage, type At } from '../../frame/index.ts';
import { hiddenFields } from '../fields.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { problemCard } from './labels.ts';
import { returnedText } from '../../../commerce/checkouts/index.ts';
import { whileBooked } from './cancelling.ts';
import type { EventView, Participant } from '../event-view.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';
import type { Written } from '../messages.ts';

interface Around {
  /** address of the page */
  readonly self: string;
  /** why the cancellation was refused; null: nothing was */
  readonly problem: string | null;
  readonly now: number;
}

const framed = (visit: At, written: Written, title: string, body: Html, status: number, self?: string): Shown =>
  sitePage(visit, written, title, body, { here: null, description: '', personal: true, card: true, status, self });

export function linkedPage(
  visit: At,
  written: Written,
  view: EventView,
  one: Participant,
  { self, problem, now }: Around,
): Shown {
  const { say, reader } = written;
  const { title, text, form } = contentOf(visit, written, view, one, { self, now });
  const body = html`${problem === null ? null : problemCard(written, [problem])}<div class="card"><h1>${title}</h1>
<p><strong>${view.name}</strong><br>${momentIn(reader.locale, view.startsAt, view.zone)}${
    view.place && html`<br>${view.place.name}`
  }</p>
${text.map((line) => html`<p>${line}</p>`)}
${
  form ??
  html`<p class="actions"><a class="button quiet" href="${eventPageOf(visit.site, view.id)}">${say('linked.event')}</a></p>`
}</div>`;
  return framed(visit, written, title, body, problem === null ? 200 : 409, self);
}

function contentOf(
  visit: At,
  written: Written,
  view: EventView,
  one: Participant,
  { self, now }: Pick<Around, 'self' | 'now'>,
): { readonly title: string; readonly text: readonly string[]; readonly form: Html | null } {
  const { site, token } = visit;
  const { say } = written;
  const { name, status, paid } = one;
  if (status === 'registered' && one.suggestion === 'unregister') {
    const late = now >= one.lateFrom;
    return {
      title: name === null ? say('linked.title') : say('linked.title_for', { name }),
      text: whileBooked(one, view, visit, written),
      form: buttonForm({
        action: self,
        button: say(late ? 'do.cancel_late' : 'do.cancel'),
        tone: 'danger',
        token,
        fields: hiddenFields,
        kept: { customer: String(one.id), in_time: late ? 'no' : 'yes' },
        below: html`<a class="button quiet" href="${eventPageOf(site, view.id)}">${say('confirm.keep')}</a>`,
      }),
    };
  }
  if (view.cancelled || !['not_registered', 'late_cancelled'].includes(status))
    return { title: say('linked.over'), text: [], form: null };
  const [done, how] =
    status === 'late_cancelled' ? (['done.cancelled-late', 'went'] as const) : (['done.cancelled', 'came'] as const);
  return {
    title: say('linked.cancelled'),
    text: [say(done), ...(paid ? [returnedText(paid, how, { ...written, currency: site.tenant.currency })] : [])],
    form: null,
  };
}

/** Renders the page for a link that no longer works. */
export function gonePage(visit: At, written: Written): Shown {
  const { say } = written;
  const title = say('linked.gone');
  const body = html`<div class="card"><h1>${title}</h1><p>${say('linked.gone_text')}</p>
<p class="actions"><a class="button" href="${at(visit.site, 'log-in')}">${say('linked.log_in')}</a></p></div>`;
  return framed(visit, written, title, body, 410);
}

/** Renders the result of a cancellation whose event is gone with it. */
export function cancelledPage(visit: At, written: Written, view: EventView): Shown {
  const { say, reader } = written;
  const title = say('linked.cancelled');
  const body = html`<div class="card"><h1>${title}</h1>
<p><strong>${view.name}</strong><br>${momentIn(reader.locale, view.startsAt, view.zone)}</p>
<p>${say('done.cancelled')}</p></div>`;
  return framed(visit, written, title, body, 200);
}
