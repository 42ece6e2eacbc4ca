/** The tables of this area, and the treatment of each when a business moves or a person is erased. */
import { BOOKS, kept, ofBusiness, type Tables } from '../../../kernel/base/db/table.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const TABLES: Tables = {
  ...ofBusiness(
    'accounting_period',
    'accounting_period_total',
    'ledger_account_code',
    'ledger_check',
    'ledger_transaction',
  ),
  customer_balance: kept('balances', BOOKS, {
    unfinished: [
      {
        one: 'balance that is not zero',
        many: 'balances that are not zero',
        remedy: 'Take payment for what they owe, and pay out or take back their account credit.',
        when: () => sql`t.amount_minor <> 0`,
      },
    ],
  }),
  ledger_line: kept('ledger_lines', BOOKS),
};
