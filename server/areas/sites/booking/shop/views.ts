/** Pages of the shop: the list of products, one product with its variants, and gift cards. */
import { amountIn } from '../../../../kernel/base/languages/times.ts';
import { at, businessData, sitePage, sitePath, waysOrAsk, wayTo } from '../../frame/index.ts';
import { GUEST as GUEST_CARD } from '../../wallet/index.ts';
import { guestLink } from '../../guests/index.ts';
import { paragraphs } from '../../events/index.ts';
import { choice, EMPTY, hidden, radios, text, type Draft, type Fields } from '../../../../kernel/pages/form.ts';
import { errorSummary, showForm } from '../../../../kernel/pages/show-form.ts';
import { formatDecimal, type Money } from '../../../../kernel/base/values/money.ts';
import { html, type Html } from '../../../../kernel/base/markup/html.ts';
import { withBuyers, type Buyers } from '../views/buyers.ts';
import type { At } from '../site.ts';
import { picture, type Picture } from '../../../../kernel/pages/picture.ts';
import type { Product, Variant } from './read.ts';
import type { Shown } from '../../../../kernel/pages/visit.ts';
import type { ShopWritten } from './messages.ts';

export const productPath = (site: At['site'], id: number): string => `${sitePath(site, 'shop')}/${id}`;

/** Returns the page where somebody without an account buys it. */
export const guestPath = (site: At['site'], id: number): string => `${productPath(site, id)}/guest`;

export interface ShopView {
  readonly products: readonly Product[];
  /** gift cards are sold too */
  readonly cards: boolean;
  readonly personal: boolean;
}

export function shopPage(visit: At, written: ShopWritten, { products, cards, personal }: ShopView): Shown {
  const { site } = visit;
  const { say } = written;
  const shelves = Map.groupBy(products, ({ category }) => category);
  const named = shelves.size > 1 || products.some(({ category }) => category !== null);
  const title = say('shop.title');
  const body = html`<div class="page-title">
<h1>${title}</h1>${products.length === 0 ? null : html`<p>${say('shop.lead')}</p>`}</div>
${
  products.length === 0
    ? html`<section class="card"><p>${say('shop.none')}</p>
<p class="actions"><a class="button" href="${sitePath(site, 'timetable')}">${say('nav.timetable')}</a></p></section>`
    : null
}
${[...shelves].map(
  ([category, those]) =>
    html`<section class="shelf">${named ? html`<h2>${category ?? say('shop.other')}</h2>` : null}
<ul class="offers">${those.map((one) => productCard(visit, written, one, named))}</ul></section>`,
)}
${cards ? html`<p class="actions"><a href="${sitePath(site, 'gift-cards')}">${say('cards.title')}</a></p>` : null}`;
  return sitePage(visit, written, title, body, {
    here: 'shop',
    description: say('shop.description', { name: site.name }),
    data: [businessData(visit), ...products.map((one) => productData(visit, one))],
    personal,
  });
}

const stockWord = ({ say }: ShopWritten, inStock: boolean): Html =>
  inStock ? html`${say('shop.in_stock')}` : html`<strong class="off">${say('shop.sold_out')}</strong>`;

/** Renders a product. `named`: its shelf has a heading. */
function productCard({ site }: At, written: ShopWritten, one: Product, named: boolean): Html {
  const { say, reader } = written;
  const to = productPath(site, one.id);
  const link = html`<a href="${to}">${one.name}</a>`;
  return html`<li class="card">${one.pictures
    .slice(0, 1)
    .map((first) => pictureOf(first, '20rem'))}${named ? html`<h3>${link}</h3>` : html`<h2>${link}</h2>`}
<p class="price">${amountIn(reader.locale, one.price)}</p>
<p class="soft">${stockWord(written, one.inStock)}</p>
<p class="actions"><a class="button" href="${to}" aria-label="${say('shop.see')}: ${one.name}">${say('shop.see')}</a></p></li>`;
}

/** Renders a picture without alternative text: the name next to it describes it. */
const pictureOf = (shown: Picture, sizes: string): Html =>
  picture(shown, { alt: '', sizes, lazy: true, class: 'picture' });

