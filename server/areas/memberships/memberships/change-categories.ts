import { changes } from '../../../kernel/api/resource-changes.ts';
import { staffWith } from '../../../kernel/api/endpoint.ts';
import { categoryFeed } from './feed.ts';
import { changedNames, updateRow, deleteRow } from '../../../kernel/work/unit/row.ts';
import { createMembershipCategory } from './writes.ts';
import { invalid, Problem } from '../../../kernel/base/problem.ts';
import { membershipCategory } from './category.ts';
import { sql } from '../../../kernel/base/db/sql.ts';
import { text } from '../../../kernel/base/fields/kinds.ts';

const f = membershipCategory.fields;
const who = staffWith('customers');
const body = { name: f.name, order: f.order.optional() };

export const changeCategories = changes(membershipCategory, {
  path: '/membership_categories',
  noun: 'membership category',
  who,
  body,
  first: {
    ...body,
    provider: text({ max: 20 }).nullable().optional().describe('Only the business itself can be named here.'),
  },
  create: async ({ work, body: { provider, ...values } }) => {
    if (provider !== undefined && provider !== null && provider !== String(work.providerId))
      throw invalid('provider', 'Leave it out. The category is created for the business of the request.');
    return createMembershipCategory(work, values);
  },
  update: async ({ work, body: { name, order }, target }) => {
    const changed = changedNames({ name, order });
    if (changed.length > 0) {
      await updateRow(work, 'membership_category', target.id, { name, sort_order: order });
      work.record(categoryFeed.updated, target.id, { membership_category: target.id, changed });
    }
  },
  remove: {
    summary: 'Delete an empty membership category',
    problems: ['in_use'],
    run: async ({ work, target }) => {
      const { n } = (await work.tx.one<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM membership
          WHERE provider_id = ${work.providerId} AND category_id = ${target.id}`,
      ))!;
      if (n > 0)
        throw new Problem(
          'in_use',
          `${n} ${n === 1 ? 'membership is' : 'memberships are'} in this category, including archived ones. Move them to another one first.`,
        );
      await deleteRow(work, 'membership_category', target.id);
      work.record(categoryFeed.deleted, target.id, { membership_category: target.id });
    },
  },
});
