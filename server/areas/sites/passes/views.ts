/** The page that the email about a booking links to, and the page for when Google can't be reached. */
import { bookingWays } from './wallet-links.ts';
import { eventPageOf, sitePage, type At, type Person } from '../frame/index.ts';
import { html, type Html } from '../../../kernel/base/markup/html.ts';
import { writtenFor, type Written } from './messages.ts';
import type { Shown } from '../../../kernel/pages/visit.ts';
import type { Wallets } from '../../../kernel/base/passes/index.ts';

export interface PassesView {
  readonly event: number;
  readonly name: string;
  /** people who have booked it */
  readonly booked: readonly Person[];
}

const card = (visit: At, written: Written, title: string, body: Html, status = 200): Shown =>
  sitePage(visit, written, title, html`<div class="card"><h1>${title}</h1>${body}</div>`, {
    here: null,
    description: '',
    personal: true,
    own: true,
    card: true,
    status,
  });

export function passesPage(visit: At, wallets: Wallets, { event, name, booked }: PassesView): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const ways = booked.map(
    ({ id, name: who }) =>
      html`${
        who && html`<p><strong>${who}</strong></p>`
      }${bookingWays(visit, wallets, { customer: id, name: who, event })}`,
  );
  return card(
    visit,
    written,
    say('title'),
    html`<p class="lead">${name}</p>${booked.length === 0 ? html`<p>${say('none')}</p>` : ways}
<p class="actions"><a href="${eventPageOf(visit.site, event)}">${say('to_event', { name })}</a></p>`,
  );
}

/** Renders the page for when Google can't be reached. `again`: the requested address. */
export function noWayYet(visit: At, again: string): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  return card(
    visit,
    written,
    say('failed'),
    html`<p>${say('failed.text')}</p><p class="actions"><a class="button" href="${again}">${say('again')}</a></p>`,
    503,
  );
}
