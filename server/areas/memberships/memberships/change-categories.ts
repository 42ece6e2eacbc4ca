import { action, create, nothing, staffWith, update } from '../../../kernel/api/endpoint.ts';
import { categoryFeed } from './feed.ts';
import { changedNames, updateRow } from '../../../kernel/db/row.ts';
import { createMembershipCategory } from './writes.ts';
import { invalid, Problem } from '../../../kernel/api/problem.ts';
import { membershipCategory } from './category.ts';
import { sql } from '../../../kernel/db/sql.ts';
import { text } from '../../../kernel/api/kinds.ts';

const f = membershipCategory.fields;
const who = staffWith('customers');
const body = { name: f.name, order: f.order.optional() };

const create_category = create(membershipCategory, {
  path: '/membership_categories',
  summary: 'Create a membership category',
  who,
  body: {
    ...body,
    provider: text({ max: 20 }).nullable().optional().describe('Only the business itself can be named here.'),
  },
  run: async ({ work, body: { provider, ...values } }) => {
    if (provider !== undefined && provider !== null && provider !== String(work.providerId))
      throw invalid('provider', 'Leave it out. The category is created for the business of the request.');
    return createMembershipCategory(work, values);
  },
});

const update_category = update(membershipCategory, {
  path: '/membership_categories/{id}',
  summary: 'Update a membership category',
  who,
  body,
  run: async ({ work, body: { name, order }, target }) => {
    const changed = changedNames({ name, order });
    if (changed.length > 0) {
      await updateRow(work, 'membership_category', target.id, { name, sort_order: order });
      work.record(categoryFeed.updated, target.id, { membership_category: target.id, changed });
    }
    return target.id;
  },
});

const delete_category = action({
  method: 'DELETE',
  path: '/membership_categories/{id}',
  summary: 'Delete an empty membership category',
  who,
  target: membershipCategory,
  returns: nothing,
  problems: ['in_use'],
  run: async ({ work, target }) => {
    const { n } = (await work.tx.one<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM membership WHERE provider_id = ${work.providerId} AND category_id = ${target.id}`,
    ))!;
    if (n > 0)
      throw new Problem(
        'in_use',
        `${n} ${n === 1 ? 'membership is' : 'memberships are'} in this category, including archived ones. Move them to another one first.`,
      );
    await work.tx.run(
      sql`DELETE FROM membership_category WHERE provider_id = ${work.providerId} AND id = ${target.id}`,
    );
    work.record(categoryFeed.deleted, target.id, { membership_category: target.id });
  },
});

export const changeCategories = [create_category, ...update_category, delete_category];
