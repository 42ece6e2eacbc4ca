/** The check that the movements of drawers match the ledger. */
import { compare, type LedgerCheck } from '../../../money/ledger/index.ts';
import { sql } from '../../../../kernel/base/db/sql.ts';

const drawer = (key: string): string => `cash drawer ${key}`;

const cashCheck: LedgerCheck = {
  name: 'cash',
  description:
    'What was paid into each drawer and out of it, and the differences of its counts, are its balance of `cash`.',
  resource: 'cash_session',
  check: (work) =>
    compare(
      work,
      'cash',
      sql`SELECT payment_processor_id::text AS key,
        sum(paid_in_minor - paid_out_minor + coalesce(difference_minor, 0)) AS amount
        FROM cash_session WHERE provider_id = ${work.providerId} GROUP BY 1`,
      drawer,
    ),
};

const transferCheck: LedgerCheck = {
  name: 'cash transfers',
  description: 'Cash paid out of all drawers, less cash paid in, is the balance of `cash_transfer`.',
  resource: 'cash_session',
  check: (work) =>
    compare(
      work,
      'cash_transfer',
      sql`SELECT '' AS key, sum(paid_out_minor - paid_in_minor) AS amount FROM cash_session
        WHERE provider_id = ${work.providerId}`,
      () => 'all drawers',
    ),
};

const differenceCheck: LedgerCheck = {
  name: 'cash differences',
  description: 'Missing cash, less surplus cash, is the balance of `cash_difference`.',
  resource: 'cash_session',
  check: (work) =>
    compare(
      work,
      'cash_difference',
      sql`SELECT '' AS key, -sum(difference_minor) AS amount FROM cash_session
        WHERE provider_id = ${work.providerId} AND closed_at IS NOT NULL`,
      () => 'all drawers',
    ),
};

/** The ledger identifies payments by the charge of the invoice that they paid. */
const expectedCheck: LedgerCheck = {
  name: 'cash sessions',
  description:
    'What each cash session expects, less its float, is what the ledger has of its payments and refunds in `clearing` of the drawer, and of what was paid in and out in `cash`.',
  resource: 'cash_session',
  check: async ({ tx, providerId }) => {
    const rows = await tx.rows<{ id: number; expected: number; found: number }>(sql`
      WITH about AS (
        SELECT m.cash_session_id, 'cash_movement' AS object, m.id AS object_id FROM cash_movement m
          WHERE m.provider_id = ${providerId} AND m.kind IN ('paid_in', 'paid_out')
        UNION ALL SELECT m.cash_session_id, 'payment_refund', m.payment_refund_id FROM cash_movement m
          WHERE m.provider_id = ${providerId} AND m.kind = 'refund'
        UNION ALL SELECT m.cash_session_id, 'invoice_charge', c.id FROM cash_movement m
          JOIN invoice_charge c ON c.provider_id = m.provider_id AND c.payment_id = m.payment_id
          WHERE m.provider_id = ${providerId} AND m.kind = 'payment'
      ), posted AS (
        SELECT a.cash_session_id AS id, l.detail, sum(l.amount_minor)::bigint AS amount FROM about a
          JOIN ledger_transaction t ON t.provider_id = ${providerId} AND t.object = a.object
            AND t.object_id = a.object_id
          JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
            AND l.account IN ('clearing', 'cash')
        GROUP BY 1, 2
      )
      SELECT s.id, (s.expected_minor - s.opening_float_minor)::bigint AS expected,
        coalesce(p.amount, 0)::bigint AS found
      FROM cash_session s LEFT JOIN posted p ON p.id = s.id AND p.detail = s.payment_processor_id::text
      WHERE s.provider_id = ${providerId} AND s.expected_minor - s.opening_float_minor <> coalesce(p.amount, 0)
      ORDER BY s.id LIMIT 100`);
    return rows.map(({ id, expected, found }) => ({ of: `cash session ${id}`, expected, found }));
  },
};

export const CASH_CHECKS = [cashCheck, transferCheck, differenceCheck, expectedCheck] as const;
