/** Filters that find customers by the memberships they own. */
import { filter, type Filter } from '../../../kernel/api/endpoint.ts';
import { id, listOf } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';

export const customerFilters: Readonly<Record<string, Filter>> = {
  active_memberships: filter(
    listOf(id(), { max: 100 }).describe('Only customers with any of these memberships, their own or shared with them.'),
    (t, ids) =>
      sql`EXISTS (SELECT FROM customer_membership_owned h
        WHERE h.provider_id = ${raw(t)}.provider_id AND h.customer_id = ${raw(t)}.id
          AND h.membership_id = ANY(${ids}::bigint[]))`,
  ),
};
