/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { deleted, kept, NUMBERS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('family'),
  consent_change: deleted('consents', { hidden: ['actor'] }),
  customer: {
    person: {
      called: 'profile',
      rows: ({ customer }) => sql`t.id = ${customer}`,
      erased: {
        kept: 'The number of the customer, so that bookings and invoices still belong together.',
        blank: {
          user_id: sql`NULL`,
          email: sql`NULL`,
          first_name: sql`NULL`,
          last_name: sql`NULL`,
          date_of_birth: sql`NULL`,
          family_id: sql`NULL`,
          family_role: sql`NULL`,
          venue_id: sql`NULL`,
          status_id: sql`NULL`,
          is_status_locked: sql`false`,
          referred_by_code: sql`NULL`,
          locale: sql`NULL`,
          referral_code: sql`upper(substr(md5(gen_random_uuid()::text), 1, 10))`,
          is_opted_into_broadcast_messages: sql`false`,
          is_opted_into_sms_marketing: sql`false`,
        },
      },
      unfinished: [
        {
          one: 'child in their family',
          many: 'children in their family',
          remedy: 'Erase or delete the children first, or move them to another family.',
          when: () => sql`t.family_role = 'manager'
            AND EXISTS (SELECT FROM customer x WHERE x.provider_id = t.provider_id
            AND x.family_id = t.family_id AND x.id <> t.id AND x.deleted_at IS NULL)`,
        },
      ],
      hidden: ['user_id', 'status_id', 'is_status_locked', 'is_lead', 'is_walk_in', 'is_guest', 'search_text'],
    },
  },
  customer_invitation: deleted('invitations'),
  family_invite: deleted('family_invites', {
    rows: ({ ids, emails }) => sql`t.invited_by_id = ANY(${ids}::bigint[]) OR t.claimed_by_id = ANY(${ids}::bigint[])
      OR lower(t.email) = ANY(${emails}::text[])`,
    hidden: ['invited_by_id', 'claimed_by_id'],
  }),
  customer_merge: kept('merged_records', NUMBERS),
  customer_staff_assignment: deleted('assigned_staff', { internal: true }),
};
