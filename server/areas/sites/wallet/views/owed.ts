/** Open charges: each with its reason, and the button that pays them together. */
import { html } from '../../../../kernel/base/markup/html.ts';
import { amountsFor, dateIn, type WalletWritten } from '../messages.ts';
import { type Business, at, buttonForm, statusOf } from '../../frame/index.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary } from '../../../../kernel/pages/show-form.ts';
import { walletPage } from '../page.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

const PATH = 'profile/owed';

export interface Owed {
  readonly id: number;
  readonly customer: number;
  /** first name; null: the person who reads the page */
  readonly forWhom: string | null;
  readonly explanation: string;
  /** in minor units */
  readonly amount: number;
  readonly dueOn: string;
}

export function owedPage(visit: At, written: WalletWritten, owed: readonly Owed[], draft: Draft = EMPTY): Shown {
  const { site, token } = visit;
  const { say } = written;
  const { name } = site;
  const amount = amountsFor(visit, written);
  const title = say('owed.title');
  if (owed.length === 0) {
    const nothing = html`<div class="card"><h1>${title}</h1><p>${say('owed.none', { name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile/payments')}">${say('nav.account')}</a></p></div>`;
    return walletPage(visit, written, title, nothing, { path: PATH });
  }
  const total = owed.reduce((all, one) => all + one.amount, 0);
  const body = html`${errorSummary({}, draft, '', say)}
<div class="card big"><h1>${title}</h1>
<p class="soft">${say('owed.lead', { name })}</p>
<ul class="lines">${owed.map(
    (one) =>
      html`<li><div><strong>${one.explanation}</strong><p class="soft">${
        one.forWhom === null ? null : `${say('owed.for', { name: one.forWhom })} `
      }${say('owed.due', { day: dateIn(written, one.dueOn) })}</p>
</div><span class="amount">${amount(one.amount)}</span></li>`,
  )}</ul>
<dl class="sums"><div class="sum"><dt>${say('owed.total')}</dt><dd>${amount(total)}</dd></div></dl>
${buttonForm({ action: at(site, PATH), button: say('owed.pay', { amount: amount(total) }), token })}</div>`;
  return walletPage(visit, written, title, body, { path: PATH, status: statusOf(draft) });
}
