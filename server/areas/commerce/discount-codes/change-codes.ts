import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { discountCodeFeed } from './feed.ts';
import { columnsOf, type CodeValues, type StoredCode } from './values.ts';
import { discountAmount } from './amount-field.ts';
import { discountCode } from './discount-code.ts';
import { groupChoice } from './groups.ts';
import { who } from './find-codes.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = discountCode.fields;

const body = {
  name: f.name,
  allowed_uses: f.allowed_uses,
  allowed_uses_per_customer: f.allowed_uses_per_customer,
  discount_type: f.discount_type,
  discount_amount: discountAmount(),
  usable_start_date: f.usable_start_date.optional(),
  usable_end_date: f.usable_end_date.optional(),
  usable_purchase_types: f.usable_purchase_types,
  usable_by_new_customers_only: f.usable_by_new_customers_only,
  usable_by_default_for_purchase_types: f.usable_by_default_for_purchase_types,
  applicable_billing_cycles: f.applicable_billing_cycles,
  group: groupChoice()
    .nullable()
    .optional()
    .describe(
      'The group, by its id or its name. A name that no group has creates one. Null takes it out of its group.',
    ),
};

/** The properties of a code, for creating one and for generating many. */
export const codeBody = body;

/** Creates a code, which must differ from all others. */
export async function createCode(work: Work, { code, ...values }: CodeValues & { code: string }): Promise<number> {
  const made = await insertRow(work, 'discount_code', { code, ...(await columnsOf(work, null, values)) });
  work.record(discountCodeFeed.created, made, { discount_code: made });
  return made;
}

export const changeCodes = changes(discountCode, {
  path: '/discount_codes',
  noun: 'discount code',
  who,
  first: { ...body, code: f.code, status: f.status.default('active') },
  body: { ...body, status: f.status.optional() },
  create: { problems: ['already_exists'], run: ({ work, body: sent }) => createCode(work, sent) },
  update: {
    description:
      'The code itself can’t be changed. Everything else applies to checkouts that are not completed yet. What has already been paid stays as it is.',
    run: async ({ work, body: sent, target }) => {
      await updateRow(work, 'discount_code', target.id, await columnsOf(work, target as unknown as StoredCode, sent));
      const changed = changedNames(sent);
      if (changed.length > 0) work.record(discountCodeFeed.updated, target.id, { discount_code: target.id, changed });
    },
  },
});
