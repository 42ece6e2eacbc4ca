/** Taxes in charges and credits on accounts, by the day on which they were written, for tax returns. */
import { postedWithin, type TaxRecords, type TaxTotal } from '../ledger/index.ts';
import { sql } from '../../../kernel/base/db/sql.ts';

/** The invoice line that collects an entry adds nothing to these totals. */
export const taxedEntries: TaxRecords = {
  name: 'account_entries',
  description: 'Taxes in charges and credits of accounts.',
  resource: 'account_entry',
  totals: ({ tx, providerId }, range) =>
    tx.rows<TaxTotal & Record<string, unknown>>(sql`
      WITH posted AS (
        SELECT t.object_id AS entry, CASE t.kind WHEN 'account_entry_voided' THEN -1 ELSE 1 END AS sign
        FROM ledger_transaction t
        WHERE t.provider_id = ${providerId} AND t.object = 'account_entry' AND ${postedWithin('t', range)}
          AND t.kind IN ('account_entry_created', 'account_entry_voided')),
      charged AS (
        SELECT f.purchase_fee_id AS fee, f.kind, f.percentage, p.sign * s.sign * f.amount_minor AS amount,
          p.sign * s.sign * (e.amount_minor - e.fees_minor - e.rounding_minor
            + coalesce(sum(f.amount_minor) FILTER (WHERE f.is_taxable) OVER (PARTITION BY p.entry, p.sign), 0)) AS base
        FROM posted p
          JOIN account_entry e ON e.provider_id = ${providerId} AND e.id = p.entry AND e.fees_minor <> 0
          CROSS JOIN LATERAL (SELECT CASE e.kind WHEN 'charge' THEN 1 ELSE -1 END AS sign) s
          JOIN account_entry_fee f ON f.provider_id = ${providerId} AND f.account_entry_id = e.id)
      SELECT fee, trim_scale(percentage)::text AS rate, sum(base)::bigint AS base, sum(amount)::bigint AS amount
      FROM charged WHERE kind = 'tax' GROUP BY fee, percentage ORDER BY fee, percentage`),
};
