/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import {
  blanked,
  BOOKS,
  kept,
  NUMBERS,
  ofBusiness,
  type Tables,
  type OfPerson,
} from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

const ofMembership = ({
  ids,
}: OfPerson) => sql`EXISTS (SELECT FROM customer_membership m WHERE m.provider_id = t.provider_id
  AND m.id = t.customer_membership_id AND m.customer_id = ANY(${ids}::bigint[]))`;

export const TABLES: Tables = {
  ...ofBusiness(
    'membership_penalty_message',
    'membership_penalty_message_system',
    'membership_penalty_rule',
    'membership_penalty_system',
    'membership_penalty_system_membership',
  ),
  membership_penalty: kept('penalties', BOOKS, {
    rows: ofMembership,
    unfinished: [
      {
        one: 'penalty that is not charged yet',
        many: 'penalties that are not charged yet',
        remedy: 'Charge or forgive them first.',
        when: () => sql`t.charged_at IS NULL AND t.voided_at IS NULL AND NOT t.skipped`,
      },
    ],
  }),
  membership_strike: blanked('strikes', NUMBERS, { note: sql`NULL` }, { rows: ofMembership }),
};
