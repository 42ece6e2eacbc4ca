/** Checks that the ledger agrees with the invoices. */
import { compare, type LedgerCheck } from '../ledger/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

export const openInvoicesCheck: LedgerCheck = {
  name: 'open_invoices',
  description: 'The amount left to pay of all invoices of a customer is the balance of `receivable`.',
  resource: 'invoice',
  check: (work) =>
    compare(
      work,
      'receivable',
      sql`SELECT customer_id::text AS key, sum(due_minor) AS amount FROM invoice
        WHERE provider_id = ${work.providerId} AND due_minor > 0 GROUP BY 1`,
    ),
};

/**
 * Credit notes have amounts below 0, and a voided invoice charges nothing. For a line that collects an account entry,
 * the entry has the amounts that were charged.
 */
export const invoiceTaxesCheck: LedgerCheck = {
  name: 'invoice_taxes',
  description:
    'Each fee and each tax of all invoices, charges and credits, less credit notes, is what its account has.',
  resource: 'invoice',
  check: async (work) => {
    const of = (kind: 'fee' | 'tax') =>
      compare(
        work,
        kind,
        sql`SELECT key, sum(amount) AS amount FROM (
            SELECT f.purchase_fee_id::text AS key, -f.amount_minor AS amount
            FROM invoice_line_fee f JOIN invoice i ON i.provider_id = f.provider_id AND i.id = f.invoice_id
              JOIN invoice_line l ON l.provider_id = f.provider_id AND l.id = f.line_id
            WHERE f.provider_id = ${work.providerId} AND f.kind = ${kind} AND i.status <> 'voided'
              AND l.account_entry_id IS NULL
            UNION ALL
            SELECT f.purchase_fee_id::text, CASE e.kind WHEN 'charge' THEN -f.amount_minor ELSE f.amount_minor END
            FROM account_entry_fee f JOIN account_entry e ON e.provider_id = f.provider_id AND e.id = f.account_entry_id
              LEFT JOIN invoice i ON i.provider_id = e.provider_id AND i.id = e.settled_invoice_id
            WHERE f.provider_id = ${work.providerId} AND f.kind = ${kind} AND e.voided_at IS NULL
              AND (e.kind = 'credit' OR i.status IS DISTINCT FROM 'voided')) charged GROUP BY 1`,
        (key) => `${kind} ${key}`,
      );
    return [...(await of('fee')), ...(await of('tax'))];
  },
};
