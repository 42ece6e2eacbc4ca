/** Booking for several people of a family with one form. */
import { eventPageOf, nowAt, type At } from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { askedFor } from '../place.ts';
import { renderDeal } from './deal.ts';
import { nameOf } from './parts.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';
import type { EventView, Participant } from '../event-view.ts';
import type { Written } from '../messages.ts';

/** Returns the people who can be booked now; a single one has a button of their own. */
export function bookable({ participants }: Pick<EventView, 'participants'>): readonly Participant[] {
  const able = (participants ?? []).filter(({ suggestion, held }) => suggestion === 'register' && held === null);
  return able.length < 2 ? [] : able;
}

export function togetherCard(visit: At, written: Written, view: EventView): Html | null {
  const { site, token } = visit;
  const { say, reader } = written;
  const able = bookable(view);
  if (able.length === 0) return null;
  return html`<section class="card" aria-labelledby="together"><h2 id="together">${say('together')}</h2>
<form method="post" action="${eventPageOf(site, view.id)}/book${askedFor(view.chosen)}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}"><input type="hidden" name="together" value="1">
<fieldset aria-labelledby="together">${able.map(
    (one) =>
      html`<div class="field check"><input type="checkbox" id="together-${one.id}" name="customer" value="${one.id}"><label for="together-${one.id}">${nameOf(written, one)}${
        one.price === null ? null : html` <span class="soft">${amountIn(reader.locale, one.price)}</span>`
      }</label></div>`,
  )}</fieldset>
<div class="actions">${renderDeal(written, view, nowAt(visit), {
    price: null,
    lateFrom: view.lateFrom,
  })}<button>${say('together.book')}</button></div></form></section>`;
}
