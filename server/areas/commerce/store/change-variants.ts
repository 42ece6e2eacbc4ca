import { boolean, id, listOf, moneyText, object, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, replaceLinks, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { checkUnused, who } from './change-products.ts';
import { joinAttributeValues, type AttributeValue } from './rules/combination.ts';
import { invalid, Issues, Problem } from '../../../kernel/base/problem.ts';
import { minorOf } from '../../../kernel/api/amount.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { storeProductVariant } from './product.ts';
import { imageRefs } from '../../platform/images/index.ts';
import { variantFeed } from './feed.ts';
import type { ValueOf } from '../../../kernel/base/fields/field.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = storeProductVariant.fields;

const body = {
  sku: f.sku.optional(),
  barcode: text({ max: 100 }).nullable().optional(),
  price_override: moneyText().nullable().optional().describe('Null if it costs what the product costs.'),
  for_sale: boolean().optional().describe('If left out: true for a new variant, otherwise unchanged.'),
  track_stock: boolean().optional().describe('If left out: true for a new variant, otherwise unchanged.'),
  low_stock_threshold: f.low_stock_threshold.optional(),
  attribute_values: listOf(object({ store_product_attribute: id(), value: text({ max: 100 }) }), { max: 20 })
    .optional()
    .describe('Attributes of the product, each with one of its values.'),
  images: imageRefs().optional(),
};

type VariantValues = Partial<ValueOf<typeof body>>;
type Sent = NonNullable<VariantValues['attribute_values']>[number];

function columnsOf(work: Work, values: VariantValues): Record<string, unknown> {
  const { sku, barcode, price_override: price, for_sale, track_stock, low_stock_threshold } = values;
  return {
    sku,
    barcode,
    for_sale,
    track_stock,
    low_stock_threshold,
    price_minor: typeof price === 'string' ? minorOf('price_override', price, work.tenant.currency) : price,
  };
}

/** Resolves the sent values to attributes of the product and their existing values. Reports all errors together. */
async function valuesFor(
  { tx, providerId }: Work,
  product: number,
  sent: readonly Sent[],
): Promise<readonly AttributeValue[]> {
  if (sent.length === 0) return [];
  const rows = await tx.rows<{ id: number; name: string; values: readonly string[] }>(sql`
    SELECT a.id, a.name, array_agg(x.value ORDER BY x.sort_order) AS values FROM store_product_attribute a
      JOIN store_product_attribute_value x ON x.provider_id = a.provider_id AND x.store_product_attribute_id = a.id
    WHERE a.provider_id = ${providerId} AND a.store_product_id = ${product} GROUP BY a.id, a.name`);
  const issues = new Issues();
  sent.forEach(({ store_product_attribute: attribute, value }, n) => {
    const known = rows.find((row) => row.id === attribute);
    if (!known)
      issues.add(`attribute_values.${n}.store_product_attribute`, 'Must be the id of an attribute of the product.');
    else if (sent.findIndex((one) => one.store_product_attribute === attribute) !== n)
      issues.add(`attribute_values.${n}.store_product_attribute`, 'Name each attribute only once.');
    else if (!known.values.includes(value))
      issues.add(
        `attribute_values.${n}.value`,
        `Must be one of the values of ${known.name}: ${known.values.join(', ')}.`,
      );
  });
  issues.throwIfAny();
  return sent.map(({ store_product_attribute: attribute, value }) => ({ attribute, value }));
}

async function setValues(
  work: Work,
  { product, variant }: { readonly product: number; readonly variant: number },
  values: readonly AttributeValue[],
): Promise<void> {
  await work.tx.all([
    sql`DELETE FROM store_product_variant_value
      WHERE provider_id = ${work.providerId} AND store_product_variant_id = ${variant}`,
    sql`INSERT INTO store_product_variant_value
      (provider_id, store_product_id, store_product_variant_id, store_product_attribute_id, value)
        SELECT ${work.providerId}::bigint, ${product}::bigint, ${variant}::bigint, attribute, value
        FROM unnest(${values.map((v) => v.attribute)}::bigint[], ${values.map((v) => v.value)}::text[]) AS n
          (attribute, value)`,
  ]);
}

/** Replaces all of the variant's own images, in order. */
const setImages = (work: Work, id: number, ids: readonly number[]): Promise<void> =>
  replaceLinks(
    work,
    'store_product_variant_image',
    { column: 'store_product_variant_id', id },
    { column: 'image_id', ids, order: 'position' },
  );

type NewVariant = VariantValues & { readonly store_product: number };

/** Creates a variant and returns its id. */
export async function createVariant(work: Work, { store_product: product, ...values }: NewVariant): Promise<number> {
  const own = await valuesFor(work, product, values.attribute_values ?? []);
  const variant = await insertRow(work, 'store_product_variant', {
    ...columnsOf(work, values),
    store_product_id: product,
    combination: joinAttributeValues(own),
  });
  await setValues(work, { product, variant }, own);
  if (values.images?.length) await setImages(work, variant, values.images);
  work.record(variantFeed.created, variant, { store_product_variant: variant });
  return variant;
}

export const changeVariants = changes(storeProductVariant, {
  path: '/store/product_variants',
  noun: 'product variant',
  who,
  body,
  first: { ...body, store_product: ref('store_product') },
  problems: ['already_exists'],
  create: {
    description: 'It is out of stock until you record what you have received, unless its stock is not tracked.',
    run: ({ work, body }) => createVariant(work, body),
  },
  update: {
    run: async ({ work, body: sent, target }) => {
      const changed = changedNames(sent);
      if (changed.length === 0) return;
      if (sent.track_stock && !target.track_stock && target.held_count > target.stock_count)
        throw invalid(
          'track_stock',
          'Open checkouts hold more than there was when the stock was last tracked. Wait until they have ended.',
        );
      const product = target.store_product_id;
      const own = sent.attribute_values && (await valuesFor(work, product, sent.attribute_values));
      await updateRow(work, 'store_product_variant', target.id, {
        ...columnsOf(work, sent),
        combination: own && joinAttributeValues(own),
      });
      if (own) await setValues(work, { product, variant: target.id }, own);
      if (sent.images) await setImages(work, target.id, sent.images);
      work.record(variantFeed.updated, target.id, { store_product_variant: target.id, changed });
    },
  },
  remove: {
    summary: 'Delete a product variant that was never in stock or ordered',
    description: 'Any other variant can only be taken off sale. A product keeps at least one variant.',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      await checkUnused(work, sql`v.id = ${target.id}`, 'variant');
      const other = await work.tx.one(
        sql`SELECT FROM store_product_variant WHERE provider_id = ${work.providerId}
          AND store_product_id = ${target.store_product_id} AND id <> ${target.id} LIMIT 1`,
      );
      if (!other)
        throw new Problem(
          'in_use',
          'It is the only variant of its product. Delete the product, or create another variant.',
        );
      await work.tx.all([
        sql`DELETE FROM store_product_variant_value
          WHERE provider_id = ${work.providerId} AND store_product_variant_id = ${target.id}`,
        sql`DELETE FROM store_product_variant_image
          WHERE provider_id = ${work.providerId} AND store_product_variant_id = ${target.id}`,
        sql`DELETE FROM store_product_variant WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
      ]);
      work.record(variantFeed.deleted, target.id, { store_product_variant: target.id });
    },
  },
});
