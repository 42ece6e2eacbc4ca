/** The membership that a customer's card shows, and filters that find customers by the memberships they own. */
import { filter, type Filter } from '../../../kernel/api/endpoint.ts';
import { id, listOf, refBy } from '../../../kernel/base/fields/kinds.ts';
import { raw, sql } from '../../../kernel/base/db/sql.ts';
import type { Properties } from '../../../kernel/api/resource.ts';

export const customerProperties: Properties = {
  fields: {
    main_membership: refBy('customermembership', (t) =>
      // The customer's own rows and shared ones are found by index, before the few of them are sorted.
      raw(`(SELECT cm.id FROM customer_membership_user u
        JOIN customer_membership cm ON cm.provider_id = u.provider_id AND cm.id = u.customer_membership_id
        WHERE u.provider_id = ${t}.provider_id AND u.customer_id = ${t}.id
        ORDER BY cm.status = 'active' DESC, cm.status = 'hold' DESC, cm.unpaid_invoice_id IS NULL DESC, u.own DESC,
          cm.id DESC LIMIT 1)`),
    )
      .nullable()
      .deferred()
      .describe(
        'The membership to look at first, their own or one that is shared with them: one that is active, else one on hold, else the last one. Null if there was never one.',
      ),
  },
};

export const customerFilters: Readonly<Record<string, Filter>> = {
  active_memberships: filter(
    listOf(id(), { max: 100 }).describe('Only customers with any of these memberships, their own or shared with them.'),
    (t, ids) =>
      sql`EXISTS (SELECT FROM customer_membership_owned h
        WHERE h.provider_id = ${raw(t)}.provider_id AND h.customer_id = ${raw(t)}.id
          AND h.membership_id = ANY(${ids}::bigint[]))`,
  ),
};
