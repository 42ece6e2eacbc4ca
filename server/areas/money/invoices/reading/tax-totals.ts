/** Taxable amounts and taxes of invoices, less credit notes and voided invoices, for tax returns. */
import { postedWithin, type TaxRecords, type TaxTotal } from '../../ledger/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

/**
 * A tax is charged on the price before tax and the taxable fees of its line, as in docs/algorithms/pricing.md. Lines of
 * credit notes have amounts below 0; a voided invoice counts against the day of voiding. For a line that collects an
 * account entry, the entry counts; voiding an invoice forgives the charges that it collects, and keeps the credits.
 */
export const taxedInvoices: TaxRecords = {
  name: 'invoices',
  description: 'Taxes on lines of invoices and credit notes.',
  resource: 'invoice',
  totals: ({ tx, providerId }, range) =>
    tx.rows<TaxTotal & Record<string, unknown>>(sql`
      WITH posted AS (
        SELECT t.object_id AS invoice, CASE t.kind WHEN 'invoice_voided' THEN -1 ELSE 1 END AS sign FROM ledger_transaction t
        WHERE t.provider_id = ${providerId} AND t.object = 'invoice' AND ${postedWithin('t', range)}
          AND t.kind IN ('invoice_issued', 'credit_note_issued', 'invoice_voided')),
      -- once for each line: its fees and taxes together
      charged AS (
        SELECT f.purchase_fee_id AS fee, f.kind, f.percentage, p.sign * f.amount_minor AS amount,
          p.sign * (l.pre_tax_minor + coalesce(sum(f.amount_minor) FILTER (WHERE f.is_taxable)
            OVER (PARTITION BY p.invoice, p.sign, l.id), 0)) AS base
        FROM posted p
          JOIN invoice_line l ON l.provider_id = ${providerId} AND l.invoice_id = p.invoice
            AND (l.account_entry_id IS NULL OR (p.sign < 0 AND l.total_minor > 0))
          JOIN invoice_line_fee f ON f.provider_id = ${providerId} AND f.line_id = l.id)
      SELECT fee, trim_scale(percentage)::text AS rate, sum(base)::bigint AS base, sum(amount)::bigint AS amount
      FROM charged WHERE kind = 'tax' GROUP BY fee, percentage ORDER BY fee, percentage`),
};
