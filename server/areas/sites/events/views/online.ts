/** Pages of a link to an online event: with the button to join, or with when people can. */
import { eventPageOf, sitePage, type At } from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { momentIn } from '../../../../kernel/base/languages/times.ts';
import { opensAt, type OnlineWindow } from '../../../scheduling/schedule/index.ts';
import { problemCard } from './labels.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';
import type { Written } from '../messages.ts';

interface OnlineEvent {
  readonly id: number;
  readonly name: string;
  readonly startsAt: number;
  readonly timezone: string;
  readonly window: OnlineWindow;
  /** why the last attempt was refused; null: it wasn't */
  readonly problem: string | null;
}

function framed(visit: At, { reader }: Written, event: OnlineEvent, content: Html): Shown {
  const { name, startsAt, timezone } = event;
  const body = html`<div class="card"><h1>${name}</h1>
<p>${momentIn(reader.locale, startsAt, timezone)}</p>
${content}</div>`;
  return sitePage(visit, { reader }, name, body, {
    here: null,
    description: '',
    personal: true,
    card: true,
    status: event.problem === null ? 200 : 409,
  });
}

/** Renders the button that joins, for businesses where joining counts as coming. */
export const joinPage = (visit: At, written: Written, event: OnlineEvent): Shown =>
  framed(
    visit,
    written,
    event,
    html`${event.problem === null ? null : problemCard(written, [event.problem])}
<form method="post" action="${visit.path}"><input type="hidden" name="${TOKEN_FIELD}" value="${visit.token}">
<p class="actions"><button>${written.say('online.join')}</button></p></form>`,
  );

export function waitingPage(visit: At, written: Written, event: OnlineEvent): Shown {
  const { say, reader } = written;
  const { window, startsAt, timezone } = event;
  // While it is open without an address, the business has removed the address.
  const text =
    window === 'early'
      ? say('online.opens', { time: momentIn(reader.locale, opensAt(startsAt), timezone) })
      : say(window === 'over' ? 'online.over' : 'online.no_call', { name: visit.site.name });
  return framed(
    visit,
    written,
    event,
    html`<p>${text}</p>
<p class="actions"><a class="button quiet" href="${eventPageOf(visit.site, event.id)}">${say('linked.event')}</a></p>`,
  );
}
