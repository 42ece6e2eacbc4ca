/** The page of a checkout while it is open: what is bought, what it costs, and how it is paid. */
import { html, type Html } from '../../../../kernel/api/html.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import { at, type Business } from '../business.ts';
import { buttonForm } from './parts.ts';
import { check, choice, EMPTY, radios, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { codeFields, creditFields, payFields, ticketOnly, wayKey } from './checkout-fields.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { soonText, spoken } from '../../../../kernel/values/spoken-time.ts';
import type { CheckoutView, Line, Sums, Terms, Way } from '../checkout/view.ts';

type At = Visit<Business>;

/** Which form of the page was sent, and what is wrong with it. */
export interface SentForm {
  readonly form: 'pay' | 'code';
  readonly draft: Draft;
}

const NOTHING_SENT: SentForm = { form: 'pay', draft: EMPTY };

/** At the desk: no id of a payment processor. */
export const AT_DESK = 'desk';

export function openPage(visit: At, view: CheckoutView, sent: SentForm = NOTHING_SENT): Shown {
  const { site } = visit;
  const { due } = view.sums;
  const fields = sent.form === 'pay' ? fieldsOf(visit, view) : codeFields;
  const wrong = errorSummary(fields, inZone(sent.draft, site), `${sent.form}-`);
  const title = due > 0 ? 'Review and pay' : 'Review and confirm';
  const body = html`${wrong ?? failure(view, site)}
<div class="card"><h1>${title}</h1>
<p class="soft">${deadline(view, visit)}</p>
${linesOf(view.lines, site)}
${sumsOf(view, site)}
${extras(visit, view, sent)}</div>
<section class="card big" aria-labelledby="pay-title"><h2 id="pay-title">${due > 0 ? 'Payment' : 'Confirm'}</h2>
${payment(visit, view, sent)}
${buttonForm({ action: at(site, 'checkout/cancel'), button: 'Cancel', tone: 'quiet', token: visit.token, id: 'cancel-', fields: ticketOnly, kept: { ticket: view.ticket } })}</section>`;
  const status = sent.draft === EMPTY ? 200 : (sent.draft.status ?? 422);
  return page(title, body, { status });
}

const inZone = (draft: Draft, { tenant }: Business): Draft => ({
  ...draft,
  errors: Object.fromEntries(Object.entries(draft.errors).map(([name, text]) => [name, spoken(text, tenant.zone)])),
});

/** The last payment did not work out: what to do stands in the sentence of the processor, and the page is as it was. */
function failure({ failed }: CheckoutView, { tenant }: Business): Html | null {
  if (failed === null) return null;
  const [title, and] = failed.givenBack
    ? ['Your payment is on its way back', 'Your payment arrived too late, and all of it is given back.']
    : ["The payment didn't go through", "You haven't been charged. You can try again below."];
  return html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem-title"><h2 id="problem-title">${title}</h2><p>${spoken(failed.why, tenant.zone)} ${and}</p></div>`;
}

function deadline({ until, lines }: CheckoutView, { now, site }: At): string {
  const when = soonText(until, now, site.tenant.zone);
  return lines.some(({ isSpot }) => isSpot)
    ? `Your ${site.tenant.words.one.spot} is kept until ${when}.`
    : `Finish by ${when}.`;
}

export const linesOf = (lines: readonly Line[], { tenant: { currency } }: Business): Html =>
  html`<ul class="lines">${lines.map(
    ({ name, forWhom, more, about, amount }) =>
      html`<li><div><strong>${name}</strong>${[forWhom === null ? null : `For ${forWhom}`, ...more].filter(Boolean).map((line) => html`<p class="soft">${line}</p>`)}${about?.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div><span class="amount">${amount === 0 ? 'Free' : amountText({ minor: amount, currency })}</span></li>`,
  )}</ul>`;

/** Every amount by its name. What is the same as the total is left out. */
export function sumsOf({ sums, code }: Pick<CheckoutView, 'sums' | 'code'>, { tenant: { currency } }: Business): Html {
  const { listPrice, discount, fees, includedTaxes, total, credit, due } = sums;
  const row = (name: string, minor: number, tone = '') =>
    html`<div${tone ? html` class="${tone}"` : null}><dt>${name}</dt><dd>${minor < 0 ? '−' : ''}${amountText({ minor: Math.abs(minor), currency })}</dd></div>`;
  const within = isWithin(sums);
  const named = [
    ...(discount > 0 ? [row(`Discount${code ? ` (${code.text})` : ''}`, -discount)] : []),
    ...(includedTaxes > 0 && !within ? [row('Taxes included in the price', -includedTaxes)] : []),
    ...(within ? [] : fees.map(({ name, amount }) => row(name, amount))),
  ];
  return html`<dl class="sums">${named.length > 0 ? [row('Price', listPrice), named] : null}
${credit > 0 ? [named.length > 0 ? row('Total', total) : row('Price', total), row('Credit', -credit)] : null}
${row(credit > 0 ? 'To pay' : 'Total', due, 'sum')}</dl>
${within && total > 0 ? html`<p class="soft">Includes ${fees.map(({ name, amount }) => `${name} ${amountText({ minor: amount, currency })}`).join(', ')}.</p>` : null}`;
}

/** All that is charged on the prices is contained in them. */
const isWithin = ({ fees, includedTaxes }: Sums): boolean =>
  includedTaxes > 0 && fees.reduce((all, { amount }) => all + amount, 0) === includedTaxes;

/** A discount code and account credit: each a form of its own, which changes the amounts above. */
function extras({ site, token }: At, { ticket, code, credit, sums, codes }: CheckoutView, sent: SentForm): Html | null {
  const { currency } = site.tenant;
  const draft: Draft = sent.form === 'code' ? sent.draft : EMPTY;
  const forms = [
    code
      ? html`<p class="soft">${code.refused ?? `The code ${code.text} is applied.`}</p>${buttonForm({ action: at(site, 'checkout/code/remove'), button: `Remove ${code.text}`, tone: 'quiet', token, id: 'code-', fields: ticketOnly, kept: { ticket } })}`
      : codes
        ? html`<details${draft === EMPTY ? null : html` open`}><summary>Enter a discount code</summary>${showForm({ action: at(site, 'checkout/code'), fields: codeFields, button: 'Apply', tone: 'quiet', token, id: 'code-', draft: { ...draft, kept: { ...draft.kept, ticket } } })}</details>`
        : null,
    credit.used
      ? buttonForm({
          action: at(site, 'checkout/credit'),
          button: "Don't use account credit",
          tone: 'quiet',
          token,
          id: 'credit-',
          fields: creditFields,
          kept: { ticket, use: 'no' },
        })
      : credit.has > 0 && sums.due > 0
        ? buttonForm({
            action: at(site, 'checkout/credit'),
            button: `Use account credit (${amountText({ minor: credit.has, currency })})`,
            tone: 'quiet',
            token,
            id: 'credit-',
            fields: creditFields,
            kept: { ticket, use: 'yes' },
          })
        : null,
  ].filter((form) => form !== null);
  return forms.length === 0 ? null : html`<div class="extras">${forms}</div>`;
}

/** What the form that pays asks: to agree to terms, and how to pay where there is a choice. */
export function fieldsOf({ site }: Pick<At, 'site'>, view: CheckoutView): Fields {
  const { terms, ways, desk, sums } = view;
  const all = [
    ...ways.map((one) => [wayKey(one), labelOf(one, ways)] as const),
    ...(desk ? [[AT_DESK, `At the desk of ${site.name}`] as const] : []),
  ];
  const pays = sums.due > 0;
  const { way, outcome, ...hidden } = payFields;
  return {
    ...hidden,
    ...(terms.length > 0 && { agree: check(agreeLabel(terms)) }),
    way: pays && all.length > 1 ? radios('How would you like to pay?', all) : way,
    ...(pays &&
      ways.some(({ saves }) => saves) && {
        save: check('Save my payment method for next time', {
          hint: `The payment service keeps it. ${site.name} never sees the full number.`,
        }),
      }),
    outcome: pays && ways.some(({ test }) => test) ? choice('What should happen in the test?', OUTCOMES) : outcome,
  };
}

/** Where something is saved, what is entered anew says so. */
function labelOf({ name, method, test }: Way, ways: readonly Way[]): string {
  const anew = method === null && ways.some((one) => one.method !== null);
  return `${name}${anew ? ' (enter new details)' : ''}${test ? ' (test)' : ''}`;
}

const agreeLabel = (terms: readonly Terms[]): string =>
  terms.length === 1 ? `I agree to the terms of ${terms[0].of}` : 'I agree to these terms';

/** What the sandbox can play, in the words of somebody who tries the page out. */
const OUTCOMES = [
  ['success', 'The payment succeeds'],
  ['declined', 'The card is declined'],
  ['extra_step', 'The bank asks for confirmation'],
  ['late', 'The bank answers later'],
] as const;

/** The terms that are shown, as a form sends them back: their ids and versions. */
export const termsKey = (terms: readonly Terms[]): string => terms.map(({ id, version }) => `${id}.${version}`).join();

function payment(visit: At, view: CheckoutView, sent: SentForm): Html {
  const { site, token } = visit;
  const { terms, ways, desk, sums, ticket } = view;
  if (sums.due > 0 && ways.length === 0 && !desk)
    return html`<p>${site.name} doesn't take payments online yet. You haven't been charged anything.</p><p class="actions"><a class="button" href="${view.back.href}">${view.back.label}</a></p>`;
  const draft: Draft = sent.form === 'pay' ? inZone(sent.draft, site) : EMPTY;
  const only = ways.length === 0 && desk ? AT_DESK : ways.length === 1 && !desk ? wayKey(ways[0]) : '';
  // What was saved last is chosen already.
  const saved = ways.find(({ method }) => method !== null);
  const kept = {
    way: saved ? wayKey(saved) : only,
    ...draft.kept,
    ticket,
    due: String(sums.due),
    terms: termsKey(terms),
    ...(draft.kept.outcome === undefined && { outcome: 'success' }),
  };
  return html`${termsOf(terms)}${sums.due > 0 ? testNote(ways) : null}
${only === AT_DESK ? html`<p>You pay at the desk of ${site.name}.</p>` : null}
${showForm({ action: at(site, 'checkout/pay'), fields: fieldsOf(visit, view), button: buttonOf(view, site), token, id: 'pay-', draft: { ...draft, kept } })}`;
}

/** Nobody takes a payment of the sandbox for a real one. */
function testNote(ways: readonly Way[]): Html | null {
  const test = ways.find((way) => way.test);
  if (!test) return null;
  return html`<div class="test"><p><strong>Test mode.</strong> ${ways.every((way) => way.test) ? 'No money is moved.' : `With “${test.name}”, no money is moved.`}</p></div>`;
}

const termsOf = (terms: readonly Terms[]): Html[] =>
  terms.map(
    ({ of, text }) =>
      html`<h3>Terms of ${of}</h3><div class="terms" role="region" aria-label="Terms of ${of}" tabindex="0">${text.split(/\n{2,}/).map((part) => html`<p>${part}</p>`)}</div>`,
  );

/** Where the desk is one of several ways, the page doesn't say that people pay now. */
function buttonOf({ sums, lines, desk }: CheckoutView, { tenant: { currency } }: Business): string {
  const books = lines.some(({ isSpot }) => isSpot);
  if (sums.due === 0) return books ? 'Book' : 'Get it';
  return desk ? (books ? 'Book' : 'Buy') : `Pay ${amountText({ minor: sums.due, currency })}`;
}
