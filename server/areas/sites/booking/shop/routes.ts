/** Pages of the shop, and their form. */
import { readFees } from '../../../pricing/fees/index.ts';
import {
  type Business,
  type Desk,
  type Ask,
  acting,
  openPage,
  withForm,
  type Asker,
  sitePath,
} from '../../frame/index.ts';
import { pageOfCheckout } from '../../checkout/index.ts';
import { guestRoute, type Selling } from '../../guests/index.ts';
import {
  buyFields,
  buyStart,
  giftCardsPage,
  guestPath,
  MAX_PIECES,
  priceLine,
  productPage,
  productPath,
  shopPage,
  type ProductView,
} from './views.ts';
import { cardsOf } from './cards.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { looking } from '../look.ts';
import { notFound } from '../../../../kernel/base/problem.ts';
import { withError, type Draft } from '../../../../kernel/pages/form.ts';
import { shopFor, type ShopWritten } from './messages.ts';
import { soldProduct, soldProducts } from './read.ts';
import type { At } from '../site.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

const pageOf = ({ site, params }: At): string => productPath(site, idIn(params.product_id));

export function shopRoutes(desk: Desk): PageRoute<Business>[] {
  const read = (visit: At) =>
    looking(desk, visit, async (ask, { personal, people, tx }) => ({
      addsFees: (await readFees(tx, visit.site.id)).addsTo('store'),
      ...(await soldProduct(ask, idIn(visit.params.product_id))),
      buyers: personal ? (people ?? []) : null,
    }));
  return [
    ...openPage(desk, {
      path: '/{slug}/shop',
      texts: shopFor,
      here: ({ site }) => sitePath(site, 'shop'),
      show: async ({ visit, written }) => {
        const cards = (await cardsOf(desk, visit)) !== null;
        const view = await looking(desk, visit, async (ask, { personal }) => ({
          products: await soldProducts(ask),
          personal,
        }));
        return shopPage(visit, written, { ...view, cards });
      },
    }),
    ...openPage<ShopWritten, Draft>(desk, {
      path: '/{slug}/shop/{product_id}',
      texts: shopFor,
      here: pageOf,
      show: async ({ visit, written }, draft) =>
        productPage(visit, written, { ...(await read(visit)), ...(draft && { draft }) }),
      forms: {
        '': async (turn) => {
          const { visit, written } = turn;
          const view = await read(visit);
          return withForm(desk, turn, buyFields(visit, written, view), async (values, draft) => {
            const wanted = wantedOf(visit, written, view, { values, draft });
            return 'errors' in wanted ? { again: wanted } : order(desk, turn, wanted);
          });
        },
      },
    }),
    guestRoute(desk, '/{slug}/shop/{product_id}/guest', {
      from: pageOf,
      selling: async (visit) => forGuests(visit, await read(visit)),
    }),
    ...openPage(desk, {
      path: '/{slug}/gift-cards',
      texts: shopFor,
      here: ({ site }) => sitePath(site, 'gift-cards'),
      show: async ({ visit, written, member }) =>
        giftCardsPage(visit, written, await cardsOf(desk, visit), member !== null),
    }),
  ];
}

interface Wanted {
  readonly variant: number;
  readonly quantity: number;
  readonly method: string;
  readonly delivery_address: string | null;
}

/** Returns the order in a form, or a draft with its errors. */
function wantedOf(
  { site }: At,
  { say }: ShopWritten,
  { product, variants }: Pick<ProductView, 'product' | 'variants'>,
  { values, draft }: { values: Readonly<Record<string, any>>; draft: Draft },
): Wanted | Draft {
  const quantity = /^\d+$/.test(values.quantity) ? Number(values.quantity) : 0;
  if (quantity < 1 || quantity > MAX_PIECES)
    return withError(draft, 'quantity', say('shop.quantity_wrong', { n: MAX_PIECES }));
  const { methods } = product;
  const method: string = methods.length === 1 ? methods[0] : values.method;
  const delivery_address: string | null = method === 'delivery' ? values.delivery_address : null;
  if (delivery_address === '') return withError(draft, 'delivery_address', say('shop.address_missing'));
  const [only] = variants.filter(({ inStock }) => inStock);
  const variant = values.variant === undefined ? only?.id : Number(values.variant);
  if (variant === undefined) return withError(draft, '', say('shop.sold_out_text', { name: site.name }));
  return { variant, quantity, method, delivery_address };
}

/** Places the order, and returns the id of the checkout. @throws Problem the refusal */
async function checkOut(ask: Ask, { variant, quantity, method, delivery_address }: Wanted): Promise<string> {
  const { id: store_order } = await ask('POST /store/orders', {
    query: { fields: 'id' },
    body: {
      items: [{ store_product_variant: variant, quantity, delivery_method: method }],
      ...(delivery_address !== null && { delivery_address }),
    },
  });
  return (await ask('POST /store/orders/checkout', { query: { fields: 'id' }, body: { store_order } })).id;
}

/** Places the order and starts the payment; returns the address of the checkout's page. @throws Problem the refusal */
const order = (desk: Desk, turn: Asker, wanted: Wanted): Promise<string> =>
  acting(desk, turn, async ({ ask, viewer }) => {
    if (viewer.customerId === null) throw notFound();
    return pageOfCheckout(ask, await checkOut(ask, wanted));
  });

/** Returns the sale to people without an account; null if it is sold out, which its page says. */
function forGuests(visit: At, view: ProductView): Selling | null {
  const written = shopFor(visit);
  const { product } = view;
  if (!product.inStock) return null;
  return {
    self: guestPath(visit.site, product.id),
    from: productPath(visit.site, product.id),
    name: product.name,
    about: priceLine(written, view),
    free: false,
    booked: null,
    fields: buyFields(visit, written, view),
    start: buyStart(view),
    wanted: (values, draft) => {
      const wanted = wantedOf(visit, written, view, { values, draft });
      return 'errors' in wanted ? wanted : ({ ask }) => checkOut(ask, wanted);
    },
  };
}
