/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { BOOKS, kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness('account_credit_settings', 'account_entry_fee'),
  account_entry: kept('charges_and_credits', BOOKS, {
    unfinished: [
      {
        one: 'open charge or credit',
        many: 'open charges and credits',
        remedy: 'Bill, credit or void them first.',
        when: () => sql`t.voided_at IS NULL AND t.settled_invoice_id IS NULL AND t.credited_at IS NULL`,
      },
    ],
  }),
};
