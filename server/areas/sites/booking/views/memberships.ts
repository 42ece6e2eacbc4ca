/** Pages of memberships: all of them side by side, and one with the people for whom it can be bought. */
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { firstLine, paragraphs } from '../../events/index.ts';
import { nowAt, planTerms, sitePage, sitePath, waysOrAsk, wayTo, type Refused } from '../../frame/index.ts';
import { formatDecimal } from '../../../../kernel/base/values/money.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { problemBox, withBuyers, type Buyer, type Buyers } from './buyers.ts';
import type { At, Written } from '../site.ts';
import type { Named } from '../library/read.ts';
import type { Best, Compared } from '../rules/best.ts';
import type { Offer } from '../read/compared.ts';
import type { Plan, Sold } from '../read/memberships.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';
import { TOKEN_FIELD } from '../../../../kernel/pages/show-form.ts';

export const membershipPath = (site: At['site'], id: number): string => `${sitePath(site, 'memberships')}/${id}`;

export interface MembershipsView {
  readonly sold: readonly Offer[];
  readonly personal: boolean;
  /** the reader is a customer, and there is something to compare */
  readonly mayAskBest: boolean;
  /** compared by the reader's own visits; null: they didn't ask for it */
  readonly best: Best | null;
}

export function membershipsPage(visit: At, written: Written, view: MembershipsView): Shown {
  const { sold, personal, best } = view;
  const { site } = visit;
  const { say } = written;
  const body = html`<div class="page-title"><h1>${say('memberships.title')}</h1>${
    sold.length === 0 ? null : html`<p>${say('memberships.lead')}</p>`
  }</div>
${
  sold.length === 0
    ? html`<section class="card"><p>${say('memberships.none')}</p><p class="actions"><a class="button" href="${sitePath(
        site,
        'timetable',
      )}">${say('nav.timetable')}</a></p></section>`
    : html`${best === null ? askBest(visit, written, view) : bestCard(visit, written, best)}
<ul class="offers">${sold.map((one) => offerCard(visit, written, one))}</ul>`
}`;
  return sitePage(visit, written, say('memberships.title'), body, {
    here: 'memberships',
    description: say('memberships.description', { name: site.name }),
    data: sold.map((one) => offerData(visit, one)),
    personal,
    indexed: best === null,
  });
}

const askBest = ({ site }: At, { say }: Written, { mayAskBest }: MembershipsView): Html | null =>
  mayAskBest
    ? html`<section class="card"><p>${say('best.lead')}</p>
<p class="actions"><a class="button quiet" href="${sitePath(site, 'memberships')}?best=1">${say('best.button')}</a></p></section>`
    : null;

/** Renders the comparison by the reader's own visits, with how each amount is made up. */
function bestCard({ site }: At, { say, reader }: Written, { visits, compared, others }: Best): Html {
  const { currency } = site.tenant;
  const amount = (minor: number) => amountIn(reader.locale, { minor, currency });
  const [first] = compared;
  const sum = ({ name, cost, joining, each }: Compared) =>
    [
      each === null
        ? say('best.time', { name, price: amount(cost - joining) })
        : say('best.visits', { name, n: visits, each: amount(each), price: amount(cost - joining) }),
      ...(joining > 0 ? [say('best.joining', { fee: amount(joining), price: amount(cost) })] : []),
    ].join(' ');
  return html`<section class="card" role="status" aria-labelledby="best"><h2 id="best">${
    first === undefined ? say('best.title') : say('best.result', { name: first.name, price: amount(first.cost) })
  }</h2>
<p>${say(visits === 0 ? 'best.never' : 'best.count', { n: visits })}${
    visits > 0 && first === undefined ? html` ${say('best.none')}` : null
  }</p>
