import { boolean, id, instant, listOf, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { choice, EVERYONE, filter, list, staffWith, type Filter, listAndGet } from '../../../kernel/api/endpoint.ts';
import { contains, everyWord } from '../../../kernel/api/reading/text-filters.ts';
import {
  inStock,
  isLow,
  price,
  storeProduct,
  storeProductAttribute,
  storeProductVariant,
  variantName,
} from './product.ts';
import { nowInstant, type Input } from '../../../kernel/work/access/viewer.ts';
import { param, raw, sql } from '../../../kernel/base/db/sql.ts';
import { REASONS } from './rules/adjustment.ts';
import { storeInventoryAdjustment } from './adjustment.ts';

const flag = (column: string) =>
  choice(boolean(), { true: (t) => raw(`${t}.${column}`), false: (t) => raw(`NOT ${t}.${column}`) });
const ids = () => listOf(id(), { max: 200 }).describe('Comma-separated list of ids.');
const byIds = filter(ids(), (t, wanted) => sql`${raw(t)}.id = ANY(${wanted}::bigint[])`);
const ofProduct = filter(ids(), (t, wanted) => sql`${raw(t)}.store_product_id = ANY(${wanted}::bigint[])`);
const byId = { by: (t: string) => raw(`${t}.id`) };

const OFFERED = 'Customers and visitors see those that are visible to customers, while the store is open.';

export const since = (name: string, operator: '>=' | '<='): Filter => {
  const at = param<Input>((i) => new Date(i.query[name]).toISOString());
  return filter(instant(), (t) => sql`${raw(`${t}.created_at ${operator}`)} ${at}::timestamptz`);
};

/** Favourites follow the season, and are stable from day to day. */
const SOLD_WITHIN = '90 days';

/** The number that was sold and kept. */
const soldRecently = (t: string) =>
  sql`(SELECT coalesce(sum(i.quantity - i.returned_quantity), 0) FROM store_order_item i
    WHERE i.provider_id = ${raw(t)}.provider_id AND i.store_product_variant_id = ${raw(t)}.id
      AND i.unit_price_minor IS NOT NULL AND i.created_at > ${nowInstant}::timestamptz - ${SOLD_WITHIN}::interval)`;

export const findProducts = [
  ...listAndGet(storeProduct, {
    path: '/store/products',
    summary: 'List products',
    get: 'Get a product',
    description: `In the order set by the business. ${OFFERED}`,
    who: EVERYONE,
    filters: {
      for_sale: flag('for_sale'),
      visible_to_customers: flag('visible_to_customers'),
      category: filter(text({ max: 256 }), (t, wanted) => sql`${raw(t)}.category = ${wanted}`),
      name_contains: contains('name_contains'),
      ids: byIds,
    },
    sort: {
      order: { by: (t) => raw(`${t}.sort_order`) },
      name: { by: (t) => raw(`lower(${t}.name)`) },
      price: { by: (t) => raw(`${t}.price_minor`) },
      id: byId,
    },
    defaultSort: 'order',
  }),
  ...listAndGet(storeProductAttribute, {
    path: '/store/product_attributes',
    summary: 'List attributes of products',
    get: 'Get an attribute of a product',
    description: OFFERED,
    who: EVERYONE,
    filters: { store_product: ofProduct },
    sort: { id: byId },
  }),
  ...listAndGet(storeProductVariant, {
    path: '/store/product_variants',
    summary: 'List variants of products',
    get: 'Get a variant of a product',
    description: `${OFFERED} \`sort=-sold\` begins with what was sold most in the last 90 days.`,
    who: EVERYONE,
    filters: {
      store_product: ofProduct,
      sku: filter(text({ max: 100 }), (t, wanted) => sql`lower(${raw(t)}.sku) = lower(${wanted})`),
      query: everyWord(
        'query',
        (t) => sql`(${variantName(t)} || ' ' || coalesce(${raw(t)}.sku, ''))`,
        'Only those with each of these words in their name or SKU, ignoring case.',
      ),
      barcode: filter(text({ max: 100 }), (t, wanted) => sql`${raw(t)}.barcode = ${wanted}`),
      for_sale: flag('for_sale'),
      in_stock: choice(boolean(), { true: inStock, false: (t) => sql`NOT ${inStock(t)}` }),
      is_low_stock: choice(boolean(), { true: isLow, false: (t) => sql`NOT ${isLow(t)}` }),
      ids: byIds,
    },
    sort: { id: byId, price: { by: price }, sold: { by: soldRecently } },
  }),
  list(storeInventoryAdjustment, {
    path: '/store/inventory_adjustments',
    summary: 'List inventory adjustments',
    who: staffWith('super_admin', 'store', 'pos'),
    filters: {
      store_product_variant: filter(
        ids(),
        (t, wanted) => sql`${raw(t)}.store_product_variant_id = ANY(${wanted}::bigint[])`,
      ),
      reason: filter(listOf(oneOf(REASONS)), (t, wanted) => sql`${raw(t)}.reason = ANY(${wanted}::text[])`),
      created_at_gte: since('created_at_gte', '>='),
      created_at_lte: since('created_at_lte', '<='),
    },
    sort: { id: byId },
    defaultSort: '-id',
  }),
];
