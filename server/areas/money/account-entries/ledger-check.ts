/** Checks that the open entries of each customer equal their `unbilled` balance in the ledger. */
import { compare, type LedgerCheck } from '../ledger/index.ts';
import { isOpen } from './entry.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const openEntriesCheck: LedgerCheck = {
  name: 'open_entries',
  description: 'The open charges less the open credits of each customer are the balance of `unbilled`.',
  resource: 'account_entry',
  check: (work) =>
    compare(
      work,
      'unbilled',
      sql`
        SELECT e.customer_id::text AS key,
          sum(CASE e.kind WHEN 'charge' THEN e.amount_minor ELSE -e.amount_minor END) AS amount
        FROM account_entry e WHERE e.provider_id = ${work.providerId} AND ${isOpen('e')} GROUP BY 1`,
    ),
};
