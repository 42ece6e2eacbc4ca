/** Redeeming a gift card, and buying one. */
import { at, type Business } from '../business.ts';
import { EMPTY, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { formPage, wordPage } from './parts.ts';
import { giftCodeFields } from './fields.ts';
import { html } from '../../../../kernel/api/html.ts';
import type { Shown, Visit } from '../../../../kernel/pages/visit.ts';

type At = Visit<Business>;

export const redeemPage = ({ site, token }: At, { forSale }: { forSale: boolean }, draft: Draft = EMPTY): Shown =>
  formPage(`Redeem ${site.tenant.words.a.gift_card}`, {
    lead: `It becomes account credit, which you can spend on anything at ${site.name}.`,
    fields: giftCodeFields(site),
    draft,
    action: at(site, 'gift-card/redeem'),
    button: 'Redeem',
    token,
    turn: html`<a href="${at(site, 'profile/credit')}">Your account credit</a>${forSale ? html` <a href="${at(site, 'gift-card/buy')}">Buy ${site.tenant.words.a.gift_card}</a>` : null}`,
  });

export const buyPage = ({ site, token }: At, fields: Fields, draft: Draft = EMPTY): Shown =>
  formPage(`Buy ${site.tenant.words.a.gift_card}`, {
    lead: `We send it by email, with a code that turns it into credit at ${site.name}.`,
    fields,
    draft,
    action: at(site, 'gift-card/buy'),
    button: 'Review and pay',
    token,
    turn: html`<a href="${at(site, 'gift-card')}">Redeem ${site.tenant.words.a.gift_card}</a>`,
  });

export const notForSalePage = ({ site }: At): Shown =>
  wordPage(
    site.tenant.words.Many.gift_card,
    html`<p>${site.name} doesn't sell ${site.tenant.words.many.gift_card} here.</p>`,
    {
      way: { href: at(site, 'profile'), label: 'Your account' },
    },
  );
