/** Pages to redeem and to buy gift cards. */
import { type Business, at } from '../../frame/index.ts';
import { EMPTY, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { giftCodeFields } from '../fields.ts';
import { html } from '../../../../kernel/base/markup/html.ts';
import { walletForm, walletPage } from '../page.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';
import type { WalletWritten } from '../messages.ts';

type At = Visit<Business>;

export function redeemPage(
  visit: At,
  written: WalletWritten,
  { forSale }: { forSale: boolean },
  draft: Draft = EMPTY,
): Shown {
  const { site } = visit;
  const { say } = written;
  return walletForm(visit, written, say('redeem.title'), {
    path: 'gift-card',
    lead: say('redeem.lead', { name: site.name }),
    fields: giftCodeFields(say),
    draft,
    action: at(site, 'gift-card/redeem'),
    button: say('redeem.button'),
    turn: html`<a href="${at(site, 'profile/credit')}">${say('credit.title')}</a>${
      forSale ? html` <a href="${at(site, 'gift-card/buy')}">${say('buy.title')}</a>` : null
    }`,
  });
}

export function buyPage(visit: At, written: WalletWritten, fields: Fields, draft: Draft = EMPTY): Shown {
  const { site } = visit;
  const { say } = written;
  return walletForm(visit, written, say('buy.title'), {
    path: 'gift-card/buy',
    lead: say('buy.lead', { name: site.name }),
    fields,
    draft,
    action: at(site, 'gift-card/buy'),
    button: say('buy.button'),
    turn: html`<a href="${at(site, 'gift-card')}">${say('redeem.title')}</a>`,
  });
}

export function notForSalePage(visit: At, written: WalletWritten): Shown {
  const { site } = visit;
  const { say } = written;
  const title = say('cards.title');
  const body = html`<div class="card"><h1>${title}</h1><p>${say('buy.none', { name: site.name })}</p>
<p class="actions"><a class="button" href="${at(site, 'profile')}">${say('nav.account')}</a></p></div>`;
  return walletPage(visit, written, title, body, { path: 'gift-card/buy' });
}
