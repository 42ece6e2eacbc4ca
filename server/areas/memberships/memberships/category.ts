import { id, integer, text } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import { resource } from '../../../kernel/api/resource.ts';
import { shownToCustomers } from './membership.ts';

const holdsSomethingShown = (t: string) => sql`EXISTS (SELECT FROM membership m
  WHERE m.provider_id = ${raw(t)}.provider_id AND m.category_id = ${raw(t)}.id AND ${shownToCustomers('m')})`;

export const membershipCategory = resource('membership_category', {
  description: 'A heading under which memberships are sold.',
  fields: {
    id: id(),
    name: text({ max: 256 }),
    order: integer({ min: 0, max: 1_000_000 })
      .nullable()
      .from((t) => raw(`${t}.sort_order`))
      .describe('Position in lists. Null comes last.'),
  },
  visible: { provider: true, customer: holdsSomethingShown, unregistered: holdsSomethingShown },
});
