import { boolean, listOf, moneyText, oneOf, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes, ordering } from '../../../kernel/api/resource-changes.ts';
import { DELIVERY_METHODS, storeProduct, storeProductVariant } from './product.ts';
import { imageRefs } from '../../platform/images/index.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { Problem } from '../../../kernel/base/problem.ts';
import { productFeed, variantFeed } from './feed.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = storeProduct.fields;
export const who = staffWith('super_admin', 'store');

const body = {
  name: f.name,
  description: text({ blank: true }).nullable().optional(),
  category: f.category.optional(),
  price: moneyText().describe('Price of one, before fees and taxes.'),
  order: f.order.optional(),
  for_sale: boolean().optional().describe('If left out: true for a new product, otherwise unchanged.'),
  visible_to_customers: boolean().optional().describe('If left out: true for a new product, otherwise unchanged.'),
  delivery_methods: listOf(oneOf(DELIVERY_METHODS), { min: 1, max: DELIVERY_METHODS.length })
    .optional()
    .describe('Ways in which customers can get it. If left out, a new product can be picked up.'),
  images: imageRefs().optional(),
};

type ProductValues = Partial<ValueOf<typeof body>>;

const columnsOf = (
  work: Work,
  { price, order, description, delivery_methods: methods, images: _images, ...plain }: ProductValues,
): Record<string, unknown> => ({
  ...plain,
  description: description === null ? '' : description,
  sort_order: order,
  price_minor: price === undefined ? undefined : minorOf('price', price, work.tenant.currency),
  delivery_methods: methods && [...new Set(methods)],
});

/** Replaces all images, in order. */
const setImages = (work: Work, id: number, ids: readonly number[]): Promise<void> =>
  replaceLinks(
    work,
    'store_product_image',
    { column: 'store_product_id', id },
    { column: 'image_id', ids, order: 'position' },
  );

interface NewProduct extends ProductValues {
  readonly name: string;
  /** decimal text in the business's currency */
  readonly price: string;
  /** SKU of its first variant */
  readonly sku?: string | null;
  readonly barcode?: string | null;
  readonly track_stock?: boolean;
}

/** Creates a product with its first variant, and returns the ids of both. */
export async function createProduct(
  work: Work,
  { sku, barcode, track_stock, ...values }: NewProduct,
): Promise<{ product: number; variant: number }> {
  const product = await insertRow(work, 'store_product', columnsOf(work, values));
  if (values.images?.length) await setImages(work, product, values.images);
  work.record(productFeed.created, product, { store_product: product });
  const variant = await insertRow(work, 'store_product_variant', {
    store_product_id: product,
    sku,
    barcode,
    track_stock,
  });
  work.record(variantFeed.created, variant, { store_product_variant: variant });
  return { product, variant };
}

const v = storeProductVariant.fields;

export const changeProducts = changes(storeProduct, {
  path: '/store/products',
  noun: 'product',
  who,
  body,
  first: {
    ...body,
    sku: v.sku.optional().describe('Applies to its first variant.'),
    barcode: v.barcode.optional().describe('Applies to its first variant.'),
    track_stock: boolean().default(true).describe('Applies to its first variant. If false, its stock is unlimited.'),
  },
  problems: ['already_exists'],
  create: {
    description:
      'The product gets one variant, without attributes. If it comes in several, for example sizes, create its attributes and further variants, and delete the first one.',
    run: async ({ work, body }) => (await createProduct(work, body)).product,
  },
  update: {
    description: 'Applies to what is ordered from now on. Carts show the new price; what was paid stays as it was.',
    run: async ({ work, body, target }) => {
      const changed = changedNames(body);
      if (changed.length === 0) return;
      await updateRow(work, 'store_product', target.id, columnsOf(work, body));
      if (body.images) await setImages(work, target.id, body.images);
      work.record(productFeed.updated, target.id, { store_product: target.id, changed });
    },
  },
  remove: {
    summary: 'Delete a product that was never in stock or ordered',
    description: 'Its attributes and variants are deleted too. Any other product can only be taken off sale.',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      const ofProduct = sql`provider_id = ${work.providerId} AND store_product_id = ${target.id}`;
      await checkUnused(work, sql`v.store_product_id = ${target.id}`, 'product');
      await work.tx.all([
        sql`DELETE FROM store_product_variant_value WHERE ${ofProduct}`,
        sql`DELETE FROM store_product_variant_image x USING store_product_variant v WHERE x.provider_id = v.provider_id
          AND x.store_product_variant_id = v.id AND v.provider_id = ${work.providerId}
          AND v.store_product_id = ${target.id}`,
        sql`DELETE FROM store_product_image WHERE ${ofProduct}`,
        sql`DELETE FROM store_product_attribute_value x USING store_product_attribute a
          WHERE x.provider_id = a.provider_id
          AND x.store_product_attribute_id = a.id AND a.provider_id = ${work.providerId}
            AND a.store_product_id = ${target.id}`,
        sql`DELETE FROM store_product_attribute WHERE ${ofProduct}`,
        sql`DELETE FROM store_product_variant WHERE ${ofProduct}`,
        sql`DELETE FROM store_product WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
      ]);
      work.record(productFeed.deleted, target.id, { store_product: target.id });
    },
  },
});

/** Refuses to delete variants under the alias `v` that were ever in stock, or ordered. */
export async function checkUnused(
  { tx, providerId }: Work,
  which: ReturnType<typeof sql>,
  what: 'product' | 'variant',
): Promise<void> {
  const used = await tx.one(sql`
    SELECT FROM store_product_variant v WHERE v.provider_id = ${providerId} AND ${which} AND EXISTS (
      SELECT FROM store_inventory_adjustment a
      WHERE a.provider_id = v.provider_id AND a.store_product_variant_id = v.id) LIMIT 1`);
  if (used)
    throw new Problem('in_use', `The ${what} has been in stock or ordered. Take it off sale with for_sale instead.`);
}

export const orderProducts = ordering(storeProduct, {
  path: '/store/products',
  nouns: 'products',
  who,
  moved: (work, id) => work.record(productFeed.updated, id, { store_product: id, changed: ['order'] }),
});
