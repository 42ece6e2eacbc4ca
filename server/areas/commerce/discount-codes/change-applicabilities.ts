import { boolean, id, object, oneOf, ref } from '../../../kernel/base/fields/kinds.ts';
import { changedNames, insertRow, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { discountCodeApplicabilityFeed } from './feed.ts';
import { discountCodeApplicability, ITEM_COLUMNS, ITEM_TYPES } from './applicability.ts';
import { invalid } from '../../../kernel/base/problem.ts';
import { sql, type Sql } from '../../../kernel/base/db/sql.ts';
import { who } from './find-codes.ts';
import type { ObjectType } from './rules/code.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const item = object({ id: id(), type: oneOf(ITEM_TYPES) });

const body = {
  discount_code: ref('discount_code'),
  allow_use: boolean()
    .optional()
    .describe('False excludes the object. If left out: true for a new one, otherwise unchanged.'),
  item: item.describe(
    'An offering type, a membership, an event, a course or a store product. A discount code has at most one applicability for each.',
  ),
};

interface Item {
  readonly id: number;
  readonly type: (typeof ITEM_TYPES)[number];
}

const THERE: Record<ObjectType, (provider: number, id: number) => Sql> = {
  offering_type: (provider, id) => sql`SELECT FROM offering_type WHERE provider_id = ${provider} AND id = ${id}`,
  membership: (provider, id) => sql`SELECT FROM membership WHERE provider_id = ${provider} AND id = ${id}`,
  event: (provider, id) => sql`SELECT FROM event WHERE provider_id = ${provider} AND id = ${id}`,
  store_product: (provider, id) => sql`SELECT FROM store_product WHERE provider_id = ${provider} AND id = ${id}`,
  course: (provider, id) => sql`SELECT FROM course WHERE provider_id = ${provider} AND id = ${id}`,
};

/** Returns the columns of the named object, which must belong to the business. */
async function columnsFor(work: Work, wanted: Item | undefined): Promise<Record<string, number | null>> {
  if (!wanted) return {};
  const { type, id: object } = wanted;
  if (!(await work.tx.one(THERE[type](work.providerId, object))))
    throw invalid('item.id', `There is no ${type.replaceAll('_', ' ')} with the id ${object}.`);
  const none = Object.fromEntries(Object.values(ITEM_COLUMNS).map((column) => [column, null]));
  return { ...none, [ITEM_COLUMNS[type]]: object };
}

export const changeApplicabilities = changes(discountCodeApplicability, {
  path: '/discount_code_applicabilities',
  noun: 'discount code applicability',
  who,
  body,
  create: {
    description:
      'Allows a discount code for an object, or excludes the object. It applies to checkouts that are not completed yet.',
    problems: ['already_exists'],
    run: async ({ work, body: { discount_code: code, allow_use = true, item: object } }) => {
      const columns = await columnsFor(work, object);
      const made = await insertRow(work, 'discount_code_applicability', {
        discount_code_id: code,
        allow_use,
        ...columns,
      });
      work.record(discountCodeApplicabilityFeed.created, made, {
        discount_code_applicability: made,
        discount_code: code,
      });
      return made;
    },
  },
  update: {
    problems: ['already_exists'],
    run: async ({ work, body: sent, target }) => {
      const { discount_code: code, allow_use, item: object } = sent;
      const columns = await columnsFor(work, object);
      await updateRow(work, 'discount_code_applicability', target.id, {
        discount_code_id: code,
        allow_use,
        ...columns,
      });
      const changed = changedNames(sent);
      if (changed.length > 0)
        work.record(discountCodeApplicabilityFeed.updated, target.id, {
          discount_code_applicability: target.id,
          discount_code: code ?? target.discount_code_id,
          changed,
        });
    },
  },
  remove: async ({ work, target }) => {
    await deleteRow(work, 'discount_code_applicability', target.id);
    work.record(discountCodeApplicabilityFeed.deleted, target.id, {
      discount_code_applicability: target.id,
      discount_code: target.discount_code_id,
    });
  },
});