/** Renders the shop on the home page of a business. */
export const shopCard = (
  { site }: At,
  { say }: ShopWritten,
  { products, cards }: { readonly products: boolean; readonly cards: boolean },
): Html | null =>
  products || cards
    ? html`<section class="card" aria-labelledby="shop"><h2 id="shop">${say(products ? 'shop.title' : 'cards.title')}</h2>
<p class="soft">${products ? say('shop.lead') : say('cards.lead', { name: site.name })}</p>
<p class="actions">${products ? html`<a href="${sitePath(site, 'shop')}">${say('shop.all')}</a>` : null}${
        cards ? html`<a href="${sitePath(site, 'gift-cards')}">${say('cards.title')}</a>` : null
      }</p></section>`
    : null;

export interface ProductView {
  readonly product: Product;
  readonly variants: readonly Variant[];
  readonly buyers: Buyers;
  /** fees or taxes are added to the prices */
  readonly addsFees: boolean;
  readonly draft?: Draft;
}

/** Returns the first picture of each variant that has one, by its id. */
const picturesOf = (variants: readonly Variant[]): ReadonlyMap<string, Html> =>
  new Map(
    variants.flatMap(({ id, pictures: [first] }) =>
      first ? [[String(id), pictureOf(first, '(min-width: 30rem) 24rem, 100vw')] as const] : [],
    ),
  );

/** Renders the variants' pictures for people who can't choose one yet. */
const variantPictures = (variants: readonly Variant[]): Html | null => {
  const shown = variants.filter(({ pictures }) => pictures.length > 0);
  return shown.length === 0
    ? null
    : html`<ul class="rooms">${shown.map(
        ({ name, pictures }) => html`<li>${pictureOf(pictures[0], '(min-width: 30rem) 12rem, 50vw')}${name}</li>`,
      )}</ul>`;
};

export const MAX_PIECES = 20;

/** Returns the fields of the purchase form: variant, quantity and delivery. */
export function buyFields({ site }: At, { say, reader }: ShopWritten, { product, variants }: ProductView): Fields {
  const open = variants.filter(({ inStock }) => inStock);
  const { methods } = product;
  const label = ({ name, price }: Variant): string => `${name}, ${amountIn(reader.locale, price)}`;
  return {
    ...(open.length > 1 && {
      variant: radios(
        say('shop.variant'),
        open.map((one) => [String(one.id), label(one)] as const),
        { pictures: picturesOf(open) },
      ),
    }),
    quantity: text(say('shop.quantity'), { max: 3 }),
    method:
      methods.length > 1
        ? choice(say('shop.method'), [
            ['pickup', say('shop.pickup', { name: site.name })],
            ['delivery', say('shop.delivery')],
          ])
        : hidden(10),
    ...(methods.includes('delivery') && {
      delivery_address: text(say('shop.address'), {
        max: 500,
        optional: methods.includes('pickup'),
        autocomplete: 'street-address',
        hint: say('shop.address_hint'),
      }),
    }),
  };
}

export const priceLine = (
  { say, reader }: ShopWritten,
  { product: { price }, addsFees }: Pick<ProductView, 'product' | 'addsFees'>,
): Html =>
  html`<p class="price">${amountIn(reader.locale, price)}${
    addsFees ? html` <span class="soft small">${say('shop.before_fees')}</span>` : null
  }</p>`;

export function productPage(visit: At, written: ShopWritten, view: ProductView): Shown {
  const { site } = visit;
  const { say } = written;
  const { product, variants, buyers, draft = EMPTY } = view;
  const out = variants.filter(({ inStock }) => !inStock);
  const fields = buyFields(visit, written, view);
  const ways = waysOrAsk(visit, written, [wayTo(sitePath(site, 'shop'), say('shop.all'))]);
  // A mistake in a field is corrected there; a refusal of the order needs a way on.
  const body = html`${errorSummary(fields, draft, '', say)}${'' in draft.errors ? ways : null}
<div class="card">${product.pictures.map((one) =>
    pictureOf(one, '(min-width: 60rem) 56rem, 100vw'),
  )}<h1>${product.name}</h1>
${priceLine(written, view)}
<p class="soft">${stockWord(written, product.inStock)}</p>
${
  product.description ? html`<div class="about">${paragraphs(product.description)}</div>` : null
}${buyers === null || !product.inStock ? variantPictures(variants) : null}</div>
<section class="card">${
    product.inStock
      ? buyWay(visit, written, view, fields)
      : html`<p>${say('shop.sold_out_text', { name: site.name })}</p>${ways}`
  }
${
  product.inStock && out.length > 0
    ? html`<p class="soft">${out.map(({ name }) => say('shop.variant_out', { variant: name })).join(' · ')}</p>`
    : null
}</section>
<p class="turn"><a href="${sitePath(site, 'shop')}">${say('shop.all')}</a></p>`;
  return sitePage(visit, written, product.name, body, {
    here: 'shop',
    description: product.description.split(/\n/)[0] || say('shop.description', { name: site.name }),
    data: [businessData(visit), productData(visit, product)],
    personal: buyers !== null,
    status: draft === EMPTY ? 200 : (draft.status ?? 422),
    self: productPath(site, product.id),
  });
}

