/** The tables of this area, and what happens to each when a business moves or a person is erased. */
import { kept, NUMBERS, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('recurring_reservation_date', 'recurring_reservation_series', 'recurring_reservation_settings'),
  recurring_reservation: kept('recurring_reservations', NUMBERS, {
    unfinished: [
      {
        one: 'recurring reservation',
        many: 'recurring reservations',
        remedy: 'End them first.',
        when: () => sql`t.status = 'active'`,
      },
    ],
  }),
};
