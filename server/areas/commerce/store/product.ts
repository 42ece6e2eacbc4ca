/** The products that are sold, the attributes in which their variants differ, and the variants. */
import {
  boolean,
  embedded,
  id,
  idsOf,
  instant,
  integer,
  listOf,
  money,
  object,
  oneOf,
  ref,
  text,
} from '../../../kernel/base/fields/kinds.ts';
import { shownImage, shownImages } from '../../platform/images/index.ts';
import { raw, sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { resource, type Policy, type Shown } from '../../../kernel/api/resource.ts';

export const DELIVERY_METHODS = ['pickup', 'delivery'] as const;
export type DeliveryMethod = (typeof DELIVERY_METHODS)[number];

/** Customers and visitors see products that are visible to them, while the store is open. */
const shownToCustomers = (t: string): Sql => sql`${raw(t)}.visible_to_customers AND NOT EXISTS (
  SELECT FROM store_settings s WHERE s.provider_id = ${raw(t)}.provider_id AND NOT s.is_open)`;

const ofShownProduct = (t: string): Sql => sql`EXISTS (SELECT FROM store_product p
  WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.store_product_id AND ${shownToCustomers('p')})`;

const offered = (shown: (t: string) => Sql): Policy => ({ provider: true, customer: shown, unregistered: shown });

/** Only staff see stock quantities. */
const STAFF_ALONE: Shown = { customer: false, unregistered: false };

const available = (t: string) => `CASE WHEN ${t}.track_stock THEN ${t}.stock_count - ${t}.held_count END`;
export const inStock = (t: string): Sql => raw(`coalesce(${available(t)} > 0, true)`);

const threshold = (t: string) => sql`coalesce(${raw(t)}.low_stock_threshold,
  (SELECT s.low_stock_threshold FROM store_settings s WHERE s.provider_id = ${raw(t)}.provider_id))`;
export const isLow = (t: string): Sql =>
  sql`coalesce(${raw(t)}.track_stock AND ${raw(t)}.stock_count <= ${threshold(t)}, false)`;

/** `T-shirt (Red, L)`: the product, and the values of the variant in the order of its attributes. */
export const variantName = (t: string): Sql => sql`(SELECT p.name || coalesce(' (' || (
    SELECT string_agg(x.value, ', ' ORDER BY x.store_product_attribute_id) FROM store_product_variant_value x
    WHERE x.provider_id = ${raw(t)}.provider_id AND x.store_product_variant_id = ${raw(t)}.id) || ')', '')
  FROM store_product p WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.store_product_id)`;

export const price = (t: string): Sql => sql`coalesce(${raw(t)}.price_minor,
  (SELECT p.price_minor FROM store_product p
    WHERE p.provider_id = ${raw(t)}.provider_id AND p.id = ${raw(t)}.store_product_id))`;

/** Selects the first picture of the product with this id, given the alias of a row of the business. */
const productImage = (t: string, id: string): Sql =>
  raw(`(SELECT x.image_id FROM store_product_image x WHERE x.provider_id = ${t}.provider_id
    AND x.store_product_id = ${t}.${id} ORDER BY x.position LIMIT 1)`);

const variantImage = (t: string): Sql =>
  raw(`(SELECT x.image_id FROM store_product_variant_image x WHERE x.provider_id = ${t}.provider_id
    AND x.store_product_variant_id = ${t}.id ORDER BY x.position LIMIT 1)`);

export const storeProduct = resource('store_product', {
  description: 'Something that the store sells. What is ordered is one of its variants.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    description: text({ blank: true }),
    category: text({ max: 256 }).nullable().describe('A heading under which products are shown together.'),
    price: money()
      .from((t) => raw(`${t}.price_minor`))
      .describe('Before fees and taxes. Variants can have another price.'),
    order: integer({ min: 0, max: 1_000_000 })
      .nullable()
      .from((t) => raw(`${t}.sort_order`))
      .describe('Position in lists. Null comes last.'),
    for_sale: boolean(),
    visible_to_customers: boolean(),
    delivery_methods: listOf(oneOf(DELIVERY_METHODS), { min: 1, max: DELIVERY_METHODS.length })
      .from((t) => sql`to_jsonb(${raw(t)}.delivery_methods)`)
      .describe('Ways in which customers can get it.'),
    in_stock: boolean()
      .from(
        (t) => sql`EXISTS (SELECT FROM store_product_variant v WHERE v.provider_id = ${raw(t)}.provider_id
          AND v.store_product_id = ${raw(t)}.id AND v.for_sale AND ${inStock('v')})`,
      )
      .describe('Whether any variant that is for sale can be ordered now.'),
    image: shownImage((t) => productImage(t, 'id'))
      .nullable()
      .describe('The first of its images.'),
    images: shownImages({ table: 'store_product_image', parent: 'store_product_id' }).describe(
      'In the order in which they are shown.',
    ),
    attributes: embedded('store_product_attribute', { column: 'store_product_id' }).describe(
      'In which respect its variants differ.',
    ),
    variants: idsOf('store_product_variant', { column: 'store_product_id' }),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: offered(shownToCustomers),
});

export const storeProductAttribute = resource('store_product_attribute', {
  description: 'In which respect the variants of a product differ, for example size, with the values that it can have.',
  fields: {
    id: id(),
    store_product: ref('store_product'),
    name: text({ max: 100 }),
    values: listOf(text({ max: 100 }), { min: 1, max: 100 }).from(
      (t) => sql`(SELECT coalesce(jsonb_agg(x.value ORDER BY x.sort_order), '[]') FROM store_product_attribute_value x
        WHERE x.provider_id = ${raw(t)}.provider_id AND x.store_product_attribute_id = ${raw(t)}.id)`,
    ),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: offered(ofShownProduct),
});

export const storeProductVariant = resource('store_product_variant', {
  description: 'Variant that is ordered: a product in one size, colour, or other attribute.',
  fields: {
    id: id(),
    store_product: ref('store_product'),
    name: text().from(variantName).describe('The product, and the values that make the variant.'),
    sku: text({ max: 100 }).nullable().describe('SKU of the business. Upper and lower case make no difference.'),
    barcode: text({ max: 100 }).nullable().describe('Barcode that a scanner at the counter reads.'),
    price: money().from(price).describe('Price of one, before fees and taxes.'),
    price_override: money()
      .nullable()
      .from((t) => raw(`${t}.price_minor`))
      .describe('Null if it costs what the product costs.'),
    for_sale: boolean(),
    attribute_values: listOf(
      object({ store_product_attribute: id(), name: text({ max: 100 }), value: text({ max: 100 }) }),
      { max: 20 },
    ).from(
      (t) => sql`
        (SELECT coalesce(jsonb_agg(jsonb_build_object('store_product_attribute', a.id, 'name', a.name, 'value', x.value)
          ORDER BY a.id), '[]')
        FROM store_product_variant_value x JOIN store_product_attribute a ON a.provider_id = x.provider_id
          AND a.id = x.store_product_attribute_id
        WHERE x.provider_id = ${raw(t)}.provider_id AND x.store_product_variant_id = ${raw(t)}.id)`,
    ),
    image: shownImage((t) => sql`coalesce(${variantImage(t)}, ${productImage(t, 'store_product_id')})`)
      .nullable()
      .describe('The first of its images; if it has none, the first of the product.'),
    images: shownImages({ table: 'store_product_variant_image', parent: 'store_product_variant_id' }).describe(
      'Its own, in the order in which they are shown.',
    ),
    in_stock: boolean().from(inStock).describe('Whether at least one can be ordered now.'),
    track_stock: boolean().describe('If false, there are always enough of it.'),
    stock: integer()
      .nullable()
      .from((t) => raw(`CASE WHEN ${t}.track_stock THEN ${t}.stock_count END`))
      .describe('Stock: the sum of all inventory adjustments. Null if it is not tracked.'),
    held: integer()
      .nullable()
      .from((t) => raw(`CASE WHEN ${t}.track_stock THEN ${t}.held_count END`))
      .describe('Number of items held by open checkouts.'),
    available: integer()
      .nullable()
      .from((t) => raw(available(t)))
      .describe('Number that can be sold: the stock without held items.'),
    low_stock_threshold: integer({ min: 0, max: 1_000_000 })
      .nullable()
      .describe('Super admins are notified when the stock falls to it. Null: as the settings of the store say.'),
    is_low_stock: boolean().from(isLow).describe('Whether there are as few as `low_stock_threshold`, or fewer.'),
    created_at: instant(),
    updated_at: instant(),
  },
  visible: offered(ofShownProduct),
  shown: {
    barcode: STAFF_ALONE,
    stock: STAFF_ALONE,
    held: STAFF_ALONE,
    available: STAFF_ALONE,
    low_stock_threshold: STAFF_ALONE,
    is_low_stock: STAFF_ALONE,
  },
});
