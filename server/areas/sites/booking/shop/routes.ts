/** The pages of the shop, and what its form does. */
import {
  askAs,
  at,
  type Business,
  type Desk,
  eyesOf,
  heard,
  type Member,
  memberOf,
  withReturn,
} from '../../accounts/index.ts';
import { buyFields, giftCardsPage, MOST_PIECES, productPage, productPath, shopPage } from './views.ts';
import { cardsOf } from './cards.ts';
import { idIn } from '../../../../kernel/pages/path-id.ts';
import { looking } from '../look.ts';
import { notFound, Problem } from '../../../../kernel/api/problem.ts';
import { readForm, withError, type Draft } from '../../../../kernel/pages/form.ts';
import { seeOther, type PageAnswer } from '../../../../kernel/pages/visit.ts';
import { shopFor } from './messages.ts';
import { soldProduct, soldProducts } from './read.ts';
import type { At } from '../site.ts';
import type { PageRoute } from '../../../../kernel/pages/pages.ts';

export function shopRoutes(desk: Desk): PageRoute<Business>[] {
  const read = (visit: At) =>
    looking(desk, visit, async (ask, { personal, people }) => ({
      ...(await soldProduct(ask, idIn(visit.params.product_id))),
      buyers: personal ? (people ?? []) : null,
    }));

  const buy = async (visit: At, member: Member): Promise<PageAnswer> => {
    const written = shopFor(visit);
    const { say } = written;
    const view = await read(visit);
    const { values, draft } = readForm(buyFields(visit, written, view), visit.sent, say);
    const again = (wrong: Draft): PageAnswer => productPage(visit, written, { ...view, draft: wrong });
    if (!values) return again(draft);
    const quantity = /^\d+$/.test(values.quantity) ? Number(values.quantity) : 0;
    if (quantity < 1 || quantity > MOST_PIECES)
      return again(withError(draft, 'quantity', say('shop.quantity_wrong', { n: MOST_PIECES })));
    const { methods } = view.product;
    const method = methods.length === 1 ? methods[0] : values.method;
    const delivery_address = method === 'delivery' ? values.delivery_address : null;
    if (delivery_address === '') return again(withError(draft, 'delivery_address', say('shop.address_missing')));
    const [only] = view.variants.filter(({ inStock }) => inStock);
    const variant = values.variant === undefined ? only?.id : Number(values.variant);
    if (variant === undefined) return again(withError(draft, '', say('shop.sold_out_text', { name: visit.site.name })));
    try {
      return seeOther(await order(desk, visit, member, { variant, quantity, method, delivery_address }));
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 404) throw error;
      const { message, status } = heard(desk, visit, error);
      return again(withError(draft, '', message, status));
    }
  };

  return [
    {
      path: '/{slug}/shop',
      charged: 'page',
      get: async (visit) => {
        const cards = (await cardsOf(desk, visit)) !== null;
        const view = await looking(desk, visit, async (ask, { personal }) => ({
          products: await soldProducts(ask),
          personal,
        }));
        return shopPage(visit, shopFor(visit), { ...view, cards });
      },
    },
    {
      path: '/{slug}/shop/{product_id}',
      charged: 'page',
      get: async (visit) => productPage(visit, shopFor(visit), await read(visit)),
      post: async (visit) => {
        const member = await memberOf(desk, visit);
        const page = productPath(visit.site, idIn(visit.params.product_id));
        return member ? buy(visit, member) : seeOther(withReturn(at(visit.site, 'log-in'), page));
      },
    },
    {
      path: '/{slug}/gift-cards',
      charged: 'page',
      get: async (visit) =>
        giftCardsPage(visit, shopFor(visit), await cardsOf(desk, visit), (await memberOf(desk, visit)) !== null),
    },
  ];
}

interface Wanted {
  readonly variant: number;
  readonly quantity: number;
  readonly method: string;
  readonly delivery_address: string | null;
}

/** Orders it and begins to pay: returns the address of the page of the checkout. @throws Problem what stands against it */
const order = (
  desk: Desk,
  visit: At,
  member: Member,
  { variant, quantity, method, delivery_address }: Wanted,
): Promise<string> =>
  desk.door.db.transaction(visit.site.id, async (tx) => {
    const { viewer } = await eyesOf(tx, visit, member);
    if (viewer.customerId === null) throw notFound();
    const ask = askAs(desk, visit, viewer, tx);
    const { id: store_order } = await ask('POST /store/orders', {
      query: { fields: 'id' },
      body: {
        items: [{ store_product_variant: variant, quantity, delivery_method: method }],
        ...(delivery_address !== null && { delivery_address }),
      },
    });
    const { id } = await ask('POST /store/orders/checkout', { query: { fields: 'id' }, body: { store_order } });
    return (await ask('POST /checkouts/{id}/page', { params: { id } })).next_url;
  });
