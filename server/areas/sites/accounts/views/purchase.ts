/** What a membership is, what it costs, and the button that buys it. */
import { html, type Html } from '../../../../kernel/api/html.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { dayText, momentText, spoken } from '../../../../kernel/values/spoken-time.ts';
import { startOfDay } from '../../../../kernel/values/zone.ts';
import { purchaseFields, purchaseFieldsWithoutTerms } from './fields.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { at, type Business } from '../business.ts';
import { wordPage, withDone } from './parts.ts';
import type { Bought } from '../purchase/purchase.ts';

type At = Visit<Business>;
type Result = 'completed' | 'cancelled' | 'at_desk';

/** Where the browser goes on to, with what became of it; a page of ours reads it in the way of its own. */
export function resultUrl(returnTo: string, purchase: Result, customerMembership?: number): string {
  if (returnTo.startsWith('/')) return purchase === 'completed' ? withDone(returnTo, 'bought') : returnTo;
  const url = new URL(returnTo);
  url.searchParams.set('purchase', purchase);
  if (customerMembership !== undefined) url.searchParams.set('customer_membership', String(customerMembership));
  return url.href;
}

/** As people read it: the host, the scheme of an app, or the page of ours that it was begun from. */
const whither = (returnTo: string): string => {
  if (returnTo.startsWith('/')) return 'the event';
  const { host, protocol } = new URL(returnTo);
  return host || protocol.replace(':', '');
};

interface Open {
  readonly bought: Bought;
  /** first name; null: the person before the page */
  readonly forWhom: string | null;
  readonly returnTo: string;
  readonly secret: string;
  /** of the terms that are shown */
  readonly terms: string;
  readonly draft: Draft;
}

export function purchasePage(visit: At, { bought, forWhom, returnTo, secret, terms, draft }: Open): Shown {
  const { site, token } = visit;
  const { zone, currency } = site.tenant;
  const wrong = draft !== EMPTY;
  const free = bought.due === 0;
  const fields = bought.terms === null ? purchaseFieldsWithoutTerms : purchaseFields;
  const way = (result: Result, label: string): Html => html`<a href="${resultUrl(returnTo, result)}">${label}</a>`;
  const body = html`${wrong ? errorSummary(fields, draft) : null}
<div class="card"><h1>${bought.name}</h1>
<dl class="facts">${fact('For', forWhom)}
${fact('Price', priceOf(bought, currency))}
${fact('Joining fee', bought.joiningFee === null ? null : `${amountText({ minor: bought.joiningFee, currency })}, once`)}
${fact('From', bought.start === null ? 'Your first booking with it' : day(bought.start, zone))}
${fact('Until', bought.end === null ? null : day(bought.end, zone))}
${fact('Books', bought.event && `${bought.event.name}, ${momentText(bought.event.startsAt, bought.event.zone)}`)}</dl>
${bought.description ? html`<div class="about">${paragraphs(bought.description)}</div>` : null}
${bought.terms ? html`<h2>Terms</h2><div class="about">${paragraphs(bought.terms.text)}</div>` : null}
${
  free
    ? showForm({
        fields,
        action: at(site, 'purchase'),
        button: 'Get it',
        token,
        draft: { ...draft, kept: { ...draft.kept, ticket: secret, terms, due: String(bought.due) } },
        below: way('cancelled', 'Cancel'),
      })
    : html`<p>You can't pay online yet. <strong>Buy this at the desk of ${site.name}.</strong> You haven't been charged anything.</p>
<p class="actions"><a class="button" href="${resultUrl(returnTo, 'at_desk')}">Go back to ${whither(returnTo)}</a></p>`
}</div>`;
  return page(bought.name, body, { status: wrong ? (draft.status ?? 422) : 200 });
}

export const refusedPurchasePage = ({ site }: At, why: string, returnTo: string): Shown =>
  wordPage("You can't buy this", html`<p>${spoken(why, site.tenant.zone)}</p>`, {
    way: { href: resultUrl(returnTo, 'cancelled'), label: `Go back to ${whither(returnTo)}` },
    status: 409,
  });

const fact = (name: string, value: string | null): Html | null =>
  value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : null;
const paragraphs = (text: string): Html[] => text.split(/\n{2,}/).map((part) => html`<p>${part}</p>`);

const UNITS = { months: 'month', weeks: 'week' };

function priceOf({ price, period }: Bought, currency: string): string {
  const text = price === 0 ? 'Free' : amountText({ minor: price, currency });
  if (period === null) return text;
  const { length: n, unit } = period;
  return `${text} every ${n === 1 ? UNITS[unit] : `${n} ${unit}`}`;
}

const day = (date: string, zone: string): string => dayText(startOfDay(date, zone), zone);