${compared.length === 0 ? null : html`<ul class="compare">${compared.map((one) => html`<li>${sum(one)}</li>`)}</ul>`}
${
  others.length === 0
    ? null
    : html`<p class="soft">${say('best.others', { names: new Intl.ListFormat(reader.locale).format(others) })}</p>`
}${
    first === undefined
      ? null
      : html`<p class="actions"><a class="button" href="${membershipPath(site, first.id)}">${say('best.see', {
          name: first.name,
        })}</a></p>`
  }</section>`;
}

/** The home page shows this many; the page of memberships shows all. */
const MAX_AT_HOME = 4;

/** Renders the memberships on the home page of a business, with their prices. */
export const membershipsCard = ({ site }: At, written: Written, sold: readonly Sold[]): Html | null =>
  sold.length === 0
    ? null
    : html`<section class="card" aria-labelledby="memberships"><h2 id="memberships">${written.say('memberships.title')}</h2>
<ul class="rows">${sold
        .slice(0, MAX_AT_HOME)
        .map(
          (one) =>
            html`<li><div><a href="${membershipPath(site, one.id)}"><strong>${
              one.name
            }</strong></a><p class="soft">${factsOf(written, one).join(
              ' · ',
            )}</p></div><span class="amount">${priceText(written, one)}</span></li>`,
        )}</ul>
<p class="actions"><a href="${sitePath(site, 'memberships')}">${written.say('memberships.all')}</a></p></section>`;

function offerCard({ site }: At, written: Written, one: Offer): Html {
  const { say } = written;
  const to = membershipPath(site, one.id);
  return html`<li class="card"><h2><a href="${to}">${one.name}</a></h2>
<p class="price">${priceText(written, one)}</p>
<p class="soft">${factsOf(written, one).join(' · ')}</p>
${one.description ? html`<p class="own">${firstLine(one.description)}</p>` : null}
${comparison(written, one, { terms: true })}
<p class="actions">${
    one.atDesk
      ? html`<span class="soft">${say('memberships.at_desk')}</span>`
      : html`<a class="button" href="${to}" aria-label="${say('memberships.buy')}: ${one.name}">${say('memberships.buy')}</a>`
  }</p></li>`;
}

/** Returns the price, for example `€49.00 per month`; the lowest if there are several. */
export function priceText(written: Written, { price, plans }: Sold): string {
  if (price !== null) return amountIn(written.reader.locale, price);
  const [lowest] = plans.toSorted((a, b) => a.price.minor - b.price.minor);
  return lowest ? everyText(written, lowest) : '';
}

const everyText = ({ say, reader }: Written, { price, every }: Plan): string =>
  say(`memberships.every_${every.unit}`, { n: every.length, price: amountIn(reader.locale, price) });

function factsOf({ say }: Written, { type, newOnly, valid, single }: Sold): string[] {
  return [
    single ? say('memberships.single') : say(`memberships.${type}`),
    ...(valid ? [say(`memberships.valid_${valid.unit}`, { n: valid.length })] : []),
    ...(newOnly ? [say('memberships.new_only')] : []),
  ];
}

/** Renders what a membership covers. `terms`: also how long its plan is kept, and how it is ended. */
function comparison(written: Written, one: Offer, { terms }: { readonly terms: boolean }): Html {
  const { say, reader } = written;
  const { covers, visits, price, plans } = one;
  const [lowest] = plans.toSorted((a, b) => a.price.minor - b.price.minor);
  const names = covers?.names.join(', ') ?? '';
  const lines = [
    covers === null
      ? say('compare.all')
      : covers.more > 0
        ? say('compare.more', { names, n: covers.more })
        : say('compare.covers', { names }),
    ...(visits !== null && visits > 1 && price !== null
      ? [
          say('compare.visit', {
            price: amountIn(reader.locale, { ...price, minor: Math.round(price.minor / visits) }),
          }),
        ]
      : []),
    ...(terms && lowest ? termsOf(written, lowest) : []),
    ...(one.pausable ? [say('compare.pause')] : []),
    ...(one.shareable ? [say('compare.share')] : []),
  ];
  return html`<ul class="compare">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** Returns how long one agrees to keep a plan, and how it is ended. */
function termsOf({ say }: Written, { terms }: Plan): string[] {
  const { committed_billing_periods: committed, cancellation_notice_days: notice } = terms;
  return [
    committed ? say('compare.committed', { n: committed }) : say('compare.free'),
    notice ? say('compare.notice', { n: notice }) : say('compare.end'),
  ];
}

