import { sql } from '../../../../kernel/base/db/sql.ts';
import type { LedgerCheck } from '../../../money/ledger/index.ts';

/** The check that sales match the payments of their invoices. */
export const salesCheck: LedgerCheck = {
  name: 'counter sales',
  description:
    'The payments of each sale at the counter are what the ledger has of them in `clearing`, and are all that credit left to pay.',
  resource: 'counter_sale',
  check: async ({ tx, providerId }) => {
    const rows = await tx.rows<{ id: number; expected: number; found: number }>(sql`
      SELECT s.id, (s.total_minor - s.credit_minor)::bigint AS expected,
        coalesce(sum(l.amount_minor), 0)::bigint AS found
      FROM counter_sale s
        LEFT JOIN counter_payment p ON p.provider_id = s.provider_id AND p.counter_sale_id = s.id
        LEFT JOIN invoice_charge c ON c.provider_id = p.provider_id AND c.payment_id = p.payment_id
          AND c.invoice_id = s.invoice_id
        LEFT JOIN ledger_transaction t ON t.provider_id = c.provider_id AND t.object = 'invoice_charge'
          AND t.object_id = c.id
        LEFT JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id AND l.account = 'clearing'
      WHERE s.provider_id = ${providerId} GROUP BY s.id, s.total_minor, s.credit_minor, s.paid_minor
      HAVING s.total_minor - s.credit_minor <> coalesce(sum(l.amount_minor), 0)
        OR s.paid_minor <> s.total_minor - s.credit_minor
      ORDER BY s.id LIMIT 100`);
    return rows.map(({ id, expected, found }) => ({ of: `counter sale ${id}`, expected, found }));
  },
};
