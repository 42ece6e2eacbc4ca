/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

const INVOICES =
  'Invoices must be kept for as long as the law says, as they were issued: with the name and the address of the customer.';

export const TABLES: Tables = {
  ...ofBusiness('invoice_charge', 'invoice_credit', 'invoice_line_fee', 'invoice_series', 'invoice_settings'),
  invoice: kept('invoices', INVOICES, {
    unfinished: [
      {
        one: 'invoice that is not paid',
        many: 'invoices that are not paid',
        remedy: 'Take payment for them, or void them.',
        when: () => sql`t.status NOT IN ('paid', 'voided') AND t.due_minor > 0`,
      },
    ],
  }),
  invoice_line: kept('invoice_lines', INVOICES),
};
