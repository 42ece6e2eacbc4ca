/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { BOOKS, kept, ofBusiness, type Tables, type OfPerson } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

const ofMembership = ({
  ids,
}: OfPerson) => sql`EXISTS (SELECT FROM customer_membership m WHERE m.provider_id = t.provider_id
  AND m.id = t.customer_membership_id AND m.customer_id = ANY(${ids}::bigint[]))`;

export const TABLES: Tables = {
  ...ofBusiness('customer_membership_user', 'membership_price_change'),
  customer_membership: kept('memberships', BOOKS, {
    unfinished: [
      {
        one: 'membership that has not ended',
        many: 'memberships that have not ended',
        remedy: 'Cancel them first, or wait until they end.',
        when: () => sql`t.status IN ('active', 'hold')`,
      },
    ],
  }),
  customer_membership_hold: kept('membership_holds', BOOKS, { rows: ofMembership }),
  customer_membership_share: kept('shared_memberships', BOOKS, {
    unfinished: [
      {
        one: 'membership that is shared with them',
        many: 'memberships that are shared with them',
        remedy: 'End the sharing first.',
        when: () => sql`EXISTS (SELECT FROM customer_membership m WHERE m.provider_id = t.provider_id
          AND m.id = t.customer_membership_id AND m.status IN ('active', 'hold'))`,
      },
    ],
  }),
  entitlement_entry: kept('uses_of_memberships', BOOKS),
};
