/** What somebody owes: each charge with its reason, and the button that pays them together. */
import { html } from '../../../../kernel/api/html.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import { at, type Business } from '../business.ts';
import { buttonForm, top, wordPage } from './parts.ts';
import { EMPTY, type Draft } from '../../../../kernel/pages/form.ts';
import { errorSummary } from '../../../../kernel/pages/show-form.ts';
import { page, type Shown, type Visit } from '../../../../kernel/pages/visit.ts';
import { spokenDate } from '../../../../kernel/values/spoken-time.ts';

type At = Visit<Business>;

export interface Owed {
  readonly id: number;
  readonly customer: number;
  /** first name; null: the person before the page */
  readonly forWhom: string | null;
  readonly explanation: string;
  /** minor units */
  readonly amount: number;
  readonly dueOn: string;
}

export function owedPage({ site, token }: At, owed: readonly Owed[], draft: Draft = EMPTY): Shown {
  const { currency } = site.tenant;
  const say = (minor: number) => amountText({ minor, currency });
  if (owed.length === 0)
    return wordPage('What you owe', html`<p>Nothing is open. You don't owe ${site.name} anything.</p>`, {
      way: { href: at(site, 'profile'), label: 'Your account' },
    });
  const total = owed.reduce((all, { amount }) => all + amount, 0);
  const body = html`${errorSummary({}, draft)}
<div class="card big"><h1>What you owe</h1>
<p class="soft">Charges of ${site.name} that aren't paid yet.</p>
<ul class="lines">${owed.map(({ explanation, forWhom, dueOn, amount }) => html`<li><div><strong>${explanation}</strong><p class="soft">${forWhom === null ? null : `For ${forWhom}. `}Due on ${spokenDate(dueOn)}</p></div><span class="amount">${say(amount)}</span></li>`)}</ul>
<dl class="sums"><div class="sum"><dt>Total</dt><dd>${say(total)}</dd></div></dl>
${buttonForm({ action: at(site, 'profile/owed'), button: `Pay ${say(total)}`, token })}</div>`;
  return page('What you owe', body, { status: draft === EMPTY ? 200 : (draft.status ?? 422), top: top(site, token) });
}
