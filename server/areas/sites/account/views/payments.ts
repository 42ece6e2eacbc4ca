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
import { hidden } from '../../../../kernel/pages/form.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { newCardButtons, newCardNotice, type NewCard, type SavingWay } from '../new-card/views.ts';
import { showPart, type Parts } from '../../../../kernel/pages/parts.ts';
import type { Money } from '../../../../kernel/base/values/money.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

const sureFields = { ...idFields, sure: hidden(3) };

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

/** A plan whose next payment is charged to a saved method. */
export interface ChargedPlan {
  /** id of the customer's membership */
  readonly id: number;
  readonly name: string;
  /** id of the method */
  readonly method: number;
}

export interface PaymentParts {
  readonly receipts: { readonly receipts: readonly Receipt[]; readonly more: boolean };
  readonly methods: {
    readonly saved: readonly SavedMethod[];
    readonly plans: readonly ChargedPlan[];
    readonly ways: readonly SavingWay[];
  };
}

export interface PaymentsView extends Parts<PaymentParts> {
  /** open charges, in minor units */
  readonly owed: number;
  /** account credit, in minor units */
  readonly credit: number;
  /** the card with which the browser returned */
  readonly added: NewCard | null;
  /** id of the method that is to be removed while plans are charged to it; null: none is */
  readonly removing: number | null;
}

export function paymentsPage(visit: At, view: PaymentsView): Shown {
  const written = writtenFor(visit);
  const { say, reader } = written;
  const part = <T>(read: T | undefined, show: (part: T) => Html | null): Html | null =>
    showPart(visit, reader, read, show);
  const body = html`${removingCard(visit, written, view) ?? newCardNotice(written, view.added) ?? doneNotice(visit)}
<div class="page-title"><h1>${say('part.payments')}</h1></div>
${view.owed === 0 ? null : owedCard(visit, written, view.owed)}
${part(view.receipts, (receipts) => receiptsCard(visit, written, receipts))}
${part(view.methods, (methods) => methodsCard(visit, written, methods))}
${creditCard(visit, written, view.credit)}`;
  return ownPage(visit, say('part.payments'), body, { part: 'payments', status: view.removing === null ? 200 : 409 });
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
    html`<p>${
      credit === 0
        ? say('credit.none', { name: site.name })
        : say('credit.text', {
            amount: amountIn(reader.locale, { minor: credit, currency: site.tenant.currency }),
            name: site.name,
          })
    }</p>
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

const planPath = (site: Business, { id }: ChargedPlan): string => at(site, `profile/memberships/${id}/card`);

const removeForm = ({ site, token }: At, { say }: Written, { id, name }: SavedMethod, isSure: boolean): Html =>
  buttonForm({
    fields: isSure ? sureFields : idFields,
    kept: { id: String(id), ...(isSure && { sure: 'yes' }) },
    action: at(site, 'profile/payment-methods/remove'),
    button: say(isSure ? 'home.methods.remove_anyway' : 'home.methods.remove', { name }),
    tone: 'danger',
    token,
    id: isSure ? 'sure-' : `remove-${id}-`,
  });

/** Renders the question before a method is removed that plans are charged to; each can be charged to another first. */
function removingCard(visit: At, written: Written, { methods, removing }: PaymentsView): Html | null {
  const { say, reader } = written;
  const method = methods?.saved.find(({ id }) => id === removing);
  const plans = methods?.plans.filter((plan) => plan.method === removing) ?? [];
  if (!method || plans.length === 0) return null;
  const names = new Intl.ListFormat(reader.locale).format(plans.map(({ name }) => name));
  const others = methods!.saved.length > 1 ? 'home.methods.charges_other' : 'home.methods.charges_none';
  return html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="removing-title">
<h2 id="removing-title">${say('home.methods.in_use', { name: method.name })}</h2>
<p>${say('home.methods.charged', { plans: names })} ${say(others)}</p>
<p class="actions">${plans.map(
    (plan) =>
      html`<a class="button" href="${planPath(visit.site, plan)}">${say('home.methods.choose', { plan: plan.name })}</a>`,
  )}</p>
${removeForm(visit, written, method, true)}</div>`;
}

function methodsCard(visit: At, written: Written, { saved, plans, ways }: PaymentParts['methods']): Html {
  const { say } = written;
  const { site } = visit;
  const row = (one: SavedMethod) => {
    const { whose, until } = methodText(written, one);
    const charged = plans
      .filter(({ method }) => method === one.id)
      .map(
        (plan) =>
          html`<p class="soft">${say('home.methods.charged', { plans: plan.name })}
<a href="${planPath(site, plan)}" aria-label="${say('home.methods.replace_for', { plan: plan.name })}">${say('home.methods.replace')}</a></p>`,
      );
    return html`<li><div><strong>${whose}</strong>${until ? html`<p class="soft">${until}</p>` : null}${charged}</div>
${one.removable ? removeForm(visit, written, one, false) : null}</li>`;
  };
  return section(
    'methods',
    say('home.methods'),
    html`${
      saved.length === 0
        ? html`<p class="soft">${say('home.methods.none')}</p>`
        : html`<ul class="rows">${saved.map(row)}</ul>`
    }
${newCardButtons(visit, written, { ways, action: at(site, 'profile/payment-methods/add') })}`,
  );
}

/** `May 2028` */
const monthIn = (locale: string, { month, year }: { month: number; year: number }): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(
    Date.UTC(year, month - 1),
  );
