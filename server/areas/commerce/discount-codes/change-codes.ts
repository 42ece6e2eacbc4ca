import { changedNames, insertRow, updateRow } from '../../../kernel/work/unit/row.ts';
import { changes } from '../../../kernel/api/resource-changes.ts';
import { discountCodeFeed } from './feed.ts';
import { codeBody, columnsOf, type CodeValues, type StoredCode } from './values.ts';
import { discountCode } from './discount-code.ts';
import { who } from './find-codes.ts';
import type { Work } from '../../../kernel/work/unit/work.ts';

const f = discountCode.fields;

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
  first: { ...codeBody, code: f.code, status: f.status.default('active') },
  body: { ...codeBody, status: f.status.optional() },
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
