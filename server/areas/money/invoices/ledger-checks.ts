/** What invoices say is what the ledger says. */
import { compare, type LedgerCheck } from '../ledger/index.ts';
import { sql } from '../../../kernel/db/sql.ts';

export const openInvoicesCheck: LedgerCheck = {
  name: 'open_invoices',
  description: 'What is left to pay of the invoices of each customer is the balance of `receivable`.',
  resource: 'invoice',
  check: (work) =>
    compare(
      work,
      'receivable',
      sql`SELECT customer_id::text AS key, sum(due_minor) AS amount FROM invoice
        WHERE provider_id = ${work.providerId} AND due_minor > 0 GROUP BY 1`,
    ),
};

/** Credit notes have amounts below 0, and a voided invoice charges nothing. */
export const invoiceTaxesCheck: LedgerCheck = {
  name: 'invoice_taxes',
  description: 'Each fee and each tax of all invoices less credit notes is what its account has.',
  resource: 'invoice',
  check: async (work) => {
    const of = (kind: 'fee' | 'tax') =>
      compare(
        work,
        kind,
        sql`SELECT f.purchase_fee_id::text AS key, -sum(f.amount_minor) AS amount
          FROM invoice_line_fee f JOIN invoice i ON i.provider_id = f.provider_id AND i.id = f.invoice_id
          WHERE f.provider_id = ${work.providerId} AND f.kind = ${kind} AND i.status <> 'voided' GROUP BY 1`,
        (key) => `${kind} ${key}`,
      );
    return [...(await of('fee')), ...(await of('tax'))];
  },
};
