/** The page on which the customer confirms a payment of the sandbox, as they would on their bank's. */
import { answerOnPage, chargeOnPage } from './play.ts';
import { openPaymentContext, type Outside } from '../context.ts';
import { deliverMessages } from './messages.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { isPageToken, savesOnly } from './sandbox.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { page, type Shown } from '../../../../kernel/pages/visit.ts';
import { readProcessor } from '../rows.ts';
import type { Charge } from './book.ts';

export interface PageOfSandbox {
  readonly provider: string;
  readonly processor: string;
  readonly charge: string;
  readonly token: string;
}

const numeric = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);

/**
 * Returns the page. `answer`: the submitted form, if any. `goesOn`: the address to which the browser continues
 * automatically. @throws Problem `not_found`
 */
export async function sandboxPage(
  outside: Outside,
  { processor, charge, token }: PageOfSandbox,
  answer: string | null,
): Promise<{ shown: Shown; goesOn: string | null }> {
  const { providerId } = outside.tenant;
  const row = await outside.db.looking(providerId, (tx) => readProcessor({ tx, providerId }, numeric(processor)));
  if (row?.kind !== 'sandbox') throw notFound();
  const c = openPaymentContext(outside, row);
  const id = numeric(charge);
  if (!isPageToken(c, id, token)) throw notFound();
  const answered = answer === 'pay' || answer === 'cancel';
  const found = answered ? await answerOnPage(c, id, answer === 'pay') : await chargeOnPage(c, id);
  if (!found) throw notFound();
  if (answered) await deliverMessages(outside, row.id);
  if (found.state === 'action_required') return { shown: asking(found, outside.tenant.currency), goesOn: null };
  const back = found.state === 'failed' ? found.cancel_to : found.return_to;
  return { shown: over(found, back), goesOn: answered ? back : null };
}

const asking = (charge: Charge, currency: string): Shown => {
  const { amount_minor: minor, description } = charge;
  const [title, yes] = savesOnly(charge) ? ['Save your card', 'Save'] : ['Confirm your payment', 'Pay'];
  return page(
    title,
    html`<div class="card"><h1>${title}</h1>
${savesOnly(charge) ? null : html`<p>${description}: ${formatDecimal({ minor, currency })} ${currency}</p>`}
<p>This is a sandbox. No money is moved.</p>
<form method="post"><p class="actions"><button type="submit" name="answer" value="pay">${yes}</button>
<button class="quiet" type="submit" name="answer" value="cancel">Cancel</button></p></form></div>`,
  );
};

const over = (charge: Charge, back: string): Shown => {
  const [failed, saves] = [charge.state === 'failed', savesOnly(charge)];
  const [what, title] = saves
    ? [failed ? 'No card was saved.' : 'Your card is saved.', failed ? 'Cancelled' : 'Thank you']
    : [
        failed ? 'Nothing was charged.' : 'Your payment is confirmed.',
        failed ? 'The payment was not made' : 'Thank you',
      ];
  return page(
    title,
    html`<div class="card"><h1>${title}</h1>
<p>${what}</p>
<p class="actions"><a class="button" href="${back}">Continue</a></p></div>`,
  );
};
