/** Checks that the ledger still has the balances of closed periods. */
import { sql } from '../../../../kernel/base/db/sql.ts';
import type { LedgerCheck } from '../checks.ts';

/** Checks the balance at the end of the last closed period, which includes every posting of all earlier periods. */
export const closedPeriodsCheck: LedgerCheck = {
  name: 'closed_periods',
  description: 'At the end of the last closed period, each account came to what was kept when it was closed.',
  resource: 'accounting_period',
  check: async ({ tx, providerId }) => {
    const rows = await tx.rows<{ period: number; key: string; expected: number; found: number }>(sql`
      WITH last AS (
        SELECT id, end_on FROM accounting_period
        WHERE provider_id = ${providerId} AND reopened_at IS NULL ORDER BY end_on DESC LIMIT 1)
      SELECT (SELECT id FROM last) AS period, coalesce(k.key, l.key) AS key, coalesce(k.amount, 0)::bigint AS expected,
        coalesce(l.amount, 0)::bigint AS found
      FROM (SELECT trim(account || ' ' || detail) AS key, closing_minor AS amount FROM accounting_period_total
          WHERE provider_id = ${providerId} AND accounting_period_id = (SELECT id FROM last)) k
      FULL JOIN (
        SELECT trim(l.account || ' ' || coalesce(l.detail, '')) AS key, sum(l.amount_minor) AS amount
        FROM ledger_transaction t JOIN ledger_line l ON l.provider_id = t.provider_id AND l.transaction_id = t.id
        WHERE t.provider_id = ${providerId} AND t.posted_on <= (SELECT end_on FROM last) GROUP BY l.account, l.detail) l
      ON l.key = k.key WHERE coalesce(k.amount, 0) <> coalesce(l.amount, 0) ORDER BY 2 LIMIT 100`);
    return rows.map(({ period, key, expected, found }) => ({ of: `period ${period}, ${key}`, expected, found }));
  },
};