export interface OneMembership {
  readonly sold: Offer;
  /** collections of the library that it opens */
  readonly opens: readonly Named[];
  /** names of the forms that have to be answered before it is bought */
  readonly asks: readonly string[];
  readonly buyers: Buyers;
  /** refusal of the last attempt */
  readonly problem: Refused | null;
}

export function membershipPage(
  visit: At,
  written: Written,
  { sold, opens, asks, buyers, problem }: OneMembership,
): Shown {
  const { site } = visit;
  const { say } = written;
  const plans = sold.type === 'recurring_plan' ? sold.plans : [null];
  const others = wayTo(sitePath(site, 'memberships'), say('way.memberships'));
  const body = html`${problemBox(visit, written, problem, [others])}
<div class="card"><h1>${sold.name}</h1>
<p class="price">${sold.type === 'recurring_plan' ? null : priceText(written, sold)}</p>
<p class="soft">${factsOf(written, sold).join(' · ')}</p>
${sold.description ? html`<div class="about">${paragraphs(sold.description)}</div>` : null}
${comparison(written, sold, { terms: false })}${
    opens.length === 0
      ? null
      : html`<p>${say('memberships.library')}</p><ul>${opens.map(
          ({ id, name }) => html`<li><a href="${sitePath(site, 'library')}/${id}">${name}</a></li>`,
        )}</ul>`
  }</div>
${
  sold.atDesk
    ? html`<section class="card"><p>${say('memberships.at_desk')}</p>${waysOrAsk(visit, written, [])}</section>`
    : plans.map((plan) => planCard(visit, written, sold, plan, { asks, buyers }))
}
<p class="turn"><a href="${sitePath(site, 'memberships')}">${say('memberships.all')}</a></p>`;
  return sitePage(visit, written, sold.name, body, {
    here: 'memberships',
    description: sold.description.split(/\n/)[0] || say('memberships.description', { name: site.name }),
    data: [offerData(visit, sold)],
    personal: buyers !== null,
    status: problem === null ? 200 : 409,
  });
}

function planCard(
  visit: At,
  written: Written,
  sold: Sold,
  plan: Plan | null,
  { asks, buyers }: Pick<OneMembership, 'asks' | 'buyers'>,
): Html {
  const { site } = visit;
  const { say, reader } = written;
  const fee = plan?.joiningFee && say('memberships.joining_fee', { price: amountIn(reader.locale, plan.joiningFee) });
  const { zone } = site.tenant;
  const terms = plan && planTerms(written, plan.terms, { price: plan.price, now: nowAt(visit), zone });
  const forms = new Intl.ListFormat(reader.locale).format(asks);
  return html`<section class="card">${
    plan && html`<h2>${everyText(written, plan)}</h2>${fee && html`<p class="soft">${fee}</p>`}<p>${terms}</p>`
  }${asks.length > 0 && html`<p>${say('memberships.asks', { name: site.name, forms })}</p>`}
${withBuyers(visit, written, { buyers, path: membershipPath(site, sold.id) }, (buyer) =>
  buyForm(visit, written, sold, plan, buyer),
)}</section>`;
}

function buyForm(
  { site, token }: At,
  { say }: Written,
  { id }: Sold,
  plan: Plan | null,
  { id: customer, name }: Buyer,
): Html {
  return html`<form method="post" action="${membershipPath(site, id)}"><input type="hidden" name="${TOKEN_FIELD}" value="${token}">
<input type="hidden" name="customer" value="${customer}">${plan === null ? null : html`<input type="hidden" name="plan" value="${plan.id}">`}
<div class="actions"><button${name === null ? null : html` class="quiet"`}>${
    name === null ? say('memberships.buy') : say('memberships.buy_for', { name })
  }</button></div></form>`;
}

const offerData = ({ site, baseUrl }: At, { id, name, description, price, plans }: Sold): object => {
  const cost = price ?? plans.map((plan) => plan.price).toSorted((a, b) => a.minor - b.minor)[0];
  return {
    '@type': 'Offer',
    name,
    ...(description && { description }),
    ...(cost && { price: formatDecimal(cost), priceCurrency: cost.currency }),
    url: `${baseUrl}${membershipPath(site, id)}`,
    offeredBy: { '@id': `${baseUrl}${site.home}` },
  };
};
