import { attributeFeed } from './feed.ts';
import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { listOf, ref, text } from '../../../kernel/base/fields/kinds.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { storeProductAttribute } from './product.ts';
import { who } from './change-products.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const body = {
  name: storeProductAttribute.fields.name,
  values: listOf(text({ max: 100 }), { min: 1, max: 100 }).describe(
    'Possible values, in the order in which they are shown.',
  ),
};

const ofAttribute = ({ providerId }: Work, attribute: number) =>
  sql`provider_id = ${providerId} AND store_product_attribute_id = ${attribute}`;

/** Replaces the values with exactly these. Refuses to remove a value that a variant has. */
async function setValues(work: Work, attribute: number, values: readonly string[]): Promise<void> {
  if (new Set(values).size < values.length) throw invalid('values', 'Name each value only once.');
  const used = await work.tx.one<{ value: string }>(
    sql`SELECT value FROM store_product_variant_value
      WHERE ${ofAttribute(work, attribute)} AND value <> ALL(${values}::text[]) LIMIT 1`,
  );
  if (used)
    throw invalid('values', `A variant has the value “${used.value}”. Keep it, or change or delete the variant first.`);
  await work.tx.all([
    sql`DELETE FROM store_product_attribute_value
      WHERE ${ofAttribute(work, attribute)} AND value <> ALL(${values}::text[])`,
    sql`INSERT INTO store_product_attribute_value (provider_id, store_product_attribute_id, value, sort_order)
        SELECT ${work.providerId}::bigint, ${attribute}::bigint, value, nth - 1 FROM unnest(${values}::text[])
        WITH ORDINALITY AS n (value, nth)
        ON CONFLICT (provider_id, store_product_attribute_id, value) DO UPDATE SET sort_order = excluded.sort_order`,
  ]);
}

export const changeAttributes = changes(storeProductAttribute, {
  path: '/store/product_attributes',
  noun: 'product attribute',
  who,
  body,
  first: { ...body, store_product: ref('store_product') },
  problems: ['already_exists'],
  create: async ({ work, body: { store_product: product, name, values } }) => {
    const id = await insertRow(work, 'store_product_attribute', { store_product_id: product, name });
    await setValues(work, id, values);
    work.record(attributeFeed.created, id, { store_product_attribute: id });
    return id;
  },
  update: {
    description: 'Values that variants have can’t be removed.',
    run: async ({ work, body, target }) => {
      const before = await valuesOf(work, target.id);
      const name = body.name === target.name ? undefined : body.name;
      const values = JSON.stringify(body.values) === JSON.stringify(before) ? undefined : body.values;
      const changed = changedNames({ name, values });
      if (changed.length === 0) return;
      if (values) await setValues(work, target.id, values);
      await updateRow(work, 'store_product_attribute', target.id, { name: name ?? target.name });
      if (values)
        work.audit({
          action: 'values',
          object: 'store_product_attribute',
          objectId: target.id,
          before: { values: before },
          after: { values },
        });
      work.record(attributeFeed.updated, target.id, { store_product_attribute: target.id, changed });
    },
  },
  remove: {
    description: 'Only if no variant has a value of it.',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      const used = await work.tx.one(
        sql`SELECT FROM store_product_variant_value WHERE ${ofAttribute(work, target.id)} LIMIT 1`,
      );
      if (used) throw new Problem('in_use', 'Variants still use this attribute. Change or delete them first.');
      await work.tx.all([
        sql`DELETE FROM store_product_attribute_value WHERE ${ofAttribute(work, target.id)}`,
        sql`DELETE FROM store_product_attribute WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
      ]);
      work.record(attributeFeed.deleted, target.id, { store_product_attribute: target.id });
    },
  },
});

const valuesOf = async (work: Work, attribute: number): Promise<string[]> =>
  (
    await work.tx.rows<{ value: string }>(
      sql`SELECT value FROM store_product_attribute_value WHERE ${ofAttribute(work, attribute)} ORDER BY sort_order`,
    )
  ).map(({ value }) => value);