/** Returns the initial values of the form. */
export const buyStart = ({ product: { methods } }: Pick<ProductView, 'product'>): Readonly<Record<string, string>> => ({
  quantity: '1',
  method: methods.includes('pickup') ? 'pickup' : methods[0],
});

function buyWay(visit: At, written: ShopWritten, { product, buyers, draft = EMPTY }: ProductView, fields: Fields) {
  const { site, token } = visit;
  const { say } = written;
  const path = productPath(site, product.id);
  const kept = { ...buyStart({ product }), ...draft.kept };
  // The person who is logged in buys: no product is for one family member more than for another.
  const self = buyers === null ? null : buyers.slice(0, 1);
  return html`${
    product.methods.includes('delivery') ? null : html`<p>${say('shop.pickup_only', { name: site.name })}</p>`
  }
${withBuyers(visit, written, { buyers: self, path, guest: guestPath(site, product.id) }, () =>
  showForm({ action: path, fields, draft: { ...draft, kept }, button: say('shop.buy'), token, say }),
)}`;
}

const productData = ({ site, baseUrl }: At, { id, name, description, price, inStock, pictures }: Product): object => ({
  '@type': 'Product',
  name,
  ...(description && { description }),
  ...(pictures.length > 0 && { image: pictures.map(({ url }) => new URL(url, baseUrl).href) }),
  offers: {
    '@type': 'Offer',
    price: formatDecimal(price),
    priceCurrency: price.currency,
    availability: `https://schema.org/${inStock ? 'InStock' : 'OutOfStock'}`,
    url: `${baseUrl}${productPath(site, id)}`,
    seller: { '@id': `${baseUrl}${site.home}` },
  },
});

/** Amounts that gift cards can have; null: none are sold here. */
export interface Cards {
  readonly amounts: readonly Money[];
  readonly range: { readonly smallest: Money; readonly largest: Money } | null;
}

export function giftCardsPage(visit: At, written: ShopWritten, cards: Cards | null, personal: boolean): Shown {
  const { site } = visit;
  const { say, reader } = written;
  const { name } = site;
  const amount = (one: Money): string => amountIn(reader.locale, one);
  const title = say('cards.title');
  const body = html`<div class="page-title">
<h1>${title}</h1>${cards === null ? null : html`<p>${say('cards.lead', { name })}</p>`}</div>
<section class="card">${
    cards === null
      ? html`<p>${say('cards.none', { name })}</p>${waysOrAsk(visit, written, [])}`
      : html`${
          cards.amounts.length === 0
            ? null
            : html`<p class="price">${say('cards.amounts', { amounts: cards.amounts.map(amount).join(', ') })}</p>`
        }
${
  cards.range === null
    ? null
    : html`<p>${say('cards.range', {
        smallest: amount(cards.range.smallest),
        largest: amount(cards.range.largest),
      })}</p>`
}
<p>${say('cards.text', { name })}</p>`
  }
<p class="actions">${
    cards === null
      ? null
      : html`<a class="button" href="${at(site, 'gift-card/buy')}">${say('cards.buy')}</a>${personal ? null : guestLink(visit, at(site, GUEST_CARD))}`
  }<a href="${at(site, 'gift-card')}">${say('cards.redeem')}</a></p></section>`;
  return sitePage(visit, written, title, body, {
    here: 'gift-cards',
    description: say('cards.lead', { name }),
    personal,
    indexed: cards !== null,
  });
}
