/** The tiles of the counter by category: best sellers, products, memberships, today's classes, gift cards. */
import { amountOf, dateAt, timeOf } from '../../words/times.ts';
import { useBusiness } from '../../app/business.ts';
import { useCall } from '../../app/calls.ts';
import { useNow } from '../../app/now.ts';
import { useSoldMemberships } from '../../memberships/sold.ts';
import { words } from './words.ts';
import type { NewLine } from './cart.ts';

export interface Tile extends NewLine {
  readonly key: string;
  /** its address */
  readonly picture?: string;
}

export interface Category {
  readonly key: string;
  /** as the business calls it; absent: one of ours, named by its key */
  readonly name?: string;
  readonly tiles: readonly Tile[];
}

const FAVORITES = 'favorites';
const OTHERS = 'products';
const PLANS = 'memberships';
export const TODAY = 'classes';
const CARDS = 'cards';

const MAX_FAVORITES = 8;
const MAX_TILES = 100;

/** Returns the categories that have something to sell. Those of products are the business's own. */
export function useTiles(): readonly Category[] {
  const { timezone } = useBusiness();
  const now = useNow();
  const today = dateAt(now, timezone);
  const variants = useCall('GET /store/product_variants', {
    query: { for_sale: true, in_stock: true, sort: ['-sold', 'id'], page_size: MAX_TILES },
    fields: ['id', 'name', 'price', 'image', 'store_product.category'],
  });
  const { sold } = useSoldMemberships({ page_size: MAX_TILES });
  const events = useCall('GET /events', {
    query: {
      local_starts_at_gte: `${today}T00:00`,
      local_starts_at_lte: `${today}T23:59:59`,
      status: ['active'],
      sort: ['start'],
      page_size: MAX_TILES,
    },
    fields: ['id', 'name', 'starts_at', 'ends_at', 'timezone', 'is_full'],
  });
  const cards = useCall('GET /gift_cards/config', {});
  const products = (variants.data?.results ?? []).map(({ id, name, price, image, store_product }) => ({
    category: store_product?.category ?? null,
    tile: {
      key: `variant ${id}`,
      label: name,
      price: amountOf(price),
      item: { store_product_variant: id },
      ...(image && { picture: image.url }),
    } satisfies Tile,
  }));
  const names = [...new Set(products.map(({ category }) => category))].toSorted((a, b) =>
    a === null ? 1 : b === null ? -1 : a.localeCompare(b),
  );
  const gift = cards.data?.is_enabled_provider_site ? cards.data.amount_choices : [];
  const all: readonly Category[] = [
    { key: FAVORITES, tiles: products.slice(0, MAX_FAVORITES).map(({ tile }) => tile) },
    // One category alone would repeat the favorites.
    ...(products.length <= MAX_FAVORITES && names.length <= 1 ? [] : names).map((name): Category => ({
      key: name === null ? OTHERS : `category ${name}`,
      ...(name !== null && { name }),
      tiles: products.filter(({ category }) => category === name).map(({ tile }) => tile),
    })),
    {
      key: PLANS,
      tiles: sold.map(({ key, name, price, item }) => ({ key: `membership ${key}`, label: name, price, item })),
    },
    {
      key: TODAY,
      tiles: (events.data?.results ?? [])
        .filter(({ ends_at, is_full }) => !is_full && Date.parse(ends_at) > now)
        .map(({ id, name, starts_at, timezone: zone }) => ({
          key: `event ${id}`,
          label: name,
          price: words.say('find.drop_in', { time: timeOf(starts_at, zone) }),
          item: { event: id },
        })),
    },
    {
      key: CARDS,
      tiles: gift.map((amount) => ({
        key: `card ${amount}`,
        label: words.say('find.gift_card'),
        price: amount,
        item: { item_type: 'GIFT_CARD', unit_price: amount },
      })),
    },
  ];
  return all.filter(({ tiles }) => tiles.length > 0);
}
