/** The page of an open checkout: its items, its price and the payment. */
import { amountIn, dayIn, momentIn, soonIn, timesIn } from '../../../../kernel/base/languages/times.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import {
  at,
  type Business,
  buttonForm,
  nowAt,
  planTerms,
  sitePage,
  waysAfter,
  type Around,
} from '../../frame/index.ts';
import { check, choice, EMPTY, radios, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { checkoutForm, checkoutPath } from '../path.ts';
import { codeFields, creditFields, payFields, ticketOnly, wayKey } from './checkout-fields.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { mailPreview } from './mail-preview.ts';
import { PAYING, type PayingSay, type PayingWritten } from '../messages.ts';
import { spoken } from '../../../../kernel/base/values/spoken-time.ts';
import type { CheckoutView, Line, Place, Sums, Terms, Way } from '../view.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

/** The form that was sent, and its errors. */
export interface SentForm {
  readonly form: 'pay' | 'code';
  readonly draft: Draft;
  /** code of the refusal; absent: a field is wrong */
  readonly code?: string;
}

const NOTHING_SENT: SentForm = { form: 'pay', draft: EMPTY };

/** Payment at the desk, in place of the id of a payment processor. */
export const AT_DESK = 'desk';

/** Renders a page of a checkout, for anyone who has its address, in the reader's language. */
export const payingPage = (
  visit: At,
  written: PayingWritten,
  title: string,
  body: Html,
  around: Pick<Around, 'status' | 'headers'> & { readonly ticket: string },
): Shown => {
  const { ticket, ...rest } = around;
  return sitePage(visit, written, title, body, {
    ...rest,
    here: null,
    description: '',
    personal: written.personal,
    card: true,
    self: checkoutPath(visit.site, ticket),
  });
};

export function openPage(visit: At, written: PayingWritten, view: CheckoutView, sent: SentForm = NOTHING_SENT): Shown {
  const { site } = visit;
  const { say } = written;
  const { due } = view.sums;
  const fields = sent.form === 'pay' ? fieldsOf(visit, written, view) : codeFields(say);
  const wrong = errorSummary(fields, inZone(sent.draft, visit, written), `${sent.form}-`, say);
  const title = say(due > 0 ? 'pay.title' : 'pay.confirm_title');
  const { code = null } = sent;
  const ways = code === null ? null : waysAfter(visit, written, { code }, []);
  const body = html`${wrong ?? failure(visit, written, view)}${ways}
<div class="card"><h1>${title}</h1>
<p class="soft">${deadline(visit, written, view)}</p>
${linesOf(visit, written, view.lines)}
${sumsOf(visit, written, view)}
${extras(visit, written, view, sent)}</div>
<section class="card big" aria-labelledby="pay-title"><h2 id="pay-title">${say(due > 0 ? 'pay.payment' : 'pay.confirm')}</h2>
${payment(visit, written, view, sent)}
${buttonForm({
  action: checkoutForm(site, 'cancel', view.ticket),
  button: say('button.cancel'),
  tone: 'quiet',
  token: visit.token,
  id: 'cancel-',
  fields: ticketOnly,
  kept: { ticket: view.ticket },
})}</section>`;
  const status = sent.draft === EMPTY ? 200 : (sent.draft.status ?? 422);
  return payingPage(visit, written, title, body, { status, ticket: view.ticket });
}

const spokenIn = (sentence: string, { site }: At, { reader }: PayingWritten): string =>
  spoken(sentence, site.tenant.zone, (when, zone) => momentIn(reader.locale, when, zone));

const inZone = (draft: Draft, visit: At, written: PayingWritten): Draft => ({
  ...draft,
  errors: Object.fromEntries(
    Object.entries(draft.errors).map(([name, text]) => [name, spokenIn(text, visit, written)]),
  ),
});

/**
 * Renders the failure of the last payment: the processor's message says what to do, and the rest of the page is
 * unchanged.
 */
function failure(visit: At, written: PayingWritten, { failed }: CheckoutView): Html | null {
  if (failed === null) return null;
  const key = failed.givenBack ? 'pay.given_back' : 'pay.failed';
  return html`<div class="problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem-title">
<h2 id="problem-title">${written.say(key)}</h2>
<p>${spokenIn(failed.why, visit, written)} ${written.say(`${key}_text`)}</p></div>`;
}

function deadline({ now, site }: At, { say, reader }: PayingWritten, { until, lines }: CheckoutView): string {
  const when = soonIn(reader.locale, until, now, site.tenant.zone);
  return say(lines.some(({ isSpot }) => isSpot) ? 'pay.kept_until' : 'pay.finish_by', { when });
}

/** Returns a function that formats the business's amounts for the reader. */
const amountsOf = ({ site }: At, { reader }: PayingWritten) => {
  const { currency } = site.tenant;
  return (minor: number): string => amountIn(reader.locale, { minor, currency });
};

export function linesOf(visit: At, written: PayingWritten, lines: readonly Line[]): Html {
  const amount = amountsOf(visit, written);
  return html`<ul class="lines">${lines.map(
    (line) =>
      html`<li><div><strong>${line.name}</strong>${moreOf(written, line, amount).map(
        (text) => html`<p class="soft">${text}</p>`,
      )}${line.about?.split(/\n{2,}/).map((part) => html`<p><bdi>${part}</bdi></p>`)}${
        line.mail && mailPreview(written, line.mail)
      }</div><span class="amount">${line.amount === 0 ? written.say('line.free') : amount(line.amount)}</span></li>`,
  )}</ul>`;
}

/** Renders the details of an item: for whom, when and where, how many, and its renewals. */
function moreOf(
  { say, reader }: PayingWritten,
  { forWhom, when, where, paidWithMembership, several, renews }: Line,
  amount: (minor: number) => string,
): string[] {
  return [
    forWhom && (forWhom.name === '' ? say('line.for_child') : say('line.for', { name: forWhom.name })),
    when && `${dayIn(reader.locale, when.from, when.zone)}, ${timesIn(reader.locale, when.from, when.to, when.zone)}`,
    where,
    paidWithMembership ? say('line.paid_with') : null,
    several && `${several.quantity} × ${amount(several.unit)}`,
    renews && say(`line.then_${renews.unit}`, { n: renews.n, price: amountIn(reader.locale, renews.price) }),
  ].filter((text) => text !== null);
}

/** Renders every amount with its label, without those that equal the total. */
export function sumsOf(visit: At, written: PayingWritten, { sums, code }: Pick<CheckoutView, 'sums' | 'code'>): Html {
  const { say } = written;
  const amount = amountsOf(visit, written);
  const { listPrice, discount, fees, includedTaxes, total, credit, due } = sums;
  const row = (name: string, minor: number, tone = '') =>
    html`<div${
      tone
        ? html`
class="${tone}"`
        : null
    }><dt>${name}</dt><dd>${minor < 0 ? '−' : ''}${amount(Math.abs(minor))}</dd></div>`;
  const within = isWithin(sums);
  const named = [
    ...(discount > 0
      ? [row(code ? say('sum.discount_code', { code: code.text }) : say('sum.discount'), -discount)]
      : []),
    ...(includedTaxes > 0 && !within ? [row(say('sum.taxes'), -includedTaxes)] : []),
    ...(within ? [] : fees.map((fee) => row(fee.name, fee.amount))),
  ];
  return html`<dl class="sums">${named.length > 0 ? [row(say('sum.price'), listPrice), named] : null}
${credit > 0 ? [row(say(named.length > 0 ? 'sum.total' : 'sum.price'), total), row(say('sum.credit'), -credit)] : null}
${row(say(credit > 0 ? 'sum.to_pay' : 'sum.total'), due, 'sum')}</dl>
${
  within && total > 0
    ? html`<p class="soft">${say('sum.includes', {
        taxes: fees.map((fee) => `${fee.name} ${amount(fee.amount)}`).join(', '),
      })}</p>`
    : null
}`;
}

/** Returns true if the prices include all fees and taxes. */
const isWithin = ({ fees, includedTaxes }: Sums): boolean =>
  includedTaxes > 0 && fees.reduce((all, { amount }) => all + amount, 0) === includedTaxes;

/** Renders the discount code and account credit. Each is a form of its own, which changes the amounts above. */
function extras(
  visit: At,
  written: PayingWritten,
  { ticket, code, credit, sums, codes }: CheckoutView,
  sent: SentForm,
): Html | null {
  const { site, token } = visit;
  const { say } = written;
  const draft: Draft = sent.form === 'code' ? sent.draft : EMPTY;
  const creditForm = (use: 'yes' | 'no', button: string): Html =>
    buttonForm({
      action: checkoutForm(site, 'credit', ticket),
      button,
      tone: 'quiet',
      token,
      id: 'credit-',
      fields: creditFields,
      kept: { ticket, use },
    });
  const forms = [
    code
      ? html`<p class="soft">${code.refused ?? say('code.applied', { code: code.text })}</p>${buttonForm({
          action: checkoutForm(site, 'code/remove', ticket),
          button: say('code.remove', { code: code.text }),
          tone: 'quiet',
          token,
          id: 'code-',
          fields: ticketOnly,
          kept: { ticket },
        })}`
      : codes
        ? html`<details${draft === EMPTY ? null : html` open`}><summary>${say('code.enter')}</summary>${showForm({
            action: checkoutForm(site, 'code', ticket),
            fields: codeFields(say),
            button: say('code.apply'),
            tone: 'quiet',
            token,
            id: 'code-',
            draft: { ...draft, kept: { ...draft.kept, ticket } },
            say,
          })}</details>`
        : null,
    credit.used
      ? creditForm('no', say('credit.leave'))
      : credit.has > 0 && sums.due > 0
        ? creditForm('yes', say('credit.use', { amount: amountsOf(visit, written)(credit.has) }))
        : null,
  ].filter((form) => form !== null);
  return forms.length === 0 ? null : html`<div class="extras">${forms}</div>`;
}

/** Returns the fields of the payment form: consent to terms, and the payment option if there is a choice. */
export function fieldsOf({ site }: Pick<At, 'site'>, { say }: PayingWritten, view: CheckoutView): Fields {
  const { terms, policies, ways, desk, sums } = view;
  const asked = policies.filter((one) => one.asked).map(({ name }) => name);
  const all = [
    ...ways.map((one) => [wayKey(one), labelOf(say, one, ways)] as const),
    ...(desk ? [[AT_DESK, say('way.desk', { name: site.name })] as const] : []),
  ];
  const pays = sums.due > 0;
  const { way, outcome, ...hidden } = payFields;
  return {
    ...hidden,
    ...(terms.length > 0 && { agree: check(agreeLabel(say, terms)) }),
    ...(asked.length > 0 && { policies: check(say('policies.agree', { names: asked.join(', ') })) }),
    way: pays && all.length > 1 ? radios(say('way.which'), all) : way,
    ...(pays &&
      ways.some(({ saves }) => saves) && {
        save: check(say('way.save'), { hint: say('way.save_hint', { name: site.name }) }),
      }),
    outcome:
      pays && ways.some(({ test }) => test)
        ? choice(
            say('test.what'),
            OUTCOMES.map((name) => [name, say(`test.${name}`)] as const),
          )
        : outcome,
  };
}

/** Returns the label of a payment option. If a method is saved, the option to enter another one says so. */
function labelOf(say: PayingSay, { name, method, test }: Way, ways: readonly Way[]): string {
  const anew = method === null && ways.some((one) => one.method !== null);
  const way = anew ? say('way.anew', { way: name }) : name;
  return test ? say('way.test', { way }) : way;
}

const agreeLabel = (say: PayingSay, terms: readonly Terms[]): string =>
  terms.length === 1 ? say('terms.agree', { what: terms[0].of }) : say('terms.agree_all');

/** Outcomes that the sandbox can simulate, in the words of somebody who tries the page. */
const OUTCOMES = ['success', 'declined', 'extra_step', 'late'] as const;

/** Returns the displayed terms and policies, by id and version, as a form sends them back. */
export const termsKey = ({ terms, policies }: Pick<CheckoutView, 'terms' | 'policies'>): string =>
  [
    ...terms.map(({ id, version }) => `${id}.${version}`),
    ...policies.flatMap(({ id, version, asked }) => (asked ? [`p${id}.${version}`] : [])),
  ].join();

/** Renders links to policies: those to agree to, and those about cancellations and refunds. */
const policiesOf = ({ site }: At, { say }: PayingWritten, { policies }: CheckoutView): Html | null =>
  policies.length === 0
    ? null
    : html`<h3>${say('policies.read', { name: site.name })}</h3><ul class="plain">${policies.map(
        ({ name, version }) => html`<li><a href="${at(site, `policies/${version}`)}" target="_blank">${name}</a></li>`,
      )}</ul>`;

function payment(visit: At, written: PayingWritten, view: CheckoutView, sent: SentForm): Html {
  const { site, token } = visit;
  const { say } = written;
  const { terms, ways, desk, sums, ticket } = view;
  if (sums.due > 0 && ways.length === 0 && !desk)
    return html`<p>${say('pay.no_way', { name: site.name })}</p>
<p class="actions"><a class="button" href="${view.back.href}">${placeLabel(visit, written, 'back', view.back)}</a></p>`;
  const draft: Draft = sent.form === 'pay' ? inZone(sent.draft, visit, written) : EMPTY;
  const only = ways.length === 0 && desk ? AT_DESK : ways.length === 1 && !desk ? wayKey(ways[0]) : '';
  // The method that was saved last is preselected.
  const saved = ways.find(({ method }) => method !== null);
  const kept = {
    way: saved ? wayKey(saved) : only,
    ...draft.kept,
    ticket,
    due: String(sums.due),
    terms: termsKey(view),
    ...(draft.kept.outcome === undefined && { outcome: 'success' }),
  };
  const toRead = html`${termsOf(written, terms)}${policiesOf(visit, written, view)}`;
  return html`${toRead}${sums.due > 0 ? testNote(written, ways) : null}
${only === AT_DESK ? html`<p>${say('pay.at_desk', { name: site.name })}</p>` : null}
${renewals(visit, written, view)}
${showForm({
  action: checkoutForm(site, 'pay', view.ticket),
  fields: fieldsOf(visit, written, view),
  button: buttonOf(visit, written, view),
  token,
  id: 'pay-',
  draft: { ...draft, kept },
  say,
})}`;
}

/** Renders the conditions of what renews, beside the button. */
const renewals = (visit: At, written: PayingWritten, { lines }: CheckoutView): Html[] =>
  lines.flatMap(({ renews }) =>
    renews === null
      ? []
      : html`<p>${planTerms(written, renews.plan, {
          price: renews.price,
          now: nowAt(visit),
          zone: visit.site.tenant.zone,
        })}</p>`,
  );

/** Renders a note so that nobody mistakes a sandbox payment for a real one. */
function testNote({ say }: PayingWritten, ways: readonly Way[]): Html | null {
  const test = ways.find((way) => way.test);
  if (!test) return null;
  return html`<div class="test"><p><strong>${say('test.mode')}</strong> ${
    ways.every((way) => way.test) ? say('test.none') : say('test.none_with', { way: test.name })
  }</p></div>`;
}

const termsOf = ({ say }: PayingWritten, terms: readonly Terms[]): Html[] =>
  terms.map(({ of: what, text }) => {
    const title = say('terms.of', { what });
    return html`<h3>${title}</h3><div class="terms" role="region" aria-label="${title}" tabindex="0">${text.split(/\n{2,}/).map((part) => html`<p><bdi>${part}</bdi></p>`)}</div>`;
  });

/** Returns the text of the button. If payment at the desk is an option, the button doesn't say that people pay now. */
function buttonOf(visit: At, written: PayingWritten, { sums, lines, desk }: CheckoutView): string {
  const { say } = written;
  const books = lines.some(({ isSpot }) => isSpot);
  if (sums.due === 0) return say(books ? 'button.book' : 'button.get');
  return desk
    ? say(books ? 'button.book' : 'button.buy')
    : say('button.pay', { amount: amountsOf(visit, written)(sums.due) });
}

/** Returns the label of a link out of the checkout: `on` when it is complete, `back` otherwise. */
export function placeLabel(
  { site: { tenant } }: At,
  { reader }: PayingWritten,
  way: 'on' | 'back',
  place: Place,
): string {
  if (place.kind === 'event') {
    const words = place.event === null ? tenant.words : tenant.words.about(place.event);
    return PAYING.for(reader, words)(`${way}.event`);
  }
  const say = PAYING.for(reader, tenant.words);
  return place.kind === 'site' ? say(`${way}.site`, { name: place.name }) : say(`${way}.${place.kind}`);
}
