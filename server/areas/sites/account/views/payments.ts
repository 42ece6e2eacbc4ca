/** The payments of a person: what they owe, their credit, receipts, and the payment methods that they saved. */
import { amountIn, dateIn } from '../../../../kernel/base/languages/times.ts';
import {
  at,
  buttonForm,
  doneNotice,
  idFields,
  ownPage,
  section,
  writtenFor,
  type AccountWritten as Written,
  type Business,
} from '../../frame/index.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { showPart, type Parts } from '../../../../kernel/pages/parts.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export interface Receipt {
  readonly id: number;
  readonly number: string;
  readonly issuedOn: string;
  readonly amount: Money;
  readonly open: Money;
}

export interface SavedMethod {
  readonly id: number;
  readonly name: string;
  readonly forWhom: string | null;
  readonly expires: { readonly month: number; readonly year: number } | null;
  readonly removable: boolean;
}

export interface PaymentParts {
  readonly receipts: { readonly receipts: readonly Receipt[]; readonly more: boolean };
  readonly methods: readonly SavedMethod[];
}

export interface PaymentsView extends Parts<PaymentParts> {
  /** open charges, in minor units */
  readonly owed: number;
  /** account credit, in minor units */
  readonly credit: number;
}

export function paymentsPage(visit: At, view: PaymentsView): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const part = <T>(read: T | undefined, show: (part: T) => Html | null): Html | null =>
    showPart(visit, reader, read, show);
  const body = html`${doneNotice(visit)}
<div class="page-title"><h1>${say('part.payments')}</h1></div>
${view.owed === 0 ? null : owedCard(visit, written, view.owed)}
${part(view.receipts, (receipts) => receiptsCard(visit, written, receipts))}
${part(view.methods, (methods) => methodsCard(visit, written, methods))}
${creditCard(visit, written, view.credit)}`;
  return ownPage(visit, say('part.payments'), body, { part: 'payments' });
}

export const owedCard = ({ site }: At, { say, reader }: Written, owed: number): Html =>
  section(
    'owed',
    say('owed.title'),
    html`<p>${say('owed.text', {
      amount: amountIn(reader.locale, { minor: owed, currency: site.tenant.currency }),
      name: site.name,
    })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile/owed')}">${say('owed.button')}</a></p>`,
  );

const creditCard = ({ site }: At, { say, reader }: Written, credit: number): Html =>
  section(
    'credit',
    say('credit.title'),
    html`<p>${say('credit.text', {
      amount: amountIn(reader.locale, { minor: credit, currency: site.tenant.currency }),
      name: site.name,
    })}</p>
<p class="actions"><a class="button quiet" href="${at(site, 'profile/credit')}">${say('credit.see')}</a>
<a href="${at(site, 'gift-card')}">${say('credit.redeem')}</a>
<a href="${at(site, 'gift-cards')}">${say('credit.cards')}</a></p>`,
  );

const receiptRow = ({ site }: At, { say, reader }: Written, { id, number, issuedOn, amount, open }: Receipt): Html =>
  html`<li><div><strong>${number}</strong>
<p class="soft">${dateIn(reader.locale, issuedOn)} · ${amountIn(reader.locale, amount)}${
    open.minor > 0 ? html`<br>${say('home.receipts.open', { amount: amountIn(reader.locale, open) })}` : null
  }</p></div>
<a class="button quiet" href="${at(site, `profile/receipts/${id}`)}"
  aria-label="${say('home.receipts.download')}: ${number}">${say('home.receipts.download')}</a></li>`;

function receiptsCard(visit: At, written: Written, { receipts, more }: PaymentParts['receipts']): Html {
  const { say } = written;
  return section(
    'receipts',
    say('home.receipts'),
    receipts.length === 0
      ? html`<p class="soft">${say('home.receipts.none')}</p>`
      : html`<ul class="rows">${receipts.map((one) => receiptRow(visit, written, one))}</ul>
${
  more
    ? html`<p class="actions"><a class="button quiet" href="${at(visit.site, 'profile/receipts')}">${say('home.receipts.all')}</a></p>`
    : null
}`,
  );
}

/** Renders all receipts, one page at a time. */
export function receiptsPage(
  visit: At,
  { receipts, page, more }: { receipts: readonly Receipt[]; page: number; more: boolean },
): Shown {
  const written = writtenFor(visit);
  const { say } = written;
  const way = (to: number, label: string) =>
    html`<a href="${at(visit.site, `profile/receipts?page=${to}`)}">${label}</a> `;
  const body = html`<div class="page-title"><h1>${say('home.receipts')}</h1></div>
<section class="card">${
    receipts.length === 0
      ? html`<p class="soft">${say('home.receipts.none')}</p>`
      : html`<ul class="rows">${receipts.map((one) => receiptRow(visit, written, one))}</ul>`
  }
<p class="actions">${
    page > 1 ? way(page - 1, say('home.receipts.later')) : null
  }${more ? way(page + 1, say('home.receipts.earlier')) : null}</p></section>`;
  return ownPage(visit, say('home.receipts'), body, { part: 'payments' });
}

/** Returns the name of a method with its owner, and until when it is valid. */
export function methodText({ say, reader }: Written, { name, forWhom, expires }: SavedMethod) {
  const month = expires && monthIn(reader.locale, expires);
  return {
    whose: forWhom === null ? name : say('home.methods.of', { method: name, name: forWhom }),
    until: month && say('home.methods.expires', { month }),
  };
}

function methodsCard({ site, token }: At, written: Written, methods: readonly SavedMethod[]): Html {
  const { say } = written;
  const row = (one: SavedMethod) => {
    const { id, name, removable } = one;
    const { whose, until } = methodText(written, one);
    return html`<li><div><strong>${whose}</strong>${until ? html`<p class="soft">${until}</p>` : null}</div>
${
  removable
    ? buttonForm({
        fields: idFields,
        kept: { id: String(id) },
        action: at(site, 'profile/payment-methods/remove'),
        button: say('home.methods.remove', { name }),
        tone: 'danger',
        token,
      })
    : null
}</li>`;
  };
  return section(
    'methods',
    say('home.methods'),
    methods.length === 0
      ? html`<p class="soft">${say('home.methods.none')}</p>`
      : html`<ul class="rows">${methods.map(row)}</ul>`,
  );
}

/** `May 2028` */
const monthIn = (locale: string, { month, year }: { month: number; year: number }): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    Date.UTC(year, month - 1),
  );
